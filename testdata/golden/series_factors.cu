// Loops with an unroll factor in a pragma: an independent one, a sum at run time, and a counted sum.

__global__ void saxpy_unroll_1(const float* x, const float* y, float* out, float a, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = first; i < n; i += step) out[i] = a * x[i] + y[i];
}

__global__ void saxpy_unroll_2(const float* x, const float* y, float* out, float a, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 2
  for (int i = first; i < n; i += step) out[i] = a * x[i] + y[i];
}

__global__ void saxpy_unroll_4(const float* x, const float* y, float* out, float a, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 4
  for (int i = first; i < n; i += step) out[i] = a * x[i] + y[i];
}

__global__ void saxpy_unroll_8(const float* x, const float* y, float* out, float a, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 8
  for (int i = first; i < n; i += step) out[i] = a * x[i] + y[i];
}

__global__ void saxpy_unroll_16(const float* x, const float* y, float* out, float a, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
#pragma unroll 16
  for (int i = first; i < n; i += step) out[i] = a * x[i] + y[i];
}

__global__ void dot_unroll_1(const float* x, const float* y, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < n; k++) sum += x[k * 1024 + t] * y[k * 1024 + t];
  out[t] = sum;
}

__global__ void dot_unroll_2(const float* x, const float* y, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 2
  for (int k = 0; k < n; k++) sum += x[k * 1024 + t] * y[k * 1024 + t];
  out[t] = sum;
}

__global__ void dot_unroll_4(const float* x, const float* y, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < n; k++) sum += x[k * 1024 + t] * y[k * 1024 + t];
  out[t] = sum;
}

__global__ void dot_unroll_8(const float* x, const float* y, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 8
  for (int k = 0; k < n; k++) sum += x[k * 1024 + t] * y[k * 1024 + t];
  out[t] = sum;
}

__global__ void dot_unroll_16(const float* x, const float* y, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 16
  for (int k = 0; k < n; k++) sum += x[k * 1024 + t] * y[k * 1024 + t];
  out[t] = sum;
}

__global__ void dot_unroll_32(const float* x, const float* y, float* out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 32
  for (int k = 0; k < n; k++) sum += x[k * 1024 + t] * y[k * 1024 + t];
  out[t] = sum;
}

__global__ void counted_unroll_1(const float* x, const float* y, float* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < 96; k++) {
    const float u = x[k * 1024 + t], v = y[k * 1024 + t];
    sum += u * v + (u - v) * (u - v);
  }
  out[t] = sum;
}

__global__ void counted_unroll_2(const float* x, const float* y, float* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 2
  for (int k = 0; k < 96; k++) {
    const float u = x[k * 1024 + t], v = y[k * 1024 + t];
    sum += u * v + (u - v) * (u - v);
  }
  out[t] = sum;
}

__global__ void counted_unroll_4(const float* x, const float* y, float* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < 96; k++) {
    const float u = x[k * 1024 + t], v = y[k * 1024 + t];
    sum += u * v + (u - v) * (u - v);
  }
  out[t] = sum;
}

__global__ void counted_unroll_8(const float* x, const float* y, float* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 8
  for (int k = 0; k < 96; k++) {
    const float u = x[k * 1024 + t], v = y[k * 1024 + t];
    sum += u * v + (u - v) * (u - v);
  }
  out[t] = sum;
}

__global__ void counted_unroll_16(const float* x, const float* y, float* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 16
  for (int k = 0; k < 96; k++) {
    const float u = x[k * 1024 + t], v = y[k * 1024 + t];
    sum += u * v + (u - v) * (u - v);
  }
  out[t] = sum;
}

__global__ void counted_unroll_32(const float* x, const float* y, float* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 32
  for (int k = 0; k < 96; k++) {
    const float u = x[k * 1024 + t], v = y[k * 1024 + t];
    sum += u * v + (u - v) * (u - v);
  }
  out[t] = sum;
}

__global__ void counted_unroll_96(const float* x, const float* y, float* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 96
  for (int k = 0; k < 96; k++) {
    const float u = x[k * 1024 + t], v = y[k * 1024 + t];
    sum += u * v + (u - v) * (u - v);
  }
  out[t] = sum;
}

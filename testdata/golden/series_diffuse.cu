// A private line of N cells with a three-point stencil in place, a run-time number of steps, written back whole.

__global__ void diffuse_line_8(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[8];
  for (int k = 0; k < 8; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 8 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 8; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_16(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16];
  for (int k = 0; k < 16; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 16 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 16; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_24(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[24];
  for (int k = 0; k < 24; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 24 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 24; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_32(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[32];
  for (int k = 0; k < 32; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 32 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 32; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_40(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[40];
  for (int k = 0; k < 40; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 40 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 40; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_48(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[48];
  for (int k = 0; k < 48; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 48 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 48; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_56(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[56];
  for (int k = 0; k < 56; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 56 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 56; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_64(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[64];
  for (int k = 0; k < 64; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 64 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 64; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_65(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[65];
  for (int k = 0; k < 65; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 65 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 65; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_96(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[96];
  for (int k = 0; k < 96; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 96 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 96; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_100(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[100];
  for (int k = 0; k < 100; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 100 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 100; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_128(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[128];
  for (int k = 0; k < 128; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 128 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 128; k++) out[k * stride + t] = h[k];
}

__global__ void diffuse_line_129(const float* in, float* out, float rate, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[129];
  for (int k = 0; k < 129; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    float left = h[0];
    for (int k = 1; k < 129 - 1; k++) {
      const float here = h[k];
      h[k] = here + rate * (left - 2.0f * here + h[k + 1]);
      left = here;
    }
  }
  for (int k = 0; k < 129; k++) out[k * stride + t] = h[k];
}

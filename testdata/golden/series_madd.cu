// A private array of N floats on which a run-time number of steps does nine multiply-adds an element.

__global__ void madd9_8(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[8];
  for (int k = 0; k < 8; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 8; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 8; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_16(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16];
  for (int k = 0; k < 16; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 16; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 16; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_24(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[24];
  for (int k = 0; k < 24; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 24; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 24; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_32(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[32];
  for (int k = 0; k < 32; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 32; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 32; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_40(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[40];
  for (int k = 0; k < 40; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 40; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 40; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_48(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[48];
  for (int k = 0; k < 48; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 48; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 48; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_56(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[56];
  for (int k = 0; k < 56; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 56; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 56; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_64(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[64];
  for (int k = 0; k < 64; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 64; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 64; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_65(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[65];
  for (int k = 0; k < 65; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 65; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 65; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_96(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[96];
  for (int k = 0; k < 96; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 96; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 96; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_100(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[100];
  for (int k = 0; k < 100; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 100; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 100; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_128(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[128];
  for (int k = 0; k < 128; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 128; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 128; k++) sum += h[k];
  out[t] = sum;
}

__global__ void madd9_129(const float* in, float* out, float c, int steps, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[129];
  for (int k = 0; k < 129; k++) h[k] = in[k * stride + t];
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 129; k++) {
      float x = h[k];
      x = x * c + 0.11f;
      x = x * x + 0.22f;
      x = x * c + 0.33f;
      x = x * x + 0.44f;
      x = x * c + 0.55f;
      x = x * x + 0.66f;
      x = x * c + 0.77f;
      x = x * x + 0.88f;
      x = x * c + 0.99f;
      h[k] = x;
    }
  }
  float sum = 0.0f;
  for (int k = 0; k < 129; k++) sum += h[k];
  out[t] = sum;
}

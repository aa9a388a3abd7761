// A block that is the kernel's tile: more threads would have nothing to do. One that asks for its size can have another.

__global__ void winograd(const float* a, float* b) {
  __shared__ float in[36];
  int at = threadIdx.x * 6 + threadIdx.y;
  in[at] = a[blockIdx.x * 36 + at];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 6; ++k) sum += in[k * 6 + threadIdx.y] * in[threadIdx.x * 6 + k];
  b[blockIdx.x * 36 + at] = sum;
}

__global__ void plane(const float* a, float* b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n) b[y * n + x] = 2.0f * a[y * n + x];
}

void run(const float* a, float* b, int n) {
  winograd<<<n, dim3(6, 6)>>>(a, b);  // expect: RP106 info "28 of the 64 lanes"
  plane<<<n, dim3(6, 6)>>>(a, b, n);  // expect: RP106 warning "28 of the 64 lanes"
}

// Stopping without a word is one instruction.
__global__ void stop_smell(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  if (x < 0.0f) abort();
  b[i] = x;
}

__global__ void stop_repaired(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  b[i] = x;
}

// One object from the heap and back.
__global__ void object_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* cell = new float(a[i]);
  b[i] = *cell * 2.0f;
  delete cell;
}

__global__ void object_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float cell = a[i];
  b[i] = cell * 2.0f;
}

// launch: block=64
// time: pairs threads=1048576 size=1048576 m=64
// Without a launch bound clang sets LDS aside for 1,024 threads: with blocks of 64 nearly all of it is wasted.
__global__ void pairs_smell(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[2][4] = {};
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    v[q & 1][(q >> 1) & 3] += 1.0f;
    q = q * 5 + 3;
  }
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s += v[k & 1][k >> 1] * k;
  b[i] = s;
}

__global__ void pairs_repaired(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8] = {};
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    v[(q & 1) * 4 + ((q >> 1) & 3)] += 1.0f;
    q = q * 5 + 3;
  }
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s += v[(k & 1) * 4 + (k >> 1)] * k;
  b[i] = s;
}

void run(const int* a, float* b, int n, int m) {
  pairs_smell<<<n / 64, 64>>>(a, b, m);
  pairs_repaired<<<n / 64, 64>>>(a, b, m);
}

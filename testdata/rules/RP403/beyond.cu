// 4 KB are no array for registers, whatever its indices are: neither unrolled loops nor constant indices are advised.
struct Rows {
  float v[1024];
};

__global__ void walk(float* out, const float* in, int n) {
  float t[1024];  // expect: RP403 info @9 "4,096 bytes per thread"
  for (int k = 0; k < 1024; ++k) t[k] = in[k * n];
  float a = 0;
  for (int k = 0; k < 1024; ++k) a += t[k] * t[1023 - k];
  out[threadIdx.x] = a;
}

__global__ void whole(float* out, const float* in, int n) {
  Rows t;  // expect: RP403 info @8 "4,096 bytes per thread"
  for (int k = 0; k < 1024; ++k) t.v[k] = in[k * n];
  float a = 0;
  for (int k = 0; k < 1024; ++k) a += t.v[k] * t.v[1023 - k];
  out[threadIdx.x] = a;
}

// The same as in gammas.hip.
// time: gammas threads=1048576 size=41943040 m=16 n=1048576 t=2
__global__ void __launch_bounds__(256) gammas_smell(const float* w, const float* a, float* b, int m, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[0 * n + i], u1 = w[1 * n + i], u2 = w[2 * n + i], u3 = w[3 * n + i];
  float e0 = lgammaf(u0 * 0.5f);
  float e1 = lgammaf(u1 * 1.5f);
  float e2 = lgammaf(u2 * 2.5f);
  float e3 = lgammaf(u3 * 3.5f);
  float e4 = lgammaf(u0 * 4.5f);
  float e5 = lgammaf(u1 * 5.5f);
  float e6 = lgammaf(u2 * 6.5f);
  float e7 = lgammaf(u3 * 7.5f);
  float e8 = lgammaf(u0 * 8.5f);
  float e9 = lgammaf(u1 * 9.5f);
  float e10 = lgammaf(u2 * 10.5f);
  float e11 = lgammaf(u3 * 11.5f);
  float e12 = lgammaf(u0 * 12.5f);
  float e13 = lgammaf(u1 * 13.5f);
  float e14 = lgammaf(u2 * 14.5f);
  float e15 = lgammaf(u3 * 15.5f);
  float e16 = lgammaf(u0 * 16.5f);
  float e17 = lgammaf(u1 * 17.5f);
  float e18 = lgammaf(u2 * 18.5f);
  float e19 = lgammaf(u3 * 19.5f);
  float s[56];
  for (int k = 0; k < 56; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 56; ++k) s[k] = s[k] * x + s[(k + 1) % 56];
  }
  float r = 0.0f + u0 + u1 + u2 + u3;
  for (int k = 0; k < 56; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  r += e12 * r;
  r += e13 * r;
  r += e14 * r;
  r += e15 * r;
  r += e16 * r;
  r += e17 * r;
  r += e18 * r;
  r += e19 * r;
  b[i] = r;
}

__global__ void __launch_bounds__(256) gammas_repaired(const float* w, const float* a, float* b, int m, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[0 * n + i], u1 = w[1 * n + i], u2 = w[2 * n + i], u3 = w[3 * n + i];
  float s[56];
  for (int k = 0; k < 56; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 56; ++k) s[k] = s[k] * x + s[(k + 1) % 56];
  }
  float e0 = lgammaf(u0 * 0.5f);
  float e1 = lgammaf(u1 * 1.5f);
  float e2 = lgammaf(u2 * 2.5f);
  float e3 = lgammaf(u3 * 3.5f);
  float e4 = lgammaf(u0 * 4.5f);
  float e5 = lgammaf(u1 * 5.5f);
  float e6 = lgammaf(u2 * 6.5f);
  float e7 = lgammaf(u3 * 7.5f);
  float e8 = lgammaf(u0 * 8.5f);
  float e9 = lgammaf(u1 * 9.5f);
  float e10 = lgammaf(u2 * 10.5f);
  float e11 = lgammaf(u3 * 11.5f);
  float e12 = lgammaf(u0 * 12.5f);
  float e13 = lgammaf(u1 * 13.5f);
  float e14 = lgammaf(u2 * 14.5f);
  float e15 = lgammaf(u3 * 15.5f);
  float e16 = lgammaf(u0 * 16.5f);
  float e17 = lgammaf(u1 * 17.5f);
  float e18 = lgammaf(u2 * 18.5f);
  float e19 = lgammaf(u3 * 19.5f);
  float r = 0.0f + u0 + u1 + u2 + u3;
  for (int k = 0; k < 56; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  r += e12 * r;
  r += e13 * r;
  r += e14 * r;
  r += e15 * r;
  r += e16 * r;
  r += e17 * r;
  r += e18 * r;
  r += e19 * r;
  b[i] = r;
}

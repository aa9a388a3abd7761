// Calls of the math library, divisions, conversions.

__global__ void sine_cosine(const float* in, float* s, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sincosf(in[i], &s[i], &c[i]);
}

__global__ void sine_of_large(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sinf(in[i]) + cosf(in[i] * 3.0f);
}

__global__ void fast_waves(const float* in, float* out, int terms, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 1; k <= terms; k++) sum += __sinf(in[i] * k) / k;
  out[i] = sum;
}

__global__ void double_transcendentals(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  out[i] = exp(-x * x) * cos(2.0 * x) + log1p(fabs(x));
}

__global__ void powers(const float* in, float* out, float e, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(in[i], e) + powf(in[i], 3.0f);
}

__global__ void powers_double(const double* in, double* out, double e, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = pow(in[i], e) * cbrt(in[i]);
}

__global__ void error_functions(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = erf(in[i]) + erfc(0.5 * in[i]);
}

__global__ void gamma_ratio(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = expf(lgammaf(a[i] + b[i]) - lgammaf(a[i]) - lgammaf(b[i]));
}

__global__ void angles(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = atan2f(y[i], x[i]) + asinf(fminf(1.0f, fmaxf(-1.0f, x[i]))) + hypotf(x[i], y[i]);
}

__global__ void great_circle(const double* lat, const double* lon, double* out, double lat0, double lon0, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double r = 0.017453292519943295;
  const double a = sin(0.5 * r * (lat[i] - lat0)), b = sin(0.5 * r * (lon[i] - lon0));
  out[i] = 12742.0 * asin(sqrt(a * a + cos(r * lat0) * cos(r * lat[i]) * b * b));
}

__global__ void option_price(const float* price, const float* strike, const float* years, float* call, float* put, float rate,
                             float volatility, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float root = volatility * sqrtf(years[i]);
  const float d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / root;
  const float d2 = d1 - root;
  const float n1 = 0.5f * erfcf(-0.70710678f * d1), n2 = 0.5f * erfcf(-0.70710678f * d2);
  const float later = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * n1 - later * n2;
  put[i] = later * (1.0f - n2) - price[i] * (1.0f - n1);
}

__global__ void bessel_series(const double* in, double* out, int terms, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double q = -0.25 * in[i] * in[i];
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < terms; k++) {
    term *= q / (static_cast<double>(k) * k);
    sum += term;
  }
  out[i] = sum;
}

__global__ void divisions_float(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / b[i] + b[i] / (a[i] + 1.0f) - 1.0f / (a[i] * b[i]);
}

__global__ void divisions_double(const double* a, const double* b, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / b[i] + sqrt(b[i] / (a[i] + 1.0)) - 1.0 / (a[i] * b[i]);
}

__global__ void divisions_int(const int* a, const int* b, int* q, int* r, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  q[i] = a[i] / b[i];
  r[i] = a[i] % b[i];
}

__global__ void divisions_long(const long long* a, const long long* b, long long* q, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i] = a[i] / b[i] + a[i] % (b[i] + 1);
}

__global__ void divide_by_constants(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = in[i], digits = 0;
  for (int k = 0; k < 8; k++) {
    digits |= (x % 10u) << (4 * k);
    x /= 10u;
  }
  out[i] = digits;
}

__global__ void split_index(const float* in, float* out, int d0, int d1, int d2, int s0, int s1, int s2, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int a = i % d0, b = i / d0 % d1, c = i / (d0 * d1) % d2, d = i / (d0 * d1 * d2);
  out[i] = in[a * s0 + b * s1 + c * s2 + d];
}

__global__ void conversions(const double* in, float* f, int* k, long long* l, unsigned char* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  f[i] = static_cast<float>(x);
  k[i] = static_cast<int>(floor(x));
  l[i] = static_cast<long long>(x * 1048576.0);
  c[i] = static_cast<unsigned char>(x);
}

__global__ void spherical_harmonics(const float3* directions, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = directions[i].x, y = directions[i].y, z = directions[i].z;
  float y_lm[16];
  const float xx = x * x, yy = y * y, zz = z * z;
  y_lm[0] = 0.2820948f;
  y_lm[1] = 0.4886025f * y;
  y_lm[2] = 0.4886025f * z;
  y_lm[3] = 0.4886025f * x;
  y_lm[4] = 1.0925484f * x * y;
  y_lm[5] = 1.0925484f * y * z;
  y_lm[6] = 0.3153916f * (3.0f * zz - 1.0f);
  y_lm[7] = 1.0925484f * x * z;
  y_lm[8] = 0.5462742f * (xx - yy);
  y_lm[9] = 0.5900436f * y * (3.0f * xx - yy);
  y_lm[10] = 2.8906114f * x * y * z;
  y_lm[11] = 0.4570458f * y * (5.0f * zz - 1.0f);
  y_lm[12] = 0.3731763f * z * (5.0f * zz - 3.0f);
  y_lm[13] = 0.4570458f * x * (5.0f * zz - 1.0f);
  y_lm[14] = 1.4453057f * z * (xx - yy);
  y_lm[15] = 0.5900436f * x * (xx - 3.0f * yy);
  for (int k = 0; k < 16; k++) out[k * n + i] = y_lm[k];
}

__global__ void mandelbrot(int* out, double left, double top, double step, int most, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const double cr = left + x * step, ci = top + y * step;
  double a = 0.0, b = 0.0;
  int k = 0;
  for (; k < most && a * a + b * b < 4.0; k++) {
    const double t = a * a - b * b + cr;
    b = 2.0 * a * b + ci;
    a = t;
  }
  out[y * width + x] = k;
}

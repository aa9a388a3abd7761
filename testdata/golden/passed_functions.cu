// Functions that are handed on: as template arguments, as types of function objects, as lambdas in variables and structs.
#include "common.h"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__device__ float polynomial(float x) {
  const float a = x * x, b = a * x, c = b * x, d = c * x;
  return 0.5f + x * 0.25f + a * 0.125f + b * 0.0625f + c * 0.03125f + d * 0.015625f;
}
__device__ float rational(float x) { return (x * x + 3.0f * x + 1.0f) / (2.0f * x * x - x + 4.0f); }

template <float (*F)(float)>
__global__ void function_argument(const float* in, float* out, int n) {
  const int i = INDEX;
  if (i < n) out[i] = F(in[i]);
}
template __global__ void function_argument<polynomial>(const float*, float*, int);
template __global__ void function_argument<rational>(const float*, float*, int);

template <typename T>
__device__ void load_eight(const T* from, T* to, int stride) {
#pragma unroll
  for (int k = 0; k < 8; k++) to[k] = from[k * stride];
}

template <typename T, T (*Op)(T, T), int N>
__device__ T fold(const T* from, T start) {
  T sum = start;
#pragma unroll
  for (int k = 0; k < N; k++) sum = Op(sum, from[k]);
  return sum;
}
__device__ double add_pair(double a, double b) { return a + b; }
__device__ double scaled_pair(double a, double b) { return a * b + 0.5 * a - b; }

template <double (*Op)(double, double)>
__global__ void function_on_tile(const double* in, double* out, int stride, int n) {
  const int i = INDEX;
  if (i >= n) return;
  double a[8], b[8];
  load_eight(in + i, a, stride);
  load_eight(in + i + 8 * stride, b, stride);
#pragma unroll
  for (int k = 0; k < 8; k++) a[k] = Op(a[k], b[7 - k]);
  const double all = fold<double, Op, 8>(a, 1.0);
#pragma unroll
  for (int k = 0; k < 8; k++) out[i + k * stride] = a[k] * all;
}
template __global__ void function_on_tile<add_pair>(const double*, double*, int, int);
template __global__ void function_on_tile<scaled_pair>(const double*, double*, int, int);

struct Sum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Larger {
  template <typename T>
  __device__ T operator()(const T& a, const T& b) const {
    return a > b ? a : b;
  }
};
struct Softplus {
  static __device__ float apply(float x) { return x > 20.0f ? x : logf(1.0f + expf(x)); }
};
struct Cubic {
  static __device__ float apply(float x) { return x * x * x + 0.5f * x * x + 0.25f * x; }
};

template <typename Op>
__global__ void static_method(const float4* in, float4* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  const float4 v = in[i];
  out[i] = make_float4(Op::apply(v.x), Op::apply(v.y), Op::apply(v.z), Op::apply(v.w));
}
template __global__ void static_method<Softplus>(const float4*, float4*, int);
template __global__ void static_method<Cubic>(const float4*, float4*, int);

template <typename Op>
__global__ void made_in_place(const float* in, float* out, int stride, int n) {
  const int i = INDEX;
  if (i >= n) return;
  float v[16];
#pragma unroll
  for (int k = 0; k < 16; k++) v[k] = in[i + k * stride];
#pragma unroll
  for (int step = 8; step > 0; step /= 2)
#pragma unroll
    for (int k = 0; k < step; k++) v[k] = Op()(v[k], v[k + step]);
  out[i] = v[0];
}
template __global__ void made_in_place<Sum>(const float*, float*, int, int);
template __global__ void made_in_place<Larger>(const float*, float*, int, int);

template <typename Op>
__global__ void named_object(const float* in, float* out, int stride, int n) {
  const int i = INDEX;
  if (i >= n) return;
  Op op;
  float best = in[i];
#pragma unroll
  for (int k = 1; k < 12; k++) best = op(best, in[i + k * stride] * in[i + k]);
  out[i] = best;
}
template __global__ void named_object<Sum>(const float*, float*, int, int);
template __global__ void named_object<Larger>(const float*, float*, int, int);

template <template <typename> class Op, typename T>
__global__ void template_template(const T* in, T* out, int n) {
  const int i = INDEX;
  if (i < n) out[i] = Op<T>()(in[i], in[i + n]);
}
template <typename T>
struct Hypotenuse {
  __device__ T operator()(T a, T b) const { return a * a + b * b + a * b * (a - b) * (a + b); }
};
template __global__ void template_template<Hypotenuse, float>(const float*, float*, int);
template __global__ void template_template<Hypotenuse, double>(const double*, double*, int);

template <typename F>
__device__ void each_of_eight(F f) {
#pragma unroll
  for (int k = 0; k < 8; k++) f(k);
}

__global__ void lambda_argument(const float* in, float* out, int stride, int n) {
  const int i = INDEX;
  if (i >= n) return;
  float a[8], total = 0.0f;
  each_of_eight([&](int k) { a[k] = in[i + k * stride]; });
  each_of_eight([&](int k) { total += a[k] * a[7 - k]; });
  each_of_eight([&](int k) { out[i + k * stride] = a[k] - total; });
}

__global__ void lambda_variable(const float* in, float* out, int stride, int n) {
  const int i = INDEX;
  if (i >= n) return;
  auto at = [&](int k) { return in[i + k * stride]; };
  auto term = [=](float a, float b) { return a * b + 0.5f * (a - b); };
  const auto chosen = term;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += chosen(at(k), at(k + 1));
  out[i] = sum;
}

template <typename F, typename G>
struct Pipeline {
  F load;
  G compute;
  __device__ float run(int i) const { return compute(load(i), load(i + 1), load(i + 2), load(i + 3)); }
};
template <typename F, typename G>
__device__ Pipeline<F, G> make_pipeline(F f, G g) {
  return {f, g};
}

__global__ void lambda_in_struct(const float* in, float* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  auto pipeline = make_pipeline([=](int k) { return in[k] * 2.0f; },
                                [](float a, float b, float c, float d) { return a * b + c * d - a * d + b * c; });
  out[i] = pipeline.run(i);
}

__device__ float apply_pointer(float (*f)(float), float x) { return f(x) + f(x + 1.0f); }

__global__ void pointer_argument(const float* in, float* out, int n) {
  const int i = INDEX;
  if (i < n) out[i] = apply_pointer(polynomial, in[i]);
}

__global__ void pointer_variable(const float* in, float* out, int n) {
  const int i = INDEX;
  float (*const f)(float) = rational;
  if (i < n) out[i] = f(in[i]) * f(in[i + n]);
}

template <typename F>
__global__ void given_lambda(F f, int n) {
  const int i = INDEX;
  if (i < n) f(i);
}

template <typename Policy>
struct Engine {
  typename Policy::State state;
  __device__ void step(const float* in, int i) { Policy::advance(state, in[i]); }
  __device__ float result() const { return Policy::value(state); }
};
struct Moments {
  struct State {
    float m0, m1, m2, m3, low, high;
  };
  static __device__ void advance(State& s, float x) {
    s.m0 += 1.0f;
    s.m1 += x;
    s.m2 += x * x;
    s.m3 += x * x * x;
    s.low = fminf(s.low, x);
    s.high = fmaxf(s.high, x);
  }
  static __device__ float value(const State& s) { return s.m1 / s.m0 + s.m2 * s.m3 + s.high - s.low; }
};

template <typename Policy>
__global__ void policy_engine(const float* in, float* out, int n) {
  Engine<Policy> engine = {};
  for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) engine.step(in, i);
  out[INDEX] = engine.result();
}
template __global__ void policy_engine<Moments>(const float*, float*, int);

void launch_lambda(float* a, const float* b, int n);
void launch_lambda(float* a, const float* b, int n) {
  auto body = [=] __device__(int i) {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 16; k++) sum += b[i + k * n] * b[i * 16 + k];
    a[i] = sum;
  };
  given_lambda<<<n / 256, 256>>>(body, n);
}

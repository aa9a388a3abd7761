// Bounds that one kernel knows and another does not: constants of the class that a function template is handed, and
// arrays that only one side of a constant condition has. Compiled for gfx90a: scratch in gate_dynamic alone.
#include <hip/hip_runtime.h>

template <int WIDE, int ROWS>
struct Fixed {
  static constexpr int wide = WIDE;
  static constexpr int rows = ROWS;
};
struct Given {
  int wide;
  int rows;
};

template <typename T, typename P>
__device__ void gate_of(const T* in, float* out, long rows, P params) {
  long row = blockIdx.x * params.rows + threadIdx.x;
  if (row >= rows) return;
  float chunk[32];  // expect: RP403 warning @9 "`chunk` of 32 x float" "`params.wide`"
#pragma unroll
  for (int i = 0; i < params.wide; ++i) chunk[i] = in[row * params.wide + i];
  float best = -1e30f;
  int at = 0;
#pragma unroll
  for (int i = 0; i < params.wide; ++i) {
    if (chunk[i] > best) {
      best = chunk[i];
      at = i;
    }
  }
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < params.wide; ++i) s += chunk[i] / best;
  out[row] = s + at;
}

template <typename T, int WIDE, int ROWS>
__global__ void __launch_bounds__(64) gate(const T* in, float* out, long rows) {
  Fixed<WIDE, ROWS> params;
  gate_of<T>(in, out, rows, params);
}

template <typename T>
__global__ void __launch_bounds__(64) gate_dynamic(const T* in, float* out, long rows, int experts, int groups) {
  Given params;
  params.wide = experts / groups;
  params.rows = 4;
  gate_of<T>(in, out, rows, params);
}

__device__ float weighed(const float* w, int n, const float* in) {
  float s = 0.0f;
  for (int i = 0; i < n; ++i) s += w[i] * in[i];
  return s;
}
__device__ float of_many(const float* w, float x) {
  float in[20];
  for (int i = 0; i < 20; ++i) in[i] = x * i;
  return weighed(w, 20, in);
}
template <bool MANY>
__global__ void __launch_bounds__(64) chosen(const float* w, float* out) {
  out[threadIdx.x] = MANY ? of_many(w, out[threadIdx.x]) : w[threadIdx.x];
}

void run(const float* in, float* out, long rows, int kind) {
  if (kind == 0) gate<float, 32, 4><<<100, 64>>>(in, out, rows);
  if (kind == 1) gate_dynamic<float><<<100, 64>>>(in, out, rows, 64, 4);
  chosen<true><<<100, 64>>>(in, out);
  chosen<false><<<100, 64>>>(in, out);
}

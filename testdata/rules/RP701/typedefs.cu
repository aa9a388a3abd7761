// Pointers to functions by what they are called as: typedefs, aliases, members, tables; and objects that are none.
#include <cuda_runtime.h>

using Rng = double (*)(unsigned long long*);
typedef float (*Op)(float, float);
typedef float Plain(float);
template <class T>
using Binary = T (*)(T, T);

struct Ops {
  Op add;
  float (*mul)(float, float);
  float scale;
};

struct Functor {
  float by;
  __device__ float operator()(float v) const { return v * by; }
  __device__ float apply(float v) const { return v + by; }
};

__device__ float doubled(float v, float) { return 2.0f * v; }

__device__ inline float twice(Op f, float v) { return f(v, v); }  // expect: RP701 @55 "`f` is a function pointer that is read at run time"

__global__ void by_using(double* y, Rng rng, unsigned long long* state) {
  y[threadIdx.x] += rng(state + threadIdx.x);  // expect: RP701 warning @21 "`rng` is a function pointer"
}

__global__ void by_typedef(float* y, Op f) {
  y[threadIdx.x] = f(y[threadIdx.x], 1.0f);  // expect: RP701 @20 "`f` is a function pointer"
}

__global__ void by_function_type(float* y, Plain* f) {
  y[threadIdx.x] = (*f)(y[threadIdx.x]);  // expect: RP701 @20 "`*f` is a function pointer"
}

__global__ void by_alias_template(float* y, Binary<float> f) {
  y[threadIdx.x] = f(y[threadIdx.x], 2.0f);  // expect: RP701 @20 "`f` is a function pointer"
}

__global__ void by_member(float* y, const Ops* ops, Ops given) {
  y[threadIdx.x] = ops->mul(y[threadIdx.x], 2.0f);  // expect: RP701 @20 "`ops->mul` is a function pointer"
  y[threadIdx.x] += (*given.add)(y[threadIdx.x], 2.0f);  // expect: RP701 @21 "`given.add` is a function pointer"
}

__global__ void by_table(float* y, Op* table, int k) {
  Op f = table[k];
  y[threadIdx.x] = f(y[threadIdx.x], 2.0f);  // expect: RP701 @20 "`f` is a function pointer"
}

__global__ void through_a_function(float* y, Op f) { y[threadIdx.x] = twice(f, y[threadIdx.x]); }

__global__ void known(float* y) {
  Op f = doubled;
  Ops ops{doubled, doubled, 2.0f};
  y[threadIdx.x] = f(y[threadIdx.x], 2.0f) + ops.add(y[threadIdx.x], ops.scale) + twice(doubled, 1.0f);
}

__global__ void functors(float* y, Functor f, const Functor* g) {
  y[threadIdx.x] = f(y[threadIdx.x]) + (*g)(y[threadIdx.x]) + g->apply(1.0f) + g[1](2.0f);
}

template <class F>
__global__ void of_any_class(float* y, F f, F* g, Unseen* h) {
  y[threadIdx.x] = f(y[threadIdx.x]) + (*g)(y[threadIdx.x]) + g[1](2.0f) + (*h)(3.0f);
}

struct Table {
  Op of[2];
};
__device__ Op chosen;
__constant__ Op given_by_host;
__device__ const Op fixed = doubled;

__global__ void tables(float* y, Table table, int k) {
  y[threadIdx.x] = table.of[k & 1](y[threadIdx.x], 2.0f);  // expect: RP701 @20 "`table.of` is a function pointer"
  y[threadIdx.x] += chosen(y[threadIdx.x], 2.0f);          // expect: RP701 @21 "`chosen` is a function pointer"
  y[threadIdx.x] += (*given_by_host)(y[threadIdx.x], 2.0f);  // expect: RP701 @21 "is a function pointer"
  y[threadIdx.x] += fixed(y[threadIdx.x], 2.0f);
}

__global__ void known_table(float* y) {
  const Op f[] = {doubled, doubled};
  y[threadIdx.x] = f[1](y[threadIdx.x], 2.0f);
}

// The counter of a loop that becomes copies says which function of a table is called in each.
__device__ static constexpr Op always[] = {doubled, doubled};
__device__ Op written_by_host[] = {doubled, doubled};

__global__ void tables_in_copies(float* y) {
  const Op own[] = {doubled, doubled};
#pragma unroll
  for (int k = 0; k < 2; ++k) y[k] += own[k](y[k], 2.0f) + always[1 - k](y[k], 2.0f);
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    y[k] = written_by_host[k](y[k], 2.0f);  // expect: RP701 @12 "`written_by_host[k]` is a function pointer"
  }
}

__global__ void moved_along_a_table(float* y, int k) {
  const Op* f = always + k;
  y[threadIdx.x] = (*f)(y[threadIdx.x], 2.0f);  // expect: RP701 @20 "`*f` is a function pointer"
}

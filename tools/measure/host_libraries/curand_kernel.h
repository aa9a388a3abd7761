// What a source names of a library whose calls run on the host; not the library. For world_registers.py.
#pragma once
#include <cuda_runtime.h>
// A kernel that draws numbers calls what is nowhere: it does not compile, and counts nowhere.
typedef struct curandGenerator_st* curandGenerator_t;
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandStateXORWOW_t;
__device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, curandState*);
__device__ unsigned curand(curandState*);
__device__ float curand_uniform(curandState*);
__device__ double curand_uniform_double(curandState*);
__device__ float curand_normal(curandState*);
__device__ double curand_normal_double(curandState*);
__device__ float2 curand_normal2(curandState*);
__device__ float4 curand_normal4(curandState*);

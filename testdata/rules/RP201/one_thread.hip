// One thread runs the kernels here: information. Other launches, and functions that other kernels call, stay warnings.
#include <hip/hip_runtime.h>

__device__ double shared_by_both(double h) {
  return pow(h, 2.0);  // expect: RP201 warning @10
}

__global__ void once(const double* a, double* b) {
  b[0] = pow(a[0], 2.0);  // expect: RP201 info @10 "with the fix the estimate is"
  b[1] = shared_by_both(a[1]);
}

__global__ void also_wide(const double* a, double* b) {
  b[threadIdx.x] = pow(a[threadIdx.x], 2.0) + shared_by_both(a[0]);  // expect: RP201 warning @20
}

__global__ void without_launch(const double* a, double* b) {
  b[threadIdx.x] = pow(a[threadIdx.x], 2.0);  // expect: RP201 warning @20
}

void run(const double* a, double* b) {
  once<<<1, 1>>>(a, b);
  also_wide<<<1, 1>>>(a, b);
  also_wide<<<1, 256>>>(a, b);
}

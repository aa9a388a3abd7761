"""Kernels that changes are tried on."""

from __future__ import annotations

LOADS = "".join(f"  double e{k} = a[{k} * n + i];\n" for k in range(24))
SUMS = "".join(f"  double s{k} = 0;\n" for k in range(16))
STEPS = "".join(f"    s{k} = s{k} * x + s{(k + 1) % 16};\n" for k in range(16))
USES = " + ".join(f"s{k % 16} * e{k}" for k in range(24))
EARLY = f"""
__global__ void __launch_bounds__(256) early(const double* a, double* b, int m, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
{LOADS}{SUMS}
  for (int j = 0; j < m; ++j) {{
    double x = a[j];
{STEPS}  }}
  b[i] = {USES};
}}
"""
BINS = """
__global__ void __launch_bounds__(128) bins(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[24];
  for (int k = 0; k < 24; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * m + i]] += 1.0f;
  for (int k = 0; k < 24; ++k) b[k * m + i] = h[k];
}
"""
SYCL_BINS = """
#include <sycl/sycl.hpp>
void bins(sycl::queue &q, const int *a, float *b, int m) {
  q.parallel_for(sycl::nd_range<1>(1024, 128), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    unsigned h[40];
    for (int k = 0; k < 40; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * m + i]] += 1;
    for (int k = 0; k < 40; ++k) b[k * m + i] = h[k];
  });
}
"""
SMALL = "__global__ void __launch_bounds__(256) twice(float* x) { x[threadIdx.x] *= 2; }\n"

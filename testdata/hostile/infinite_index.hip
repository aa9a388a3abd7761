// OverflowError: cannot convert float infinity to integer
.parallel_for(sycl::>, [=]{floatstruct S { ( };acc[81e999])
  })
__global__ void k(float *x) {
  float t[4];
  t[int(1e999)] = x[1e999 - 1e999];
  x[~(1e999)] = t[1e300 * 1e300] + x[-1e999] + (1 << 1e999) + *(x + 1e999);
}

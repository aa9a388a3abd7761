// What nvcc keeps in local memory though it begins with values from memory.
struct Pair {
  unsigned long long lo, hi;
};

__device__ __forceinline__ Pair product(unsigned long long a, unsigned long long b) {
  Pair p;
  p.lo = a * b;
  p.hi = __umul64hi(a, b);
  return p;
}

__device__ __forceinline__ unsigned long long folded(unsigned long long a, unsigned long long b) {
  volatile Pair p = product(a, b);  // expect: RP401 warning @3 "every access goes to local memory on sm_90"
  return p.lo + p.hi;
}

__global__ void __launch_bounds__(256) looped(unsigned long long* o, const unsigned long long* x, int n) {
  for (int i = threadIdx.x; i < n; i += 256) o[i] = folded(x[i], x[i + n]);
}

__global__ void __launch_bounds__(256) branched(unsigned long long* o, const unsigned long long* x, int n) {
  int t = threadIdx.x;
  if (t < n) {
    volatile unsigned long long p = x[t];  // expect: RP401 warning @5 "every access goes to local memory on sm_90"
    o[t] = p * 3;
  }
}

__global__ void __launch_bounds__(256) assigned(unsigned long long* o, const unsigned long long* x, int n) {
  for (int i = threadIdx.x; i < n; i += 256) {
    volatile Pair p;
    p.lo = x[i];
    p.hi = x[i + n];
    o[i] = p.lo + p.hi;
  }
}

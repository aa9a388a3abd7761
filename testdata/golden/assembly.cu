// Inline assembly: big numbers with a carry through several statements, words taken apart, reads and matrices.
#include "common.h"

#ifdef __CUDACC__
#define ADD_OUT(r, a, b) asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b) : "memory");
#define ADD_ON(r, a, b) asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b) : "memory");
#define ADD_END(r, a, b) asm volatile("addc.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
#define LOW(r, a, b) asm("mul.lo.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
#define HIGH(r, a, b) asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));

template <int WORDS>
__device__ __forceinline__ void add(unsigned long long* r, const unsigned long long* a, const unsigned long long* b) {
  ADD_OUT(r[0], a[0], b[0])
#pragma unroll
  for (int i = 1; i < WORDS - 1; ++i) ADD_ON(r[i], a[i], b[i])
  ADD_END(r[WORDS - 1], a[WORDS - 1], b[WORDS - 1])
}

template <int WORDS>
__device__ __forceinline__ void row(unsigned long long* r, const unsigned long long* a, unsigned long long b) {
  unsigned long long low[WORDS + 1], high[WORDS + 1];
#pragma unroll
  for (int i = 0; i < WORDS; ++i) {
    LOW(low[i], a[i], b)
    HIGH(high[i + 1], a[i], b)
  }
  low[WORDS] = high[0] = 0;
  add<WORDS + 1>(low, low, high);
  add<WORDS + 1>(r, r, low);
}

template <int WORDS>
__device__ void sums(unsigned long long* out, const unsigned long long* in, int rounds) {
  unsigned long long a[WORDS], b[WORDS];
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < WORDS; ++i) {
    a[i] = in[(2 * i) * 4096 + t];
    b[i] = in[(2 * i + 1) * 4096 + t];
  }
  for (int k = 0; k < rounds; ++k) {
    add<WORDS>(a, a, b);
    add<WORDS>(b, b, a);
  }
  for (int i = 0; i < WORDS; ++i) out[i * 4096 + t] = a[i] ^ b[i];
}

template <int WORDS>
__device__ void products(unsigned long long* out, const unsigned long long* in) {
  unsigned long long a[WORDS], b[WORDS], r[2 * WORDS];
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < WORDS; ++i) {
    a[i] = in[(2 * i) * 4096 + t];
    b[i] = in[(2 * i + 1) * 4096 + t];
  }
#pragma unroll
  for (int i = 0; i < 2 * WORDS; ++i) r[i] = 0;
#pragma unroll
  for (int i = 0; i < WORDS; ++i) row<WORDS>(r + i, a, b[i]);
#pragma unroll
  for (int i = 0; i < 2 * WORDS; ++i) out[i * 4096 + t] = r[i];
}

__global__ void assembly_sum_4(unsigned long long* out, const unsigned long long* in, int rounds) { sums<4>(out, in, rounds); }
__global__ void assembly_sum_6(unsigned long long* out, const unsigned long long* in, int rounds) { sums<6>(out, in, rounds); }
__global__ void assembly_sum_12(unsigned long long* out, const unsigned long long* in, int rounds) { sums<12>(out, in, rounds); }
__global__ void assembly_product_2(unsigned long long* out, const unsigned long long* in) { products<2>(out, in); }
__global__ void assembly_product_4(unsigned long long* out, const unsigned long long* in) { products<4>(out, in); }

// 32-bit words: a * b + c with carries, in one text.
__device__ __forceinline__ void step(unsigned& r0, unsigned& r1, unsigned& r2, unsigned a, unsigned b) {
  asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
      "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
      "addc.u32 %2, %2, 0;"
      : "+r"(r0), "+r"(r1), "+r"(r2)
      : "r"(a), "r"(b));
}

__global__ void assembly_columns_8(unsigned* out, const unsigned* in) {
  unsigned a[8], b[8];
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    a[i] = in[(2 * i) * 4096 + t];
    b[i] = in[(2 * i + 1) * 4096 + t];
  }
  unsigned r0 = 0, r1 = 0, r2 = 0;
#pragma unroll
  for (int column = 0; column < 15; ++column) {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (column - i >= 0 && column - i < 8) step(r0, r1, r2, a[i], b[column - i]);
    out[column * 4096 + t] = r0;
    r0 = r1;
    r1 = r2;
    r2 = 0;
  }
}

// Words taken apart and put together, a value of the thread, a choice.
__global__ void assembly_words(unsigned long long* out, const unsigned long long* in, int n) {
  unsigned lane, low, high, mixed;
  unsigned long long both;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long sum = 0;
  for (int i = 0; i < n; ++i) {
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(in[i * 4096 + t]));
    asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, %1, %3, p; }" : "=r"(mixed) : "r"(low), "r"(high), "r"(lane));
    asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(mixed), "r"(high));
    sum += both;
  }
  out[t] = sum;
}

// Reads that are spelled: sixteen bytes at once, past the first cache.
__device__ __forceinline__ float4 streamed(const float4* from) {
  float4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(from));
  return v;
}

__global__ void assembly_reads_4(float* out, const float4* in) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) v[i] = streamed(in + i * 4096 + t);
#pragma unroll
  for (int i = 0; i < 4; ++i) sum += v[i].x * v[i].y + v[i].z * v[i].w;
  out[t] = sum;
}

// Tensor cores: the sum stays where it is.
__device__ __forceinline__ void tile(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <int ROWS, int COLUMNS>
__device__ void tiles(float* out, const unsigned* left, const unsigned* right, int n) {
  float d[ROWS][COLUMNS][4] = {};
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    unsigned a[ROWS][4], b[COLUMNS][2];
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) a[i][j] = left[((k * ROWS + i) * 4 + j) * 4096 + t];
#pragma unroll
    for (int i = 0; i < COLUMNS; ++i)
#pragma unroll
      for (int j = 0; j < 2; ++j) b[i][j] = right[((k * COLUMNS + i) * 2 + j) * 4096 + t];
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
#pragma unroll
      for (int j = 0; j < COLUMNS; ++j) tile(d[i][j], a[i], b[j]);
  }
#pragma unroll
  for (int i = 0; i < ROWS; ++i)
#pragma unroll
    for (int j = 0; j < COLUMNS; ++j)
#pragma unroll
      for (int k = 0; k < 4; ++k) out[((i * COLUMNS + j) * 4 + k) * 4096 + t] = d[i][j][k];
}

__global__ void assembly_tiles_2_2(float* out, const unsigned* a, const unsigned* b, int n) { tiles<2, 2>(out, a, b, n); }
__global__ void assembly_tiles_4_4(float* out, const unsigned* a, const unsigned* b, int n) { tiles<4, 4>(out, a, b, n); }
#endif

#ifdef __HIPCC__
// What HIP's compiler does not read is opaque to it: an instruction with operands, `volatile` or not.
__global__ void assembly_opaque(float* out, const float* in, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float product;
    asm volatile("v_mul_f32 %0, %1, %2" : "=v"(product) : "v"(in[2 * i * 4096 + t]), "v"(in[(2 * i + 1) * 4096 + t]));
    sum += product;
  }
  out[t] = sum;
}
#endif

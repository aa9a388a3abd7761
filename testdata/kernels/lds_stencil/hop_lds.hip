// Stencil that keeps 2 x 12 private floats per thread in LDS: 24 KiB per block of 256.
//
// Nearest-neighbour operator on a 4-D lattice with twelve floats per site, as in lattice field theory.
// launch: block=256 dynamic_lds=0
#include <hip/hip_runtime.h>

constexpr int kThreads = 256;
constexpr int kParts = 12;  // floats per site
constexpr int kDirections = 8;

// out = mass * in - sum over the eight neighbours of weight[direction] * in, then normalised by the site's own norm.
// neighbour[direction * sites + site] is the index of the neighbouring site; sites is a multiple of kThreads.
// expect-next-line: RP105 info @45 "8 of 32 wave slots of a CU on gfx90a (25%)" "limited by LDS (24,576 bytes per block)"
__global__ __launch_bounds__(kThreads) void hop(const float* __restrict__ in, float* __restrict__ out,
                                                const int* __restrict__ neighbour,
                                                const float* __restrict__ weight, float mass, int sites) {
  // Private data: every thread touches its own column only, and no other thread ever reads it.
  __shared__ float own[kParts][kThreads];  // 12 KiB // expect: RP801 warning @20 "12 elements of `own`" "instead of 2"
  __shared__ float sum[kParts][kThreads];  // 12 KiB // expect: RP801 warning @20 "12 elements of `sum`"
  const int site = blockIdx.x * kThreads + threadIdx.x;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    own[part][threadIdx.x] = in[part * sites + site];
    sum[part][threadIdx.x] = 0.0f;
  }
  __syncthreads();
#pragma unroll 1  // one neighbour in flight: the twelve loads of its site are enough to hide the latency
  for (int direction = 0; direction < kDirections; ++direction) {
    const int other = neighbour[direction * sites + site];
    const float scale = weight[direction * sites + site];
#pragma unroll
    for (int part = 0; part < kParts; ++part) sum[part][threadIdx.x] += scale * in[part * sites + other];
  }
  __syncthreads();
  float norm = 0.0f;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    sum[part][threadIdx.x] = mass * own[part][threadIdx.x] - sum[part][threadIdx.x];
    norm += sum[part][threadIdx.x] * sum[part][threadIdx.x];
  }
  const float inverse = rsqrtf(norm + 1e-20f);
#pragma unroll
  for (int part = 0; part < kParts; ++part) out[part * sites + site] = inverse * sum[part][threadIdx.x];
}

void apply_hop(const float* in, float* out, const int* neighbour, const float* weight, float mass, int sites,
               hipStream_t stream) {
  hop<<<sites / kThreads, kThreads, 0, stream>>>(in, out, neighbour, weight, mass, sites);
}

// Stencil that keeps 2 x 12 private floats per thread in registers.
//
// Nearest-neighbour operator on a 4-D lattice with twelve floats per site, as in lattice field theory.
// launch: block=256 dynamic_lds=0
#include <hip/hip_runtime.h>

constexpr int kThreads = 256;
constexpr int kParts = 12;  // floats per site
constexpr int kDirections = 8;

// out = mass * in - sum over the eight neighbours of weight[direction] * in, then normalised by the site's own norm.
// neighbour[direction * sites + site] is the index of the neighbouring site; sites is a multiple of kThreads.
__global__ __launch_bounds__(kThreads) void hop(const float* __restrict__ in, float* __restrict__ out,
                                                const int* __restrict__ neighbour,
                                                const float* __restrict__ weight, float mass, int sites) {
  float own[kParts];  // expect: RP301 warning @9 "12 registers held through the peak"
  float sum[kParts];
  const int site = blockIdx.x * kThreads + threadIdx.x;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    own[part] = in[part * sites + site];
    sum[part] = 0.0f;
  }
#pragma unroll 1  // one neighbour in flight: the twelve loads of its site are enough to hide the latency
  for (int direction = 0; direction < kDirections; ++direction) {
    const int other = neighbour[direction * sites + site];
    const float scale = weight[direction * sites + site];
#pragma unroll
    for (int part = 0; part < kParts; ++part) sum[part] += scale * in[part * sites + other];
  }
  float norm = 0.0f;
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
    sum[part] = mass * own[part] - sum[part];
    norm += sum[part] * sum[part];
  }
  const float inverse = rsqrtf(norm + 1e-20f);
#pragma unroll
  for (int part = 0; part < kParts; ++part) out[part * sites + site] = inverse * sum[part];
}

void apply_hop(const float* in, float* out, const int* neighbour, const float* weight, float mass, int sites,
               hipStream_t stream) {
  hop<<<sites / kThreads, kThreads, 0, stream>>>(in, out, neighbour, weight, mass, sites);
}

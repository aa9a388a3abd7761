// A kernel that uses the range of the shims for HIP. It is parsed, never compiled.
#include <hip/hip_bf16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <hiprand/hiprand_kernel.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

constexpr int kBlock = std::min(256, 512);
__constant__ double table[8];

template <typename T, int N>
__global__ __launch_bounds__(kBlock) void sample(T *out, const float4 *in, int n) {
  HIP_DYNAMIC_SHARED(float, dynamic)
  __shared__ T tile[N * 2];
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  float4 v = {1.f, 2.f, 3.f, 4.f};
  v = v * 2.f + in[i % n];
  v += v;
  float3 p = make_float3(v.x, v.y, v.z);
  p = -p + float3(1.f);
  int2 whole(1, 2);
  whole <<= 1;
  tile[threadIdx.x % N] = p.x + whole.x;
  __syncthreads();
  v.x += __shfl_xor(v.x, 1) + __shfl_down(v.y, 2, 32) + rsqrtf(v.z) + __fdividef(v.x, v.y) + table[0];
  unsigned long long votes = __ballot(i < n);
  atomicAdd(&dynamic[0], v.x);
  atomicMax(&dynamic[1], v.y);
  unsafeAtomicAdd(&dynamic[2], v.z);
  atomicAdd(reinterpret_cast<int *>(out), __popcll(votes));
  __half h = __float2half(v.x);
  h = __hadd(h, h) * h;
  __hip_bfloat16 b = __float2bfloat16(v.y);
  __hip_fp8_e4m3_fnuz narrow(v.x);
  hipFloatComplex c = hipCmulf(make_hipFloatComplex(1, 2), make_hipFloatComplex(3, 4));
  hiprandState state;
  hiprand_init(1, i, 0, &state);
  auto block = cooperative_groups::this_thread_block();
  auto warp = cooperative_groups::tiled_partition<64>(block);
  warp.sync();
  out[i] = __half2float(h) + __bfloat162float(b) + static_cast<float>(narrow) + hipCrealf(c) +
           hiprand_uniform(&state) + max(i, 1L) + __builtin_amdgcn_readfirstlane(i) + wall_clock64();
}

int main() {
  float *out = nullptr;
  if (hipMalloc(&out, 16) != hipSuccess) std::cerr << hipGetErrorString(hipGetLastError()) << std::endl;
  std::vector<float> host(1024);
  hipMemcpy(out, host.data(), 16, hipMemcpyHostToDevice);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(sample<float, 16>), dim3(4), dim3(kBlock), 0, 0, out, nullptr, 1);
  sample<float, 16><<<4, kBlock>>>(out, nullptr, 1);
  return hipDeviceSynchronize() != hipSuccess;
}

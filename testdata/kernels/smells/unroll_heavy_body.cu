// Sum of 16 damped modes: a full unroll makes 16 copies of a double-precision exp and sin.
// launch: block=256 dynamic_lds=0
#include <cuda_runtime.h>

constexpr int kModes = 16;

__global__ __launch_bounds__(256) void ring_down(const double* time, const double* loss, const double* rate,  // expect: RP109 info @40 "the slow path of `sin` for arguments from 2^31 on"
                                                 const double* frequency, const double* phase, double* signal,
                                                 double* derivative, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double t = time[i];
  const double damping = loss[i];
  double sum = 0.0;
  double slope = 0.0;
#pragma unroll
  for (int mode = 0; mode < kModes; ++mode) {
    const double envelope = exp(-damping * rate[mode] * t);
    const double wave = sin(frequency[mode] * t + phase[mode * n + i]);
    sum += envelope * wave;
    slope -= damping * rate[mode] * envelope * wave;
  }
  signal[i] = sum;
  derivative[i] = slope;
}

void ring_downs(const double* time, const double* loss, const double* rate, const double* frequency,
                const double* phase, double* signal, double* derivative, int n, cudaStream_t stream) {
  ring_down<<<(n + 255) / 256, 256, 0, stream>>>(time, loss, rate, frequency, phase, signal, derivative, n);
}

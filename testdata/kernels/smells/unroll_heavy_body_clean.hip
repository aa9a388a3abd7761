// Sum of 16 damped modes, one at a time.
// launch: block=256 dynamic_lds=0
#include <hip/hip_runtime.h>

constexpr int kModes = 16;

__global__ __launch_bounds__(256) void ring_down(const double* time, const double* loss, const double* rate,
                                                 const double* frequency, const double* phase, double* signal,
                                                 double* derivative, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double t = time[i];
  const double damping = loss[i];
  double sum = 0.0;
  double slope = 0.0;
#pragma unroll 1
  for (int mode = 0; mode < kModes; ++mode) {
    const double envelope = exp(-damping * rate[mode] * t);
    const double wave = sin(frequency[mode] * t + phase[mode * n + i]);  // expect: RP203 info @25
    sum += envelope * wave;
    slope -= damping * rate[mode] * envelope * wave;
  }
  signal[i] = sum;
  derivative[i] = slope;
}

void ring_downs(const double* time, const double* loss, const double* rate, const double* frequency,
                const double* phase, double* signal, double* derivative, int n, hipStream_t stream) {
  ring_down<<<(n + 255) / 256, 256, 0, stream>>>(time, loss, rate, frequency, phase, signal, derivative, n);
}

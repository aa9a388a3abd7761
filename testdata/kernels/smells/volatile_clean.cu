// Stacks the spectra of many frames; the private accumulators are ordinary variables.
// launch: block=256 dynamic_lds=0
#include <cuda_runtime.h>

constexpr int kBands = 8;

__global__ __launch_bounds__(256) void stack_frames(const float* spectra, const float* exposure, float* stacked,
                                                    float* brightness, int frames, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  float band[kBands];
  float energy = 0.0f;
  for (int j = 0; j < kBands; ++j) band[j] = 0.0f;
  for (int k = 0; k < frames; ++k) {
    const float gain = exposure[k * pixels + i];
    for (int j = 0; j < kBands; ++j) band[j] = band[j] + gain * spectra[(k * kBands + j) * pixels + i];
    energy = energy + gain * gain;
  }
  float total = 0.0f;
  for (int j = 0; j < kBands; ++j) {
    const float value = band[j];
    total += value * value;
    stacked[j * pixels + i] = value;
  }
  brightness[i] = total / energy;
}

void stack(const float* spectra, const float* exposure, float* stacked, float* brightness, int frames, int pixels,
           cudaStream_t stream) {
  stack_frames<<<(pixels + 255) / 256, 256, 0, stream>>>(spectra, exposure, stacked, brightness, frames, pixels);
}

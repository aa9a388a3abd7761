// Member functions whose expressions name data members of their class.
#include <cuda_runtime.h>

struct Mover {
  float dt, drag;
  double exact;
  float* out;
  __device__ float step(float v, float a) const {
    return v + 0.5 * a * dt * dt - drag * v / 3.0;  // expect: RP202 warning @12 "6 FP64 operations (1 division)"
  }
  __device__ void operator()(int i) const { out[i] = out[i] * 0.99 + this->drag * 0.1; }  // expect: RP202 warning @54
  __device__ float wave(float x) const { return exp(-2.0 * x * drag); }  // expect: RP202 warning @49 "`exp(-2.0 * x * drag)`"
  __device__ float precise(float v) const { return v * exact * 0.5 + exact; }
};

template <class T>
struct Lens {
  T focus;
  __device__ T bend(T r) const { return r * (1.0 - r / focus * 0.25); }  // expect: RP202 warning @41 "4 FP64 operations (1 division)"
};

template <class T>
struct Wide {
  T focus;
  __device__ T bend(T r) const { return r * (1.0 - r / focus * 0.25); }
};

__global__ void moved(float* v, const float* a, Mover m, Lens<float> lens, Wide<double> wide, double* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = v[i];
  for (int k = 0; k < n; ++k) {
    x = lens.bend(m.wave(m.step(x, a[k])));
    m(k);
    w[k] = wide.bend(w[k]);
    x += m.precise(x);
  }
  v[i] = x;
}

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

// Static members are constants; the call in a loop is two functions away.
struct Chain {
  static constexpr double kHalf = 0.5;
  static constexpr float kOne = 1.0f;
  float a;
  __device__ float inner(float x) const { return kHalf * x * a + kOne; }  // expect: RP202 warning @50 "in a loop because of `kHalf`"
  __device__ float outer(float x) const { return inner(x) - inner(a); }
};

__global__ void chained(float* v, Chain chain, int n) {
  float x = v[threadIdx.x];
  for (int k = 0; k < n; ++k) x = chain.outer(x);
  v[threadIdx.x] = x;
}

template <class T>
struct Lens {
  T focus;
  __device__ T bend(T r) const { return r * (1.0 - r / focus * 0.25); }  // expect: RP202 warning @41 "3 FP64 operations"
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

__global__ void by_lambda(float* v, float dt, int n) {
  auto step = [dt](float x) { return (float)(x * 0.5 * dt * dt); };  // expect: RP202 warning @46 "in a loop because of `0.5`"
  float x = v[threadIdx.x];
  for (int k = 0; k < n; ++k) x = step(x);
  v[threadIdx.x] = x;
}

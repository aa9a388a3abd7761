// Kernels that portability layers launch: the smell is the same in each. (not for the compiler: no headers of layers)

// targets: gfx90a, sm_90
#include <Kokkos_Core.hpp>

struct Kinetic {
  Kokkos::View<double *> energy;
  const double *speed;
  KOKKOS_INLINE_FUNCTION void operator()(const int i) const {
    energy(i) = 0.5 * pow(speed[i], 2.0);  // expect: RP201 warning @23
  }
};

void kokkos(int n, double *out, const double *in) {
  Kokkos::parallel_for("square", n, KOKKOS_LAMBDA(const int i) {
    out[i] = Kokkos::pow(in[i], 2.0);  // expect: RP201 warning @14
  });
  Kokkos::parallel_for("on the host", Kokkos::RangePolicy<Kokkos::Serial>(0, n), KOKKOS_LAMBDA(const int i) {
    out[i] = pow(in[i], 2.0);
  });
}

void amrex_(const amrex::Box &box, double *out, const double *in) {
  amrex::ParallelFor(box, [=] AMREX_GPU_DEVICE(int i, int j, int k) noexcept {
    out[i] = pow(in[i], 2.0);  // expect: RP201 warning @14
  });
}

using Policy = RAJA::hip_exec<256>;
void raja(int n, double *out, const double *in) {
  RAJA::forall<Policy>(RAJA::RangeSegment(0, n), [=] RAJA_DEVICE(int i) {
    out[i] = pow(in[i], 2.0);  // expect: RP201 warning @14
  });
}

struct Square {
  template <typename TAcc>
  ALPAKA_FN_ACC void operator()(const TAcc &acc, double *out, const double *in, int n) const {
    const auto i = alpaka::getIdx<alpaka::Grid, alpaka::Threads>(acc)[0];
    if (i < n) out[i] = pow(in[i], 2.0);  // expect: RP201 warning @25
  }
};

struct Squared {
  __host__ __device__ double operator()(double x) const { return pow(x, 2.0); }  // expect: RP201 warning @66
};
void thrust_(thrust::device_vector<double> &in, thrust::device_vector<double> &out) {
  thrust::transform(in.begin(), in.end(), out.begin(), Squared());
}

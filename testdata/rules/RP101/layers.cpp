// Kernels of layers: the policy says their launch bounds, or nothing does. (not for the compiler: no headers of layers)

// targets: gfx90a
#include <Kokkos_Core.hpp>

void kokkos(int n, double *x) {
  Kokkos::parallel_for("none", n, KOKKOS_LAMBDA(const int i) {  // expect: RP101 warning @35 "has no launch bounds"
    double s[56];
    for (int k = 0; k < 56; ++k) s[k] = x[k * n + i];
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 56; ++k) s[k] = s[k] * s[(k + 1) % 56] + x[r];
    for (int k = 0; k < 56; ++k) x[k * n + i] = s[k];
  });
  Kokkos::parallel_for("bounds", Kokkos::RangePolicy<Kokkos::LaunchBounds<256>>(0, n), KOKKOS_LAMBDA(const int i) {
    x[i] *= 2;
  });
}

struct Scale {
  template <typename TAcc>
  ALPAKA_FN_ACC void operator()(const TAcc &acc, double *x) const {
    x[alpaka::getIdx<alpaka::Grid, alpaka::Threads>(acc)[0]] *= 2;
  }
};

void others(const amrex::Box &box, double *x, int n) {
  amrex::ParallelFor(box, [=] AMREX_GPU_DEVICE(int i, int j, int k) { x[i] *= 2; });
  thrust::for_each(x, x + n, [=] __device__(double &v) { v *= 2; });
}

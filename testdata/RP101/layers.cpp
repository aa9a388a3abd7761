// Kernels of layers: the policy says their launch bounds, or nothing does. (not for the compiler: no headers of layers)

// targets: gfx90a
#include <Kokkos_Core.hpp>

void kokkos(int n, double *x) {
  Kokkos::parallel_for("none", n, KOKKOS_LAMBDA(const int i) {  // expect: RP101 hint @35 "has no launch bounds"
    x[i] *= 2;
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

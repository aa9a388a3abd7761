// A structure that a thin kernel hands to its body by value, written at a run-time index: clang keeps the copy.
// targets: gfx90a, sm_90, pvc
#include <sycl/sycl.hpp>

struct Bins {
  float count[16];
};

// expect-next-line: RP601 warning "`bins` (Bins, 64 bytes)" "written" "bins.count[key[k * n + i] & 15]"
void tally(Bins bins, const int* key, float* out, int m, int n, sycl::nd_item<1> item) {
  int i = item.get_global_id(0);
  for (int k = 0; k < m; ++k) bins.count[key[k * n + i] & 15] += 1.0f;
  out[i] = bins.count[0] + bins.count[15];
}

void run(sycl::queue& queue, Bins bins, const int* key, float* out, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) { tally(bins, key, out, m, n, item); });
}

// Histogram with 256 private bins: 1 KiB per work-item, far beyond its share of the registers.
// launch: block=128 dynamic_lds=0
#include <sycl/sycl.hpp>

namespace {
constexpr int kWordsPerItem = 128;
constexpr int kBins = 256;
constexpr int kGroup = 128;
using Counter = sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;
}  // namespace

// Counts the eight bits of each of the eight bytes in every word; total[] has kBins entries.
void byte_histogram(sycl::queue& queue, const std::uint64_t* words, std::uint64_t* total, std::size_t groups) {
  queue.parallel_for(
      sycl::nd_range<1>{sycl::range<1>{groups * kGroup}, sycl::range<1>{kGroup}},
      [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
        const std::size_t stride = item.get_global_range(0);
        std::size_t position = item.get_global_id(0);
        std::uint32_t tally[kBins];  // expect: RP403 warning @23 "tally"
        for (int bin = 0; bin < kBins; ++bin) tally[bin] = 0;
        for (int step = 0; step < kWordsPerItem; ++step, position += stride) {
          std::uint64_t word = words[position];
          for (int byte = 0; byte < 8; ++byte, word >>= 8) {
            const unsigned value = static_cast<unsigned>(word & 0xff);
            tally[value] = tally[value] + 1;
          }
        }
        for (int bin = 0; bin < kBins; ++bin) Counter(total[bin]).fetch_add(tally[bin]);
      });
}

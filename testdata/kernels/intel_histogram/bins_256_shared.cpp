// Histogram with 256 bins kept once per sub-group: each of its 16 work-items owns 16 of them (64 bytes, in registers).
// launch: block=128 dynamic_lds=0
#include <sycl/sycl.hpp>

namespace {
constexpr int kWordsPerItem = 128;
constexpr int kBins = 256;
constexpr int kLanes = 16;
constexpr int kOwned = kBins / kLanes;
constexpr int kGroup = 128;
using Counter = sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;
}  // namespace

// Counts the eight bits of each of the eight bytes in every word. Lane l owns the bins whose low four bits are l.
void byte_histogram(sycl::queue& queue, const std::uint64_t* words, std::uint64_t* total, std::size_t groups) {
  queue.parallel_for(
      sycl::nd_range<1>{sycl::range<1>{groups * kGroup}, sycl::range<1>{kGroup}},
      [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
        const sycl::sub_group lanes = item.get_sub_group();
        const unsigned lane = static_cast<unsigned>(lanes.get_local_id()[0]);
        const std::size_t stride = item.get_global_range(0);
        std::size_t position = item.get_global_id(0);
        std::uint32_t owned[kOwned];
        for (int bin = 0; bin < kOwned; ++bin) owned[bin] = 0;
        for (int step = 0; step < kWordsPerItem; ++step, position += stride) {
          const std::uint64_t mine = words[position];
          for (int source = 0; source < kLanes; ++source) {
            std::uint64_t word = sycl::group_broadcast(lanes, mine, source);
            for (int byte = 0; byte < 8; ++byte, word >>= 8) {
              const unsigned value = static_cast<unsigned>(word & 0xff);
              owned[value / kLanes] += value % kLanes == lane ? 1 : 0;
            }
          }
        }
        for (int bin = 0; bin < kOwned; ++bin) Counter(total[bin * kLanes + lane]).fetch_add(owned[bin]);
      });
}

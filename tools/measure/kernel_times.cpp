// Times of every kernel of a CUDA program, without touching the program. It is loaded by the driver:
//   g++ -O2 -shared -fPIC -o libkernel_times.so kernel_times.cpp -I$CUDA/include -L$CUDA/lib64 -lcupti
//   KERNEL_TIMES=out.csv CUDA_INJECTION64_PATH=./libkernel_times.so ./main
// One line per kernel: mangled name, launches, nanoseconds of the median launch, nanoseconds in all.
#include <cupti.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

std::map<std::string, std::vector<uint64_t>> times;
std::mutex lock;

void CUPTIAPI give(uint8_t** buffer, size_t* size, size_t* records) {
  *size = 8 << 20;
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, *size));
  *records = 0;
}

void CUPTIAPI take(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  std::lock_guard<std::mutex> hold(lock);
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && record->kind != CUPTI_ACTIVITY_KIND_KERNEL) continue;
    const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
    times[kernel->name].push_back(kernel->end - kernel->start);
  }
  std::free(buffer);
}

void write() {
  cuptiActivityFlushAll(1);
  const char* path = std::getenv("KERNEL_TIMES");
  FILE* file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return;
  for (auto& [name, all] : times) {
    uint64_t sum = 0;
    for (uint64_t one : all) sum += one;
    std::nth_element(all.begin(), all.begin() + all.size() / 2, all.end());
    std::fprintf(file, "%s,%zu,%llu,%llu\n", name.c_str(), all.size(), (unsigned long long)all[all.size() / 2],
                 (unsigned long long)sum);
  }
  std::fclose(file);
}

}  // namespace

extern "C" int InitializeInjection() {
  cuptiActivityRegisterCallbacks(give, take);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  std::atexit(write);
  return 1;
}

// Asks a GPU for what testdata/occupancy/h200.csv holds: blocks per SM by the run-time API for many launches, and how many
// blocks were really resident at a time (-1: not launched).
//
//     nvcc -arch=sm_90 -O3 -o occupancy_device tools/measure/occupancy_device.cu && ./occupancy_device > all.csv
#include <cstdio>
#include <cuda_runtime.h>

constexpr int most_sms = 1024;
__device__ unsigned resident[most_sms], peak[most_sms];

// `Live` values that are needed at the end make the compiler take about that many registers. Every block counts itself
// in and out of its SM and stays for `spin` cycles in between.
template <int Live> __global__ void occupy(float *data, int stride, long long spin) {
    extern __shared__ float tile[];
    float values[Live];
#pragma unroll
    for (int i = 0; i < Live; i++) values[i] = data[i * stride + threadIdx.x];
    unsigned sm;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    if (threadIdx.x == 0) atomicMax(&peak[sm], atomicAdd(&resident[sm], 1) + 1);
    __syncthreads();
    for (long long start = clock64(); clock64() - start < spin;) {}
    if (stride < 0) tile[threadIdx.x] = values[0];
    __syncthreads();
    if (threadIdx.x == 0) atomicSub(&resident[sm], 1);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < Live; i++)
        for (int j = 0; j < Live; j += 7) sum += values[i] * values[j];
    if (sum == 12345.f) data[0] = sum;
}

static int measure(void (*kernel)(float *, int, long long), float *data, int grid, int block, int lds) {
    static const unsigned zeros[most_sms] = {};
    unsigned found[most_sms];
    cudaMemcpyToSymbol(resident, zeros, sizeof zeros);
    cudaMemcpyToSymbol(peak, zeros, sizeof zeros);
    kernel<<<grid, block, lds>>>(data, 0, 60000);
    if (cudaDeviceSynchronize() != cudaSuccess) return -1;
    cudaMemcpyFromSymbol(found, peak, sizeof found);
    int most = 0;
    for (unsigned each : found) most = int(each) > most ? int(each) : most;
    return most;
}

template <int Live> void ask(float *data, int sms) {
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, occupy<Live>);
    cudaFuncSetAttribute(occupy<Live>, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
    for (int block : {32, 33, 64, 96, 128, 192, 256, 288, 320, 384, 512, 640, 768, 1024})
        for (int lds : {0, 1, 1024, 4096, 12288, 16384, 24576, 49152, 49153, 65536, 102400, 116224, 232448})
            for (int carveout : {-1, 0, 25, 50, 100}) {
                cudaFuncSetAttribute(occupy<Live>, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
                int blocks = -1;
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, occupy<Live>, block, lds);
                bool launch = blocks > 0 && (carveout == -1 || carveout == 100);
                int measured = launch ? measure(occupy<Live>, data, sms * blocks * 2, block, lds) : -1;
                std::printf("%d,%d,%d,%d,%d,%d\n", attributes.numRegs, lds, block, carveout, blocks, measured);
            }
}

int main() {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    std::fprintf(stderr, "%s: %d threads, %d blocks, %d registers an SM; %zu bytes of shared memory, %zu a block, %zu reserved\n",
                 device.name, device.maxThreadsPerMultiProcessor, device.maxBlocksPerMultiProcessor,
                 device.regsPerMultiprocessor, device.sharedMemPerMultiprocessor, device.sharedMemPerBlockOptin,
                 device.reservedSharedMemPerBlock);
    float *data;
    cudaMalloc(&data, 1 << 22);
    int sms = device.multiProcessorCount;
    std::printf("registers,lds_bytes,block_size,carveout,api_blocks,measured_blocks\n");
    ask<4>(data, sms), ask<24>(data, sms), ask<36>(data, sms), ask<52>(data, sms);
    ask<70>(data, sms), ask<100>(data, sms), ask<150>(data, sms), ask<190>(data, sms);
}

// Clusters of blocks: more than every GPU takes, and grids that are no whole clusters.
// targets: sm_90
#include <cuda_runtime.h>

__global__ void __cluster_dims__(4, 1, 1) four(float* a) { a[blockIdx.x] = 1.0f; }

__global__ void __cluster_dims__(4, 4, 1) sixteen(float* a) { a[blockIdx.x] = 1.0f; }  // expect: RP108 info "clusters of 16 blocks" "more than 8 only on request"

__global__ void plain(float* a) { a[blockIdx.x] = 1.0f; }

void launches(float* a) {
  four<<<8, 128>>>(a);
  four<<<10, 128>>>(a);  // expect: RP108 error "launched with 10 blocks, which are no whole clusters of 4"
  plain<<<10, 128>>>(a);
}

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

void configured(float* a) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(10);
  config.blockDim = dim3(128);  // expect: RP108 error "launched with 10 blocks, which are no whole clusters of 4"
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 4;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, plain, a);
}

void in_pairs(float* a, int size) {
  cudaLaunchConfig_t config = {dim3(10), dim3(128)};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, plain, a);
  attribute[0].val.clusterDim.x = size;
  cudaLaunchKernelEx(&config, plain, a);
}

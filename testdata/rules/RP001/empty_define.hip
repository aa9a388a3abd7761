// A blank behind an empty `#define` does not swallow the kernel in the next line.
#define UNUSED(a) 
__global__ void kept(float* p) { p[threadIdx.x] = 1.0f; }
#define EMPTY 
__global__ void kept_too(float* p) { p[threadIdx.x] = 1.0f +; }  // expect: RP001 @60 "kernel `kept_too`"

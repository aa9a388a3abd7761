// RP104: ValueError, a launch bound below 1 (not for the compiler)
__global__ void open(float *a) __launch_bounds__(-1) { a[0] = 1; }
__global__ __launch_bounds__(0, -1) void none(float *a) { a[0] = 1; }

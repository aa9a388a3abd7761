// Macros that write whole kernels are read where they are used.
#define SCALE(name, op) \
  __global__ void name(float* p) { p[threadIdx.x] op 2; }
#define BOTH(name) \
  SCALE(name##_up, *=) SCALE(name##_down, /=)
#define DECLARE(name) __global__ void name(float* p);

DECLARE(scale_add)
SCALE(scale_add, +=)
SCALE(scale_sub, -=)
BOTH(scale_mul)

#define KINDS(F) F(one, +=) F(two, -=)
KINDS(SCALE)

void run(float* p) {
  scale_add<<<1, 64>>>(p);
  scale_mul_up<<<1, 64>>>(p);
}

// A macro that writes the whole kernel: its uses are named, because nothing else can be said about them.
#define SCALE(name, op) \
  __global__ void name(float* p) { p[threadIdx.x] op 2; }
#define BOTH(name) \
  SCALE(name##_up, *=) SCALE(name##_down, /=)
#define DECLARE(name) __global__ void name(float* p);

DECLARE(scale_add)
SCALE(scale_add, +=)  // expect: RP001 @1 "the kernel that `SCALE` writes here" "(and 1 more)"
SCALE(scale_sub, -=)
BOTH(scale_mul)       // expect: RP001 @1 "the kernel that `BOTH` writes here"

#define KINDS(F) F(one, +=) F(two, -=)
KINDS(SCALE)  // expect: RP001 @1 "the kernel that `KINDS` writes here"

void run(float* p) {
  scale_add<<<1, 64>>>(p);
  scale_mul_up<<<1, 64>>>(p);
}

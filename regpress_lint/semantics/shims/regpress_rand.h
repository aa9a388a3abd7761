// Random states on the device: the includer defines REGPRESS_RAND(name). Only the two states whose layout has not
// changed have a size; the others are incomplete.
#include <regpress_gpu.h>
struct REGPRESS_RAND(StateXORWOW) {
  unsigned d, v[5];
  int normal, normal_double;
  float extra;
  double extra_double;
};
struct REGPRESS_RAND(StatePhilox4_32_10) {
  uint4 counter, output;
  uint2 key;
  unsigned place;
  int normal, normal_double;
  float extra;
  double extra_double;
};
typedef struct REGPRESS_RAND(StateXORWOW) REGPRESS_RAND(StateXORWOW_t);
typedef struct REGPRESS_RAND(StateXORWOW) REGPRESS_RAND(State_t);
typedef struct REGPRESS_RAND(StateXORWOW) REGPRESS_RAND(State);
typedef struct REGPRESS_RAND(StatePhilox4_32_10) REGPRESS_RAND(StatePhilox4_32_10_t);
typedef struct REGPRESS_RAND(StateMRG32k3a) REGPRESS_RAND(StateMRG32k3a_t);
typedef struct REGPRESS_RAND(StateMtgp32) REGPRESS_RAND(StateMtgp32_t);
typedef struct REGPRESS_RAND(StateSobol32) REGPRESS_RAND(StateSobol32_t);
typedef struct REGPRESS_RAND(StateScrambledSobol32) REGPRESS_RAND(StateScrambledSobol32_t);
template <typename S>
REGPRESS_DEVICE void REGPRESS_RAND(_init)(unsigned long long, unsigned long long, unsigned long long, S *);
#define REGPRESS_DRAW(result, name) \
  template <typename S>             \
  REGPRESS_DEVICE result name(S *);
template <typename S>
REGPRESS_DEVICE unsigned REGPRESS_RAND()(S *);
REGPRESS_DRAW(uint4, REGPRESS_RAND(4))
REGPRESS_DRAW(float, REGPRESS_RAND(_uniform))
REGPRESS_DRAW(float2, REGPRESS_RAND(_uniform2))
REGPRESS_DRAW(float4, REGPRESS_RAND(_uniform4))
REGPRESS_DRAW(double, REGPRESS_RAND(_uniform_double))
REGPRESS_DRAW(double2, REGPRESS_RAND(_uniform2_double))
REGPRESS_DRAW(float, REGPRESS_RAND(_normal))
REGPRESS_DRAW(float2, REGPRESS_RAND(_normal2))
REGPRESS_DRAW(float4, REGPRESS_RAND(_normal4))
REGPRESS_DRAW(double, REGPRESS_RAND(_normal_double))
REGPRESS_DRAW(double2, REGPRESS_RAND(_normal2_double))
template <typename S>
REGPRESS_DEVICE float REGPRESS_RAND(_log_normal)(S *, float, float);
template <typename S>
REGPRESS_DEVICE unsigned REGPRESS_RAND(_poisson)(S *, double);
template <typename S>
REGPRESS_DEVICE void REGPRESS_RAND(_skipahead)(unsigned long long, S *);
template <typename S>
REGPRESS_DEVICE void skipahead(unsigned long long, S *);
template <typename S>
REGPRESS_DEVICE void skipahead_sequence(unsigned long long, S *);

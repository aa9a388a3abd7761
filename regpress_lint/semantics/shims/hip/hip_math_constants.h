#pragma once
#include <regpress_hip.h>
#define HIP_INF_F __int_as_float(0x7f800000)
#define HIP_NAN_F __int_as_float(0x7fffffff)
#define HIP_INF __longlong_as_double(0x7ff0000000000000ull)
#define HIP_PI_F 3.141592654f
#define HIP_PI 3.1415926535897931

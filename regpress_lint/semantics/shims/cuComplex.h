#pragma once
#include <regpress_cuda.h>
#include <regpress_complex.h>
REGPRESS_BEGIN
REGPRESS_COMPLEX(cu)
REGPRESS_END

#pragma once
#include <regpress_hip.h>
#include <regpress_complex.h>
REGPRESS_BEGIN
REGPRESS_COMPLEX(hip)
REGPRESS_END

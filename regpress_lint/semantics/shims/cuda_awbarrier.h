#pragma once
#include <regpress_cuda.h>

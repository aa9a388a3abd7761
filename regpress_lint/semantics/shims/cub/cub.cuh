#pragma once
#include <regpress_cuda.h>
#define REGPRESS_CUB cub
#include <regpress_cub.h>

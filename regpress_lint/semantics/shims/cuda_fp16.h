#pragma once
#include <regpress_cuda.h>
#include <regpress_fp16.h>

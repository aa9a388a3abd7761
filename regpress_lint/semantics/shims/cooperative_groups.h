#pragma once
#include <regpress_cuda.h>
#include <regpress_groups.h>

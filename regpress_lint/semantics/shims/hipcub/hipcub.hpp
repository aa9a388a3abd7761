#pragma once
#include <regpress_hip.h>
#define REGPRESS_CUB hipcub
#include <regpress_cub.h>

#pragma once
#include <regpress_hip.h>
#include <regpress_fp16.h>

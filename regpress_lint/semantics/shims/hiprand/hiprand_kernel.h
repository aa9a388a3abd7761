#pragma once
#include <hiprand/hiprand.h>
#include <regpress_rand.h>

#pragma once
#include <curand.h>
#include <regpress_rand.h>

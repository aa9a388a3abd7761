#pragma once
#include <regpress_thrust.h>

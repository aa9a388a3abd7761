#pragma once
#include <regpress_hip.h>

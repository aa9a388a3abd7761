#pragma once
#include <regpress_hip.h>
#include <regpress_groups.h>

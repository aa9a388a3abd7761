#pragma once
#include <string.h>
#include <stdlib.h>

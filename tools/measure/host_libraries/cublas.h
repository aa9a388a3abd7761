// What a source names of a library whose calls run on the host; not the library. For world_registers.py.
#pragma once
#include <cublas_v2.h>

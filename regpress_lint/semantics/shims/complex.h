// In C++ this is <complex>.
#pragma once
#include <complex>

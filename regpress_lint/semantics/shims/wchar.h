#pragma once
#include <stddef.h>
typedef unsigned wint_t;
typedef struct {
  int count;
  unsigned value;
} mbstate_t;
#define WEOF 0xffffffffu
extern "C" size_t wcslen(const wchar_t *) noexcept;

// No #pragma once: the meaning of assert follows NDEBUG at each include.
#include <regpress_common.h>
#ifndef REGPRESS_ASSERT
#define REGPRESS_ASSERT
REGPRESS_BEGIN
extern "C" [[noreturn]] void __assert_fail(const char *, const char *, unsigned, const char *) noexcept;
REGPRESS_END
#endif
#undef assert
#ifdef NDEBUG
#define assert(...) (static_cast<void>(0))
#else
#define assert(...) ((__VA_ARGS__) ? (void)0 : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, ""))
#endif

// What every shim begins with. In CUDA and HIP all functions between REGPRESS_BEGIN and REGPRESS_END can be called from
// the host and the device, unless they say otherwise; in plain C++ (SYCL) the pragmas are unknown and ignored.
#pragma once

#define REGPRESS_BEGIN _Pragma("clang force_cuda_host_device begin")
#define REGPRESS_END _Pragma("clang force_cuda_host_device end")

// On a type that a shim has to define although nobody can know its size (a stream, an accessor): the tier must not
// answer the size of such a type, nor of one that holds it.
#define REGPRESS_UNSIZED __attribute__((annotate("regpress:unsized")))

// glibc's and libstdc++'s marks, which sources test.
#if !defined(__GLIBC__) && !defined(_WIN32)
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#endif
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }

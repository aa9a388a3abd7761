#pragma once
#include <sys/types.h>
extern "C" void *mmap(void *, size_t, int, int, int, off_t) noexcept;
extern "C" int munmap(void *, size_t) noexcept;
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_ANONYMOUS 0x20
#define MAP_FAILED ((void *)-1)

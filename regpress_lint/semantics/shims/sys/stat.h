#pragma once
#include <regpress_common.h>
#include <sys/types.h>
struct REGPRESS_UNSIZED stat {
  unsigned st_mode;
  long st_size, st_mtime;
};
extern "C" {
int stat(const char *, struct stat *) noexcept;
int fstat(int, struct stat *) noexcept;
int mkdir(const char *, mode_t) noexcept;
}
#define S_ISDIR(mode) (((mode) & 0170000) == 0040000)
#define S_ISREG(mode) (((mode) & 0170000) == 0100000)
#define S_IRWXU 0700

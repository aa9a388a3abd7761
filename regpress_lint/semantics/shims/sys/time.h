#pragma once
#include <time.h>
struct timeval {
  long tv_sec;
  long tv_usec;
};
struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};
extern "C" int gettimeofday(struct timeval *, void *) noexcept;

#pragma once
#include <stddef.h>
REGPRESS_BEGIN
extern "C" {
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};
time_t time(time_t *) noexcept;
clock_t clock() noexcept;
double difftime(time_t, time_t) noexcept;
time_t mktime(struct tm *) noexcept;
struct tm *localtime(const time_t *) noexcept;
struct tm *gmtime(const time_t *) noexcept;
struct tm *localtime_r(const time_t *, struct tm *) noexcept;
char *ctime(const time_t *) noexcept;
char *asctime(const struct tm *) noexcept;
size_t strftime(char *, size_t, const char *, const struct tm *) noexcept;
int clock_gettime(clockid_t, struct timespec *) noexcept;
int clock_getres(clockid_t, struct timespec *) noexcept;
int nanosleep(const struct timespec *, struct timespec *);
}
REGPRESS_END
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4

#pragma once
#include <stddef.h>
#include <sys/types.h>
REGPRESS_BEGIN
extern "C" {
typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;
void *malloc(size_t) noexcept;
void *calloc(size_t, size_t) noexcept;
void *realloc(void *, size_t) noexcept;
void *aligned_alloc(size_t, size_t) noexcept;
int posix_memalign(void **, size_t, size_t) noexcept;
void *memalign(size_t, size_t) noexcept;
void *valloc(size_t) noexcept;
void free(void *) noexcept;
[[noreturn]] void abort() noexcept;
[[noreturn]] void exit(int) noexcept;
[[noreturn]] void _Exit(int) noexcept;
int atexit(void (*)()) noexcept;
int atoi(const char *) noexcept;
long atol(const char *) noexcept;
long long atoll(const char *) noexcept;
double atof(const char *) noexcept;
long strtol(const char *, char **, int) noexcept;
unsigned long strtoul(const char *, char **, int) noexcept;
long long strtoll(const char *, char **, int) noexcept;
unsigned long long strtoull(const char *, char **, int) noexcept;
double strtod(const char *, char **) noexcept;
float strtof(const char *, char **) noexcept;
long double strtold(const char *, char **) noexcept;
int rand() noexcept;
void srand(unsigned) noexcept;
int rand_r(unsigned *) noexcept;
long random() noexcept;
void srandom(unsigned) noexcept;
double drand48() noexcept;
void srand48(long) noexcept;
long lrand48() noexcept;
long mrand48() noexcept;
double erand48(unsigned short *) noexcept;
char *getenv(const char *) noexcept;
int setenv(const char *, const char *, int) noexcept;
int system(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
div_t div(int, int) noexcept;
ldiv_t ldiv(long, long) noexcept;
char *realpath(const char *, char *) noexcept;
int mkstemp(char *);
}
REGPRESS_END
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

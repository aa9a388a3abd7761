#pragma once
#include <stddef.h>
#include <time.h>
typedef unsigned long pthread_t;
typedef union {
  char size[40];
  long align;
} pthread_mutex_t;
typedef union {
  char size[48];
  long align;
} pthread_cond_t;
typedef union {
  char size[56];
  long align;
} pthread_attr_t;
#define PTHREAD_MUTEX_INITIALIZER {{0}}
extern "C" {
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) noexcept;
int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const void *) noexcept;
int pthread_mutex_lock(pthread_mutex_t *) noexcept;
int pthread_mutex_unlock(pthread_mutex_t *) noexcept;
int pthread_mutex_destroy(pthread_mutex_t *) noexcept;
}

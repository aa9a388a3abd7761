#pragma once
#include <sys/types.h>
extern "C" int open(const char *, int, ...);
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_TRUNC 01000

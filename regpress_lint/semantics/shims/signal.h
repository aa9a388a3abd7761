#pragma once
typedef void (*sighandler_t)(int);
extern "C" sighandler_t signal(int, sighandler_t) noexcept;
extern "C" int raise(int) noexcept;
#define SIGINT 2
#define SIGABRT 6
#define SIGSEGV 11
#define SIGTERM 15

#pragma once
#include <sys/types.h>
extern "C" {
unsigned sleep(unsigned);
int usleep(unsigned);
long read(int, void *, size_t);
long write(int, const void *, size_t);
int close(int);
int access(const char *, int) noexcept;
int unlink(const char *) noexcept;
int isatty(int) noexcept;
int gethostname(char *, size_t) noexcept;
char *getcwd(char *, size_t) noexcept;
int chdir(const char *) noexcept;
pid_t getpid() noexcept;
pid_t fork() noexcept;
long sysconf(int) noexcept;
off_t lseek(int, off_t, int) noexcept;
int ftruncate(int, off_t) noexcept;
int getopt(int, char *const *, const char *) noexcept;
extern char *optarg;
extern int optind, opterr, optopt;
}
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1

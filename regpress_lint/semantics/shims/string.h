#pragma once
#include <stddef.h>
REGPRESS_BEGIN
extern "C" {
void *memcpy(void *, const void *, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
void *memchr(const void *, int, size_t) noexcept;
size_t strlen(const char *) noexcept;
size_t strnlen(const char *, size_t) noexcept;
char *strcpy(char *, const char *) noexcept;
char *strncpy(char *, const char *, size_t) noexcept;
char *strcat(char *, const char *) noexcept;
char *strncat(char *, const char *, size_t) noexcept;
int strcmp(const char *, const char *) noexcept;
int strncmp(const char *, const char *, size_t) noexcept;
int strcoll(const char *, const char *) noexcept;
int strcasecmp(const char *, const char *) noexcept;
int strncasecmp(const char *, const char *, size_t) noexcept;
char *strchr(const char *, int) noexcept;
char *strrchr(const char *, int) noexcept;
char *strstr(const char *, const char *) noexcept;
char *strpbrk(const char *, const char *) noexcept;
size_t strspn(const char *, const char *) noexcept;
size_t strcspn(const char *, const char *) noexcept;
char *strtok(char *, const char *) noexcept;
char *strtok_r(char *, const char *, char **) noexcept;
char *strsep(char **, const char *) noexcept;
char *strdup(const char *) noexcept;
char *strndup(const char *, size_t) noexcept;
char *strerror(int) noexcept;
void bzero(void *, size_t) noexcept;
void bcopy(const void *, void *, size_t) noexcept;
int ffs(int) noexcept;
}
REGPRESS_END

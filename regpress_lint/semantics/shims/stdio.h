#pragma once
#include <stdarg.h>
#include <stddef.h>
REGPRESS_BEGIN
extern "C" {
typedef struct _IO_FILE FILE;
typedef struct {
  long place;
  long state;
} fpos_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...) noexcept;
int snprintf(char *, size_t, const char *, ...) noexcept;
int vprintf(const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list) noexcept;
int vsnprintf(char *, size_t, const char *, va_list) noexcept;
int asprintf(char **, const char *, ...) noexcept;
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...) noexcept;
FILE *fopen(const char *, const char *);
FILE *fdopen(int, const char *) noexcept;
FILE *freopen(const char *, const char *, FILE *);
FILE *popen(const char *, const char *);
FILE *tmpfile();
int pclose(FILE *);
int fclose(FILE *);
int fflush(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
int feof(FILE *) noexcept;
int ferror(FILE *) noexcept;
void clearerr(FILE *) noexcept;
int fileno(FILE *) noexcept;
int fgetc(FILE *);
int getc(FILE *);
int getchar();
int ungetc(int, FILE *);
char *fgets(char *, int, FILE *);
long getline(char **, size_t *, FILE *);
int fputc(int, FILE *);
int putc(int, FILE *);
int putchar(int);
int fputs(const char *, FILE *);
int puts(const char *);
void perror(const char *);
int remove(const char *) noexcept;
int rename(const char *, const char *) noexcept;
int setvbuf(FILE *, char *, int, size_t) noexcept;
void setbuf(FILE *, char *) noexcept;
}
REGPRESS_END
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define stdin stdin
#define stdout stdout
#define stderr stderr

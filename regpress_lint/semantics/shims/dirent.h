#pragma once
#include <sys/types.h>
typedef struct __dirstream DIR;
struct dirent {
  unsigned long d_ino;
  long d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
extern "C" {
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);
}

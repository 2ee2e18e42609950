// Preloaded into a program, this makes each sync of a file below SLOW_SYNC_ROOT take so many milliseconds more as the file
// SLOW_SYNC_MILLISECONDS says. It is read again and again: what it says later ends a sync that waits, too. A file of that
// name and `.waiting` is made when a sync waits.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long delay_of(int file) {
  const char *root = getenv("SLOW_SYNC_ROOT"), *setting = getenv("SLOW_SYNC_MILLISECONDS");
  if (root == NULL || setting == NULL) return 0;
  char link[64], path[PATH_MAX], digits[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  if (strncmp(path, root, strlen(root)) != 0) return 0;
  int opened = open(setting, O_RDONLY | O_CLOEXEC);
  if (opened < 0) return 0;
  length = read(opened, digits, sizeof digits - 1);
  close(opened);
  digits[length < 0 ? 0 : length] = '\0';
  return atol(digits);
}

static void wait_for_disk(int file) {
  int error = errno;
  struct timespec millisecond = {0, 1000000};
  if (delay_of(file) > 0) {
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s.waiting", getenv("SLOW_SYNC_MILLISECONDS"));
    close(open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  }
  for (long waited = 0; waited < delay_of(file); waited += 1) nanosleep(&millisecond, NULL);
  errno = error;
}

int fsync(int file) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_disk(file);
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (real == NULL) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk(file);
  return real(file);
}

// Preloaded into a program, this writes down every call that changes files below POWER_LOSS_ROOT, in the order in which
// the calls happened, to the file POWER_LOSS_LOG. call-log.ts reads it.
//
// A record is a line `<kind> <inode> <offset> <bytes> <path>\t<second path>`, and then so many bytes. A call and its
// record are made under one lock, so no answer that a call made possible is given before the record is written.
//
// POWER_LOSS_FAULT is a file of `struct fault`, by which another process has a call fail while the program runs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { max_parts = 64, max_path = 2 * PATH_MAX, short_write = -1 };

struct fault {
  // Calls up to the one that fails; counts on below zero.
  int32_t left;
  // With this `errno`, or `short_write`.
  int32_t kind;
  // The call that failed: its kind as in a record, or `O` for an open, and its path.
  char call[504];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *root;
static size_t root_length;
static int log_file = -1;
static struct fault *fault;

__attribute__((constructor)) static void start(void) {
  root = getenv("POWER_LOSS_ROOT");
  const char *log_name = getenv("POWER_LOSS_LOG");
  if (root == NULL || log_name == NULL) return;
  root_length = strlen(root);
  log_file = (int)syscall(SYS_openat, AT_FDCWD, log_name, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log_file < 0) abort();
  const char *fault_name = getenv("POWER_LOSS_FAULT");
  if (fault_name == NULL) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, fault_name, O_RDWR | O_CLOEXEC);
  fault = mmap(NULL, sizeof *fault, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file < 0 || fault == MAP_FAILED) abort();
}

// Whether this call is the one that fails: then `errno` is set, or a write has a shorter length.
static int fails(char kind, const char *path, size_t *length) {
  if (fault == NULL || __atomic_fetch_sub(&fault->left, 1, __ATOMIC_SEQ_CST) != 1) return 0;
  snprintf(fault->call, sizeof fault->call, "%c %s", kind, path);
  if (fault->kind == short_write) {
    if (length != NULL && *length > 1) *length /= 2;
    return 0;
  }
  // Linux interrupts no change of a name.
  if (fault->kind == EINTR && strchr("WTSO", kind) == NULL) return 0;
  errno = fault->kind;
  return 1;
}

// A record that is lost would make the lab say too little, so the program ends instead.
static void record(char kind, unsigned long long inode, long long offset, const char *path, const char *second,
                   const struct iovec *parts, int count, size_t bytes) {
  int error = errno;
  char head[2 * max_path + 100];
  int length = snprintf(head, sizeof head, "%c %llu %lld %zu %s\t%s\n", kind, inode, offset, bytes, path, second);
  struct iovec all[max_parts + 1] = {{head, (size_t)length}};
  int used = 1;
  size_t left = bytes;
  for (int index = 0; index < count && left > 0; index += 1) {
    if (used > max_parts) abort();
    all[used] = parts[index];
    if (all[used].iov_len > left) all[used].iov_len = left;
    left -= all[used].iov_len;
    used += 1;
  }
  long written = syscall(SYS_writev, log_file, all, used);
  if (written != (long)((size_t)length + bytes)) abort();
  errno = error;
}

static int ends(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  return length >= end && strcmp(path + length - end, ending) == 0;
}

// The part of a path below the root, "." for the root itself; NULL for what is not recorded. The file of shared memory
// beside a database is no durable state: SQLite makes it anew. The reserve is room on the disk, whose bytes nobody reads.
static const char *below(const char *path) {
  if (log_file < 0 || strncmp(path, root, root_length) != 0) return NULL;
  if (path[root_length] == '\0') return ".";
  if (path[root_length] != '/') return NULL;
  if (ends(path, "-shm") || ends(path, "/reserve")) return NULL;
  return path + root_length + 1;
}

static const char *path_of(int file, char *buffer) {
  if (log_file < 0) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  int error = errno;
  ssize_t length = readlink(link, buffer, max_path - 1);
  errno = error;
  if (length < 0) return NULL;
  buffer[length] = '\0';
  return below(buffer);
}

static const char *named(int directory, const char *name, char *buffer) {
  if (log_file < 0) return NULL;
  if (name[0] == '/') return below(name);
  char base[max_path];
  if (directory == AT_FDCWD) {
    if (getcwd(base, sizeof base) == NULL) return NULL;
  } else {
    if (path_of(directory, base) == NULL) return NULL;
  }
  const char *plain = name[0] == '.' && name[1] == '/' ? name + 2 : name;
  if (snprintf(buffer, max_path, "%s/%s", base, plain) >= max_path) return NULL;
  return below(buffer);
}

static unsigned long long inode_of(int file) {
  struct stat stats;
  return fstat(file, &stats) == 0 ? (unsigned long long)stats.st_ino : 0;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

// Keeps the call `made` and its record together; `told` is run only where the call succeeded.
#define RECORDED(type, made, told) \
  pthread_mutex_lock(&lock); \
  type result = made; \
  if (result >= 0) { \
    told; \
  } \
  pthread_mutex_unlock(&lock); \
  return result

static void opened(int file, int flags, int was_there, const char *path) {
  if (!was_there) record('C', inode_of(file), 0, path, "", NULL, 0, 0);
  else if (flags & O_TRUNC) record('T', inode_of(file), 0, path, "", NULL, 0, 0);
}

#define OPENED(directory, made) \
  char buffer[max_path]; \
  const char *path = fault != NULL || flags & (O_CREAT | O_TRUNC) ? named(directory, name, buffer) : NULL; \
  if (path == NULL) return made; \
  if (fails('O', path, NULL)) return -1; \
  if (!(flags & (O_CREAT | O_TRUNC))) return made; \
  pthread_mutex_lock(&lock); \
  struct stat stats; \
  int was_there = fstatat(directory, name, &stats, AT_SYMLINK_NOFOLLOW) == 0; \
  int result = made; \
  if (result >= 0) opened(result, flags, was_there, path); \
  pthread_mutex_unlock(&lock); \
  return result

#define MODE \
  mode_t mode = 0; \
  if (flags & O_CREAT) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *name, int flags, ...) {
  REAL(open);
  MODE
  OPENED(AT_FDCWD, real(name, flags, mode));
}
int open64(const char *name, int flags, ...) {
  REAL(open64);
  MODE
  OPENED(AT_FDCWD, real(name, flags, mode));
}
int openat(int directory, const char *name, int flags, ...) {
  REAL(openat);
  MODE
  OPENED(directory, real(directory, name, flags, mode));
}
int openat64(int directory, const char *name, int flags, ...) {
  REAL(openat64);
  MODE
  OPENED(directory, real(directory, name, flags, mode));
}

#define WRITTEN(made, place, parts, count, length) \
  char buffer[max_path]; \
  const char *path = path_of(file, buffer); \
  if (path == NULL) return made; \
  if (fails('W', path, length)) return -1; \
  RECORDED(ssize_t, made, record('W', inode_of(file), place, path, "", parts, count, (size_t)result))

ssize_t write(int file, const void *bytes, size_t length) {
  REAL(write);
  struct iovec part = {(void *)bytes, length};
  WRITTEN(real(file, bytes, length), lseek(file, 0, SEEK_CUR) - result, &part, 1, &length);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  WRITTEN(real(file, parts, count), lseek(file, 0, SEEK_CUR) - result, parts, count, NULL);
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  REAL(pwrite);
  struct iovec part = {(void *)bytes, length};
  WRITTEN(real(file, bytes, length, offset), offset, &part, 1, &length);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  REAL(pwrite64);
  struct iovec part = {(void *)bytes, length};
  WRITTEN(real(file, bytes, length, offset), offset, &part, 1, &length);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  WRITTEN(real(file, parts, count, offset), offset, parts, count, NULL);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  REAL(pwritev64);
  WRITTEN(real(file, parts, count, offset), offset, parts, count, NULL);
}

#define CHANGED(kind, size) \
  char buffer[max_path]; \
  const char *path = path_of(file, buffer); \
  if (path == NULL) return real(SIZED); \
  if (fails(kind, path, NULL)) return -1; \
  RECORDED(int, real(SIZED), record(kind, inode_of(file), size, path, "", NULL, 0, 0))

#define SIZED file, size
int ftruncate(int file, off_t size) {
  REAL(ftruncate);
  CHANGED('T', size);
}
int ftruncate64(int file, off64_t size) {
  REAL(ftruncate64);
  CHANGED('T', size);
}
#undef SIZED
#define SIZED file
int fsync(int file) {
  REAL(fsync);
  CHANGED('S', 0);
}
int fdatasync(int file) {
  REAL(fdatasync);
  CHANGED('S', 0);
}

#define NAMED(kind, directory, made) \
  char buffer[max_path]; \
  const char *path = named(directory, name, buffer); \
  if (path == NULL) return made; \
  if (fails(kind, path, NULL)) return -1; \
  RECORDED(int, made, record(kind, 0, 0, path, "", NULL, 0, 0))

int unlink(const char *name) {
  REAL(unlink);
  NAMED('U', AT_FDCWD, real(name));
}
int unlinkat(int directory, const char *name, int flags) {
  REAL(unlinkat);
  NAMED('U', directory, real(directory, name, flags));
}
int remove(const char *name) {
  REAL(remove);
  NAMED('U', AT_FDCWD, real(name));
}
int rmdir(const char *name) {
  REAL(rmdir);
  NAMED('U', AT_FDCWD, real(name));
}
int mkdir(const char *name, mode_t mode) {
  REAL(mkdir);
  NAMED('D', AT_FDCWD, real(name, mode));
}
#define TWO_NAMES(kind) \
  char other[max_path]; \
  const char *second = named(AT_FDCWD, to, other); \
  char buffer[max_path]; \
  const char *path = named(AT_FDCWD, name, buffer); \
  if (path == NULL && second == NULL) return real(name, to); \
  if (path == NULL || second == NULL) abort(); \
  if (fails(kind, second, NULL)) return -1; \
  RECORDED(int, real(name, to), record(kind, 0, 0, path, second, NULL, 0, 0))

int rename(const char *name, const char *to) {
  REAL(rename);
  TWO_NAMES('R');
}
int link(const char *name, const char *to) {
  REAL(link);
  TWO_NAMES('L');
}

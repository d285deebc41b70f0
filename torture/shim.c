/* Preloaded into a program under torture: its wall clock is set off, its disk is slow, broken or full, as a shared file of
 * numbers says at this moment. Sockets, pipes and what the program prints
 * take other ways (write, send) and are left alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct faults {
  int64_t clock_ms;
  int64_t sync_delay_ms;
  int64_t sync_fails;
  int64_t disk_full;
  int64_t head_fails;
};

static volatile struct faults *shared;

__attribute__((constructor)) static void attach(void) {
  const char *path = getenv("OVERROUND_TORTURE_FAULTS");
  if (path == NULL) return;
  int file = open(path, O_RDONLY);
  if (file < 0) return;
  void *map = mmap(NULL, sizeof(struct faults), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (map != MAP_FAILED) shared = map;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int clock_gettime(clockid_t id, struct timespec *at) {
  REAL(clock_gettime);
  int code = real(id, at);
  if (code == 0 && shared != NULL && id == CLOCK_REALTIME) at->tv_sec += shared->clock_ms / 1000;
  return code;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  REAL(gettimeofday);
  int code = real(at, zone);
  if (code == 0 && shared != NULL) at->tv_sec += shared->clock_ms / 1000;
  return code;
}

/* Files alone: a log that goes to a file is not the data, but a pipe or terminal is never meant. */
static int sync_fault(int file) {
  struct stat kind;
  if (shared == NULL || (file >= 0 && file <= 2)) return 0;
  if (file >= 0 && (fstat(file, &kind) != 0 || !(S_ISREG(kind.st_mode) || S_ISDIR(kind.st_mode)))) return 0;
  if (shared->sync_delay_ms > 0) usleep((useconds_t)shared->sync_delay_ms * 1000);
  if (shared->sync_fails) {
    errno = EIO;
    return -1;
  }
  return 0;
}

int fsync(int file) {
  REAL(fsync);
  return sync_fault(file) ? -1 : real(file);
}

int fdatasync(int file) {
  REAL(fdatasync);
  return sync_fault(file) ? -1 : real(file);
}

int msync(void *at, size_t length, int flags) {
  REAL(msync);
  return sync_fault(-1) ? -1 : real(at, length, flags);
}

/* LMDB's two meta pages; what is written there makes a commit. */
#define HEAD_BYTES 8192

/* A full disk has no room for more; what lies there already may be written over. */
static int refused(int file, off_t at, off_t end) {
  struct stat kind;
  if (shared == NULL || file <= 2) return 0;
  if (shared->head_fails && at < HEAD_BYTES && fstat(file, &kind) == 0 && kind.st_size >= HEAD_BYTES) {
    errno = EIO;
    return 1;
  }
  if (!shared->disk_full) return 0;
  if (fstat(file, &kind) == 0 && end <= kind.st_size) return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  REAL(pwrite);
  return refused(file, at, at + (off_t)length) ? -1 : real(file, bytes, length, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
  REAL(pwrite64);
  return refused(file, at, at + (off_t)length) ? -1 : real(file, bytes, length, at);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  REAL(pwritev);
  off_t end = at;
  for (int i = 0; i < count; i++) end += (off_t)parts[i].iov_len;
  return refused(file, at, end) ? -1 : real(file, parts, count, at);
}

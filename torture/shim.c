/* Preloaded into a program under torture: its wall clock is set off, its disk is slow, broken or full, as a shared file of
 * numbers says at this moment. Sockets, pipes and what the program prints take other ways (write, send) and are left alone.
 *
 * For a loss of power it keeps, of every database file, what stood where something was written since the file was last
 * flushed: the rig kills the program and puts back as much of that as a disk might have lost. The kernel's boot id is a file
 * of the rig's. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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
/* Where what may be lost is kept; NULL where nothing is. */
static const char *undo_dir;
static const char *boot_id;

__attribute__((constructor)) static void attach(void) {
  undo_dir = getenv("OVERROUND_TORTURE_UNDO");
  boot_id = getenv("OVERROUND_TORTURE_BOOT_ID");
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

#define NAME "/data.mdb"
#define UNDOS_MAX 64

/* One file of records a database file and time between two flushes: offset, length, and what stood there. */
struct undo {
  dev_t device;
  ino_t inode;
  int64_t generation;
  int file;
};

static pthread_mutex_t undo_lock = PTHREAD_MUTEX_INITIALIZER;
static struct undo undos[UNDOS_MAX];
static int undo_count;

/* What the rig writes down must not depend on how many files the program may still open: its limit is lifted meanwhile. */
static int open_surely(const char *path, int flags) {
  int file = open(path, flags | O_CLOEXEC, 0600);
  struct rlimit most, lifted, now;
  if (file >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, &most) != 0) return file;
  lifted = most;
  lifted.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &lifted);
  file = open(path, flags | O_CLOEXEC, 0600);
  /* The rig may have changed it meanwhile. */
  if (getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == lifted.rlim_cur) setrlimit(RLIMIT_NOFILE, &most);
  return file;
}

static int64_t monotonic_ns(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static void begin_generation(struct undo *undo) {
  char path[512];
  if (undo->file > 0) close(undo->file);
  undo->generation = monotonic_ns();
  snprintf(path, sizeof path, "%s/%lu-%lld", undo_dir, (unsigned long)undo->inode, (long long)undo->generation);
  undo->file = open_surely(path, O_WRONLY | O_CREAT | O_APPEND);
}

/* With the lock held; NULL for what is no database file, or is flushed by each write. */
static struct undo *undo_of(int file) {
  char link[64], path[1024];
  struct stat kind;
  if (undo_dir == NULL || file <= 2 || fstat(file, &kind) != 0 || !S_ISREG(kind.st_mode)) return NULL;
  for (int i = 0; i < undo_count; i++)
    if (undos[i].device == kind.st_dev && undos[i].inode == kind.st_ino) return &undos[i];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < (ssize_t)strlen(NAME) || undo_count == UNDOS_MAX) return NULL;
  path[length] = 0;
  if (strcmp(path + length - strlen(NAME), NAME) != 0) return NULL;
  struct undo *undo = &undos[undo_count++];
  undo->device = kind.st_dev;
  undo->inode = kind.st_ino;
  begin_generation(undo);
  return undo;
}

static ssize_t plain_write(int file, const void *bytes, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (real == NULL) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return real(file, bytes, length);
}

/* Before a write, with the lock held until it is done. */
static void remember(int file, off_t at, size_t length) {
  if (fcntl(file, F_GETFL) & O_DSYNC) return;
  struct undo *undo = undo_of(file);
  if (undo == NULL) return;
  int64_t head[2] = {at, (int64_t)length};
  char *before = calloc(1, length);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  /* The descriptor may be for writing alone. */
  int reading = open_surely(path, O_RDONLY);
  if (reading >= 0) {
    if (pread(reading, before, length, at) < 0) memset(before, 0, length);
    close(reading);
  }
  if (plain_write(undo->file, head, sizeof head) < 0 || plain_write(undo->file, before, length) < 0) {
    fprintf(stderr, "the rig could not write down what a write replaces: %s\n", strerror(errno));
    abort();
  }
  free(before);
}

#define LOST "-lost"
#define FLUSHED "-flushed"

/* Calls `each` with the path of every undo file of writes to `inode` that began before `before`, whose name ends in `suffix`.
 * Returns their number. */
static int each_undo(ino_t inode, int64_t before, const char *suffix, void (*each)(const char *path)) {
  int listed = open_surely(undo_dir, O_RDONLY | O_DIRECTORY);
  DIR *dir = listed < 0 ? NULL : fdopendir(listed);
  int count = 0;
  if (dir == NULL) {
    fprintf(stderr, "the rig could not look at what was not flushed: %s\n", strerror(errno));
    abort();
  }
  for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
    unsigned long of;
    long long generation;
    int end = 0;
    char path[512];
    if (sscanf(entry->d_name, "%lu-%lld%n", &of, &generation, &end) != 2) continue;
    if (of != (unsigned long)inode || generation >= before || strcmp(entry->d_name + end, suffix) != 0) continue;
    count++;
    snprintf(path, sizeof path, "%s/%.200s", undo_dir, entry->d_name);
    if (each != NULL) each(path);
  }
  closedir(dir);
  return count;
}

static void remove_undo(const char *path) { unlink(path); }

static void rename_undo(const char *path, const char *suffix) {
  char name[600];
  snprintf(name, sizeof name, "%s%s", path, suffix);
  rename(path, name);
}

static void lose_undo(const char *path) { rename_undo(path, LOST); }
static void keep_undo(const char *path) { rename_undo(path, FLUSHED); }

/* What was written before a successful flush began is on the disk: of this life of the program, and of those before it. What
 * was written before a flush that failed may never be, as the kernel takes it for written: unless it is written again. */
static int flushed(int file, int (*real)(int)) {
  int fails = sync_fault(file);
  if (undo_dir == NULL) return fails ? -1 : real(file);
  pthread_mutex_lock(&undo_lock);
  struct undo *undo = undo_of(file);
  if (undo != NULL) begin_generation(undo);
  ino_t inode = undo == NULL ? 0 : undo->inode;
  int64_t generation = undo == NULL ? 0 : undo->generation;
  pthread_mutex_unlock(&undo_lock);
  if (fails) {
    if (inode != 0) each_undo(inode, generation, "", lose_undo);
    errno = EIO;
    return -1;
  }
  int code = real(file);
  if (code == 0 && inode != 0)
    each_undo(inode, generation, "", each_undo(inode, generation, LOST, NULL) > 0 ? keep_undo : remove_undo);
  return code;
}

int fsync(int file) {
  REAL(fsync);
  return flushed(file, real);
}

int fdatasync(int file) {
  REAL(fdatasync);
  return flushed(file, real);
}

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static const char *redirected(const char *path) {
  return boot_id != NULL && path != NULL && strcmp(path, BOOT_ID) == 0 ? boot_id : path;
}

int open(const char *path, int flags, ...) {
  static int (*real)(const char *, int, ...);
  if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return real(redirected(path), flags, mode);
}

int open64(const char *path, int flags, ...) {
  static int (*real)(const char *, int, ...);
  if (real == NULL) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return real(redirected(path), flags, mode);
}

FILE *fopen(const char *path, const char *how) {
  REAL(fopen);
  return real(redirected(path), how);
}

FILE *fopen64(const char *path, const char *how) {
  REAL(fopen64);
  return real(redirected(path), how);
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

#define WRITE(name, offset) \
  ssize_t name(int file, const void *bytes, size_t length, offset at) { \
    REAL(name); \
    if (refused(file, at, at + (off_t)length)) return -1; \
    if (undo_dir == NULL) return real(file, bytes, length, at); \
    pthread_mutex_lock(&undo_lock); \
    remember(file, at, length); \
    ssize_t written = real(file, bytes, length, at); \
    pthread_mutex_unlock(&undo_lock); \
    return written; \
  }

WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define WRITE_PARTS(name, offset) \
  ssize_t name(int file, const struct iovec *parts, int count, offset at) { \
    REAL(name); \
    size_t length = 0; \
    for (int i = 0; i < count; i++) length += parts[i].iov_len; \
    if (refused(file, at, at + (off_t)length)) return -1; \
    if (undo_dir == NULL) return real(file, parts, count, at); \
    pthread_mutex_lock(&undo_lock); \
    remember(file, at, length); \
    ssize_t written = real(file, parts, count, at); \
    pthread_mutex_unlock(&undo_lock); \
    return written; \
  }

WRITE_PARTS(pwritev, off_t)
WRITE_PARTS(pwritev64, off64_t)

/* LMDB writes pages that lie side by side from where the file stands. Everything else that is written so is no file. */
static int is_file(int file) {
  struct stat kind;
  return file > 2 && (undo_dir != NULL || shared != NULL) && fstat(file, &kind) == 0 && S_ISREG(kind.st_mode);
}

ssize_t write(int file, const void *bytes, size_t length) {
  if (!is_file(file)) return plain_write(file, bytes, length);
  off_t at = lseek(file, 0, SEEK_CUR);
  if (at >= 0 && refused(file, at, at + (off_t)length)) return -1;
  if (at < 0 || undo_dir == NULL) return plain_write(file, bytes, length);
  pthread_mutex_lock(&undo_lock);
  remember(file, at, length);
  ssize_t written = plain_write(file, bytes, length);
  pthread_mutex_unlock(&undo_lock);
  return written;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  REAL(writev);
  if (!is_file(file)) return real(file, parts, count);
  size_t length = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  off_t at = lseek(file, 0, SEEK_CUR);
  if (at >= 0 && refused(file, at, at + (off_t)length)) return -1;
  if (at < 0 || undo_dir == NULL) return real(file, parts, count);
  pthread_mutex_lock(&undo_lock);
  remember(file, at, length);
  ssize_t written = real(file, parts, count);
  pthread_mutex_unlock(&undo_lock);
  return written;
}

// What both load clients share: sockets, clock, a latency histogram with about 1 % resolution.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SUB_BITS 6
#define BUCKETS (64 << SUB_BITS)

static uint64_t histogram[BUCKETS];
static uint64_t histogram_count;
static uint64_t histogram_max;

// Values below 2^(SUB_BITS+1) are exact; above, each power of two is cut into 2^SUB_BITS parts.
static inline int bucket_of(uint64_t value) {
  if (value < (2u << SUB_BITS)) return (int)value;
  int shift = 63 - __builtin_clzll(value) - SUB_BITS;
  return (int)(((uint64_t)(shift + 1) << SUB_BITS) + ((value >> shift) - (1u << SUB_BITS)));
}

static inline uint64_t value_of(int bucket) {
  if (bucket < (int)(2u << SUB_BITS)) return (uint64_t)bucket;
  int shift = (bucket >> SUB_BITS) - 1;
  return ((uint64_t)((bucket & ((1 << SUB_BITS) - 1)) + (1 << SUB_BITS)) << shift) + ((1ull << shift) >> 1);
}

static inline void record(int64_t microseconds) {
  uint64_t value = microseconds < 0 ? 0 : (uint64_t)microseconds;
  histogram[bucket_of(value)]++;
  histogram_count++;
  if (value > histogram_max) histogram_max = value;
}

static inline void reset_histogram(void) {
  memset(histogram, 0, sizeof histogram);
  histogram_count = histogram_max = 0;
}

static uint64_t quantile(double q) {
  uint64_t wanted = (uint64_t)(q * (double)histogram_count), seen = 0;
  for (int i = 0; i < BUCKETS; i++) {
    seen += histogram[i];
    if (histogram[i] > 0 && seen > wanted) return value_of(i);
  }
  return histogram_max;
}

static inline int64_t clock_us(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void die(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static int dial(const char *host, int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0) die("socket");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET, host, &address.sin_addr) != 1) die("address");
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS) die("connect");
  return fd;
}

static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) die(path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*length + 1);
  if (fread(bytes, 1, *length, file) != *length) die(path);
  bytes[*length] = 0;
  fclose(file);
  return bytes;
}

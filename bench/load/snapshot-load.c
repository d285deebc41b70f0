// Clients that take a whole snapshot at once, some of which stop reading for a while, and beside them one that asks for a
// small page all the time: how long it waits is how much the snapshots hold everybody else up.
// snapshot-load HOST PORT CONNECTIONS STALLED STALL_AT_BYTES STALL_MS REQUEST_FILE PROBE_FILE READY
// The first STALLED connections read nothing for STALL_MS once they have STALL_AT_BYTES. A connection is complete when
// READY is among the last bytes it was sent. Prints `begun` after half a second of probes alone, then one line of JSON.
#include "common.h"

#define TAIL 2048
#define PROBE_EVERY_US 10000
#define ALONE_US 500000
#define LIMIT_US 120000000

typedef struct {
  int fd;
  int stalled, complete, sent;
  uint64_t bytes;
  int64_t wake;
  char tail[TAIL];
  size_t tail_length;
} Connection;

static Connection *connections, probe;
static int connection_count, stalled_count, epoll_fd, complete_count, reading_complete;
static uint64_t stall_at, bytes_in, probe_failures;
static int64_t stall_us, probe_due, probe_sent, done_us, reading_done_us;
static char *request, *probe_request;
static size_t request_length, probe_length;
static const char *ready, *host;
static int port;
static char buffer[1 << 18];

static void watch(Connection *c, int operation, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = c};
  epoll_ctl(epoll_fd, operation, c->fd, &event);
}

static void take(Connection *c, const char *bytes, size_t length) {
  size_t kept = length >= TAIL ? 0 : c->tail_length + length > TAIL ? TAIL - length : c->tail_length;
  memmove(c->tail, c->tail + c->tail_length - kept, kept);
  size_t part = length < TAIL ? length : TAIL;
  memcpy(c->tail + kept, bytes + length - part, part);
  c->tail_length = kept + part;
}

static void receive(Connection *c, int64_t now) {
  ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) {
    fprintf(stderr, "a stream was closed after %lu bytes: %.*s\n", c->bytes, (int)c->tail_length, c->tail);
    exit(1);
  }
  c->bytes += (uint64_t)n;
  bytes_in += (uint64_t)n;
  take(c, buffer, (size_t)n);
  int may_stall = c - connections < stalled_count;
  if (!c->complete && memmem(c->tail, c->tail_length, ready, strlen(ready)) != NULL) {
    c->complete = 1;
    complete_count++;
    done_us = now;
    if (!may_stall && ++reading_complete == connection_count - stalled_count) reading_done_us = now;
  }
  if (may_stall && !c->stalled && c->bytes >= stall_at) {
    c->stalled = 1;
    c->wake = now + stall_us;
    watch(c, EPOLL_CTL_DEL, 0);
  }
}

static void receive_probe(int64_t now) {
  ssize_t n = recv(probe.fd, buffer, sizeof buffer - 1, 0);
  if (n < 0 && errno == EAGAIN) return;
  if (n < 0) die("the probe's connection");
  if (n == 0 && probe_sent != 0) fprintf(stderr, "the server ended the probe's connection without an answer\n"), exit(1);
  buffer[n] = 0;
  if (n > 0) {
    if (strncmp(buffer, "HTTP/1.1 200", 12) != 0) probe_failures++;
    record(now - probe_sent);
    probe_sent = 0;
    if (strcasestr(buffer, "\r\nConnection: close\r\n") == NULL) return;
  }
  // overround ends a connection with every 64th answer that it charges to nobody.
  close(probe.fd);
  probe.fd = dial(host, port);
  watch(&probe, EPOLL_CTL_ADD, EPOLLIN);
}

static void turn(void) {
  struct epoll_event events[64];
  int n = epoll_wait(epoll_fd, events, 64, 1);
  int64_t now = clock_us(CLOCK_MONOTONIC);
  // The probe first: what it waits for must be the server, not this program.
  for (int i = 0; i < n; i++)
    if (events[i].data.ptr == &probe && events[i].events & EPOLLIN) receive_probe(now);
  for (int i = 0; i < n; i++) {
    Connection *c = events[i].data.ptr;
    if (c == &probe) continue;
    if (events[i].events & EPOLLERR) die("connection");
    if (events[i].events & EPOLLOUT && !c->sent) {
      if (send(c->fd, request, request_length, MSG_NOSIGNAL) != (ssize_t)request_length) die("send");
      c->sent = 1;
      watch(c, EPOLL_CTL_MOD, EPOLLIN);
    }
    if (events[i].events & EPOLLIN) receive(c, now);
  }
  for (int i = 0; i < stalled_count; i++)
    if (connections[i].wake > 0 && connections[i].wake <= now) {
      connections[i].wake = 0;
      watch(&connections[i], EPOLL_CTL_ADD, EPOLLIN);
    }
  if (probe_sent == 0 && now >= probe_due) {
    ssize_t n = send(probe.fd, probe_request, probe_length, MSG_NOSIGNAL);
    // A new connection may not be there yet.
    if (n < 0 && errno == EAGAIN) return;
    if (n != (ssize_t)probe_length) die("probe");
    // Timed from when it was due: an answer that is late must not hide the ones that should have followed.
    probe_sent = probe_due;
    probe_due += PROBE_EVERY_US;
  }
}

int main(int argc, char **argv) {
  if (argc != 10) return fprintf(stderr, "snapshot-load: nine arguments\n"), 2;
  host = argv[1];
  port = atoi(argv[2]);
  connection_count = atoi(argv[3]);
  stalled_count = atoi(argv[4]);
  stall_at = strtoull(argv[5], NULL, 10);
  stall_us = atoll(argv[6]) * 1000;
  request = read_file(argv[7], &request_length);
  probe_request = read_file(argv[8], &probe_length);
  ready = argv[9];
  connections = calloc((size_t)connection_count, sizeof *connections);
  epoll_fd = epoll_create1(0);
  probe.fd = dial(host, port);
  watch(&probe, EPOLL_CTL_ADD, EPOLLIN);
  usleep(50000);
  probe_due = clock_us(CLOCK_MONOTONIC);
  int64_t begun = probe_due + ALONE_US;
  while (clock_us(CLOCK_MONOTONIC) < begun) turn();
  uint64_t alone = quantile(0.5), alone_max = histogram_max;
  reset_histogram();
  puts("begun");
  fflush(stdout);
  begun = clock_us(CLOCK_MONOTONIC);
  for (int i = 0; i < connection_count; i++) {
    connections[i].fd = dial(host, port);
    watch(&connections[i], EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
  }
  while (complete_count < connection_count) {
    turn();
    if (clock_us(CLOCK_MONOTONIC) - begun > LIMIT_US)
      return fprintf(stderr, "%d of %d were complete in time\n", complete_count, connection_count), 1;
  }
  printf("{\"seconds\":%.6f,\"allSeconds\":%.6f,\"bytes\":%lu,\"alone\":%lu,\"aloneMax\":%lu,\"probes\":%lu,\"failures\":%lu,"
         "\"p50\":%lu,\"p99\":%lu,\"max\":%lu}\n",
         (double)(reading_done_us - begun) / 1e6, (double)(done_us - begun) / 1e6, bytes_in, alone, alone_max,
         histogram_count, probe_failures, quantile(0.5), quantile(0.99), histogram_max);
  return 0;
}

// HTTP/1.1 load: keep-alive connections, one request outstanding on each, requests taken in turn from a file.
// http-load HOST PORT CONNECTIONS WARM_MS MEASURE_MS RATE FILE
// RATE 0 sends as fast as answers come and never sleeps; else so many requests a second, timed from when each was due,
// asleep between them: a server that may use every core is not to share this one with a loop that waits.
// FILE: per request one line `LENGTH KIND` and that many bytes; latencies are kept of kind 0, counts of both kinds.
// A request of kind 1 is on its way alone: it is sent when all before it are answered, and those after it when it is.
// Prints `begin` and `end` round the measured time, then one line of JSON.
#include "common.h"
#include <sys/prctl.h>
#include <sys/timerfd.h>

typedef struct {
  const char *bytes;
  size_t length;
  int kind;
} Request;

typedef struct {
  int fd;
  int open, busy, kind;
  size_t sent, request_length;
  const char *request;
  int64_t started;
  // Answer: head gathered until its end is seen, then the body counted down.
  char head[4096];
  size_t head_length;
  int64_t body_left;
  int status;
} Connection;

static Request *requests;
static size_t request_count, next_request;
static Connection *connections;
static int connection_count, epoll_fd, measuring;
static unsigned next_connection;
static int on_their_way, alone;
static uint64_t answers[2], failures, bytes_in;

static void load_requests(const char *path) {
  size_t length, capacity = 1024;
  char *bytes = read_file(path, &length), *at = bytes;
  requests = malloc(capacity * sizeof *requests);
  while (at < bytes + length) {
    if (request_count == capacity) requests = realloc(requests, (capacity *= 2) * sizeof *requests);
    char *after;
    Request *request = &requests[request_count++];
    request->length = strtoul(at, &after, 10);
    request->kind = (int)strtol(after, &after, 10);
    request->bytes = after + 1;
    at = after + 1 + request->length;
  }
}

static void watch(Connection *c, uint32_t events) {
  struct epoll_event event = {.events = events, .data.ptr = c};
  epoll_ctl(epoll_fd, EPOLL_CTL_MOD, c->fd, &event);
}

static void push(Connection *c) {
  while (c->sent < c->request_length) {
    ssize_t n = send(c->fd, c->request + c->sent, c->request_length - c->sent, MSG_NOSIGNAL);
    if (n < 0) {
      if (errno != EAGAIN) die("send");
      watch(c, EPOLLIN | EPOLLOUT);
      return;
    }
    c->sent += (size_t)n;
  }
}

static int may_start(void) {
  return !alone && (on_their_way == 0 || requests[next_request % request_count].kind == 0);
}

static void start(Connection *c, int64_t due) {
  Request *request = &requests[next_request++ % request_count];
  c->busy = 1;
  c->kind = request->kind;
  on_their_way++;
  alone = request->kind;
  c->request = request->bytes;
  c->request_length = request->length;
  c->sent = 0;
  c->head_length = 0;
  c->body_left = -1;
  c->started = due;
  push(c);
}

static void finished(Connection *c) {
  c->busy = 0;
  on_their_way--;
  alone = 0;
  if (!measuring) return;
  answers[c->kind]++;
  if (c->status < 200 || c->status > 299) failures++;
  if (c->kind == 0) record(clock_us(CLOCK_MONOTONIC) - c->started);
}

// Answers 1 when the whole answer has been read. Nothing is pipelined, so nothing follows it.
static int take(Connection *c, const char *bytes, size_t length) {
  if (c->body_left >= 0) {
    c->body_left -= (int64_t)length;
    return c->body_left <= 0;
  }
  size_t before = c->head_length;
  size_t room = sizeof c->head - 1 - before, part = length < room ? length : room;
  memcpy(c->head + before, bytes, part);
  c->head_length += part;
  c->head[c->head_length] = 0;
  char *end = strstr(c->head, "\r\n\r\n");
  if (end == NULL) {
    if (part == room) die("the head of an answer is too long");
    return 0;
  }
  c->status = atoi(c->head + 9);
  char *field = strcasestr(c->head, "\r\ncontent-length:");
  int64_t body = field != NULL && field < end ? strtoll(field + 17, NULL, 10) : 0;
  size_t head_bytes = (size_t)(end + 4 - c->head);
  c->body_left = body - (int64_t)(length - (head_bytes - before));
  return c->body_left <= 0;
}

static void receive(Connection *c) {
  static char buffer[1 << 18];
  for (;;) {
    ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
    if (n < 0) {
      if (errno == EAGAIN) return;
      die("recv");
    }
    if (n == 0) {
      fprintf(stderr, "the server closed a connection; last status %d\n%s\n", c->status, c->head);
      exit(1);
    }
    bytes_in += (uint64_t)n;
    if (c->busy && take(c, buffer, (size_t)n)) {
      finished(c);
      return;
    }
  }
}

// Wakes epoll_wait at a time of the monotonic clock (us).
static void wake_at(int timer, int64_t at) {
  struct itimerspec when = {.it_value = {.tv_sec = at / 1000000, .tv_nsec = at % 1000000 * 1000}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
}

int main(int argc, char **argv) {
  if (argc != 8) return fprintf(stderr, "http-load HOST PORT CONNECTIONS WARM_MS MEASURE_MS RATE FILE\n"), 2;
  connection_count = atoi(argv[3]);
  int64_t warm = atoll(argv[4]) * 1000, measure = atoll(argv[5]) * 1000;
  double rate = atof(argv[6]);
  load_requests(argv[7]);
  epoll_fd = epoll_create1(0);
  connections = calloc((size_t)connection_count, sizeof *connections);
  for (int i = 0; i < connection_count; i++) {
    connections[i].fd = dial(argv[1], atoi(argv[2]));
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = &connections[i]};
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, connections[i].fd, &event);
  }
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct epoll_event wake = {.events = EPOLLIN | EPOLLET, .data.ptr = NULL};
  epoll_ctl(epoll_fd, EPOLL_CTL_ADD, timer, &wake);
  prctl(PR_SET_TIMERSLACK, 1);
  int64_t begin = clock_us(CLOCK_MONOTONIC), due = begin, now;
  struct epoll_event events[256];
  for (;;) {
    // As fast as answers come, never asleep: waking a client is the server's work, and far from the same each time.
    if (rate > 0) wake_at(timer, due);
    int n = epoll_wait(epoll_fd, events, 256, rate > 0 ? 20 : 0);
    if (n == 0 && rate == 0) sched_yield();
    for (int i = 0; i < n; i++) {
      Connection *c = events[i].data.ptr;
      if (c == NULL) continue;
      if (events[i].events & (EPOLLERR | EPOLLHUP)) die("connection");
      if (events[i].events & EPOLLOUT) {
        watch(c, EPOLLIN);
        if (!c->open) {
          c->open = 1;
        } else if (c->busy) push(c);
      }
      if (events[i].events & EPOLLIN) {
        receive(c);
        // Again at once on the connection that is free; the others are looked through below.
        if (!c->busy && rate == 0 && may_start()) start(c, clock_us(CLOCK_MONOTONIC));
      }
    }
    now = clock_us(CLOCK_MONOTONIC);
    if (rate == 0 && on_their_way < connection_count) {
      for (int i = 0; i < connection_count && may_start(); i++)
        if (connections[i].open && !connections[i].busy) start(&connections[i], clock_us(CLOCK_MONOTONIC));
    } else if (rate > 0)
      // In turns: one that is never used would be closed as idle.
      for (int i = 0; i < connection_count && due <= now; i++) {
        Connection *c = &connections[next_connection++ % (unsigned)connection_count];
        if (c->open && !c->busy && may_start()) {
          start(c, due);
          due += (int64_t)(1e6 / rate);
        }
      }
    if (!measuring && now - begin >= warm) {
      measuring = 1;
      begin = now;
      bytes_in = 0;
      puts("begin");
      fflush(stdout);
    } else if (measuring && now - begin >= measure) break;
  }
  puts("end");
  printf("{\"seconds\":%.6f,\"requests\":%lu,\"others\":%lu,\"failures\":%lu,\"bytes\":%lu,"
         "\"p50\":%lu,\"p99\":%lu,\"p999\":%lu,\"max\":%lu}\n",
         (double)(now - begin) / 1e6, answers[0], answers[1], failures, bytes_in, quantile(0.5), quantile(0.99),
         quantile(0.999), histogram_max);
  return 0;
}

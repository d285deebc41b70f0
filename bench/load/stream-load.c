// Many stream clients (SSE, WebSocket, Redis pub/sub): each sends one request, then only reads. Messages are found by a
// marker in the bytes, which is followed by 16 digits: the Unix microseconds the latency is counted from.
// stream-load HOST PORT CONNECTIONS REQUEST_FILE READY MARKER [COUNTED]
// REQUEST_FILE may hold several requests, each ended by a blank line: connections take them in turn.
// A connection is ready when READY was seen. COUNTED is another marker to count (items in a merged message).
// Prints `ready`; takes the lines `begin OFFSET_US SPIN`, `await COUNT WAIT_MS`, `end` and `quit`. Answers `await` with
// `arrived` once so many items (messages, without COUNTED) have come since `begin`, or says how many are missing when the
// time is over; answers `end` with one line of JSON.
#include "common.h"

#define DIGITS 16
#define TAIL 64

typedef struct {
  int fd;
  int ready;
  const char *request;
  size_t request_length, sent;
  uint64_t messages;
  // The last bytes of what was read, so that a marker cut in two is found.
  char tail[TAIL];
  size_t tail_length;
} Connection;

static Connection *connections;
static int connection_count, ready_count, epoll_fd;
static const char *marker, *ready_marker, *counted;
static size_t marker_length, ready_length, counted_length;
static const char *request;
static size_t request_length;
static uint64_t messages, items, bytes_in, reads;
static int64_t offset_us;
// What `await` waits for (0: nothing), and until when.
static uint64_t awaited;
static int64_t awaited_until;

static uint64_t count_of(const char *bytes, size_t length, const char *what, size_t what_length) {
  uint64_t count = 0;
  const char *at = bytes, *end = bytes + length;
  while ((at = memmem(at, (size_t)(end - at), what, what_length)) != NULL) {
    count++;
    at += what_length;
  }
  return count;
}

// Looks through bytes that begin with the last look's tail, which is one byte too short for a whole marker.
static void look(Connection *c, const char *bytes, size_t length, int64_t now) {
  const char *at = bytes, *end = bytes + length;
  while ((at = memmem(at, (size_t)(end - at), marker, marker_length)) != NULL) {
    if ((size_t)(end - at) < marker_length + DIGITS) return;
    int64_t value = 0;
    int i = 0;
    for (const char *digit = at + marker_length; i < DIGITS && digit[i] >= '0' && digit[i] <= '9'; i++)
      value = value * 10 + (digit[i] - '0');
    at += marker_length;
    if (i != DIGITS) continue;
    messages++;
    c->messages++;
    record(now - value - offset_us);
  }
}

static void receive(Connection *c) {
  static char buffer[(1 << 20) + TAIL];
  for (;;) {
    memcpy(buffer, c->tail, c->tail_length);
    size_t room = (1 << 20);
    ssize_t n = recv(c->fd, buffer + c->tail_length, room, 0);
    if (n < 0) {
      if (errno == EAGAIN) return;
      die("recv");
    }
    if (n == 0) {
      fprintf(stderr, "the server closed a stream: %.300s\n", buffer);
      exit(1);
    }
    reads++;
    bytes_in += (uint64_t)n;
    size_t length = c->tail_length + (size_t)n;
    if (!c->ready && memmem(buffer, length, ready_marker, ready_length) != NULL) {
      c->ready = 1;
      ready_count++;
    }
    // Counted from the first byte not seen before: a marker that lies in the tail alone was counted then.
    if (counted_length > 0) {
      size_t again = c->tail_length < counted_length - 1 ? c->tail_length : counted_length - 1;
      items += count_of(buffer + c->tail_length - again, length - (c->tail_length - again), counted, counted_length);
    }
    look(c, buffer, length, clock_us(CLOCK_REALTIME));
    size_t keep = marker_length + DIGITS - 1 < length ? marker_length + DIGITS - 1 : length;
    memcpy(c->tail, buffer + length - keep, keep);
    c->tail_length = keep;
    if ((size_t)n < room) return;
  }
}

// The request of a connection: from one blank line to the next; all of the file where there is none.
static const char *request_of(int connection, size_t *length) {
  static size_t count = 0, at = 0;
  const char *end = request + request_length;
  if (count == 0)
    for (const char *line = request; (line = memmem(line, (size_t)(end - line), "\r\n\r\n", 4)) != NULL; line += 4) count++;
  if (count == 0) {
    *length = request_length;
    return request;
  }
  if ((size_t)connection % count == 0) at = 0;
  const char *begin = request + at, *after = memmem(begin, (size_t)(end - begin), "\r\n\r\n", 4);
  *length = (size_t)(after + 4 - begin);
  at += *length;
  return begin;
}

static void turn(int timeout) {
  struct epoll_event events[1024];
  int n = epoll_wait(epoll_fd, events, 1024, timeout);
  // Never asleep while it measures: waking a client that sleeps would be the server's work, and not the same each time.
  if (n == 0 && timeout == 0) sched_yield();
  for (int i = 0; i < n; i++) {
    Connection *c = events[i].data.ptr;
    if (c == NULL) continue;
    if (events[i].events & EPOLLERR) die("connection");
    if (events[i].events & EPOLLOUT) {
      ssize_t sent = send(c->fd, c->request + c->sent, c->request_length - c->sent, MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN) die("send");
      if (sent > 0) c->sent += (size_t)sent;
      if (c->sent == c->request_length) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
        epoll_ctl(epoll_fd, EPOLL_CTL_MOD, c->fd, &event);
      }
    }
    if (events[i].events & EPOLLIN) receive(c);
  }
}

static void open_all(const char *host, int port) {
  for (int i = 0; i < connection_count; i++) {
    // Not more at a time than the server's backlog takes.
    while (i - ready_count >= 200) turn(1000);
    connections[i].fd = dial(host, port);
    connections[i].request = request_of(i, &connections[i].request_length);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = &connections[i]};
    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, connections[i].fd, &event);
  }
  while (ready_count < connection_count) turn(1000);
}

static void tell_awaited(void) {
  uint64_t have = counted_length > 0 ? items : messages;
  if (have >= awaited)
    puts("arrived");
  else if (clock_us(CLOCK_MONOTONIC) > awaited_until)
    printf("missing %lu of %lu\n", awaited - have, awaited);
  else
    return;
  fflush(stdout);
  awaited = 0;
}

static void report(double seconds) {
  uint64_t least = ~0ull, most = 0;
  for (int i = 0; i < connection_count; i++) {
    if (connections[i].messages < least) least = connections[i].messages;
    if (connections[i].messages > most) most = connections[i].messages;
  }
  printf("{\"seconds\":%.6f,\"messages\":%lu,\"items\":%lu,\"bytes\":%lu,\"reads\":%lu,\"least\":%lu,\"most\":%lu,"
         "\"p50\":%lu,\"p99\":%lu,\"p999\":%lu,\"max\":%lu}\n",
         seconds, messages, items, bytes_in, reads, least, most, quantile(0.5), quantile(0.99), quantile(0.999),
         histogram_max);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 7) return fprintf(stderr, "stream-load HOST PORT CONNECTIONS REQUEST_FILE READY MARKER [COUNTED]\n"), 2;
  connection_count = atoi(argv[3]);
  request = read_file(argv[4], &request_length);
  ready_marker = argv[5];
  ready_length = strlen(ready_marker);
  marker = argv[6];
  marker_length = strlen(marker);
  counted = argc > 7 ? argv[7] : "";
  counted_length = strlen(counted);
  size_t whole = marker_length + DIGITS;
  if (whole > TAIL || ready_length > whole || counted_length > whole) return fprintf(stderr, "marker lengths\n"), 2;
  connections = calloc((size_t)connection_count, sizeof *connections);
  epoll_fd = epoll_create1(0);
  open_all(argv[1], atoi(argv[2]));
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(epoll_fd, EPOLL_CTL_ADD, 0, &event);
  fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
  puts("ready");
  fflush(stdout);
  int64_t begun = clock_us(CLOCK_MONOTONIC);
  int measuring = 0;
  for (;;) {
    turn(measuring ? 0 : awaited > 0 ? 10 : 1000);
    if (awaited > 0) tell_awaited();
    char line[64];
    ssize_t n = read(0, line, sizeof line - 1);
    if (n == 0) return 0;
    if (n < 0) continue;
    line[n] = 0;
    if (strncmp(line, "begin", 5) == 0) {
      reset_histogram();
      messages = items = bytes_in = reads = 0;
      for (int i = 0; i < connection_count; i++) connections[i].messages = 0;
      int spin = 1;
      sscanf(line + 5, "%ld %d", &offset_us, &spin);
      begun = clock_us(CLOCK_MONOTONIC);
      measuring = spin;
      puts("begun");
      fflush(stdout);
    } else if (strncmp(line, "await", 5) == 0) {
      long wait_ms = 20000;
      sscanf(line + 5, "%lu %ld", &awaited, &wait_ms);
      awaited_until = clock_us(CLOCK_MONOTONIC) + wait_ms * 1000;
    } else if (strncmp(line, "end", 3) == 0) {
      measuring = 0;
      report((double)(clock_us(CLOCK_MONOTONIC) - begun) / 1e6);
    } else return 0;
  }
}

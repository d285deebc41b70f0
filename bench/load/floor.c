// The floor: the least a server can do to tell N clients something, one send() each. GET makes a connection a listener;
// the body of every POST goes to all listeners, with the 16 digits behind `evt_` set to the time. floor prints its port.
#include "common.h"

#define ROOM (1 << 18)

static const char GREETING[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n";
static const char DONE[] = "HTTP/1.1 204 No Content\r\n\r\n";
static int listeners[65536], listener_count;
static char *gathered[65536];
static size_t gathered_length[65536];

static void tell_all(char *body, size_t length) {
  char *marker = memmem(body, length, "evt_", 4);
  if (marker != NULL && marker + 20 <= body + length) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016ld", clock_us(CLOCK_REALTIME));
    memcpy(marker + 4, digits, 16);
  }
  for (int i = 0; i < listener_count; i++) send(listeners[i], body, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void leave(int fd) {
  for (int i = 0; i < listener_count; i++)
    if (listeners[i] == fd) listeners[i--] = listeners[--listener_count];
  gathered_length[fd] = 0;
  close(fd);
}

static void serve(int fd) {
  if (gathered[fd] == NULL) gathered[fd] = malloc(ROOM + 1);
  ssize_t n = recv(fd, gathered[fd] + gathered_length[fd], ROOM - gathered_length[fd], MSG_DONTWAIT);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return leave(fd);
  gathered_length[fd] += (size_t)n;
  gathered[fd][gathered_length[fd]] = 0;
  char *end;
  while ((end = strstr(gathered[fd], "\r\n\r\n")) != NULL) {
    char *field = strcasestr(gathered[fd], "\r\ncontent-length:");
    size_t body = field != NULL && field < end ? strtoul(field + 17, NULL, 10) : 0;
    size_t whole = (size_t)(end + 4 - gathered[fd]) + body;
    if (gathered_length[fd] < whole) return;
    if (gathered[fd][0] == 'P') {
      tell_all(end + 4, body);
      send(fd, DONE, sizeof DONE - 1, MSG_NOSIGNAL);
    } else {
      listeners[listener_count++] = fd;
      send(fd, GREETING, sizeof GREETING - 1, MSG_NOSIGNAL);
    }
    gathered_length[fd] -= whole;
    memmove(gathered[fd], gathered[fd] + whole, gathered_length[fd] + 1);
  }
}

int main(void) {
  int door = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (bind(door, (struct sockaddr *)&address, size) < 0 || listen(door, 4096) < 0) die("listen");
  getsockname(door, (struct sockaddr *)&address, &size);
  printf("{\"msg\":\"listening\",\"port\":%d}\n", ntohs(address.sin_port));
  fflush(stdout);
  int epoll_fd = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = door}, events[256];
  epoll_ctl(epoll_fd, EPOLL_CTL_ADD, door, &event);
  for (;;) {
    int n = epoll_wait(epoll_fd, events, 256, -1);
    for (int i = 0; i < n; i++) {
      if (events[i].data.fd != door) {
        serve(events[i].data.fd);
        continue;
      }
      int fd = accept(door, NULL, NULL), on = 1;
      if (fd < 0 || fd >= 65536) continue;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      event = (struct epoll_event){.events = EPOLLIN, .data.fd = fd};
      epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event);
    }
  }
}

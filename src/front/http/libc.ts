// The system calls Node has no door to, by way of koffi: looking at what a socket was sent without taking it, a second
// descriptor of a socket, accepting connections only once they have said something, and hearing that one has. Linux only.
import type { Library } from 'koffi';

/** Said where connections cannot be looked at here: uWebSockets listens itself then. */
export class Http10Unavailable extends Error {}

export interface Libc {
  /** Copies what waits in the socket, at most the buffer's length; bytes copied, 0 at its end, less than 0 where nothing has come. */
  peek(fd: number, into: Buffer): number;
  /** Less than 0 where there are no more descriptors. */
  duplicate(fd: number): number;
  /** Has the system hand over connections with their first bytes, or after so many seconds without; false where it refuses. */
  acceptWithData(listeningFd: number, seconds: number): boolean;
  /** A descriptor that hears of others; less than 0 where there are no more. */
  openWatch(): number;
  /** Told once whenever more has come, or the peer has ended; false where it cannot be. */
  watch(watchFd: number, fd: number): boolean;
  unwatch(watchFd: number, fd: number): void;
  /** Calls back for each that has news, without waiting; at most 64 at a time. Returns how many. */
  news(watchFd: number, callback: (fd: number, ended: boolean) => void): number;
  close(fd: number): void;
}

const MSG_PEEK = 0x02;
const MSG_DONTWAIT = 0x40;
const IPPROTO_TCP = 6;
const TCP_DEFER_ACCEPT = 9;
const EPOLL_CLOEXEC = 0o2000000;
const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_DEL = 2;
const EPOLLIN = 0x1;
const EPOLLERR = 0x8;
const EPOLLHUP = 0x10;
const EPOLLRDHUP = 0x2000;
const EPOLLET = 0x80000000;
const NEWS_AT_ONCE = 64;
/** `struct epoll_event` is packed on x86-64 alone. */
const [EVENT_BYTES, FD_AT] = process.arch === 'x64' ? [12, 4] : [16, 8];

/** Rejects with Http10Unavailable where this system has none of it. */
export async function loadLibc(): Promise<Libc> {
  if (process.platform !== 'linux') throw new Http10Unavailable('it needs Linux');
  try {
    const { default: koffi } = await import('koffi');
    return bind(koffi.load(null));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const missing = code === 'ERR_MODULE_NOT_FOUND';
    throw new Http10Unavailable(missing ? 'the optional package koffi is not installed' : message.split('\n', 1)[0]!);
  }
}

function bind(libc: Library): Libc {
  const recv = libc.func('long recv(int fd, _Out_ uint8_t *bytes, size_t length, int flags)');
  const dup = libc.func('int dup(int fd)');
  const setsockopt = libc.func('int setsockopt(int fd, int level, int name, int *value, uint32_t length)');
  const create = libc.func('int epoll_create1(int flags)');
  const control = libc.func('int epoll_ctl(int epfd, int op, int fd, uint8_t *event)');
  const wait = libc.func('int epoll_wait(int epfd, _Out_ uint8_t *events, int most, int timeoutMs)');
  const close = libc.func('int close(int fd)');
  const asked = Buffer.alloc(EVENT_BYTES);
  const events = Buffer.alloc(EVENT_BYTES * NEWS_AT_ONCE);
  return {
    peek: (fd, into) => Number(recv(fd, into, into.length, MSG_PEEK | MSG_DONTWAIT)),
    duplicate: (fd) => Number(dup(fd)),
    acceptWithData: (fd, seconds) => setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, [seconds], 4) === 0,
    openWatch: () => Number(create(EPOLL_CLOEXEC)),
    watch: (watchFd, fd) => {
      asked.writeUInt32LE((EPOLLIN | EPOLLRDHUP | EPOLLET) >>> 0, 0);
      asked.writeInt32LE(fd, FD_AT);
      return control(watchFd, EPOLL_CTL_ADD, fd, asked) === 0;
    },
    unwatch: (watchFd, fd) => void control(watchFd, EPOLL_CTL_DEL, fd, asked),
    news: (watchFd, callback) => {
      const count = Number(wait(watchFd, events, NEWS_AT_ONCE, 0));
      for (let at = 0; at < count * EVENT_BYTES; at += EVENT_BYTES) {
        const ended = (events.readUInt32LE(at) & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) !== 0;
        callback(events.readInt32LE(at + FD_AT), ended);
      }
      return count;
    },
    close: (fd) => void close(fd),
  };
}

// System calls that Node does not offer, through koffi: peeking at a socket's data, duplicating a descriptor, accepting
// connections only once they have sent something, and waiting for that. Linux only.
import type { Library } from 'koffi';

/** Thrown if connections cannot be inspected here: uWebSockets listens itself then. */
export class Http10Unavailable extends Error {}

export interface Libc {
  /**
   * Copies pending data of the socket, at most the buffer's length; returns the bytes copied, 0 at its end, below 0 if
   * nothing has arrived.
   */
  peek(fd: number, into: Buffer): number;
  /** Below 0 if there are no more descriptors. */
  duplicate(fd: number): number;
  /**
   * Makes the system hand over connections with their first bytes, or after this many seconds without; false if it
   * refuses.
   */
  acceptWithData(listeningFd: number, seconds: number): boolean;
  /** An epoll descriptor; below 0 if there are no more. */
  openWatch(): number;
  /** Reported once whenever more has arrived, or the peer has ended; false if it is not possible. */
  watch(watchFd: number, fd: number): boolean;
  unwatch(watchFd: number, fd: number): void;
  /** Calls back for each descriptor with news, without waiting; at most 64 at a time. Returns their number. */
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
/** `struct epoll_event` is packed on x86-64 only. */
const [EVENT_BYTES, FD_AT] = process.arch === 'x64' ? [12, 4] : [16, 8];

/** Rejects with Http10Unavailable if this system does not support it. */
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
  const event = Buffer.alloc(EVENT_BYTES);
  const events = Buffer.alloc(EVENT_BYTES * NEWS_AT_ONCE);
  return {
    peek: (fd, into) => Number(recv(fd, into, into.length, MSG_PEEK | MSG_DONTWAIT)),
    duplicate: (fd) => Number(dup(fd)),
    acceptWithData: (fd, seconds) => setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, [seconds], 4) === 0,
    openWatch: () => Number(create(EPOLL_CLOEXEC)),
    watch: (watchFd, fd) => {
      event.writeUInt32LE((EPOLLIN | EPOLLRDHUP | EPOLLET) >>> 0, 0);
      event.writeInt32LE(fd, FD_AT);
      return control(watchFd, EPOLL_CTL_ADD, fd, event) === 0;
    },
    unwatch: (watchFd, fd) => void control(watchFd, EPOLL_CTL_DEL, fd, event),
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

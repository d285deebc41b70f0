// The three system calls Node has no door to, by way of koffi: looking at what a socket was sent without taking it, a
// second descriptor of a socket, and accepting connections only once they have said something. Linux alone has the last.

export interface Libc {
  /** Copies what waits in the socket, at most the buffer's length; bytes copied, or less than 0 where there is nothing. */
  peek(fd: number, into: Buffer): number;
  /** Less than 0 where there are no more descriptors. */
  duplicate(fd: number): number;
  /** Has the system hand over connections with their first bytes, or after so many seconds without; false where it refuses. */
  acceptWithData(listeningFd: number, seconds: number): boolean;
}

const MSG_PEEK = 0x02;
const MSG_DONTWAIT = 0x40;
const IPPROTO_TCP = 6;
const TCP_DEFER_ACCEPT = 9;

/** Rejects with one line where this system has none of it. */
export async function loadLibc(): Promise<Libc> {
  if (process.platform !== 'linux') throw new Error('it needs Linux');
  const { default: koffi } = await import('koffi');
  const libc = koffi.load(null);
  const recv = libc.func('long recv(int fd, _Out_ uint8_t *bytes, size_t length, int flags)');
  const dup = libc.func('int dup(int fd)');
  const setsockopt = libc.func('int setsockopt(int fd, int level, int name, int *value, uint32_t length)');
  return {
    peek: (fd, into) => Number(recv(fd, into, into.length, MSG_PEEK | MSG_DONTWAIT)),
    duplicate: (fd) => Number(dup(fd)),
    acceptWithData: (fd, seconds) => setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, [seconds], 4) === 0,
  };
}

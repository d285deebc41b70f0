// uWebSockets lets several processes listen on one port and distributes connections among them: useful on purpose,
// confusing by accident. So a fixed port is first bound in the ordinary way, which only one process can do.
import { type AddressInfo, createServer } from 'node:net';

/** Rejects if another process listens there, or the address is not this machine's. Port 0 is always free. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  if (port !== 0) await freePort(host, port);
}

/** The port, or a free one for 0: uWebSockets does not share one chosen by the system. Rejects as above. */
export function freePort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) => reject(cannotListen(host, port, code)));
    probe.listen({ host, port, exclusive: true }, () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
}

/** By the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: "the address is not this machine's",
  ENOTFOUND: 'the host has no address',
  EACCES: 'this user may not use the port: take one from 1024 on',
};

/** @param code of the system, where it says why */
export function cannotListen(host: string, port: number, code = ''): Error {
  const reason = REASONS[code] ?? `the port is in use or the address is not this machine's${code && ` (${code})`}`;
  return new Error(`cannot listen on ${host}:${port}: ${reason}`);
}

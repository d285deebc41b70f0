// uWebSockets lets several processes listen on one port and shares connections out between them: useful on purpose,
// baffling by accident. So a fixed port is first asked for in the ordinary way, which only one process gets.
import { createServer } from 'node:net';

/** Rejects where another process listens there, or the address is not this machine's. Port 0 is always free. */
export function assertPortFree(host: string, port: number): Promise<void> {
  if (port === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () => reject(cannotListen(host, port)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

export function cannotListen(host: string, port: number): Error {
  return new Error(`cannot listen on ${host}:${port}: the port is in use or the address is not this machine's`);
}

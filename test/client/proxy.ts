// A connection between client and server that a test can cut.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface Proxy {
  url: string;
  /** Closes every connection. */
  cut(): void;
  /** Where connections lead from now on. */
  to(target: string): void;
}

export async function proxyTo(t: TestContext, target: string): Promise<Proxy> {
  let { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
      // Cutting connections is what this proxy is for.
      socket.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const to = (next: string) => {
    ({ hostname, port } = new URL(next));
  };
  t.after(() => {
    cut();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cut, to };
}

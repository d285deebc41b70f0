// The network between two programs, as a TCP proxy that a test can cut.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface Link {
  /** As the target's, with a port of its own. */
  readonly url: string;
  /** Closes every connection. */
  drop(): void;
  /** Closes every connection, and refuses new ones until heal(). */
  cut(): void;
  heal(): void;
  /** Where connections lead from now on. */
  to(target: string): void;
}

/** @param target `http://host:port` or `nats://host:port` */
export async function proxyTo(t: TestContext, target: string): Promise<Link> {
  let { protocol, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      // Cutting connections is what this proxy is for.
      one.on('error', () => other.destroy());
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  t.after(() => {
    drop();
    server.close();
  });
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop,
    cut: () => {
      isCut = true;
      drop();
    },
    heal: () => {
      isCut = false;
    },
    to: (next) => {
      ({ protocol, hostname, port } = new URL(next));
    },
  };
}

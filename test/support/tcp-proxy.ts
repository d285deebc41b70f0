// The network between two programs, as a TCP proxy that a test can cut.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { Ending } from '../shared.js';

export interface Link {
  /** As the target's, with a port of its own. */
  readonly url: string;
  /** Closes every connection. */
  drop(): void;
  /** Closes every connection, and refuses new ones until heal(). */
  cut(): void;
  heal(): void;
  /** Bytes that have come from the target. */
  passed(): number;
  /** Passes on so many more bytes of the target, then no more until the connections are closed. */
  stopAfter(bytes: number): void;
  /** Where connections lead from now on. */
  to(target: string): void;
}

/** @param target `http://host:port` or `nats://host:port` */
export async function proxyTo(t: Ending, target: string): Promise<Link> {
  let { protocol, hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let passed = 0;
  let most = Number.POSITIVE_INFINITY;
  const counted = (): Transform =>
    new Transform({
      transform(bytes: Buffer, _encoding, done) {
        // Never asked on: the rest stays with the target.
        if (passed + bytes.length > most) return;
        passed += bytes.length;
        done(null, bytes);
      },
    });
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
      if (one === far) one.pipe(counted()).pipe(other);
      else one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = (): void => {
    most = Number.POSITIVE_INFINITY;
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
    passed: () => passed,
    stopAfter: (bytes) => {
      most = passed + bytes;
    },
    to: (next) => {
      ({ protocol, hostname, port } = new URL(next));
    },
  };
}

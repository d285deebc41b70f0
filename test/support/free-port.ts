// Ports for what can only be told its port, or listens on it again. None of those that the system gives out by itself: between
// the choice of one and its use any of the connections of other tests could be given it.
import { createServer, type Server } from 'node:net';

/** Below those that systems give out. */
const FIRST = 10_000;
const COUNT = 20_000;

async function held(): Promise<{ server: Server; port: number }> {
  for (;;) {
    const server = createServer();
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
    });
    if (isFree) return { server, port };
  }
}

export async function freePorts(count: number): Promise<number[]> {
  const all = await Promise.all(Array.from({ length: count }, held));
  await Promise.all(all.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return all.map(({ port }) => port);
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

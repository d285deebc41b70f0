// A link between a client and the server with limited bandwidth and little buffering.
import { connect, createServer } from 'node:net';
import type { TestContext } from 'node:test';

/** Forwards to a port of this machine; resolves to the port to connect to. Closed after the test. */
export async function slowLink(t: TestContext, port: number, bytesPerSecond: number): Promise<number> {
  const link = createServer({ highWaterMark: 16_384 } as never, (client) => {
    const server = connect({ port, host: '127.0.0.1', highWaterMark: 16_384 } as never);
    client.pipe(server);
    server.on('data', (bytes) => {
      server.pause();
      client.write(bytes);
      setTimeout(() => server.resume(), (bytes.length / bytesPerSecond) * 1000);
    });
    server.on('end', () => client.end());
    client.on('close', () => server.destroy());
    for (const socket of [client, server]) socket.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => link.listen(0, '127.0.0.1', resolve));
  t.after(() => link.close());
  return (link.address() as { port: number }).port;
}

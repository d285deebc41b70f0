// Memory: what a row, an idle client and a group cost, as the kernel counts it.
import type { Bench, Section } from '../bench.js';
import { StreamClients } from '../load.js';
import { Market } from '../market.js';
import { dataFolder, Overround } from '../overround.js';
import { anonymousBytes, wait } from '../process.js';
import { subscription } from '../streams.js';

const CLIENTS = 2_000;
const GROUPS = 300;

export const memory: Section = {
  name: 'memory',
  about: 'bytes a row, an idle client, a group',
  underLoad: true,
  run: async (bench) => {
    const market = new Market({ events: bench.full ? 5_000 : 1_000, books: 10 }, Date.now());
    const dataDir = dataFolder(bench.folder, 'memory');
    const nodeFlags = ['--expose-gc'];
    const empty = await Overround.start({ dataDir, nodeFlags });
    await settled();
    const before = anonymousBytes(empty.pid);
    await empty.fill(market);
    await empty.stop();
    // Measured after a new start: what filling left behind is not the rows'.
    const server = await Overround.start({ dataDir, nodeFlags });
    await settled();
    bench.figure('empty server', before / 1024 / 1024, 'MiB');
    bench.figure(
      'a row (both threads, text and columns)',
      (anonymousBytes(server.pid) - before) / market.rows,
      'bytes',
    );
    await clients(bench, server, market);
    await server.stop();
  },
};

async function clients(bench: Bench, server: Overround, market: Market): Promise<void> {
  for (const transport of ['sse', 'ws'] as const) {
    const of = (event: number): ReturnType<typeof subscription> =>
      subscription(server, transport, `event=${market.eventId(event)}`);
    const warm = await StreamClients.open(bench.folder, server, { ...of(0), connections: 100 });
    await settled();
    const before = anonymousBytes(server.pid);
    const many = await StreamClients.open(bench.folder, server, { ...of(0), connections: CLIENTS });
    await settled();
    const name = transport === 'sse' ? 'SSE' : 'WebSocket';
    bench.figure(
      `an idle ${name} client of ${CLIENTS} in one group`,
      (anonymousBytes(server.pid) - before) / CLIENTS,
      'bytes',
    );
    await many.close();
    await settled();
    const between = anonymousBytes(server.pid);
    const own: StreamClients[] = [];
    if (transport === 'sse') {
      for (let group = 1; group <= GROUPS; group++)
        own.push(await StreamClients.open(bench.folder, server, { ...of(group), connections: 1 }));
      await settled();
      bench.figure('a group with its one SSE client', (anonymousBytes(server.pid) - between) / GROUPS, 'bytes');
    }
    await Promise.all([warm.close(), ...own.map((one) => one.close())]);
    await settled();
  }
}

function settled(): Promise<void> {
  return wait(1_500);
}

// Readers of every kind, each with the table it has made of what it was told. None is told of faults: they follow as
// programs of users would.
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { type LiveStream, OverroundClient, type StreamEvent, type WebSocketConstructor } from '../src/client/client.js';
import type { OddsRow } from '../src/client/types.js';
import type { Run } from './run.js';

export interface Reader {
  name: string;
  /** What it has of the odds; undefined while it is being told anew. */
  table(): ReadonlyMap<string, OddsRow> | undefined;
  close(): Promise<void>;
}

const POLL_MS = 250;

function watched(run: Run, name: string): (stream: () => LiveStream) => (event: StreamEvent) => void {
  return (stream) => (event) => {
    run.count(`${name}: events`);
    if (event.type === 'snapshot' || event.type === 'added') for (const row of event.rows) check(run, name, row);
    if (event.type === 'updated')
      for (const { id } of event.deltas) {
        const row = stream().table.odds.get(id);
        if (row === undefined) run.find('no update of an unknown row', `${name}: ${id}`);
        else check(run, name, row);
      }
  };
}

function check(run: Run, name: string, row: OddsRow): void {
  run.count('rows read');
  const lie = run.truth.lie(row);
  if (lie !== null) run.find('no state that never was', `${name}: ${lie}`);
}

function clientOf(run: Run, apiKey: string): OverroundClient {
  return new OverroundClient({
    url: run.program.url,
    apiKey,
    retries: 0,
    timeoutMs: 20_000,
    WebSocket: WebSocket as unknown as WebSocketConstructor,
  });
}

/** Over SSE or WebSocket, resuming by itself; positions of one connection after another never go back within an epoch. */
export function streamReader(run: Run, kind: 'SSE' | 'WebSocket', key: string): Reader {
  const client = clientOf(run, key);
  let stream: LiveStream;
  let highest = 0;
  const onEvent = watched(run, kind)(() => stream);
  const options = {
    retryMs: 100,
    firstTriesMax: Number.POSITIVE_INFINITY,
    silenceMsMax: 45_000,
    onEvent: (event: StreamEvent) => {
      onEvent(event);
      if (event.type === 'started' && !event.resumed) highest = 0;
      const at = stream.position;
      if (at === null) return;
      if (at < highest) run.find('positions never go back', `${kind}: ${at} after ${highest}`);
      highest = at;
    },
    onLost: () => run.count(`${kind}: connections lost`),
    onError: (error: unknown) => run.find('streams go on', `${kind}: ${String(error)}`),
  };
  stream = kind === 'SSE' ? client.stream('all', {}, options) : client.socket(['odds', 'arbitrage'], {}, options);
  return {
    name: kind,
    table: () => (stream.table.complete ? stream.table.odds : undefined),
    close: async () => {
      stream.close();
      await stream.ended;
    },
  };
}

/** Asks what changed, again and again. */
export function deltaReader(run: Run, key: string): Reader {
  const client = clientOf(run, key);
  let table: Map<string, OddsRow> | undefined;
  let since: string | undefined;
  let open = true;
  const begin = async (): Promise<void> => {
    const first = await client.odds({ limit: 1 });
    const rows = new Map<string, OddsRow>();
    since = first.meta.server_time as string;
    for await (const row of client.allOdds()) rows.set(row.id, row);
    table = rows;
  };
  const work = async (): Promise<void> => {
    while (open) {
      try {
        if (since === undefined) await begin();
        else {
          const { data, removed, overflow, meta } = await client.oddsDelta(since);
          if (overflow === true) table = since = undefined;
          else {
            for (const id of removed) table!.delete(id);
            for (const row of data) {
              check(run, 'delta', row);
              table!.set(row.id, row);
            }
            since = meta.server_time as string;
          }
          run.count('delta: polls');
        }
      } catch {
        run.count('delta: polls lost');
      }
      await wait(POLL_MS);
    }
  };
  const working = work();
  return {
    name: 'delta',
    table: () => table,
    close: () => {
      open = false;
      return working;
    },
  };
}

/** Reads pages of everything without a pause; has no table of its own. */
export function pageReader(run: Run, key: string): Reader {
  let open = true;
  const work = async (): Promise<void> => {
    while (open) {
      try {
        for await (const row of clientOf(run, key).allOdds()) {
          check(run, 'pages', row);
          if (!open) break;
        }
        run.count('pages: walks');
      } catch {
        run.count('pages: walks lost');
      }
      await wait(POLL_MS);
    }
  };
  const working = work();
  return {
    name: 'pages',
    table: () => undefined,
    close: () => {
      open = false;
      return working;
    },
  };
}

// Readers of every kind, each with the table it has built. They are not notified of faults: they behave like users'
// programs.
import { WebSocket } from 'undici';
import { type LiveStream, OverroundClient, type StreamEvent, type WebSocketConstructor } from '../src/client/client.js';
import type { LiveTable } from '../src/client/live-table.js';
import type { OddsRow } from '../src/client/types.js';
import { Polling } from './polling.js';
import type { Run } from './run.js';

export interface Reader {
  name: string;
  /** Its odds; undefined while they are being replaced. */
  table(): ReadonlyMap<string, OddsRow> | undefined;
  /** Of a stream: its opportunities by channel; undefined as above. */
  streamed?(): Partial<LiveTable['opportunities']> | undefined;
  /** What a stream was last sent of an opportunity, with its connections, for a finding. */
  trailOf?(id: string): string;
  close(): Promise<void>;
}

const POLL_MS = 250;
const TRAIL_MAX = 20_000;

/** A stream's last connections and news of opportunities. */
class Trail {
  readonly #run: Run;
  /** Null as id: of all of them. */
  readonly #steps: { id: string | null; text: string }[] = [];

  constructor(run: Run) {
    this.#run = run;
  }

  note(event: StreamEvent, position: number | null): void {
    if (event.type === 'connected') this.#add(null, `connected to ${event.streamId}`, position);
    if (event.type === 'started') this.#add(null, event.resumed ? 'resumed' : 'began', position);
    if (event.type === 'snapshot_required') this.#add(null, `told ${event.reason}`, position);
    if (event.type === 'complete') this.#add(null, 'complete', position);
    if (event.type === 'detected') for (const { id } of event.items) this.#add(id, 'detected', position);
    if (event.type === 'expired') for (const id of event.ids) this.#add(id, 'expired', position);
  }

  of(id: string): string {
    const steps = this.#steps.filter((step) => step.id === null || step.id === id);
    return steps.map(({ text }) => text).join(', ');
  }

  #add(id: string | null, what: string, position: number | null): void {
    this.#steps.push({ id, text: `${(this.#run.elapsedMs / 1_000).toFixed(1)} s ${what} at ${position}` });
    if (this.#steps.length > TRAIL_MAX) this.#steps.splice(0, TRAIL_MAX / 2);
  }
}

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

/** Every call and connection goes to the next running node. */
function clientOf(run: Run, apiKey: string): OverroundClient {
  const to = (address: string | URL): URL => {
    const { protocol, pathname, search } = new URL(address);
    const url = new URL(run.deployment.url);
    return new URL(`${protocol}//${url.host}${pathname}${search}`);
  };
  return new OverroundClient({
    url: run.deployment.url,
    apiKey,
    retries: 0,
    timeoutMs: 60_000,
    fetch: async (input, init) => {
      const url = to(String(input));
      const response = await fetch(url, init);
      await run.judge(url.pathname, response);
      return response;
    },
    WebSocket: class extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        super(to(address), protocols);
      }
    } as unknown as WebSocketConstructor,
  });
}

/** Over SSE or WebSocket, resuming by itself; positions of successive connections never decrease within an epoch. */
export function streamReader(run: Run, kind: 'SSE' | 'WebSocket', key: string): Reader {
  const client = clientOf(run, key);
  let stream: LiveStream;
  let highest = 0;
  const onEvent = watched(run, kind)(() => stream);
  const trail = new Trail(run);
  const options = {
    retryMs: 100,
    firstTriesMax: Number.POSITIVE_INFINITY,
    silenceMsMax: 120_000,
    onEvent: (event: StreamEvent) => {
      onEvent(event);
      if (event.type === 'started' && !event.resumed) highest = 0;
      const at = stream.position;
      trail.note(event, at);
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
    streamed: () => {
      if (!stream.table.complete) return undefined;
      const { arbitrage } = stream.table.opportunities;
      return kind === 'SSE' ? stream.table.opportunities : { arbitrage };
    },
    trailOf: (id) => trail.of(id),
    close: async () => {
      stream.close();
      await stream.ended;
    },
  };
}

/** Polls for changes: of upcoming games and of games in play, which are two requests. */
export function deltaReader(run: Run, key: string): Reader {
  const followed = [new FollowedDelta(run, key, false), new FollowedDelta(run, key, true)];
  return {
    name: 'delta',
    table: () => {
      const tables = followed.map((each) => each.table);
      if (tables.includes(undefined)) return undefined;
      return new Map(tables.flatMap((table) => [...table!]));
    },
    close: async () => {
      await Promise.all(followed.map((each) => each.close()));
    },
  };
}

class FollowedDelta {
  readonly #run: Run;
  readonly #client: OverroundClient;
  readonly #live: boolean;
  readonly #polling: Polling;
  #since: string | undefined;
  table: Map<string, OddsRow> | undefined;

  constructor(run: Run, key: string, live: boolean) {
    this.#run = run;
    this.#live = live;
    this.#client = clientOf(run, key);
    this.#polling = new Polling(
      () => run.pollMs(POLL_MS),
      () => this.#look(),
    );
  }

  close(): Promise<void> {
    return this.#polling.close();
  }

  /** Returns whether there is more to come. */
  async #look(): Promise<boolean> {
    try {
      if (this.#since !== undefined) return await this.#poll(this.#since);
      await this.#begin();
    } catch {
      this.#run.count('delta: polls lost');
    }
    return false;
  }

  async #begin(): Promise<void> {
    const filter = { live: this.#live };
    const first = await this.#client.odds({ ...filter, limit: 1 });
    const rows = new Map<string, OddsRow>();
    for await (const row of this.#client.allOdds(filter)) rows.set(row.id, row);
    this.table = rows;
    this.#since = first.meta.server_time as string;
  }

  async #poll(since: string): Promise<boolean> {
    const { data, removed, overflow, meta, pagination } = await this.#client.oddsDelta(since, { live: this.#live });
    this.#run.count('delta: polls');
    if (overflow === true) {
      this.table = this.#since = undefined;
      return false;
    }
    for (const id of removed) this.table!.delete(id);
    for (const row of data) {
      check(this.#run, 'delta', row);
      this.table!.set(row.id, row);
    }
    this.#since = meta.server_time as string;
    return pagination.has_more;
  }
}

/** Reads pages of everything without a pause; has no table of its own. */
export function pageReader(run: Run, key: string): Reader {
  const polling = new Polling(
    () => run.pollMs(POLL_MS),
    async () => {
      try {
        for await (const row of clientOf(run, key).allOdds()) {
          check(run, 'pages', row);
          if (!polling.isOpen) break;
        }
        run.count('pages: walks');
      } catch {
        run.count('pages: walks lost');
      }
    },
  );
  return { name: 'pages', table: () => undefined, close: () => polling.close() };
}

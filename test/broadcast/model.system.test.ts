import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../long.js';
import { type FilterWords, interestOf } from './interests.js';
import { TestClient, TRANSPORTS, type Transport } from './wire.js';
import { poll, type Quote, settle, smallSizes, type TEAMS, World } from './world.js';

/**
 * The reference: the rows of the table that a client with this filter must have, computed without the stream's code.
 */
function expected(world: World, words: FilterWords): Map<string, unknown> {
  const markets: Record<string, string[]> = {
    spread: ['point_spread'],
    total: ['total_points'],
    moneyline: ['moneyline'],
  };
  const rows = world.rows().filter((row) => {
    if (words.sportsbook !== undefined && !words.sportsbook.split(',').includes(row['sportsbook'] as string))
      return false;
    if (words.league !== undefined && row['league'] !== words.league) return false;
    if (words.event !== undefined && row['event_id'] !== words.event) return false;
    if (words.is_main_line !== undefined && row['is_main_line'] !== words.is_main_line) return false;
    const isStale = row['is_stale_pregame_price'] === true;
    if (words.is_stale_pregame_price !== undefined && isStale !== words.is_stale_pregame_price) return false;
    return words.market === undefined || markets[words.market]!.includes(row['market_type'] as string);
  });
  const withDepth = (row: Record<string, unknown>): Record<string, unknown> => {
    const depth = words.include === undefined ? null : world.table.depths.get(world.table.slotOf(row['id'] as string)!);
    return depth == null ? row : { ...row, depth: JSON.parse(depth) };
  };
  return new Map(rows.map((row) => [row['id'] as string, comparable(withDepth(row))]));
}

/** last_seen_at, and timestamp with it, is the one field no stream event carries; a ladder that is null is none. */
function comparable({ depth, ...row }: Record<string, unknown>): object {
  return { ...row, last_seen_at: null, timestamp: null, ...(depth == null ? {} : { depth }) };
}

const BOOKS = ['draftkings', 'fanduel', 'pinnacle'];

const quote: fc.Arbitrary<Quote> = fc.record({
  market: fc.constantFrom('moneyline', 'point_spread', 'total_points'),
  line: fc.constantFrom(1.5, 2.5, 3.5),
  price: fc.constantFrom(-120, -115, 105, 110, 150),
  alternate: fc.boolean(),
  suspended: fc.constantFrom(false, false, false, true),
  ladder: fc.constantFrom(undefined, 0, 1, 2),
});

const words: fc.Arbitrary<FilterWords> = fc.record(
  {
    sportsbook: fc.constantFrom('draftkings', 'fanduel,pinnacle'),
    league: fc.constantFrom('nba', 'nfl'),
    market: fc.constantFrom('spread', 'total', 'moneyline'),
    include: fc.constant('depth'),
    is_main_line: fc.boolean(),
    is_stale_pregame_price: fc.boolean(),
    event: fc.constantFrom('nba_celtics_heat_2026-11-22', 'nfl_bills_dolphins_2026-11-22'),
  },
  { requiredKeys: [] },
);

type Step =
  | {
      do: 'poll';
      book: string;
      league: keyof typeof TEAMS;
      scope: 'event' | 'league' | 'none';
      games: { game: 0 | 1; quotes: Quote[]; live?: boolean }[];
    }
  | { do: 'join'; transport: Transport; words: FilterWords; stalled: boolean }
  | { do: 'stall' | 'unstall' | 'return'; who: number }
  | { do: 'vanish'; who: number; arriving: number }
  | { do: 'tick' | 'beat' };

const who = fc.nat(5);
const game = fc.record(
  { game: fc.constantFrom<0 | 1>(0, 1), quotes: fc.array(quote, { maxLength: 4 }), live: fc.boolean() },
  { requiredKeys: ['game', 'quotes'] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('poll' as const),
      book: fc.constantFrom(...BOOKS),
      league: fc.constantFrom('nba' as const, 'nfl' as const),
      scope: fc.constantFrom('event' as const, 'league' as const, 'none' as const),
      games: fc.array(game, { maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      transport: fc.constantFrom<Transport>(...TRANSPORTS),
      words,
      stalled: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('stall' as const, 'unstall' as const, 'return' as const), who }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('vanish' as const), who, arriving: fc.nat(2_000) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('tick' as const, 'beat' as const) }) },
);

class Run {
  readonly world = new World({ sizes: smallSizes(2, { snapshotRows: 3, chunkBytes: 600, turnBytes: 4_000 }) });
  readonly clients: { client: TestClient; words: FilterWords }[] = [];

  async play(steps: readonly Step[]): Promise<void> {
    for (const next of steps) await this.#play(next);
    await settle();
    this.check();
    for (const { client } of this.clients) {
      client.unstall();
      if (!client.connected) client.connect();
    }
    await settle();
    this.check();
    for (const { client } of this.clients) client.vanish(0);
    assert.equal(this.world.broadcaster.groupCount, 0, 'groups end with their last member');
  }

  /** When nothing is pending, every client that reads has the whole table. */
  check(): void {
    for (const { client, words } of this.clients) {
      if (!client.connected || client.stalled) continue;
      const merged = new Map([...client.table.odds].map(([id, row]) => [id, comparable({ ...row })]));
      const sorted = (map: Map<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(
        sorted(merged),
        sorted(expected(this.world, words)),
        `${client.transport} ${JSON.stringify(words)}`,
      );
    }
  }

  async #play(next: Step): Promise<void> {
    const chosen = 'who' in next ? this.clients[next.who]?.client : undefined;
    switch (next.do) {
      case 'poll':
        this.world.ingest(poll(this.world, next.book, next.league, next.scope, next.games));
        break;
      case 'join': {
        if (this.clients.length >= 6) return;
        const client = new TestClient(this.world, next.transport, interestOf(this.world, next.words));
        this.clients.push({ client, words: next.words });
        client.connect(next.stalled);
        break;
      }
      case 'stall':
        if (chosen?.connected) chosen.stall();
        break;
      case 'unstall':
        chosen?.unstall();
        break;
      case 'return':
        if (chosen?.connected === false) chosen.connect();
        break;
      case 'vanish':
        if (chosen?.connected) chosen.vanish(next.arriving);
        break;
      case 'beat':
        await settle();
        this.world.beat();
        this.check();
        break;
      case 'tick':
        await settle();
        this.check();
    }
  }
}

test('snapshot and events together equal the table, however clients join, stall, disconnect and resume', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const run = new Run();
      try {
        await run.play(steps);
      } finally {
        run.world.broadcaster.close();
      }
    }),
    { numRuns: runs(50) },
  );
});

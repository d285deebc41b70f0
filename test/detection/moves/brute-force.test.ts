// The moves that shards find as prices arrive, in every universe, equal those that the definitions give for all polls
// together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatUs, parseTimeUs } from '../../../src/base/model/time.js';
import { Moves } from '../../../src/detection/moves/moves.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import type { Opportunity, UniverseNews } from '../../../src/log/delta/opportunity.js';
import { Shard } from '../../../src/writer/shard/shard.js';
import { latest } from '../../intake/ingest/messages.js';
import { memoryStore } from '../../writer/shard/memory-store.js';
import { catalogue } from '../../writer/shard/rig.js';
import { type PlainMove, type Poll, plainMoves, SIDES } from './plain-moves.js';

const START_US = Date.parse('2026-11-20T12:00:00Z') * 1000;
const ALL = ['pinnacle', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'betrivers', 'ballybet', 'betparx'];
const FEW = ['pinnacle', 'fanduel', 'betmgm', 'betrivers', 'ballybet'];

class Followed {
  readonly #shard = new Shard(
    0,
    catalogue,
    memoryStore,
    [
      { key: 'sharp', books: null },
      { key: 'few', books: FEW },
    ],
    new Moves(),
  );
  readonly alive = new Map<string, Opportunity>();

  poll({ book, us, line, prices, active }: Poll): void {
    const seen = formatUs(us);
    const selections = SIDES.map((selection, i) => ({
      selection,
      selection_type: selection.toLowerCase(),
      line,
      odds_american: prices[i],
      is_active: active,
    }));
    const game = {
      league: 'nba',
      home_team: 'Boston Celtics',
      away_team: 'Los Angeles Lakers',
      start_time: '2026-11-21T00:30:00Z',
      markets: [{ market_type: 'total_points', selections }],
    };
    const message = normalise(
      { book, polled_at: seen, scope: 'event', events: [game] },
      '',
      { catalogue, clock: latest, leagueOfEvent: () => undefined },
      [],
    );
    this.#take(this.#shard.open(this.#shard.apply([message!], us).news));
  }

  #take(news: readonly UniverseNews[]): void {
    for (const { universe, detected, expired } of news) {
      for (const { id } of expired) this.alive.delete(`${universe} ${id}`);
      for (const one of detected) if (one.kind === 'move') this.alive.set(`${universe} ${one.id}`, one);
    }
  }

  /** In a form comparable with the reference. */
  of(universe: string): unknown[] {
    const shown: unknown[] = [];
    for (const [key, { kind, item }] of this.alive) {
      if (!key.startsWith(`${universe} `) || kind !== 'move') continue;
      const books = item.books.map(({ book, from, to, at }) => [book, from, to, parseTimeUs(at)]);
      shown.push([item.kind, item.direction, item.selection, item.line_from, item.line_to, sorted(books)]);
    }
    return sorted(shown);
  }
}

const sorted = <T>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const plain = (moves: readonly PlainMove[]): unknown[] =>
  sorted(
    moves.map(({ kind, direction, selection, lines, books }) => [kind, direction, selection, ...lines, sorted(books)]),
  );

const PRICES = [-130, -120, -115, -110, -105, 100, 110] as const;
const step = fc.record({
  book: fc.constantFrom(...ALL),
  waitMs: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 20_000, max: 400_000 })),
  line: fc.constantFrom(219.5, 219.5, 219.5, 220.5, 221.5),
  over: fc.constantFrom(...PRICES),
  under: fc.constantFrom(...PRICES),
  active: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
});

test('moves found as prices arrive are those of the definitions over all changes, in every universe', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
      const followed = new Followed();
      const polls: Poll[] = [];
      let us = START_US;
      for (const { waitMs, over, under, ...rest } of steps) {
        us += waitMs * 1000;
        const poll = { ...rest, us, prices: [over, under] as const };
        polls.push(poll);
        followed.poll(poll);
        assert.deepEqual(followed.of('sharp'), plain(plainMoves(polls)), 'all books');
        const few = polls.filter(({ book }) => FEW.includes(book));
        // In their universe time has passed as well.
        if (few.at(-1) === poll) assert.deepEqual(followed.of('few'), plain(plainMoves(few)), 'few books');
      }
    }),
    { numRuns: Number(process.env['OVERROUND_LONG_TESTS'] ?? 0) > 0 ? 2_000 : 60 },
  );
});

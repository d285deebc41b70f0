// Pushed messages: whatever they contain, nothing but a refusal is thrown, what is accepted is valid, and later
// messages are unaffected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../src/base/model/clock.js';
import { ApiError } from '../../src/base/model/errors.js';
import type { NormalMessage, Rejection } from '../../src/base/model/normal-message.js';
import { encode } from '../../src/base/wire/codec.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { INGEST_TYPES, readMessages } from '../../src/front/api/ingest.js';
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import { Shard } from '../../src/writer/shard/shard.js';
import { catalogue } from '../writer/shard/rig.js';
import { garbled, runs, spoilt, throwsOnly } from './hostile.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

const exchange = { size: 120.5, volume_24h: 900, open_interest: 40, exchange_token_id: 'KX-1', external_id: 's1' };

function poll(book: string, offset: number): IngestMessage {
  const sides = (home: number, away: number) => [
    { selection: 'Boston Celtics', selection_type: 'home', odds_american: home, deep_link: 'https://x.example/1' },
    { selection: 'LA Lakers', selection_type: 'away', odds_american: away, public_bet_pct: 0.4 },
  ];
  return {
    book,
    polled_at: new Date(NOW_MS + offset).toISOString(),
    scope: 'event',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'LA Lakers',
        start_time: '2026-11-20T20:00:00Z',
        external_id: 'e1',
        is_live: false,
        status: 'upcoming',
        markets: [
          {
            market_type: 'moneyline',
            max_bet: 500,
            commission: { model: 'winnings', rate: 0.02 },
            selections: sides(-110, 104),
          },
          {
            market_type: 'point_spread',
            last_seen_at: new Date(NOW_MS - 2_000).toISOString(),
            selections: [
              { selection: 'Boston Celtics', selection_type: 'home', line: -3.5, odds_decimal: 1.95, ...exchange },
              { selection: 'LA Lakers', selection_type: 'away', line: 3.5, odds_decimal: '1.91', is_active: false },
            ],
          },
          {
            market_type: 'player_points',
            player_name: 'Al Jones',
            stat_category: 'points',
            selections: [{ selection: 'Over', selection_type: 'over', line: 22.5, odds_american: 'EVEN' }],
          },
          {
            market_type: 'team_total',
            team: 'home',
            selections: [
              { selection: 'Over', selection_type: 'over', line: 110.5, odds_american: -105, is_alternate_line: true },
            ],
          },
        ],
      },
    ],
    game_states: [{ league: 'nba', home_team: 'Boston Celtics', away_team: 'LA Lakers', home_score: 3, away_score: 4 }],
    splits: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'LA Lakers',
        sportsbook: 'circa',
        moneyline: { home_bets: 0.4 },
      },
    ],
    futures: [{ league: 'nba', market: 'champion', selections: [{ selection: 'Boston Celtics', odds_american: 300 }] }],
  } as IngestMessage;
}

const context = { catalogue, clock: new ManualClock(NOW_MS), leagueOfEvent: () => undefined };

function read(raw: readonly unknown[]): NormalMessage[] {
  const rejected: Rejection[] = [];
  const taken = raw.flatMap((each, i) => normalise(each, `[${i}].`, context, rejected) ?? []);
  assert.ok(rejected.length <= 1_001 && JSON.stringify(rejected).length < 1_000_000, 'the answer is bounded');
  return taken;
}

class World {
  readonly shard = new Shard(0, catalogue, { applied: () => {} }, startUniverses(catalogue));
  #atUs = NOW_MS * 1000;

  /** The receipt of a valid message. */
  take(): { accepted: number; rejected: number } {
    const { receipts } = this.apply(read([poll('pinnacle', 0)]));
    return { accepted: receipts[0]!.accepted, rejected: receipts[0]!.rejected.length };
  }

  apply(messages: NormalMessage[]) {
    this.#atUs += 1_000_000;
    return this.shard.apply(messages, this.#atUs);
  }
}

const bodyOf = (value: unknown, type: string): Uint8Array => {
  if (type === 'application/msgpack') return encode(value);
  if (type === 'application/json') return Buffer.from(JSON.stringify(value));
  return Buffer.from(`${JSON.stringify(value)}\n{"half":\n${JSON.stringify(poll('fanduel', 0))}\n`);
};

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.code === 'invalid_request';

test('of an altered message the valid parts are accepted or all is refused, in each format, without an effect on later ones', () => {
  const sample = poll('draftkings', -1_000);
  const expected = new World().take();
  assert.equal(expected.accepted, 7);
  let taken = 0;
  fc.assert(
    fc.property(spoilt([sample, [sample, poll('kalshi', -500)]]), fc.constantFrom(...INGEST_TYPES), (value, type) => {
      const world = new World();
      throwsOnly(() => {
        const messages = read(readMessages(bodyOf(value, type), type));
        taken += messages.length;
        world.apply(messages);
        for (const { markets } of messages.flatMap(({ events }) => events))
          for (const { quotes } of markets)
            for (const [, , line, american, decimal] of quotes) {
              assert.ok(decimal === null || (decimal > 1 && Number.isFinite(decimal) && Math.abs(american!) >= 100));
              assert.ok(line === null || Math.abs(line) < 1e9);
            }
      }, isRefusal);
      assert.deepEqual(world.take(), expected);
    }),
    { numRuns: runs(4) },
  );
  assert.ok(taken > 20, 'most of a spoilt message is still good');
});

test('garbled bodies are refused or read, never anything else', () => {
  const sample = [poll('draftkings', -1_000), poll('fanduel', -500)];
  const bodies = INGEST_TYPES.map((type) => bodyOf(sample, type));
  fc.assert(
    fc.property(garbled(bodies), fc.constantFrom(...INGEST_TYPES), (body, type) => {
      throwsOnly(() => new World().apply(read(readMessages(body, type))), isRefusal);
    }),
    { numRuns: runs(3) },
  );
});

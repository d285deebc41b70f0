// A shard has the same state whether it applied messages, folded the deltas of one that did, or was restarted from its
// store in between: another machine can therefore follow the writer by its deltas alone, and go on in its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readRecord } from '../../../src/base/model/opportunity-record.js';
import { DAY_MS } from '../../../src/base/model/time.js';
import { readTail } from '../../../src/detection/kinds/move.js';
import { Moves } from '../../../src/detection/moves/moves.js';
import { readLogTail } from '../../../src/store/shard-reader.js';
import { Shard } from '../../../src/writer/shard/shard.js';
import { marketStorm, messagesOf, START_MS } from '../../detection/market-storm.js';
import { runs } from '../../long.js';
import { catalogue, Rig, textsOf } from './rig.js';
import { oddsOf } from './same-odds.js';
import { stateOf } from './shard-state.js';
import { GAMES, plainStorm, STORM_START_MS, stormTime, toMessage, wildStorm } from './storm.js';

test('a shard that was restarted from its store makes the same deltas as one that was not', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, fc.uniqueArray(fc.nat(24), { maxLength: 4 }), async (batches, restarts) => {
      const [writer, replica] = [new Rig(STORM_START_MS), new Rig(STORM_START_MS)];
      try {
        for (const [i, batch] of batches.entries()) {
          if (restarts.includes(i)) await replica.restart(i % 2 === 0 ? 'closed' : 'killed');
          const messages = batch.messages.map((each) => toMessage(each, 0.2));
          const deltas = [writer, replica].map((rig) => {
            rig.nowMs += batch.passMs;
            return oddsOf(rig.send(...messages).delta);
          });
          assert.deepEqual(deltas[1], deltas[0]);
        }
        assert.deepEqual(new Map([...textsOf(replica.table)].sort()), new Map([...textsOf(writer.table)].sort()));
      } finally {
        await Promise.all([writer.close(), replica.close()]);
      }
    }),
    { numRuns: runs(15), endOnFailure: true },
  );
});

/** What is no price: ends of games, a venue's settlement, splits; and the end of the day. */
const others = fc.array(
  fc.record({
    at: fc.nat(24),
    game: fc.nat(GAMES.length - 1),
    said: fc.constantFrom('live', 'final', 'postponed', 'cancelled', 'settled', 'under', 'over', 'split', 'two days'),
    startShift: fc.nat(2),
  }),
  { maxLength: 6 },
);
type Other = typeof others extends fc.Arbitrary<(infer One)[]> ? One : never;

function otherMessage({ game, said, startShift }: Other, nowMs: number): object {
  const start_time = stormTime(12 + startShift * 10);
  const of = { ...GAMES[game]!, start_time };
  const polled_at = new Date(nowMs).toISOString();
  if (said === 'settled' || said === 'under' || said === 'over') {
    const total = { market_type: 'total_goals', selection_type: 'over', line: 4.5 };
    const market = said === 'settled' ? { market_type: 'moneyline', selection_type: 'home' } : total;
    const settlement = { ...of, ...market, outcome: said === 'under' ? 'lost' : 'won' };
    return { sportsbook: 'kalshi', polled_at, settlements: [settlement] };
  }
  if (said === 'split') {
    const moneyline = { home: { bets_pct: 0.4 }, away: { bets_pct: 0.6 } };
    return { book: 'draftkings', polled_at, scope: 'none', events: [], splits: [{ ...of, moneyline }] };
  }
  return {
    source: 'league',
    polled_at,
    results: [{ ...of, status: said, at: polled_at, home_score: 3, away_score: 1 }],
  };
}

test('a shard that folds the deltas of another has its state after each, and goes on as it would', async () => {
  let folded = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(wildStorm, plainStorm),
      others,
      fc.nat(24),
      fc.uniqueArray(fc.nat(24), { maxLength: 3 }),
      async (batches, said, end, restarts) => {
        const [writer, standby] = [new Rig(STORM_START_MS), new Rig(STORM_START_MS)];
        try {
          for (const [i, batch] of batches.entries()) {
            const now = said.filter(({ at }) => at === i);
            const passMs = now.some((each) => each.said === 'two days') ? 2 * DAY_MS : batch.passMs;
            for (const rig of [writer, standby]) rig.nowMs += passMs;
            const messages: object[] = batch.messages.map((each) => toMessage(each, 0.2));
            for (const each of now) if (each.said !== 'two days') messages.push(otherMessage(each, writer.nowMs));
            const { delta } = writer.send(...messages);
            if (i < end) {
              standby.fold(delta);
              folded++;
            } else assert.deepEqual(oddsOf(standby.send(...messages).delta), oddsOf(delta));
            assert.deepEqual(stateOf(standby), stateOf(writer));
            if (!restarts.includes(i)) continue;
            await standby.restart();
            assert.deepEqual(stateOf(standby), stateOf(writer), 'its store has it, too');
          }
          assert.deepEqual(new Map([...textsOf(standby.table)].sort()), new Map([...textsOf(writer.table)].sort()));
        } finally {
          await Promise.all([writer.close(), standby.close()]);
        }
      },
    ),
    { numRuns: runs(40), endOnFailure: true },
  );
  assert.ok(folded > 50, `${folded} batches were followed`);
});

test('of two men of one name, known as two only since the last message, a restarted shard has the same rows', async (t) => {
  const rigs = [new Rig(START_MS), new Rig(START_MS)] as const;
  t.after(() => Promise.all(rigs.map((rig) => rig.close())));
  const listed = (prices: Record<string, number>, rig: Rig): object => ({
    book: 'draftkings',
    polled_at: new Date(rig.nowMs).toISOString(),
    scope: 'event',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'Los Angeles Lakers',
        start_time: new Date(START_MS + 3_600_000).toISOString(),
        markets: Object.entries(prices).map(([player_name, odds_decimal]) => ({
          market_type: 'player_points',
          player_name,
          stat_category: 'points',
          selections: [{ selection: 'Over', selection_type: 'over', line: 8.5, odds_decimal }],
        })),
      },
    ],
  });
  const [, restarted] = rigs;
  for (const rig of rigs) rig.send(listed({ 'Al Jones Jr.': 3 }, rig));
  await restarted.restart();
  for (const prices of [{ 'Al Jones Jr.': 3.1, 'Al Jones': 3.3 }, { 'Al Jones Jr.': 3.2 }]) {
    for (const rig of rigs) rig.nowMs += 1_000;
    const [own, after] = rigs.map((rig) => oddsOf(rig.send(listed(prices, rig)).delta));
    assert.deepEqual(after, own);
  }
});

test("a shard that follows another's results has its opportunities, and goes on with them where it takes over; so has one that is restarted", async () => {
  let found = 0;
  let movesKept = 0;
  const isNoMove = (one: string): boolean => !one.includes(' move ');
  const stored = (rig: Rig): string[] => {
    rig.env.root.resetReadTxn();
    return [...readLogTail(rig.env).opportunities.listed()]
      .map(({ universe, id, detectedUs, record }) => {
        const { kind, numbers, rows } = readRecord(record, 0);
        // When the laggards of a move were searched last is not stored.
        const edge = kind === 'move' ? '' : numbers[0]!.toFixed(6);
        return `${universe} ${kind} ${id} ${detectedUs} ${edge} ${rows[0] ?? ''}`;
      })
      .sort();
  };
  const law = fc.asyncProperty(marketStorm, fc.nat(12), async (batches, takesOverAt) => {
    const rigs = [new Rig(START_MS), new Rig(START_MS), new Rig(START_MS)] as const;
    const [writer, standby, restarted] = rigs;
    for (const rig of rigs) rig.shard = new Shard(0, catalogue, rig.writer, undefined, new Moves());
    try {
      const send = (follows: boolean, messages: readonly object[]): void => {
        const { delta } = writer.send(...messages);
        if (!follows) standby.send(...messages);
        else standby.fold(delta);
        assert.deepEqual(stored(standby), stored(writer));
        restarted.send(...messages);
        assert.deepEqual(stored(restarted).filter(isNoMove), stored(writer).filter(isNoMove));
      };
      for (const [i, batch] of batches.entries()) {
        for (const rig of rigs) rig.nowMs += batch.passMs;
        send(i < takesOverAt, messagesOf(batch, writer.nowMs));
        if (i % 3 !== takesOverAt % 3) continue;
        // A price that reaches its age now is beyond it a microsecond later, whether or not there is a restart.
        send(i < takesOverAt, []);
        const before = stored(restarted);
        await restarted.restart(i % 2 === 0 ? 'closed' : 'killed');
        restarted.shard = new Shard(0, catalogue, restarted.writer, undefined, new Moves());
        restarted.send();
        // Prices of before a start are not stored: what moves across it is found by none, and what was found goes on.
        assert.deepEqual(stored(restarted), before);
        movesKept += before.filter((one) => !isNoMove(one)).length;
        found += stored(writer).length;
      }
    } finally {
      await Promise.all(rigs.map((rig) => rig.close()));
    }
  });
  // Few storms have a move that is under way at a restart.
  for (let rounds = 0; rounds < 8 && (rounds === 0 || movesKept === 0); rounds++)
    await fc.assert(law, { numRuns: runs(10), endOnFailure: true });
  assert.ok(found > 100, `${found} opportunities were compared`);
  assert.ok(movesKept > 0, `${movesKept} moves went on over a restart`);
});

/** Totals of one game at each book, of the two rigs at the same moment. */
const totals = (prices: Record<string, { line: number; over: number; under: number | null }>, nowMs: number) =>
  Object.entries(prices).map(([book, { line, over, under }]) => {
    const sides = { over, under: under ?? over };
    return {
      book,
      polled_at: new Date(nowMs).toISOString(),
      scope: 'event',
      events: [
        {
          league: 'nba',
          home_team: 'Boston Celtics',
          away_team: 'Los Angeles Lakers',
          start_time: new Date(START_MS + 3_600_000).toISOString(),
          markets: [
            {
              market_type: 'total_points',
              selections: Object.entries(sides).map(([side, odds_decimal]) => ({
                selection: side,
                selection_type: side,
                line,
                odds_decimal,
                is_active: side === 'over' || under !== null,
              })),
            },
          ],
        },
      ],
    };
  });

const alike = { line: 200.5, over: 1.9, under: 1.9 };
const lower = { line: 198.5, over: 1.9, under: 1.9 };

for (const [what, kind, before, after] of [
  [
    'a price that its book did not mean for a while',
    'drop',
    [
      { fanduel: alike },
      { fanduel: { ...alike, over: 1.4, under: 1.5 } },
      { fanduel: { ...alike, over: 1.4, under: null } },
    ],
    { fanduel: { ...alike, over: 1.45, under: null } },
  ],
  [
    'a line at which as many books are as at another',
    'line',
    [
      { fanduel: alike, betmgm: alike },
      { pinnacle: lower, bovada: lower },
    ],
    { betmgm: lower },
  ],
] as const)
  test(`after a takeover ${what} moves as it would have at the writer before`, async (t) => {
    const rigs = [new Rig(START_MS), new Rig(START_MS)] as const;
    t.after(() => Promise.all(rigs.map((rig) => rig.close())));
    const [writer, standby] = rigs;
    for (const rig of rigs) rig.shard = new Shard(0, catalogue, rig.writer, undefined, new Moves());
    const pass = () => {
      for (const rig of rigs) rig.nowMs += 1_000;
    };
    for (const prices of before) {
      pass();
      standby.fold(writer.send(...totals(prices, writer.nowMs)).delta);
    }
    pass();
    const movesOf = (rig: Rig) => {
      rig.send(...totals(after, rig.nowMs));
      rig.env.root.resetReadTxn();
      const moves = [...readLogTail(rig.env).opportunities.listed()].filter(({ kind }) => kind === 'move');
      return moves.map(({ universe, id, record }) => [universe, id, readTail(readRecord(record, 0)).kind]).sort();
    };
    const moves = movesOf(writer);
    assert.ok(
      moves.some(([, , found]) => found === kind),
      `${JSON.stringify(moves)}`,
    );
    assert.deepEqual(movesOf(standby), moves);
  });

// Two shards with the same batches at the same positions produce the same deltas, although one of them was restarted
// from its store in between: another machine can therefore apply the writer's inputs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readRecord } from '../../../src/base/model/opportunity-record.js';
import { Moves } from '../../../src/detection/moves/moves.js';
import { NO_NEWS } from '../../../src/log/delta/opportunity.js';
import { readOpportunities } from '../../../src/store/opportunity-store.js';
import { oddsOf } from '../../../src/writer/shard/same-odds.js';
import { Shard } from '../../../src/writer/shard/shard.js';
import { marketStorm, messagesOf, START_MS } from '../../detection/market-storm.js';
import { runs } from '../../long.js';
import { catalogue, Rig, textsOf } from './rig.js';
import { STORM_START_MS, toMessage, wildStorm } from './storm.js';

test('a shard that was restarted from its store makes the same deltas as one that was not', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, fc.uniqueArray(fc.nat(24), { maxLength: 4 }), async (batches, restarts) => {
      const [writer, replica] = [new Rig(STORM_START_MS), new Rig(STORM_START_MS)];
      try {
        for (const [i, batch] of batches.entries()) {
          if (restarts.includes(i)) await replica.restart();
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
    return [...readOpportunities(rig.env)]
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
        // As it arrives in the log.
        const { records, universes } = delta?.opportunities ?? NO_NEWS;
        const heldUntilNow = delta === null ? {} : { heldUntilNow: true as const };
        standby.theirs = follows ? { records: Uint8Array.from(records), universes, ...heldUntilNow } : null;
        const own = standby.send(...messages).delta;
        if (follows) assert.equal(own === null, delta === null, 'both logs have the same positions');
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
        await restarted.restart();
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

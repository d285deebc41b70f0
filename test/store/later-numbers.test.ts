// A book's stored numbers may be seconds behind the log; whoever reads the store has them as of the last commit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readMeta } from '../../src/store/shard-env.js';
import { event, market, message, moneyline } from '../intake/ingest/messages.js';
import { runs } from '../long.js';
import { Rig, rig, textsOf } from '../writer/shard/rig.js';
import { stateOf } from '../writer/shard/shard-state.js';

const START_MS = Date.parse('2026-11-20T18:00:00Z');

const LINES = [200.5, 201.5, 202.5];

const selection = fc.record({
  price: fc.constantFrom(1.9, 2, 2.1),
  size: fc.constantFrom(undefined, 10, 20),
  depth: fc.constantFrom(undefined, 5, 50),
  active: fc.constantFrom(true, true, false),
  removed: fc.constantFrom(...new Array<false>(9).fill(false), true),
});
/** Mostly of rows that are there: rows that come or go put the slab at once. */
const listing = fc.record({
  passMs: fc.nat(2_500),
  restarts: fc.constantFrom(undefined, undefined, 'closed', 'killed'),
  polledAgoMs: fc.nat(2_000),
  book: fc.constantFrom('kalshi', 'draftkings'),
  scope: fc.constantFrom('event', 'none', 'none', 'none'),
  lines: fc.uniqueArray(fc.constantFrom(...LINES), { minLength: 1 }),
  selections: fc.array(selection, { minLength: 6, maxLength: 6 }),
  said: fc.record(
    { status: fc.constantFrom('live', 'ended'), is_live: fc.boolean(), external_id: fc.constantFrom('7', '8') },
    { requiredKeys: [] },
  ),
});
type Listing = typeof listing extends fc.Arbitrary<infer One> ? One : never;

function messageOf({ book, scope, lines, selections, said, polledAgoMs }: Listing, nowMs: number): object {
  const markets = lines.map((line) =>
    market(
      ['over', 'under'].map((side, i) => {
        const { price, size, depth, active, removed } = selections[LINES.indexOf(line) * 2 + i]!;
        const stated = depth === undefined ? {} : { depth: { back: [[price, depth]] } };
        const amounts = size === undefined ? {} : { size };
        const named = { selection: side, selection_type: side, line, is_alternate_line: line !== LINES[0] };
        if (removed) return { ...named, is_removed: true };
        return { ...named, odds_decimal: price, is_active: active, ...amounts, ...stated };
      }),
      { market_type: 'total_points' },
    ),
  );
  return message([event(markets, said)], { book, scope, polled_at: new Date(nowMs - polledAgoMs).toISOString() });
}

test('a store whose numbers are behind the log is read as of its last commit, at every commit', async () => {
  let behind = 0;
  let put = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(listing, { minLength: 5, maxLength: 20 }), async (listings) => {
      const rig = new Rig(START_MS);
      try {
        for (const one of listings) {
          rig.nowMs += one.passMs;
          rig.send(messageOf(one, rig.nowMs));
          assert.deepEqual(textsOf(rig.freshTable()), textsOf(rig.table));
          const state = stateOf(rig);
          const { position, slabsTo } = readMeta(rig.env);
          if (one.restarts !== undefined) await rig.restart(one.restarts);
          if (one.restarts === 'closed') assert.equal(readMeta(rig.env).slabsTo, position);
          assert.deepEqual(stateOf(rig), state);
          if (slabsTo < position) behind++;
          else put++;
        }
      } finally {
        await rig.close();
      }
    }),
    { numRuns: runs(20), endOnFailure: true },
  );
  assert.ok(behind > 20 && put > 20, `${behind} commits were behind, ${put} were not`);
});

test('what history has not written stays in the log when the store is closed', async (t) => {
  const shard = rig(t, undefined, { logSeconds: 300 });
  shard.writer.recordedTo = 0;
  for (const price of [-110, -120, -130]) {
    shard.send(message([event([moneyline(price, 100)])], { polled_at: new Date(shard.nowMs).toISOString() }));
    shard.nowMs += 300_000;
  }
  const kept = [...shard.env.log.getKeys()];
  assert.equal(kept.length, 3);
  await shard.restart('closed');
  assert.deepEqual([...shard.env.log.getKeys()], kept);
});

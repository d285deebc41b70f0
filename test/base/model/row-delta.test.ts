// Rows in deltas: what the shard writes is what the table reads.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { packActivity } from '../../../src/base/model/activity.js';
import type { DepthText } from '../../../src/base/model/depth.js';
import type { ExchangeDetails } from '../../../src/base/model/normal-message.js';
import { RowChange, type RowFields } from '../../../src/base/model/row.js';
import { NO_DETAILS } from '../../../src/base/model/row-details.js';
import { ShardRow, ShardRowNumbers } from '../../../src/base/model/shard-row.js';
import { decode, encode } from '../../../src/base/wire/codec.js';
import { originIn, RowDeltaReader, rowDelta } from '../../../src/log/delta/delta.js';

const POSITION = 1_795_300_000_123_456;
const text = fc.constantFrom('Over', 'Ünder', 'A. Player', 'over');
const price = fc.double({ min: 1.01, max: 1_000, noNaN: true });
const instant = fc.integer({ min: 0, max: POSITION });

const fields: fc.Arbitrary<RowFields> = fc.record({
  no: fc.integer({ min: 0, max: 5_000 }),
  id: fc.constantFrom('1000000000000000000', '9999999999999999999'),
  market: fc.constantFrom('moneyline', 'player_points'),
  selection: text,
  selectionType: text,
  player: fc.option(text),
  stat: fc.option(text),
  team: fc.constantFrom('home', 'away', null),
  alternate: fc.boolean(),
  american: fc.integer({ min: -10_000, max: 10_000 }),
  decimal: price,
  activity: fc.tuple(fc.boolean(), fc.option(fc.integer({ min: 100, max: 900 }))).map((of) => packActivity(...of)),
  line: fc.option(fc.integer({ min: -100, max: 100 }).map((half) => half / 2)),
  seenMs: instant,
  changedUs: instant,
  createdPosition: instant,
  updatedPosition: fc.constant(POSITION),
  commission: fc.constantFrom(undefined, { model: 'winnings' as const, rate: 0.02 }),
});

const NO_AMOUNTS = [null, null, null, null] as const;
const amount = fc.option(fc.integer({ min: 0, max: 100_000 }));
const changed = fc.record({
  fields,
  change: fc.constantFrom(RowChange.updated, RowChange.restated, RowChange.added),
  link: fc.option(fc.constantFrom('https://book.example/1', 'https://book.example/é')),
  ids: fc.option(
    fc
      .record({ event: fc.option(text), market: fc.constant('m'), selection: fc.option(text) })
      .map((told) => ({ ...told })),
  ),
  maxBet: amount,
  publicBetPct: amount,
  amounts: fc.option(fc.tuple(amount, amount, amount, fc.option(fc.constant('token')))),
  depth: fc.constantFrom(undefined, '[[-110,50]]' as DepthText),
  deepLink: fc.constantFrom(null, 'https://book.example/1', 'https://book.example/{state}'),
});

test('the rows of a delta are read as the shard wrote them, but for their depths', () => {
  fc.assert(
    fc.property(fc.array(changed, { maxLength: 6 }), (rows) => {
      const numbers = new ShardRowNumbers();
      const deltas = rows.map(({ fields: row, change, link, ids, maxBet, publicBetPct, amounts, depth, deepLink }) => {
        const { commission } = row;
        const has = amounts !== null || commission !== undefined || depth !== undefined;
        const own: ExchangeDetails =
          commission === undefined ? (amounts ?? NO_AMOUNTS) : [...(amounts ?? NO_AMOUNTS), commission];
        const plain = !has && maxBet === null && publicBetPct === null;
        const stated = { maxBet, publicBetPct, exchange: has ? own : null };
        const deep: ExchangeDetails = [...(amounts ?? NO_AMOUNTS), commission ?? null, depth ?? null];
        const exchange = depth === undefined ? stated.exchange : deep;
        const made = new ShardRow(
          numbers,
          row,
          row,
          { key: 'k', deepLink, externalId: null, marketId: null },
          plain ? NO_DETAILS : { ...stated, exchange },
        );
        made.change = change;
        const delta = decode(encode(rowDelta(made, { link, ids }))) as ReturnType<typeof rowDelta>;
        const origin = {
          deepLink: change === RowChange.updated ? null : deepLink,
          key: change === RowChange.added && row.player !== null ? 'k' : undefined,
        };
        return { delta, row, change, origin, rest: { link, details: plain ? NO_DETAILS : stated, ids } };
      });
      const reader = new RowDeltaReader(POSITION);
      for (const { delta, row, change, origin, rest: stated } of deltas) {
        assert.deepEqual(originIn(delta), origin);
        const { identity, rest, ...read } = reader.read(delta);
        const { no, american, decimal, activity, line, seenMs, changedUs, commission, ...others } = row;
        const { createdPosition, updatedPosition, ...fixed } = others;
        const added = change === RowChange.added;
        assert.deepEqual(identity, added ? fixed : null);
        assert.deepEqual(rest, change === RowChange.updated ? null : stated);
        const expected = { no, american, decimal, activity, line, seenMs, changedUs, updatedPosition, commission };
        assert.deepEqual(read, { ...expected, createdPosition: added ? createdPosition : 0, change });
      }
    }),
    { numRuns: 200 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { LIMITS } from '../../../src/base/model/limits.js';
import { NO_TERMS, termsOf } from '../../../src/base/model/stake-terms.js';
import type { Opportunity } from '../../../src/log/delta/opportunity.js';
import { EdgeHistory } from '../../../src/tables/edge-history.js';
import { Endings } from '../../../src/tables/endings.js';

/** Opportunities of a kind that differ, by their number, in every stored field. */
function opportunity(no: number): Opportunity {
  const fields = { id: `id-${no}`, eventId: `event-${no}`, sport: `s${no}`, league: `l${no}`, market: `m${no}` };
  return {
    ...fields,
    kind: no % 2 === 0 ? 'ev' : 'middle',
    edge: no,
    size: no,
    suspicious: no % 3 === 0,
    terms: termsOf(no % 5 > 0, no % 7 > 0, [['GBP', no]]),
  } as Opportunity;
}

function limitFields({ id, eventId, sport, league, market, kind, edge, size, suspicious, terms }: Opportunity): object {
  return { id, eventId, sport, league, market, kind, edge, size, suspicious, terms };
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('end' as const), outlined: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), back: fc.nat(8) }) },
);

test('ended opportunities are reported as they were, also in reused slots', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const endings = new Endings();
      let wanted: { position: number; createdAt: number; outlined: boolean; no: number }[] = [];
      const history = new EdgeHistory(0, 0, NO_TERMS);
      for (const [no, one] of steps.entries()) {
        const position = 10 + no;
        if (one.do === 'forget') {
          endings.expire(position - one.back);
          wanted = wanted.filter((end) => end.position > position - one.back);
          continue;
        }
        if (one.outlined) {
          history.reset(position - 5, no / 2, NO_TERMS);
          history.push(position - 3, no, opportunity(no).terms, 0);
          endings.add(position, position - 5, opportunity(no), history);
        } else endings.addPast({ position, kind: 'ev', id: `id-${no}` });
        wanted.push({ position, createdAt: one.outlined ? position - 5 : 0, outlined: one.outlined, no });
        for (const [since, createdBy] of [
          [0, Number.POSITIVE_INFINITY],
          [position - 4, position - 4],
        ] as const) {
          const found = [...endings.since(since, createdBy)];
          const expected = wanted.filter((end) => end.position > since && end.createdAt <= createdBy);
          assert.deepEqual(
            found.map(({ position, createdPosition: createdAt, outlined, id }) => ({
              position,
              createdAt,
              outlined,
              id,
            })),
            expected.map(({ position, createdAt, outlined, no }) => ({
              position,
              createdAt,
              outlined,
              id: `id-${no}`,
            })),
          );
          for (const [i, { outlined, no: n }] of expected.entries()) {
            if (!outlined) continue;
            assert.deepEqual(limitFields(found[i] as unknown as Opportunity), limitFields(opportunity(n)));
            const { edges } = found[i]!;
            assert.deepEqual(
              [edges.since(0), edges.since(Number.POSITIVE_INFINITY)],
              [n === 0 ? [0, 0] : [n / 2, n], [n]],
            );
            const at = found[i]!.position;
            assert.deepEqual(
              [at - 6, at - 5, at - 4, at - 3].map((one) => edges.at(one)),
              [Number.NaN, n / 2, n / 2, n],
            );
            assert.ok(edges.passedAt(at - 4, (edge, terms) => edge === n / 2 && terms === NO_TERMS));
            assert.ok(edges.passedSince(at, (edge, terms) => edge === n && terms !== NO_TERMS));
          }
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('no more are remembered than the limit, and dropped ones are reported', () => {
  const endings = new Endings();
  for (let position = 1; position <= 120_000; position++)
    endings.add(position, position, opportunity(position), new EdgeHistory(position, 1, NO_TERMS));
  const found = endings.since(0, Number.POSITIVE_INFINITY);
  assert.equal(found.length, LIMITS.endedOpportunities.max);
  assert.equal(found[0]!.position, endings.completeFrom + 1);
  assert.equal(found.at(-1)!.position, 120_000);
});

test('an end takes no objects of its own while it may be needed', () => {
  const endings = new Endings();
  const edges = new EdgeHistory(1, 1, NO_TERMS);
  const one = opportunity(1);
  const ends = LIMITS.endedOpportunities.max;
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const heapAfterCollection = (): number => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfterCollection();
  for (let position = 1; position <= ends; position++) endings.add(position, position, one, edges);
  const perEnd = (heapAfterCollection() - before) / ends;
  assert.ok(perEnd < 100, `${perEnd} bytes of an end in the heap`);
  assert.equal(endings.end, ends);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
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
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const endings = new Endings();
      let wanted: { position: number; createdAt: number; outlined: boolean; no: number }[] = [];
      let history = new EdgeHistory(0, 0, NO_TERMS);
      for (const [no, one] of steps.entries()) {
        const position = 10 + no;
        if (one.do === 'forget') {
          endings.expire(position - one.back);
          wanted = wanted.filter((end) => end.position > position - one.back);
          continue;
        }
        if (one.outlined) {
          history.reset(position - 5, no / 2, opportunity(no).terms);
          history = endings.add(position, position - 5, opportunity(no), history);
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
            assert.deepEqual(found[i]!.edges.since(Number.POSITIVE_INFINITY), [n / 2]);
          }
        }
      }
    }),
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

// Readers at the same position share one walk of the changes: each gets what it would find by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OpportunityNews, OpportunityRequest } from '../../../src/answers/opportunities/views.js';
import { BET_KINDS } from '../../../src/base/model/opportunity.js';
import type { Opportunity } from '../../../src/log/delta/opportunity.js';
import { example, idOf, NOW_MS, news } from './examples.js';
import { made } from './stream-rig.js';

const LEAGUES = ['nba', 'wnba', 'nba'];
const eventOf = (n: number): string => `event-${n % 5}`;
const step = fc.record({
  n: fc.nat(11),
  ends: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  edge: fc.constantFrom(-1, 0.2, 1, 2, 3, 6, 12),
  after: fc.nat(20),
  resumed: fc.boolean(),
});

/** Each with the events to which it is restricted. */
const ASKS: { ask: Partial<OpportunityRequest>; events: string[] | null }[] = [
  { ask: {}, events: null },
  { ask: { minEv: 5, minProfit: 2, maxHold: 2 }, events: null },
  { ask: { kinds: ['low_hold', 'middle'], hasEvent: ({ league }) => league === 'wnba' }, events: null },
  { ask: { kinds: ['ev'], minEv: 13 }, events: null },
  { ask: { hasEvent: ({ id }) => id === eventOf(1) || id === eventOf(3) }, events: [eventOf(1), eventOf(3), 'none'] },
];

const inOrder = (found: readonly OpportunityNews[]): object[] =>
  found.map(({ kind, detected, expired }) => ({ kind, detected, expired: [...expired].sort() }));

test('readers that share a walk of the changes get what each would find by itself', () => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const { table, streams, ask } = made();
      const views = ASKS.map(({ ask: narrowed, events }) => ({
        alone: streams.open(ask(narrowed)),
        shared: streams.open(ask({ ...narrowed, shared: { events } })),
      }));
      let position = 1_000;
      const active = new Map<string, Opportunity>();
      const past = [{ position: 999, kind: 'ev' as const, id: idOf(3) }];
      // What its edge was before is not known.
      const early = example('ev', { id: idOf(0), edge: 0.2, detectedUs: 900, updatedPosition: position });
      active.set(early.id, early);
      table.of('pro').restore(0, position, 900, [early]);
      table.of('pro').restoreEnds(past);
      for (const { n, ends, edge, after, resumed } of steps) {
        position++;
        const kind = BET_KINDS[n % 4]!;
        const id = idOf(n);
        const known = active.get(id);
        if (ends) {
          if (!active.delete(id)) continue;
          table.apply({ position, shard: 0, opportunities: [news('pro', { expired: [{ kind, id }] })] });
        } else {
          const names = { eventId: eventOf(n), league: LEAGUES[n % 3]!, detectedUs: known?.detectedUs ?? position };
          const now = example(kind, { id, edge, updatedPosition: position, ...names });
          active.set(id, now);
          table.apply({ position, shard: 0, opportunities: [news('pro', { detected: [now] })] });
        }
        for (const { alone, shared } of views) {
          const by = alone.changesSince(position - after, NOW_MS, resumed);
          found += by.length;
          assert.deepEqual(inOrder(shared.changesSince(position - after, NOW_MS, resumed)), inOrder(by));
        }
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(found > 100);
});

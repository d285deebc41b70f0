import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteOf } from '../../../../src/intake/feeds/betfair/listing.js';
import { type MarketBook, MarketCache } from '../../../../src/intake/feeds/betfair/market-cache.js';
import type { PlannedSelection } from '../../../../src/intake/feeds/betfair/questions.js';

type Offers = readonly (readonly [level: number, price: number, size: number])[];

/** A market of two runners, 1 and 2, with these best offers. */
function market(runners: readonly { batb?: Offers; batl?: Offers }[]): MarketBook {
  const cache = new MarketCache(1);
  const touched = new Set<MarketBook>();
  const marketDefinition = {
    status: 'OPEN',
    marketType: 'MATCH_ODDS',
    bettingType: 'ODDS',
    eventId: '1',
    runners: runners.map((_, i) => ({ id: i + 1, status: 'ACTIVE', sortPriority: i + 1 })),
  };
  const rc = runners.map((offers, i) => ({ id: i + 1, ...offers }));
  assert.equal(cache.apply([{ id: '1.1', img: true, marketDefinition, rc }], touched), 0);
  return [...touched][0]!;
}

const planned = (runner: number, opposite: number | null, lay = false): PlannedSelection => ({
  marketType: 'moneyline',
  type: 'home',
  name: 'home',
  line: null,
  runner: `${runner}|0`,
  opposite: opposite === null ? null : `${opposite}|0`,
  lay,
  startingPrice: null,
  externalId: '1',
});

const shown = (selection: PlannedSelection, book: MarketBook) => {
  const { decimal, size } = quoteOf(selection, book, 0);
  return [decimal === null ? null : Math.round(decimal * 1e4) / 1e4, size];
};

test('a turned offer that is less than half a cent is no price: the next one is, or none', () => {
  // Laying the favourite at 1.01 for 0.4 backs the other at 101 for 0.004.
  const thin = market([{ batl: [[0, 1.01, 0.4]] }, { batb: [[0, 40, 12]] }]);
  assert.deepEqual(shown(planned(2, 1), thin), [40, 12]);
  const nextLevel = market([
    {
      batl: [
        [0, 1.01, 0.4],
        [1, 1.02, 900],
      ],
    },
    { batb: [[0, 40, 12]] },
  ]);
  assert.deepEqual(shown(planned(2, 1), nextLevel), [51, 18]);
  assert.deepEqual(shown(planned(2, 1), market([{ batl: [[0, 1.01, 0.4]] }, {}])), [null, null]);
  // Equal prices are one offer, which together may be enough.
  const equal = market([{ batl: [[0, 1.01, 0.4]] }, { batb: [[0, 101, 0.004]] }]);
  assert.deepEqual(shown(planned(2, 1), equal), [101, 0.01]);
});

test('the same of what is laid, and of an own offer', () => {
  const own = market([
    {
      batb: [
        [0, 3, 0.004],
        [1, 2.9, 7],
      ],
      batl: [
        [0, 3.1, 0.001],
        [1, 3.2, 5],
      ],
    },
    {},
  ]);
  assert.deepEqual(shown(planned(1, null), own), [2.9, 7]);
  assert.deepEqual(shown(planned(1, null, true), own), [3.2, 5]);
});

// Universes without a detector behind them, and the views of streams on them.

import { OpportunityPresenter } from '../../../src/answers/opportunities/presenter.js';
import { OpportunityStreams } from '../../../src/answers/opportunities/stream-view.js';
import { Universes } from '../../../src/answers/opportunities/universes.js';
import type { OpportunityRequest } from '../../../src/answers/opportunities/views.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { BET_KINDS } from '../../../src/base/model/opportunity.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { universeOf } from '../../../src/tables/filter/universe.js';
import { OddsTable } from '../../../src/tables/table.js';
import { NOW_MS, TestSource } from './examples.js';

export const catalogue = loadCatalogue(undefined);

export function made() {
  const source = new TestSource();
  const clock = new ManualClock(NOW_MS);
  let readyCount = 0;
  const universes = new Universes({
    source,
    catalogue,
    clock,
    onReady: () => readyCount++,
    onFailed: () => undefined,
  });
  const presenter = new OpportunityPresenter(catalogue, new OddsTable(catalogue));
  const streams = new OpportunityStreams(source.opportunities, universes, presenter, clock);
  const ask = (change: Partial<OpportunityRequest> = {}): OpportunityRequest => ({
    universe: universeOf(catalogue, 'pro', undefined, () => true),
    kinds: BET_KINDS,
    state: 'pa',
    minEv: 2,
    minProfit: 0.5,
    maxHold: 5,
    minSize: 0.5,
    minStake: 0,
    currency: 'USD',
    guaranteed: false,
    assumed: false,
    hasEvent: () => true,
    hasMarket: () => true,
    ...change,
  });
  return { source, table: source.opportunities, clock, universes, streams, ask, ready: () => readyCount };
}

// Where the best prices of the simulated market are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimMarket } from '../../../../src/intake/feeds/sim/market.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { PriceTable, type Row } from './price-table.js';
import { EVENING_MS } from './small-catalogue.js';

test('best prices are spread over many books, and the sharp one has its share of them', () => {
  const catalogue = loadCatalogue();
  const market = new SimMarket({ seed: 4, events: 40, rate: 2_000 }, catalogue, EVENING_MS);
  const table = new PriceTable(catalogue);
  for (let ms = EVENING_MS + 1_000; ms <= EVENING_MS + 90_000; ms += 1_000) table.apply(market.step(ms));
  const best = new Map<string, Row>();
  for (const row of table.rows()) {
    const outcome = `${row.market} ${row.side} ${row.line}`;
    const known = best.get(outcome);
    if (known === undefined || row.decimal > known.decimal) best.set(outcome, row);
  }
  const counts = new Map<string, number>();
  for (const { book } of best.values()) counts.set(book, (counts.get(book) ?? 0) + 1);
  const shares = [...counts].map(([book, count]) => [count / best.size, book] as const).sort(([a], [b]) => b - a);
  assert.ok(best.size > 1_000, `${best.size}`);
  const sharp = counts.get('pinnacle')! / best.size;
  assert.ok(sharp > 0.05 && shares[0]![0] < 0.3, JSON.stringify(shares));
  assert.ok(shares.filter(([share]) => share > 0.02).length >= 10, JSON.stringify(shares));
});

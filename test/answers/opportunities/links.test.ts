import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOpportunityId, opportunityLinks } from '../../../src/answers/opportunities/opportunities.js';
import { Universes } from '../../../src/answers/opportunities/universes.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import type { TableEvent } from '../../../src/tables/events.js';
import { example, idOf, NOW_MS, news, TestSource } from './examples.js';

const catalogue = loadCatalogue(undefined);
const nothing = () => undefined;

test('links lead to the event, one for each book of a leg, in the order of the legs', async () => {
  const clock = new ManualClock(NOW_MS);
  const source = new TestSource();
  const universes = new Universes({
    source,
    catalogue,
    clock,
    onReady: nothing,
    onFailed: nothing,
  });
  const event = { externalIds: { betmgm: '77' } } as unknown as TableEvent;
  const links = opportunityLinks(universes, catalogue, { events: { get: () => event } as never });
  const books = ['betmgm', 'fanduel', 'betmgm', 'a-book-nobody-lists'];
  const detected = [example('low_hold', { id: idOf(7), books })];
  await universes.start();
  source.opportunities.apply({ position: 1, shard: 0, opportunities: [news('pro', { detected })] });
  assert.deepEqual(links.of(idOf(7), 'nj'), [
    { book: 'betmgm', url: 'https://sports.nj.betmgm.com/en/sports/events/77', type: 'event' },
    { book: 'fanduel', url: 'https://nj.sportsbook.fanduel.com/', type: 'homepage' },
  ]);
  assert.deepEqual(links.of(idOf(8), 'nj'), []);
});

test('an odds id is not an opportunity’s id, nor is one in capitals', () => {
  assert.ok(isOpportunityId('0123456789abcdef'));
  for (const id of ['123456789012345', '12345678901234567', '0123456789ABCDEF', '0123456789abcdeg', ''])
    assert.ok(!isOpportunityId(id), id);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deepLink } from '../../../src/rules/catalogue/deep-link.js';
import type { BookEntry } from '../../../src/rules/catalogue/file-schema.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

const catalogue = loadCatalogue();

function book(id: string): BookEntry {
  const entry = catalogue.book(id);
  assert.ok(entry);
  return entry;
}

test('the link is as specific as the known ids allow', () => {
  const draftkings = book('draftkings');
  const ids = { eventExternalId: '123', outcomeExternalId: '0QA1#2|b' };
  assert.deepEqual(deepLink(draftkings, { state: 'pa', ...ids }), {
    url: 'https://sportsbook.draftkings.com/event/123?outcomes=0QA1%232%7Cb',
    type: 'outcome',
  });
  assert.deepEqual(deepLink(draftkings, { state: 'pa', eventExternalId: '123', outcomeExternalId: null }), {
    url: 'https://sportsbook.draftkings.com/event/123',
    type: 'event',
  });
  // The outcome's page needs the event too.
  assert.equal(deepLink(draftkings, { state: 'pa', outcomeExternalId: '9' })?.type, 'homepage');
  assert.equal(deepLink(draftkings, { state: 'pa', eventExternalId: '' })?.type, 'homepage');
});

test('books with pages by state link to the requested state, the others do not change', () => {
  for (const entry of catalogue.books) {
    const urls = ['nj', 'CO'].map((state) => deepLink(entry, { state })?.url);
    if (entry.deepLink === null) assert.deepEqual(urls, [undefined, undefined]);
    else if (!entry.deepLink.homepage.includes('{state}')) assert.equal(urls[0], urls[1]);
    else assert.match(`${urls[0]} ${urls[1]}`, /\bnj\b.* .*\bco\b/);
  }
  assert.equal(
    deepLink(book('betmgm'), { state: 'NJ', eventExternalId: '7' })?.url,
    'https://sports.nj.betmgm.com/en/sports/events/7',
  );
});

test('a book whose links need the market takes it from the outcome id', () => {
  const fanduel = book('fanduel');
  assert.deepEqual(deepLink(fanduel, { state: 'nj', outcomeExternalId: '42.5/77' }), {
    url: 'https://nj.sportsbook.fanduel.com/addToBetslip?marketId=42.5&selectionId=77',
    type: 'outcome',
  });
  for (const outcomeExternalId of ['77', '/77', '42.5/'])
    assert.equal(deepLink(fanduel, { state: 'nj', outcomeExternalId })?.type, 'homepage', outcomeExternalId);
});

test('a book without deep links has none', () => {
  assert.equal(deepLink(book('circa'), { state: 'pa', eventExternalId: '1', outcomeExternalId: '2' }), null);
});

test('no state and no id can lead to another host', () => {
  const linked = catalogue.books.filter((entry) => entry.deepLink !== null);
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('x.evil/', 'evil.com#', '../../', '\r\nX: 1', 'p\u0430'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...linked), nasty, nasty, nasty, (entry, state, eventExternalId, outcomeExternalId) => {
      const link = deepLink(entry, { state, eventExternalId, outcomeExternalId });
      assert.ok(link);
      const home = new URL(entry.deepLink?.homepage.replaceAll('{state}', 'pa') ?? '').hostname;
      const { hostname, protocol } = new URL(link.url);
      assert.equal(protocol, 'https:');
      assert.equal(hostname.split('.').slice(-2).join('.'), home.split('.').slice(-2).join('.'));
      assert.doesNotMatch(link.url, /[\s\p{Cc}{}]/u);
    }),
    { numRuns: 2_000 },
  );
});

// Books' links rewritten for another US state: their own, and those of a feed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deepLink, linkForState, linkOfFeed } from '../../../src/rules/catalogue/deep-link.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

const catalogue = loadCatalogue();

test('a link for one state that is rewritten for another equals the link made for that one', () => {
  const linked = catalogue.books.filter((book) => book.deepLink !== null);
  const state = fc.stringMatching(/^[a-z]{2}$/);
  const id = fc.option(fc.stringMatching(/^[\w./-]{1,12}$/), { nil: null });
  fc.assert(
    fc.property(fc.constantFrom(...linked), id, id, state, (book, eventExternalId, outcomeExternalId, to) => {
      const made = (state: string) => deepLink(book, { state, eventExternalId, outcomeExternalId })!.url;
      assert.equal(linkForState(book, made('pa'), to), made(to));
      // A feed's links may be of any state; they are stored as those of the default state.
      assert.equal(linkOfFeed(book, made(to)), made('pa'));
    }),
    { numRuns: 1_000 },
  );
});

test('a feed’s link of another kind or state, or with a placeholder for it, is stored for the default state and rewritten like any other', () => {
  const betmgm = catalogue.book('betmgm');
  const stored = linkOfFeed(betmgm, 'https://sports.NJ.betmgm.com/en/sports/live?x=1');
  assert.equal(stored, 'https://sports.pa.betmgm.com/en/sports/live?x=1');
  assert.equal(linkForState(betmgm, stored, 'co'), 'https://sports.co.betmgm.com/en/sports/live?x=1');
  const gap = linkOfFeed(betmgm, 'https://sports.{state}.betmgm.com/en/sports/events/1');
  assert.equal(gap, 'https://sports.pa.betmgm.com/en/sports/events/1');
  assert.equal(linkOfFeed(undefined, 'https://{state}.shop.example/'), 'https://pa.shop.example/');
  const own = 'https://www.betmgm.example/x?a=1';
  assert.equal(linkOfFeed(betmgm, own), own);
  assert.equal(linkForState(betmgm, own, 'nj'), `${own}&state=nj`);
  assert.equal(linkOfFeed(betmgm, `${own}&state=nj`), `${own}&state=pa`);
  const everywhere = 'https://sportsbook.draftkings.com/event/1?x=2';
  assert.equal(linkForState(catalogue.book('draftkings'), everywhere, 'nj'), everywhere);
});

// The type of a link's target, derived from its form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepLink, linkType, templateOf } from '../../../src/rules/catalogue/deep-link.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

const catalogue = loadCatalogue();

test('a link from a template has the type it was made for, in any state and with any ids', () => {
  for (const book of catalogue.books)
    for (const eventExternalId of [null, '77', 'a b|c/?#%'])
      for (const outcomeExternalId of [null, '5', '42.1/x|y&z'])
        for (const state of ['pa', 'nj']) {
          const made = deepLink(book, { state, eventExternalId, outcomeExternalId });
          if (made !== null) assert.equal(templateOf(book, made.url), made.type, made.url);
        }
});

test('a feed’s link is of the selection, unless it has the form of the event’s or the book’s page', () => {
  const draftkings = catalogue.book('draftkings');
  assert.equal(linkType(draftkings, 'https://sportsbook.draftkings.com/event/9'), 'event');
  assert.equal(linkType(draftkings, 'https://sportsbook.draftkings.com/'), 'homepage');
  assert.equal(linkType(draftkings, 'https://sportsbook.draftkings.com/event/9?outcomes=1'), 'outcome');
  assert.equal(linkType(draftkings, 'https://slip.example/x?y=1'), 'outcome');
  assert.equal(linkType(catalogue.book('circa'), 'https://slip.example/x'), 'outcome');
  assert.equal(linkType(undefined, 'https://shop.example'), 'homepage');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldName, slug } from '../../../src/rules/catalogue/team-name.js';

test('slugs separate words and drop accents, dots and apostrophes', () => {
  const slugs: Record<string, string> = {
    'Los Angeles Lakers': 'los-angeles-lakers',
    'D.C. United': 'dc-united',
    "St. John's": 'st-johns',
    'St. John’s': 'st-johns',
    'Atlético Madrid': 'atletico-madrid',
    'Brøndby IF': 'brondby-if',
    'ŁKS Łódź': 'lks-lodz',
    'Preußen Münster': 'preussen-munster',
    'Texas A&M': 'texas-a-and-m',
    'Paris Saint-Germain': 'paris-saint-germain',
    lakers: 'lakers',
  };
  for (const [name, expected] of Object.entries(slugs)) assert.equal(slug(name), expected);
});

test('names without a Latin letter stay different from each other', () => {
  const names = ['Спартак', 'Динамо', 'FC Спартак', 'FC Динамо', '北京国安', '???', '!!!', ''];
  assert.equal(new Set(names.map(slug)).size, names.length);
  for (const name of names) assert.match(slug(name), /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('a slug is never longer than a key of the store allows, and long names stay different', () => {
  const long = '北'.repeat(199);
  assert.ok(slug(long).length <= 64);
  assert.notEqual(slug(long), slug(`${long}京`));
});

test('slugging a slug changes nothing, and folding does not care which of the two it gets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
      const once = slug(name);
      assert.match(once, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.equal(slug(once), once);
      assert.equal(foldName(once), foldName(name));
    }),
    { numRuns: 3_000 },
  );
});

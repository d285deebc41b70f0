// A row is found without its key if it is certainly the right one; otherwise the key decides.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasKey, type OddsKey, opportunityId, rowKey } from '../../../src/base/model/identity.js';
import { settlementKey } from '../../../src/base/model/result.js';

const key: fc.Arbitrary<OddsKey> = fc.record({
  market: fc.constantFrom('moneyline', 'total_points', 'player_points'),
  player: fc.constantFrom(null, 'A. Player', 'a|b'),
  stat: fc.constantFrom(null, 'points'),
  team: fc.constantFrom(null, 'home', 'away'),
  selectionType: fc.constantFrom('home', 'over', 'yes', 'other'),
  selection: fc.constantFrom('Yes', 'yes', 'Other', 'a|b'),
  alternate: fc.boolean(),
  line: fc.constantFrom(null, 0, -0, 8.5),
});

test('a row that is found for a quote has its key', () => {
  let taken = 0;
  fc.assert(
    fc.property(key, key, (row, quote) => {
      if (!hasKey(row, quote)) return;
      taken++;
      assert.equal(rowKey(row), rowKey(quote));
    }),
    { numRuns: 20_000 },
  );
  assert.ok(taken > 0);
});

test('a main line that moves stays the same row, an alternate one does not', () => {
  const total = (line: number, alternate: boolean): OddsKey => ({
    market: 'total_points',
    player: null,
    stat: null,
    team: null,
    selectionType: 'over',
    selection: 'Over',
    alternate,
    line,
  });
  assert.equal(hasKey(total(8.5, false), total(9, false)), true);
  assert.equal(hasKey(total(8.5, true), total(9, true)), false);
  assert.equal(hasKey(total(8.5, true), total(8.5, false)), false);
});

test('an opportunity’s id is the beginning of the SHA-256 of a secret and its parts, of any length and in any letters', () => {
  const part = fc.oneof(fc.constant(null), fc.double({ noNaN: true }), fc.string({ unit: 'grapheme', maxLength: 20 }));
  fc.assert(
    fc.property(fc.string(), fc.array(part, { maxLength: 12 }), (secret, parts) => {
      const digest = createHash('sha256')
        .update(`${secret}\n${parts.join('\n')}`)
        .digest('hex');
      assert.equal(opportunityId(secret, parts), digest.slice(0, 16));
    }),
    { numRuns: 200 },
  );
});

test('two settlements have one key only if they are of one bet', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '|'), minLength: 1, maxLength: 3 });
  const of = fc.record({
    ...{ book: fc.constant('b'), market: fc.constant('m'), selection: text },
    line: fc.constantFrom(null, 1),
    player: fc.option(text),
    team: fc.constantFrom(null, 'home'),
  });
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(of, (one) => {
      const [key, whole] = [settlementKey(one), JSON.stringify(one)];
      assert.equal(seen.get(key) ?? whole, whole);
      seen.set(key, whole);
    }),
    { numRuns: 2_000 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILTERED_MAX, UNUSED_UNIVERSE_MS, Universes } from '../../../src/answers/opportunities/universes.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { universeOf } from '../../../src/tables/filter/universe.js';
import { example, NOW_MS, news, TestSource } from './examples.js';

const catalogue = loadCatalogue(undefined);
const books = catalogue.books.map((book) => book.id);

function made() {
  const source = new TestSource();
  const clock = new ManualClock(NOW_MS);
  const failed: string[] = [];
  const universes = new Universes({
    source,
    catalogue,
    clock,
    onReady: () => undefined,
    onFailed: (_, key) => failed.push(key),
  });
  const of = (sportsbook?: string, tier: 'hobby' | 'pro' | 'sharp' | 'enterprise' = 'enterprise') =>
    universeOf(catalogue, tier, sportsbook, () => true);
  return { source, clock, universes, of, failed };
}

const by = (account: string, viewer = false) => ({ account, viewer });

/** As many different filters as there are pairs of books. */
function* pairs(): Generator<string> {
  for (const [i, a] of books.entries()) for (const b of books.slice(i + 1)) yield `${a},${b}`;
}

test('the universes of the tiers are registered at the start and never dropped', async () => {
  const { source, clock, universes } = made();
  await universes.start();
  assert.deepEqual(
    source.asked.map(({ key }) => key),
    ['hobby', 'pro', 'sharp'],
  );
  assert.deepEqual(source.asked[0]?.books, catalogue.tierBooks('hobby'));
  assert.equal(source.asked[2]?.books, null);
  clock.set(NOW_MS + 10 * UNUSED_UNIVERSE_MS);
  universes.sweep(0);
  assert.deepEqual(source.dropped, []);
});

test('filters with the same books share a universe, whatever the tier and the order', () => {
  const { universes, of } = made();
  assert.equal(universes.specOf(of('fanduel,draftkings', 'hobby')).key, universes.specOf(of('draftkings,fanduel')).key);
  assert.equal(universes.specOf(of(catalogue.tierBooks('hobby').join(','), 'pro')).key, 'hobby');
  assert.equal(universes.specOf(of(undefined, 'enterprise')).key, 'sharp');
  assert.equal(universes.specOf(of(undefined, 'pro')).key, 'pro');
});

test('a filter is registered on its first use, once, and released a minute after its last', async () => {
  const { source, clock, universes, of } = made();
  await Promise.all([
    universes.use(of('draftkings,fanduel'), by('a')),
    universes.use(of('fanduel,draftkings'), by('b')),
  ]);
  assert.equal(source.asked.length, 1);
  clock.set(NOW_MS + UNUSED_UNIVERSE_MS - 1);
  universes.sweep(0);
  await universes.use(of('draftkings,fanduel'), by('a'));
  clock.set(NOW_MS + 2 * UNUSED_UNIVERSE_MS - 2);
  universes.sweep(0);
  assert.deepEqual(source.dropped, []);
  clock.set(NOW_MS + 2 * UNUSED_UNIVERSE_MS);
  universes.sweep(0);
  assert.deepEqual(source.dropped, ['=draftkings,fanduel']);
  await universes.use(of('draftkings,fanduel'), by('a'));
  assert.equal(source.asked.filter(({ key }) => key === '=draftkings,fanduel').length, 2);
});

test('an open stream prevents the release of its universe', async () => {
  const { source, clock, universes, of } = made();
  const lease = universes.hold(of('draftkings,fanduel'));
  await universes.use(of('draftkings,fanduel'), by('a'));
  clock.set(NOW_MS + 5 * UNUSED_UNIVERSE_MS);
  universes.sweep(0);
  assert.deepEqual(source.dropped, []);
  lease.release();
  lease.release();
  clock.set(NOW_MS + 6 * UNUSED_UNIVERSE_MS);
  universes.sweep(0);
  assert.deepEqual(source.dropped, ['=draftkings,fanduel']);
});

const refused = (code: string) => (error: { code: string; detail: { retryAfter?: number } }) =>
  error.code === code && error.detail.retryAfter === UNUSED_UNIVERSE_MS / 1000;

test('neither one account nor all together can exceed their limits of universes', async () => {
  const { universes, of } = made();
  const filters = pairs();
  const next = () => of(filters.next().value as string);
  for (let i = 0; i < LIMITS.filteredUniversesOfAccount.max; i++) await universes.use(next(), by('greedy'));
  await assert.rejects(universes.use(next(), by('greedy')), refused('rate_limited'));
  assert.throws(() => universes.claim(next(), {}, by('greedy')), refused('rate_limited'));
  while (universes.filteredCount < FILTERED_MAX) await universes.use(next(), by(`acc ${universes.filteredCount}`));
  await assert.rejects(universes.use(next(), by('late')), refused('unavailable'));
  assert.throws(() => universes.hold(next()), refused('unavailable'));
  await universes.use(of(`${books[0]},${books[1]}`), by('late'));
});

test('streams and requests of an account count together, each set once, until a minute after their last use', async () => {
  const { universes, of, clock } = made();
  const filters = [...pairs()];
  const most = LIMITS.filteredUniversesOfAccount.max;
  const releases = filters.slice(0, most - 1).map((books) => universes.claim(of(books), {}, by('a')));
  await universes.use(of(filters[0]), by('a'));
  releases.push(universes.claim(of(filters[0]), {}, by('a')));
  await universes.use(of(filters[most - 1]), by('a'));
  assert.throws(() => universes.claim(of(filters[most]), {}, by('a')), refused('rate_limited'));
  assert.throws(() => universes.claim(of(undefined), { minEv: -10 }, by('a')), refused('rate_limited'));
  // Those of the tiers are nobody's.
  for (const tier of ['hobby', 'pro', 'sharp'] as const) universes.claim(of(undefined, tier), {}, by('a'))();
  universes.claim(of(filters[most]), {}, by('b'));
  clock.set(NOW_MS + UNUSED_UNIVERSE_MS);
  universes.sweep(0);
  universes.claim(of(filters[most]), {}, by('a'));
  assert.throws(() => universes.claim(of(filters[most + 1]), {}, by('a')), refused('rate_limited'));
  for (const release of releases) {
    release();
    release();
  }
  assert.throws(() => universes.claim(of(filters[most + 1]), {}, by('a')), refused('rate_limited'));
  clock.set(NOW_MS + 2 * UNUSED_UNIVERSE_MS);
  universes.sweep(0);
  for (const books of filters.slice(most + 1, 2 * most)) universes.claim(of(books), {}, by('a'));
  assert.throws(() => universes.claim(of(filters[2 * most]), {}, by('a')), refused('rate_limited'));
});

test('an account has a part of the wide universes, and its viewer tokens a part of what it has', () => {
  const { universes, of } = made();
  const filters = [...pairs()];
  const wide = (account: string, no: number, viewer = false) =>
    universes.claim(of(filters[no]), { minEv: -10 }, by(account, viewer));
  for (let i = 0; i < LIMITS.widenedUniversesOfAccount.max; i++) wide('a', i);
  assert.throws(() => wide('a', 20), refused('rate_limited'));
  wide('b', 20);
  const part = (LIMITS.filteredUniversesOfAccount.max * 3) / 4;
  for (let i = 0; i < part; i++) universes.claim(of(filters[i]), {}, by('c', true));
  assert.throws(() => universes.claim(of(filters[part]), {}, by('c', true)), /viewer tokens have 12 different/);
  for (let i = part; i < LIMITS.filteredUniversesOfAccount.max; i++) universes.claim(of(filters[i]), {}, by('c'));
  assert.throws(() => universes.claim(of(filters[20]), {}, by('c')), /this account has 16 different/);
});

test('a failed registration is reported to the caller and retried', async () => {
  const { source, universes, of, failed } = made();
  source.ensure = () => Promise.reject(new Error('no shard'));
  await assert.rejects(universes.use(of('draftkings,fanduel'), by('a')), { code: 'unavailable' });
  const lease = universes.hold(of('draftkings,fanduel'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(lease.ready, false);
  assert.deepEqual(failed, ['=draftkings,fanduel', '=draftkings,fanduel']);
  source.ensure = () => Promise.resolve();
  universes.sweep(0);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(lease.ready, true);
});

test('if no book of a filter is known nothing is registered and nothing matches', async () => {
  const { source, universes } = made();
  const nobody = universeOf(catalogue, 'pro', 'nosuchbook', () => false);
  assert.equal((await universes.use(nobody, by('a'))).size, 0);
  assert.equal(universes.hold(nobody).ready, true);
  assert.deepEqual(source.asked, []);
});

test('changes go to their own universe, and to none that was released', async () => {
  const { source, universes, of } = made();
  const filtered = await universes.use(of('draftkings,fanduel'), by('a'));
  const delta = {
    position: 5,
    shard: 0,
    opportunities: [
      news('=draftkings,fanduel', { detected: [example('ev', { id: 'aaaaaaaaaaaaaaaa' })] }),
      news('gone', { detected: [example('ev')] }),
    ],
  };
  source.opportunities.apply(delta);
  assert.equal(filtered.size, 1);
  assert.equal((await universes.use(of(undefined, 'pro'), by('a'))).size, 0);
  assert.equal(universes.find('aaaaaaaaaaaaaaaa')?.kind, 'ev');
  assert.equal(universes.find('00000000000000e1'), undefined);
});

test('a universe is not released while it is still being registered', async () => {
  const { source, clock, universes, of } = made();
  await universes.start();
  let answer = () => {};
  source.ensure = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const using = universes.use(of('draftkings,fanduel'), by('a'));
  clock.set(NOW_MS + 2 * UNUSED_UNIVERSE_MS);
  universes.sweep(0);
  assert.deepEqual(source.dropped, []);
  answer();
  await using;
  universes.sweep(0);
  assert.deepEqual(source.dropped, ['=draftkings,fanduel']);
});

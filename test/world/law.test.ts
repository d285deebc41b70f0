// Fifty random worlds in the suite, 20,000 with OVERROUND_LONG_TESTS=1. Manually: others with
// `WORLDS=2000 FROM=1001 node --test dist/test/world/law.test.js`, a single world with `SEED=…`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../writer/shard/rig.js';
import { type Played, playWorld } from './law.js';
import { shrunk } from './shrink.js';
import { makeWorld, type World } from './world.js';

const WORLDS = Number(process.env['WORLDS'] ?? (Number(process.env['OVERROUND_LONG_TESTS'] ?? 0) > 0 ? 20_000 : 50));
const FROM = Number(process.env['FROM'] ?? 1);
const SEED = process.env['SEED'];
const NOW_MS = Date.parse('2026-07-01T12:00:00Z');
/** Skins of listed books, exchanges beyond them, one of which nobody knows what it charges, and a model. */
const BOOKS = [
  ...catalogue.books.map(({ id }) => id),
  'polymarket',
  'smarkets',
  'paddypower',
  'unibet_nl',
  'street_exchange',
  'own_model',
];

function faultOf(world: World): string | undefined {
  try {
    playWorld(world, catalogue);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const worldOf = (seed: number): World => makeWorld(seed, { books: BOOKS, suspensions: true, nowMs: NOW_MS });

/** The seed, the violated rule, and the messages needed for it. */
function report(seed: number, fault: string): string {
  const kind = (text: string | undefined) => text?.replace(/[\d.]+/g, '').slice(0, 40);
  const least = shrunk(worldOf(seed), (smaller) => kind(faultOf(smaller)) === kind(fault));
  const pushes = least.batches.flatMap(({ atMs, pushes: all }) =>
    all.map(({ message }) => `${new Date(atMs).toISOString()} ${JSON.stringify(message)}`),
  );
  return `SEED=${seed}: ${fault}\nshrunk: ${faultOf(least)}\n${pushes.join('\n')}`;
}

test('in no random world are two games one, does a listed opportunity lose, or is a true one missing', () => {
  const total = {} as Played;
  const seeds = SEED === undefined ? Array.from({ length: WORLDS }, (_, i) => FROM + i) : [Number(SEED)];
  for (const seed of seeds) {
    try {
      for (const [field, count] of Object.entries(playWorld(worldOf(seed), catalogue)) as [keyof Played, number][])
        total[field] = (total[field] ?? 0) + count;
    } catch (error) {
      assert.fail(report(seed, (error as Error).message));
    }
  }
  if (SEED !== undefined) return;
  assert.ok(total.edges > WORLDS && total.pushes > WORLDS / 10, JSON.stringify(total));
  assert.ok(total.over > WORLDS / 4 && total.live > WORLDS, JSON.stringify(total));
  assert.ok(total.exceptions > 0 && total.limited > 0, JSON.stringify(total));
  assert.ok(total.layPairs > WORLDS / 2 && total.ownFees > WORLDS, JSON.stringify(total));
  assert.ok(total.arbitrages > WORLDS && total.middles > WORLDS && total.lowHolds > WORLDS, JSON.stringify(total));
});

test('a seed is one world', () => {
  assert.deepEqual(worldOf(7), worldOf(7));
  assert.notDeepEqual(worldOf(7).batches, worldOf(8).batches);
});

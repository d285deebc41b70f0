// Forty random worlds with disturbances in the suite; others manually with `WORLDS=2000 FROM=41`, a single one with
// `SEED=…`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '../long.js';
import { type Disturbances, DisturbedWorld } from './disturbed.js';
import { makeWorld } from './world.js';

const WORLDS = Number(process.env['WORLDS'] ?? runs(40));
const FROM = Number(process.env['FROM'] ?? 1);
const SEED = process.env['SEED'];
const NOW_MS = Date.parse('2026-07-01T12:00:00Z');
/** More of them lay than in other worlds. */
const BOOKS = [
  'betfair',
  'matchbook',
  'pinnacle',
  'fanduel',
  'kalshi',
  'draftkings',
  'bet365',
  'prophetx',
  'betmgm',
  'own_model',
];

test('whatever is refused, starts anew or joins late, every reader lists the true opportunities after each batch', async () => {
  const total: Partial<Disturbances> = {};
  const seeds = SEED === undefined ? Array.from({ length: WORLDS }, (_, i) => FROM + i) : [Number(SEED)];
  for (const seed of seeds) {
    const world = new DisturbedWorld(makeWorld(seed, { books: BOOKS, suspensions: true, nowMs: NOW_MS }));
    await world.play().catch((error: Error) => assert.fail(`SEED=${seed}: ${error.stack}`));
    for (const [what, count] of Object.entries(world.counts) as [keyof Disturbances, number][])
      total[what] = (total[what] ?? 0) + count;
  }
  if (SEED !== undefined) return;
  for (const [what, count] of Object.entries(total)) assert.ok(count > WORLDS / 4, `${what}: ${JSON.stringify(total)}`);
});

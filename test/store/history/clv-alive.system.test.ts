// Closing references were alive at the close: posted to a real server, silent, suspended, removed or polled until then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAKERS, NOW } from '../../front/api/serving.js';
import { type Api, api, type Json } from '../../front/api.js';
import { FLAGS, MINUTE, post, START } from './rig.js';

const BEGIN = Date.parse(NOW);
const CLOSE = Date.parse(START);
/** Fair at one half by itself. */
const EVEN = { home: -104, away: -104 };

async function gradedAfter(t: Parameters<typeof api>[0], prices: (made: Api) => Promise<void>): Promise<Json> {
  const made = await api(t, FLAGS);
  await post(made, BEGIN + 1000, 'draftkings', { home: 120, away: -140 });
  await prices(made);
  made.clock.set(CLOSE + MINUTE);
  const bet = { event: LAKERS, market: 'point_spread', selection: 'home', sportsbook: 'draftkings', line: -3.5 };
  const response = await made.fetch('/clv', {
    key: made.key('enterprise'),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bets: [{ ...bet, odds_american: 108, at: new Date(BEGIN + 2_000).toISOString() }] }),
  });
  const { data } = (await response.json()) as Json;
  return { clv: data[0].clv_percent, source: data[0].devig_book, reason: data[0].reason ?? null };
}

test('a sharp book that was silent for hours is no closing reference', async (t) => {
  const silent = async (made: Api) => {
    await post(made, BEGIN + 1_500, 'pinnacle', EVEN);
    await post(made, CLOSE - MINUTE, 'draftkings', { home: 120, away: -140 });
  };
  assert.deepEqual(await gradedAfter(t, silent), { clv: null, source: null, reason: 'no_reference' });
});

test('then the consensus of those alive is the reference', async (t) => {
  const graded = await gradedAfter(t, async (made) => {
    await post(made, BEGIN + 1_500, 'pinnacle', EVEN);
    for (const book of ['fanduel', 'betmgm', 'caesars', 'bovada'])
      await post(made, CLOSE - 5 * MINUTE, book, { home: 170, away: -210 });
  });
  assert.equal(graded['source'], 'consensus');
  // A bet at 2.08 on what closes at about 0.36 lost a quarter of its stake, by the dead line it had won 4 %.
  assert.ok(graded['clv'] < -20, JSON.stringify(graded));
});

test('a book that only repeats its prices is alive as long as it is polled', async (t) => {
  const polled = async (made: Api) => {
    await post(made, BEGIN + 1_500, 'pinnacle', EVEN);
    await post(made, CLOSE - 29 * MINUTE, 'pinnacle', EVEN);
  };
  assert.deepEqual(await gradedAfter(t, polled), { clv: 4, source: 'pinnacle', reason: null });
  const early = async (made: Api) => {
    await post(made, BEGIN + 1_500, 'pinnacle', EVEN);
    await post(made, CLOSE - 31 * MINUTE, 'pinnacle', EVEN);
  };
  assert.equal((await gradedAfter(t, early))['reason'], 'no_reference');
});

test('a sharp book that was suspended or removed at the close is no closing reference', async (t) => {
  const suspended = async (made: Api) => {
    await post(made, CLOSE - 10 * MINUTE, 'pinnacle', EVEN);
    await post(made, CLOSE - 2 * MINUTE, 'pinnacle', { ...EVEN, active: false });
  };
  assert.equal((await gradedAfter(t, suspended))['reason'], 'no_reference');
  const reopened = async (made: Api) => {
    await suspended(made);
    await post(made, CLOSE - MINUTE, 'pinnacle', EVEN);
  };
  assert.equal((await gradedAfter(t, reopened))['clv'], 4);
});

// What a series states of itself, from a venue on a local port.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeriesFacts } from '../../../../src/intake/feeds/kalshi/series.js';
import { Rest } from '../../../../src/intake/feeds/kit/rest.js';
import { feedBench } from '../kit/venue.js';
import { KalshiVenue } from './venue.js';

test('a series whose fees become of another kind has the usual ones again, and says so once', async (t) => {
  const venue = new KalshiVenue();
  await venue.listen();
  t.after(() => venue.close());
  const bench = feedBench();
  let nowMs = Date.now();
  const context = { ...bench.context, clock: { ...bench.context.clock, now: () => nowMs } };
  const { signal } = new AbortController();
  const rest = new Rest({ context, baseUrl: venue.settings.restUrl, perSecond: 100, random: Math.random, signal });
  const facts = new SeriesFacts(rest, context);
  const stated = async (fee_type: string, fee_multiplier: number): Promise<number | undefined> => {
    venue.fees.set('KXNBAGAME', { fee_type, fee_multiplier });
    nowMs += 3_600_000;
    await facts.refresh(['KXNBAGAME']);
    return facts.multiplierOf('KXNBAGAME');
  };
  assert.equal(await stated('quadratic', 0.5), 0.5);
  assert.equal(await stated('flat', 1), undefined);
  assert.equal(await stated('flat', 1), undefined);
  assert.equal(bench.log.filter(({ message }) => message.includes('fees of another kind')).length, 1);
  assert.equal(await stated('quadratic_with_maker_fees', 2), 2);
});

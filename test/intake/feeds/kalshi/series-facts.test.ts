// What a series states of itself, from a venue on a local port.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LISTED } from '../../../../src/intake/feeds/kalshi/channel.js';
import { Discovery } from '../../../../src/intake/feeds/kalshi/discovery.js';
import { SeriesFacts, seriesOf } from '../../../../src/intake/feeds/kalshi/series.js';
import { DocumentedFields } from '../../../../src/intake/feeds/kit/documented-fields.js';
import { Rest } from '../../../../src/intake/feeds/kit/rest.js';
import { VenueTeams } from '../../../../src/intake/feeds/kit/teams.js';
import { catalogue } from '../kit/served.js';
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

test('an answer without a list of events is no empty list: every game would be gone', async (t) => {
  const venue = new KalshiVenue();
  await venue.listen();
  t.after(() => venue.close());
  const { context } = feedBench();
  const { signal } = new AbortController();
  const rest = new Rest({ context, baseUrl: venue.settings.restUrl, perSecond: 100, random: Math.random, signal });
  const discovery = new Discovery({
    rest,
    series: seriesOf(['KXNBAGAME']),
    sportOf: () => 'basketball',
    teams: new VenueTeams(catalogue),
    documented: new DocumentedFields(LISTED, undefined),
  });
  for (const listed of [{ events: [], cursor: '' }, { events: null }]) {
    venue.madeUp = listed;
    assert.deepEqual(await discovery.games(0), []);
  }
  for (const madeUp of [{}, [], { events: {} }, 'hello']) {
    venue.madeUp = madeUp;
    await assert.rejects(discovery.games(0), /no list of events/);
  }
});

// Random prices and all faults at once; at the end the table equals Betfair's state. A few seconds in the suite, 10
// minutes with OVERROUND_LONG_TESTS=1, another seed with SEED=….
import { test } from 'node:test';
import { LONG } from '../../../long.js';
import { Random } from '../../../world/random.js';
import { betfairRig, isExact, type Rig } from './rig.js';
import { json, type VenueMarket } from './venue.js';
import { makeMarkets, reprice } from './worlds.js';

const SEED = Number(process.env['SEED'] ?? 11);
const STORM_MS = LONG ? 600_000 : 2_500;
const CODES = ['INVALID_CLOCK', 'UNEXPECTED_ERROR', 'TIMEOUT', 'MAX_CONNECTION_LIMIT_EXCEEDED', 'TOO_MANY_REQUESTS'];

function happen(random: Random, { venue }: Rig, markets: readonly VenueMarket[]): void {
  const market = random.pick(markets);
  if (random.chance(0.85)) {
    const runners = random.shuffled(market.runners).slice(0, random.int(1, market.runners.length));
    for (const runner of runners) reprice(random, runner);
    venue.change(market, runners);
    return;
  }
  if (market.status === 'CLOSED') return;
  if (random.chance(0.3)) market.inPlay = true;
  market.status = random.pick(['OPEN', 'OPEN', 'SUSPENDED', 'INACTIVE']);
  const left = markets.filter(({ status }) => status !== 'CLOSED').length;
  if (left > markets.length / 2 && random.chance(0.02)) market.status = 'CLOSED';
  venue.change(market, [], true);
}

function fail(random: Random, { venue }: Rig): void {
  const later = (ms: number, mend: () => void) => setTimeout(mend, ms);
  const faults: (() => void)[] = [
    () => venue.dropAll(),
    () => {
      venue.away = true;
      venue.dropAll();
      later(random.int(100, 1_500), () => Object.assign(venue, { away: false }));
    },
    () => {
      venue.silent = true;
      // Clients that stayed connected have missed these changes, as with a venue that stalls and then drops them.
      later(random.int(50, STORM_MS > 60_000 ? 9_000 : 400), () => {
        venue.dropAll();
        venue.silent = false;
      });
    },
    () => venue.sendLine('{"op":"mcm","mc":[{"id":"1.2'),
    () => venue.sendLine('not JSON at all'),
    () => venue.sendLine('{"op":"mcm","mc":[{"id":"1.20000000","rc":[{"id":11,"batb":[[0,"x",-3]]}]}]}'),
    () => void venue.refusals.push(random.pick(CODES)),
    () => Object.assign(venue, { packetBytes: random.pick([0, 1, 5, 700]), segments: random.chance(0.5) }),
    () => {
      venue.behind = true;
      later(300, () => Object.assign(venue, { behind: false }));
    },
    () => Object.assign(venue, { refusesResume: random.chance(0.5) }),
    () => {
      venue.session = `session-${random.int(2, 1e6)}`;
      venue.dropAll();
    },
    () => void venue.loginAnswers.push((response) => response.writeHead(503).end()),
    () => void venue.apiAnswers.push((response) => response.writeHead(429, { 'retry-after': '1' }).end()),
    () => void venue.apiAnswers.push((response) => json(response, 'nonsense')),
    () => void venue.apiAnswers.push((response) => void later(1_500, () => response.destroy())),
  ];
  random.pick(faults)();
}

test('after a storm of prices and faults the table equals Betfair’s state', {
  timeout: STORM_MS + 200_000,
}, async (t) => {
  const random = new Random(SEED);
  const markets = makeMarkets(random, Date.now());
  const rig = await betfairRig(t, { markets, prepare: (venue) => Object.assign(venue, { marketsMax: 8 }) });
  await isExact(rig);
  const endMs = Date.now() + STORM_MS;
  for (let step = 0; Date.now() < endMs; step++) {
    for (let i = random.int(0, 4); i > 0; i--) happen(random, rig, markets);
    if (step % 25 === 24) fail(random, rig);
    // From time to time the faults stop until the table is exact again.
    if (STORM_MS > 60_000 && step % 1_000 === 999) await calm(rig, markets);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await calm(rig, markets);
});

async function calm(rig: Rig, markets: readonly VenueMarket[]): Promise<void> {
  // Connected clients have missed what was not sent, as at the end of every silence.
  if (rig.venue.silent) rig.venue.dropAll();
  Object.assign(rig.venue, { silent: false, away: false, behind: false });
  for (const answers of [rig.venue.loginAnswers, rig.venue.apiAnswers, rig.venue.refusals]) answers.length = 0;
  for (const market of markets.filter(({ status }) => status !== 'CLOSED')) {
    market.status = 'OPEN';
    rig.venue.change(market, [], true);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  await isExact(rig);
}

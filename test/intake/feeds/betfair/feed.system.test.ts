// The Betfair feed in a real server, against a simulated Betfair with every known fault.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BetfairFeed } from '../../../../src/intake/feeds/betfair/feed.js';
import { stopwatch } from '../../../support/own-time.js';
import { until } from '../../../support/until.js';
import { Random } from '../../../world/random.js';
import { catalogue } from '../../../writer/shard/rig.js';
import { feedBench } from '../kit/venue.js';
import { betfairRig, isExact, type Rig } from './rig.js';
import { BetfairVenue, catalogueEntry, json, type VenueMarket } from './venue.js';
import { makeMarkets, reprice } from './worlds.js';

const world = (seed = 1): VenueMarket[] => makeMarkets(new Random(seed), Date.now());

const isGone = async (rig: Rig): Promise<boolean> =>
  [...(await rig.table()).values()].every((price) => price === 'inactive');

test('a server whose feed follows Betfair', async (t) => {
  const markets = world();
  const rig = await betfairRig(t, {
    markets,
    prepare: (venue) => Object.assign(venue, { packetBytes: 7, segments: true }),
  });

  await t.test(
    'Betfair’s offers are in the table: sides, lines, lays as prices of the other result, lays of three results',
    async () => {
      await isExact(rig);
      const rows = [...(await rig.table()).keys()];
      assert.ok(
        rows.some((row) => row.includes('|moneyline_lay|draw')),
        'three results keep their lays',
      );
      assert.ok(!rows.some((row) => row.startsWith('31000000|moneyline_lay')), 'of two results a lay is the other one');
      assert.ok(!rows.some((row) => row.includes('draw_no_bet')), 'other questions are left out');
    },
  );

  await t.test(
    'suspended is inactive, in play is live, a runner without offers is inactive, and a closed market leaves',
    async () => {
      const winner = markets.find(({ type, eventTypeId }) => type === 'MATCH_ODDS' && eventTypeId === '1')!;
      winner.status = 'SUSPENDED';
      rig.venue.change(winner, [], true);
      await isExact(rig);
      const suspended = [...(await rig.table())].filter(([key]) => key.startsWith(`${winner.eventId}|moneyline`));
      assert.ok(suspended.length >= 3 && suspended.every(([, price]) => price === 'inactive'));
      winner.status = 'OPEN';
      winner.inPlay = true;
      winner.runners[0]!.back = [];
      rig.venue.change(winner, [winner.runners[0]!], true);
      await isExact(rig);
      winner.status = 'CLOSED';
      rig.venue.change(winner, [], true);
      await until(
        'the rows of the closed market are gone',
        async () => ![...(await rig.table()).keys()].some((key) => key.startsWith(`${winner.eventId}|moneyline`)),
      );
    },
  );

  await t.test(
    'a venue that falls silent has its rows inactive within 10 s, and all of them back once it speaks',
    async () => {
      rig.venue.silent = true;
      await until('rows of a silent venue are inactive', () => isGone(rig));
      rig.venue.silent = false;
      await isExact(rig);
    },
  );

  await t.test("a market's base rate is its commission, and the book's applies to other markets", async () => {
    const before = await rig.rates();
    const cheap = markets.find(
      ({ type, status, eventId }) => /MATCH_ODDS|MONEY_LINE/.test(type) && status === 'OPEN' && before.has(eventId),
    );
    cheap!.baseRate = 2;
    rig.venue.change(cheap!, [], true);
    await isExact(rig);
    await until('the rates', async () => {
      const rates = await rig.rates();
      return [...rates].every(([event, rate]) => rate === (event === cheap!.eventId ? 0.02 : 0.05));
    });
    assert.ok(before.size > 1);
  });

  await t.test('a lost connection is resumed; if that is refused, a new image replaces the state', async () => {
    const random = new Random(4);
    const change = () => {
      for (const market of markets.slice(0, 4)) {
        reprice(random, market.runners[0]!);
        rig.venue.change(market, [market.runners[0]!]);
      }
    };
    for (const refuses of [false, true]) {
      rig.venue.refusesResume = refuses;
      rig.venue.away = true;
      rig.venue.dropAll();
      await until('rows of a venue that is gone are inactive', () => isGone(rig));
      change();
      rig.venue.away = false;
      await isExact(rig);
      assert.equal(typeof rig.venue.asked.at(-1)?.['clk'], 'string', 'it asks to resume');
    }
    rig.venue.refusals.push('INVALID_CLOCK');
    rig.venue.dropAll();
    change();
    await isExact(rig);
    assert.equal(rig.venue.asked.at(-1)?.['clk'], undefined, 'without the clock that was refused');
  });

  await t.test('a line that cannot be read is answered with a fresh image', async () => {
    const before = rig.venue.asked.length;
    const [lost] = markets;
    // The change itself is lost with the invalid line.
    lost!.runners[0]!.back = [[9.8, 77]];
    rig.venue.sendLine('{"op":"mcm","id":2,"mc":[{"id":');
    await isExact(rig);
    assert.equal(rig.venue.asked[before]?.['op'], 'marketSubscription');
  });

  await t.test('an image that does not come, however often, is no reason to show the previous one', async (t) => {
    rig.venue.withholdsImages = true;
    const passed = stopwatch(t);
    let garbled = 0;
    const garble = setInterval(() => {
      if (garbled++ < 4) rig.venue.sendLine('{"op":"mcm","mc":[{"id":');
    }, 2_500);
    t.after(() => clearInterval(garble));
    rig.venue.sendLine('{"op":"mcm","mc":[{"id":');
    await until('rows without an image are inactive', () => isGone(rig));
    assert.ok(passed() < 10_000);
    clearInterval(garble);
    rig.venue.withholdsImages = false;
    rig.venue.dropAll();
    await isExact(rig);
  });

  await t.test("while Betfair's own data is late nothing of it is shown as good", async () => {
    rig.venue.behind = true;
    rig.venue.heartbeatNow();
    await until('late prices are inactive', () => isGone(rig));
    rig.venue.behind = false;
    rig.venue.heartbeatNow();
    await isExact(rig);
  });
});

test('a market that one list of the catalogue lacks is followed on, and one that two lack is not', async (t: TestContext) => {
  const venue = new BetfairVenue();
  await venue.listen();
  const markets = world(3).filter(({ eventTypeId, status }) => eventTypeId === '7522' && status === 'OPEN');
  for (const market of markets) venue.put(market);
  const [lacking] = markets;
  const bench = feedBench();
  const feed = new BetfairFeed({
    ...{ sports: ['basketball'], lookup: catalogue, random: Math.random, discoverEveryMs: 200 },
    stream: { host: '127.0.0.1', port: venue.port, tls: false },
    apiUrl: `${venue.url}/exchange/betting/json-rpc/v1`,
    loginUrl: new URL(`${venue.url}/api/login`),
    ...{ appKey: 'app-key', username: 'u ser', password: 'p&ss word' },
  });
  const running = feed.run(bench.context);
  t.after(async () => {
    feed.stop();
    await running;
    await venue.close();
  });
  const subscriptions = () =>
    venue.asked.flatMap(({ marketFilter }) => {
      const { marketIds } = (marketFilter ?? {}) as { marketIds?: string[] };
      return marketIds === undefined ? [] : [marketIds];
    });
  await until('a subscription', () => subscriptions().length > 0);
  assert.ok(subscriptions()[0]!.includes(lacking!.id));
  const less = markets.filter((market) => market !== lacking).map(catalogueEntry);
  const answer: (typeof venue.apiAnswers)[number] = (response) => json(response, { jsonrpc: '2.0', result: less });
  venue.apiAnswers.push(answer);
  await until('the list that lacks it', () => venue.apiAnswers.length === 0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(subscriptions().length, 1);
  venue.apiAnswers.push(answer, answer);
  await until('a subscription without it', () => subscriptions().some((ids) => !ids.includes(lacking!.id)));
});

test('errors of login, catalogue and subscription are survived: a session that ended, limits, resets, pages of errors', async (t: TestContext) => {
  const rig = await betfairRig(t, {
    markets: world(7),
    prepare: (venue) => {
      venue.loginAnswers.push(
        (response) => response.writeHead(500).end(),
        (response) => response.destroy(),
      );
      venue.apiAnswers.push(
        (response) => response.writeHead(429, { 'retry-after': '0' }).end(),
        (response) => json(response, { nothing: true }),
        (response) => response.destroy(),
      );
      venue.marketsMax = 4;
    },
  });
  await isExact(rig);
  assert.ok(rig.venue.clients.size > 1, 'markets are spread over connections');
  const { logins } = rig.venue;
  rig.venue.session = 'session-2';
  rig.venue.dropAll();
  await until('a new login', () => rig.venue.logins > logins);
  await isExact(rig);
  assert.equal(rig.venue.logins, logins + 1, 'one login for all connections');
});

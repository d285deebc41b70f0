// The polling feed against a real HTTP server that answers, refuses, hangs and sends wrong data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TheOddsApiFeed, type TheOddsApiOptions } from '../../../../src/intake/feeds/the-odds-api/poller.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { bookmaker, event, h2h, LEAGUES } from './answers.js';
import { type Handler, json, START_MS, type Stage, stage, upstream } from './upstream.js';

const KEY = 'k3y+of/the=plan';
const EVENTS = [event('e1', [bookmaker('fanduel', [h2h(-142, 116)])])];

interface Played extends Stage {
  requests: string[];
}

/** Runs the feed with this handler until its wait number `until`. */
async function play(
  handler: Handler,
  until: number,
  options: Partial<TheOddsApiOptions> = {},
  receive?: Parameters<typeof stage>[2],
): Promise<Played> {
  const server = await upstream(handler);
  let feed: TheOddsApiFeed | undefined;
  const played = stage(until, () => feed?.stop(), receive);
  feed = new TheOddsApiFeed({
    sports: ['baseball_mlb'],
    regions: ['us', 'us2'],
    markets: ['h2h', 'totals'],
    everyS: 30,
    apiKey: KEY,
    baseUrl: server.url,
    leagues: LEAGUES,
    random: () => 1,
    wait: played.wait,
    ...options,
  });
  await feed.run(played.context);
  await server.close();
  const logged = JSON.stringify(played.log);
  assert.ok(!logged.includes(KEY) && !logged.includes(encodeURIComponent(KEY)), 'the key was logged');
  return { ...played, requests: server.requests };
}

const QUOTA = { 'x-requests-remaining': '20000000', 'x-requests-used': '5', 'x-requests-last': '4' };

test('requests American odds of each sport and passes one batch per answer to the sink', async () => {
  const { requests, batches, waits } = await play((_request, response) => json(response, 200, EVENTS, QUOTA), 4);
  assert.equal(requests.length, 3);
  const url = new URL(requests[0]!, 'http://x');
  assert.equal(url.pathname, '/v4/sports/baseball_mlb/odds');
  const query = Object.fromEntries(url.searchParams);
  assert.deepEqual(query, {
    apiKey: KEY,
    regions: 'us,us2',
    markets: 'h2h,totals',
    oddsFormat: 'american',
    dateFormat: 'iso',
    includeLinks: 'true',
    includeSids: 'true',
    includeBetLimits: 'true',
  });
  assert.deepEqual(waits, [0, 30_000, 30_000, 30_000]);
  assert.deepEqual(
    batches.map((batch) => [batch.length, batch[0]?.book, batch[0]?.scope, batch[0]?.polled_at]),
    [0, 30_000, 60_000].map((ms) => [1, 'fanduel', 'league', new Date(START_MS + ms).toISOString()]),
  );
});

test('prices of books outside the US are requested and read in decimal, as they state them', async () => {
  const formatOf = async (options: Partial<TheOddsApiOptions>) => {
    const decimal = [event('e1', [bookmaker('skybet', [h2h(1.91, 2.02)])])];
    const american = [event('e1', [bookmaker('fanduel', [h2h(-142, 116)])])];
    const { requests, batches } = await play(
      ({ url = '' }, response) => json(response, 200, url.includes('oddsFormat=decimal') ? decimal : american, QUOTA),
      2,
      options,
    );
    const [selection] = batches[0]![0]!.events![0]!.markets[0]!.selections;
    const format = new URL(requests[0]!, 'http://x').searchParams.get('oddsFormat');
    assert.equal(selection!.odds_decimal, format === 'decimal' ? 1.91 : undefined);
    assert.equal(selection!.odds_american, format === 'decimal' ? undefined : -142);
    return format;
  };
  for (const regions of [['uk'], ['eu'], ['au'], ['us', 'uk'], ['us_ex', 'eu']])
    assert.equal(await formatOf({ regions }), 'decimal', regions.join());
  for (const regions of [['us'], ['us', 'us2', 'us_ex', 'us_dfs']])
    assert.equal(await formatOf({ regions }), 'american', regions.join());
  const leagues = loadCatalogue();
  assert.equal(await formatOf({ leagues, bookmakers: ['fanduel', 'williamhill_us'] }), 'american');
  assert.equal(await formatOf({ leagues, bookmakers: ['fanduel', 'skybet'] }), 'decimal');
});

test('quotes that every poll has, and the engine refuses, are logged once, and again when they change', async () => {
  const rejected = [{ path: '[0]', reason: 'no line' }];
  const receive = (batch: number) => ({ rejected: batch < 4 ? rejected : [...rejected, ...rejected] });
  const { log, batches } = await play((_, response) => json(response, 200, EVENTS, QUOTA), 6, {}, receive);
  assert.equal(batches.length, 5);
  const said = log.filter(({ message }) => message.includes('quotes rejected'));
  assert.deepEqual(
    said.map(({ fields }) => fields['rejected']),
    [1, 2],
  );
});

test('several sports take turns, each at its own interval', async () => {
  const sports = ['baseball_mlb', 'basketball_nba'];
  const { requests } = await play((_request, response) => json(response, 200, [], QUOTA), 7, { sports });
  assert.deepEqual(
    requests.map((path) => path.split('/')[3]),
    ['baseball_mlb', 'basketball_nba', 'baseball_mlb', 'basketball_nba', 'baseball_mlb', 'basketball_nba'],
  );
});

test('two sports of one league, and the mixed list, never clear each other', async () => {
  const sports = ['baseball_mlb', 'baseball_mlb_preseason', 'upcoming'];
  const { batches } = await play((_request, response) => json(response, 200, EVENTS, QUOTA), 4, { sports });
  assert.deepEqual(
    batches.map((batch) => batch[0]?.scope),
    ['event', 'event', 'event'],
  );
});

test('slows down so that the credits last the month, and logs that once', async () => {
  // 29.25 days of May and 1404 credits are left: at 4 credits a poll that is one poll every two hours.
  const headers = { 'x-requests-remaining': '1404', 'x-requests-last': '4' };
  const { waits, log } = await play((_request, response) => json(response, 200, EVENTS, headers), 4);
  assert.equal(waits[1], 7_200_000);
  assert.ok((waits[3] ?? 0) > 7_000_000 && (waits[3] ?? 0) < 7_200_000);
  assert.equal(log.filter((entry) => entry.message.includes('last the month')).length, 1);
});

test('requests no odds without credits, logs that, and continues when there are credits again', async () => {
  const { requests, log, batches } = await play((request, response, count) => {
    if (request.url?.startsWith('/v4/sports?'))
      json(response, 200, [], { 'x-requests-remaining': count > 3 ? '1e9' : '0' });
    else json(response, 200, EVENTS, { 'x-requests-remaining': count === 1 ? '0' : '1e9', 'x-requests-last': '4' });
  }, 6);
  assert.deepEqual(
    requests.map((path) => (path.includes('/odds?') ? 'odds' : 'sports')),
    ['odds', 'sports', 'sports', 'sports', 'odds'],
  );
  assert.equal(batches.length, 2);
  assert.equal(log.filter((entry) => entry.level === 'error').length, 1);
  assert.ok(log.some((entry) => entry.message.includes('credits again')));
});

test('a refusal for lack of credits means that none are left', async () => {
  const body = { message: 'Usage quota has been reached', error_code: 'OUT_OF_USAGE_CREDITS' };
  const { requests, waits } = await play((_request, response) => json(response, 401, body), 3);
  assert.deepEqual(
    requests.map((path) => path.includes('/odds?')),
    [true, false],
  );
  assert.equal(waits[1], 3_600_000);
});

test('a refused key is tried again ever more rarely and never shown', async () => {
  const body = { message: `API key is not valid: ${KEY}`, error_code: 'INVALID_KEY' };
  const { waits, log } = await play((_request, response) => json(response, 401, body), 6);
  assert.deepEqual(waits, [0, 300_000, 600_000, 1_200_000, 2_400_000, 3_600_000]);
  assert.match(String(log[0]?.fields['message']), /not valid: \[key\]/);
});

test('wrong parameters stop only their sport', async () => {
  const sports = ['baseball_mlb', 'basketball_nba'];
  const { requests, log } = await play(
    (request, response) => {
      if (request.url?.includes('basketball_nba')) json(response, 422, { message: 'Invalid markets' });
      else json(response, 200, EVENTS, QUOTA);
    },
    7,
    { sports },
  );
  assert.equal(requests.filter((path) => path.includes('basketball_nba')).length, 1);
  assert.equal(requests.filter((path) => path.includes('baseball_mlb')).length, 5);
  assert.deepEqual(
    log.map((entry) => [entry.level, entry.fields['status']]),
    [['error', 422]],
  );
});

test('after requests that are too fast it waits as long as the server says, an hour at most', async () => {
  const asked = ['17', '1e12', '1e12'];
  const { waits } = await play((_request, response, count) => {
    const [error, status] = count === 3 ? ['down', 503] : [{ error_code: 'EXCEEDED_FREQ_LIMIT' }, 429];
    if (count <= asked.length) json(response, status, error, { 'retry-after': asked[count - 1]! });
    else json(response, 200, EVENTS, QUOTA);
  }, 5);
  assert.deepEqual(waits, [0, 17_000, 3_600_000, 3_600_000, 30_000]);
});

const reasonOf = (entry: { fields: Record<string, unknown> }): string =>
  String(entry.fields['reason']).replace(/^127\.0\.0\.1:\d+/, 'HOST');

test('bad answers are outlived: back-off doubles and ends with the first good one', async () => {
  const long = `[${' '.repeat(5_000)}]`;
  const { waits, batches, log } = await play(
    (_request, response, count) => {
      if (count === 1) json(response, 503, 'down');
      else if (count === 2) response.end('<html>');
      else if (count === 3) json(response, 200, { message: 'no list' });
      else if (count === 4) response.end(long);
      else if (count === 5) response.destroy();
      else if (count === 6) response.writeHead(302, { location: '/elsewhere' }).end();
      else json(response, 200, EVENTS, QUOTA);
    },
    9,
    { bodyBytesMax: 4_000 },
  );
  assert.deepEqual(waits, [0, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 30_000, 30_000]);
  assert.equal(batches.length, 2);
  const reasons = log.filter((entry) => entry.level === 'warn').map(reasonOf);
  assert.deepEqual(reasons.slice(0, 4), [
    'HTTP 503',
    'the answer is not JSON',
    'the answer is not a list of events',
    'HOST: answer is longer than 4000 bytes',
  ]);
  assert.equal(reasons.length, 6);
  assert.equal(log.at(-1)?.message, 'the-odds-api: answers again');
});

test('jitter halves a back-off at most', async () => {
  const { waits } = await play((_request, response) => json(response, 500, {}), 4, { random: () => 0 });
  assert.deepEqual(waits, [0, 1_000, 2_000, 4_000]);
});

test('a server that hangs is given up after the timeout, also in the middle of the body', async () => {
  const { log } = await play(
    (_request, response, count) => {
      if (count === 2) response.writeHead(200, { 'content-type': 'application/json' }).write('[{"id":');
    },
    3,
    { timeoutMs: 60 },
  );
  assert.deepEqual(log.map(reasonOf), [
    'HOST: no complete answer within 60 ms',
    'HOST: no complete answer within 60 ms',
  ]);
});

test('stop ends a poll that is under way', async () => {
  let feed: TheOddsApiFeed | undefined;
  const server = await upstream(() => feed?.stop());
  const played = stage(99, () => undefined);
  feed = new TheOddsApiFeed({
    sports: ['baseball_mlb'],
    regions: ['us'],
    markets: ['h2h'],
    everyS: 30,
    apiKey: KEY,
    baseUrl: server.url,
    leagues: LEAGUES,
    random: () => 1,
  });
  await feed.run(played.context);
  assert.deepEqual(played.log, []);
  await server.close();
});

test('messages that the engine did not accept are sent again, with the removal of a vanished book', async () => {
  const both = [event('e1', [bookmaker('fanduel', [h2h(-142, 116)]), bookmaker('betus', [h2h(-140, 110)])])];
  const { batches } = await play(
    (_request, response, count) => json(response, 200, count === 1 ? both : EVENTS, QUOTA),
    5,
    {},
    (batch) => {
      if (batch === 2) throw new Error('the queue is full');
      return {};
    },
  );
  assert.deepEqual(
    batches.map((batch) => batch.map((message) => `${message.book}:${message.events?.length}`)),
    [['fanduel:1', 'betus:1'], ['fanduel:1', 'betus:0'], ['fanduel:1', 'betus:0'], ['fanduel:1']],
  );
});

test('options that cannot work are refused at once, without the key', () => {
  const good = {
    sports: ['a'],
    regions: ['us'],
    markets: ['h2h'],
    everyS: 30,
    apiKey: KEY,
    baseUrl: 'http://127.0.0.1:1',
    leagues: LEAGUES,
    random: () => 1,
  };
  for (const [bad, reason] of [
    [{ sports: [] }, /no sports/],
    [{ markets: [] }, /no markets/],
    [{ regions: [] }, /no regions/],
    [{ everyS: Number.NaN }, /every/],
    [{ apiKey: ' ' }, /THE_ODDS_API_KEY/],
    [{ baseUrl: `ftp://x?${KEY}` }, /base URL/],
  ] as [Partial<TheOddsApiOptions>, RegExp][]) {
    assert.throws(
      () => new TheOddsApiFeed({ ...good, ...bad }),
      (error: Error) => {
        assert.match(error.message, reason);
        return !error.message.includes(KEY);
      },
    );
  }
  assert.equal(new TheOddsApiFeed(good).name, 'the-odds-api:sports=a,regions=us,markets=h2h,every=30');
});

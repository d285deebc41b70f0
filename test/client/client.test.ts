import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type LiveStream, OverroundClient, OverroundError, type StreamEvent } from '../../src/client/client.js';
import { atOnce } from '../accounts/keys-at-once.js';
import { type Api, api } from '../front/api.js';
import { shared } from '../shared.js';
import { proxyTo } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import { WebSocketClass } from './ws-package.js';

const GAME = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Miami Heat',
  start_time: '2026-11-22T00:00:00Z',
};

const served = shared((t) => api(t));
/** The test's beginning on the server's clock. */
let startMs = Date.UTC(2026, 10, 20, 18);

/** One book's moneyline of one game, polled at this second of the test. */
function moneyline(book: string, second: number, home: number, away = -110) {
  const side = (selection: string, selection_type: string, odds_american: number) => ({
    selection,
    selection_type,
    odds_american,
  });
  return {
    book,
    polled_at: new Date(startMs + second * 1000).toISOString(),
    events: [
      {
        ...GAME,
        markets: [
          {
            market_type: 'moneyline',
            selections: [side('Boston Celtics', 'home', home), side('Miami Heat', 'away', away)],
          },
        ],
      },
    ],
  };
}

function prices(stream: LiveStream): string[] {
  return [...stream.table.odds.values()].map((row) => `${row.sportsbook} ${row.selection} ${row.odds_american}`).sort();
}

interface Clients {
  server: Api;
  client: OverroundClient;
  cut(): void;
}

/** A client of its own, and prices of two books alone. */
async function start(t: TestContext): Promise<Clients> {
  const server = await served();
  startMs += 10_000;
  server.clock.set(startMs);
  const proxy = await proxyTo(t, server.url);
  const client = new OverroundClient({
    url: proxy.url,
    apiKey: server.key('enterprise'),
    WebSocket: WebSocketClass,
  });
  const none = { ...moneyline('betmgm', 0, 100), events: [{ ...GAME, markets: [] }] };
  await server.ingest(none, moneyline('draftkings', 0, -120), moneyline('fanduel', 0, -115));
  return { server, client, cut: proxy.drop };
}

test('REST answers are typed, errors are OverroundErrors', async (t) => {
  const { client } = await start(t);
  const { data, pagination } = await client.odds({ sportsbook: ['draftkings', 'fanduel'], limit: 3 });
  assert.equal(data.length, 3);
  assert.equal(pagination.total, 4);
  const all: string[] = [];
  for await (const row of client.allOdds({ limit: 1 })) all.push(row.id);
  assert.equal(new Set(all).size, 4);
  await assert.rejects(client.odds({ limit: 1_000 }), (error) => {
    assert.ok(error instanceof OverroundError);
    assert.deepEqual([error.status, error.code], [400, 'invalid_request']);
    return true;
  });
});

test('every method reaches its endpoint, which knows all it sends', async (t) => {
  const { server, client } = await start(t);
  const { data, meta } = await client.odds({ league: ['nba'], live: false, sort: 'odds' });
  const { id, event_id: event } = data[0]!;
  const answers: unknown[] = await Promise.all([
    client.oddsDelta(meta.server_time!, { league: 'nba' }),
    client.bestOdds({ event, market: 'main' }),
    client.comparison(event, { market: 'moneyline' }),
    client.oddsBatch([event], { sportsbook: 'fanduel' }),
    client.events({ team: 'heat' }),
    client.event(event),
    client.eventMarkets(event, { sportsbook: 'fanduel' }),
    client.eventOdds(event, { limit: 1 }),
    client.opportunities('ev', { min_ev: -5 }),
    client.opportunities('arbitrage', { min_profit: 0 }),
    client.opportunities('middles', { min_size: 1 }),
    client.opportunities('low_hold', { max_hold: 9 }),
    client.middlesSummary({ league: 'nba' }),
    client.gameStateSports(),
    client.gameStates('basketball', { live: true }),
    client.deepLinks([id], 'nj'),
    client.futures({ league: 'nba' }),
    client.splits({ league: 'nba' }),
    client.splitsHistory(event, { limit: 5 }),
    client.sports({ include_empty: true }),
    client.leagues({ sport: 'basketball' }),
    client.sportsbooks({ sharp: false }),
    client.markets(),
    client.tiers(),
    client.teams({ league: 'nba' }),
    client.health(),
    client.account(),
    client.usage(),
    client.keys(),
  ]);
  for (const [i, answer] of answers.entries()) {
    const { success, meta: reported } = answer as { success: boolean; meta?: { ignored?: string[] } };
    assert.deepEqual([success, reported?.ignored], [true, undefined], `${i}`);
  }
  await assert.rejects(client.middle('0123456789abcdef'), { code: 'not_found', message: /there is no middle/ });
  await assert.rejects(client.futureOdds('nobody'), { code: 'not_found', message: /there is no future/ });
  const { data: made } = await client.createKey('second');
  const { data: rotated } = await client.rotateKey(made.id, { graceHours: 0, name: 'third' });
  assert.equal(await client.deleteKey(rotated.new_key_id), undefined);
  const message = { ...moneyline('betmgm', 5, -125), scope: 'event' as const };
  const apiKey = atOnce(server.server.accounts).create({ tier: 'pro', scopes: ['ingest'] }).key;
  const pusher = new OverroundClient({ url: server.url, apiKey });
  assert.equal((await pusher.ingest([message, message])).accepted, 4);
});

for (const transport of ['SSE', 'WebSocket'] as const)
  test(`a live table over ${transport} follows the server, and continues exactly where a lost connection left it`, async (t) => {
    const { server, client, cut } = await start(t);
    const events: StreamEvent['type'][] = [];
    const lost: string[] = [];
    const options = {
      onEvent: (event: StreamEvent) => events.push(event.type),
      onLost: (error: OverroundError) => lost.push(error.code),
      retryMs: 20,
    };
    const stream = transport === 'SSE' ? client.stream('odds', {}, options) : client.socket(['odds'], {}, options);
    await stream.ready;
    assert.equal(stream.table.complete, true);
    assert.equal(prices(stream).length, 4);
    await server.ingest(moneyline('draftkings', 1, -130));
    await until('the price has moved', () => prices(stream).includes('draftkings Boston Celtics -130'));
    cut();
    await until('the loss was reported', () => lost.length > 0);
    await server.ingest(moneyline('draftkings', 2, -140), moneyline('betmgm', 2, 105));
    await until('what was missed has come', () => prices(stream).includes('betmgm Boston Celtics 105'));
    assert.ok(prices(stream).includes('draftkings Boston Celtics -140'));
    assert.equal(prices(stream).length, 6);
    assert.equal(events.filter((type) => type === 'snapshot').length, transport === 'SSE' ? 1 : 2, 'one snapshot');
    stream.close();
    assert.equal(await stream.ended, undefined);
    await until('the server has let it go', () => server.server.broadcaster.subscriberCount === 0);
  });

test('a socket with another subscription starts over, and earlier events do not affect it', async (t) => {
  const { server, client } = await start(t);
  const stream = client.socket(['odds'], { sportsbooks: ['draftkings'] }, { retryMs: 20 });
  await stream.ready;
  assert.equal(stream.table.odds.size, 2);
  stream.subscribe(['odds'], { sportsbooks: ['fanduel'] });
  await server.ingest(moneyline('draftkings', 1, -150));
  await until('the other book has come', () => prices(stream).some((price) => price.startsWith('fanduel')));
  await until('its snapshot is whole', () => stream.table.complete);
  assert.deepEqual(
    prices(stream).map((price) => price.split(' ')[0]),
    ['fanduel', 'fanduel'],
  );
  assert.ok(stream.position !== null);
  stream.close();
  await stream.ended;
});

test('a stream that the server refuses ends with its reason instead of trying for ever', async () => {
  const server = await served();
  const options = { url: server.url, WebSocket: WebSocketClass };
  const stranger = new OverroundClient(options);
  const free = new OverroundClient({ ...options, apiKey: server.key('free') });
  const reasons: unknown[] = [];
  const streams = [stranger.stream('odds'), stranger.socket(['odds']), free.stream('odds'), free.socket(['odds'])];
  const ends = streams.map(({ ready, ended }) => ({ ready, ended }));
  for (const { ready, ended } of ends) {
    const error = await ended;
    reasons.push([error!.status, error!.code]);
    await assert.rejects(ready, error!);
  }
  assert.deepEqual(reasons, [
    [401, 'unauthorized'],
    [4001, 'unauthorized'],
    [403, 'tier_restricted'],
    [4003, 'tier_restricted'],
  ]);
});

test('an exception of a callback is reported, and the stream continues', async (t) => {
  for (const transport of ['stream', 'socket'] as const) {
    const { server, client } = await start(t);
    const reported: unknown[] = [];
    const events: string[] = [];
    const options = {
      onEvent: ({ type }: StreamEvent) => {
        events.push(type);
        if (type === 'snapshot') throw new Error('at once');
        return type === 'updated' ? Promise.reject(new Error('later')) : undefined;
      },
      onError: (error: unknown) => reported.push((error as Error).message),
      onLost: () => events.push('lost'),
      retryMs: 5,
    };
    const stream = transport === 'stream' ? client.stream('odds', {}, options) : client.socket(['odds'], {}, options);
    await stream.ready;
    await server.ingest(moneyline('draftkings', 1, -130));
    await until('the price has moved', () => prices(stream).includes('draftkings Boston Celtics -130'));
    await until('both were reported', () => reported.includes('later') && reported.includes('at once'));
    assert.deepEqual([events.includes('lost'), events.filter((type) => type === 'connected').length], [false, 1]);
    stream.close();
    await stream.ended;
  }
});

test('a page with a viewer token sees what the token may see', async (t) => {
  const { server, client } = await start(t);
  const { data } = await client.createToken({ ttl_s: 60, filters: { sportsbook: ['fanduel'] } });
  const viewer = new OverroundClient({ url: server.url, apiKey: data.token, WebSocket: WebSocketClass });
  for (const stream of [viewer.stream('odds'), viewer.socket(['odds'])]) {
    await stream.ready;
    assert.deepEqual([...new Set([...stream.table.odds.values()].map((row) => row.sportsbook))], ['fanduel']);
    stream.close();
    await stream.ended;
  }
});

test('a signal closes a stream', async (t) => {
  const { client } = await start(t);
  const closing = new AbortController();
  const stream = client.stream('odds', {}, { signal: closing.signal });
  await stream.ready;
  closing.abort();
  assert.equal(await stream.ended, undefined);
  const never = client.stream('odds', {}, { signal: closing.signal });
  await assert.rejects(never.ready, { code: 'closed' });
});

for (const transport of ['SSE', 'WebSocket'] as const)
  test(`silence for too long over ${transport} counts as a lost line`, async (t) => {
    const { client } = await start(t);
    let connects = 0;
    const codes = new Set<string>();
    const options = {
      silenceMsMax: 250,
      retryMs: 5,
      onEvent: ({ type }: StreamEvent) => type === 'connected' && connects++,
      onLost: ({ code }: OverroundError) => codes.add(code),
    };
    const stream = transport === 'SSE' ? client.stream('odds', {}, options) : client.socket(['odds'], {}, options);
    await until('it has connected again', () => connects >= 3);
    stream.close();
    await stream.ended;
    assert.deepEqual([...codes], ['silence']);
  });

test('what is no address of a server is refused at once, not by the first call', () => {
  for (const url of ['localhost:8080', 'ftp://127.0.0.1', '127.0.0.1:8080', '', 'http://me:secret@127.0.0.1'])
    assert.throws(() => new OverroundClient({ url }), TypeError, url);
});

test('a key that no header may have is refused like any other, and not tried again', async () => {
  for (const apiKey of ['a\nb', 'a b', 'schlüssel']) {
    const client = new OverroundClient({ url: 'http://127.0.0.1:1', apiKey });
    await assert.rejects(client.account(), { code: 'unauthorized', status: 401 });
    const { ready } = client.stream('odds', {}, { onError: () => undefined });
    await assert.rejects(ready, { code: 'unauthorized' });
  }
});

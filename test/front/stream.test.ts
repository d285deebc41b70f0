import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../intake/ingest/messages.js';
import { until } from '../support/until.js';
import { type Api, api } from './api.js';
import { ladder, RawSse, rowsOf, served } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

test('a stream states its connection and filters, sends the rows, then changes', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 5, -110));
  const client = new RawSse(server, '/stream?channel=odds&league=nba,nfl&sportsbook=fanduel', server.key('enterprise'));
  await until('complete', () => client.table.complete);
  assert.match(client.head, /^HTTP\/1.1 200 OK/);
  for (const header of [
    'content-type: text/event-stream',
    'cache-control: no-cache, no-transform',
    'x-accel-buffering: no',
  ])
    assert.ok(client.head.toLowerCase().includes(header), header);
  const connected = JSON.parse(client.events[0]!.data);
  assert.deepEqual(connected.filters, {
    sportsbook: ['fanduel'],
    sport: null,
    league: ['nba', 'nfl'],
    event: null,
    market: null,
  });
  assert.deepEqual(client.ids, [connected.position]);
  assert.equal(client.events[0]!.retry, undefined);
  await server.ingest(ladder(2, 7, -120));
  await until('what moved', () => client.table.odds.size === 28);
  assert.deepEqual(rowsOf(client.table), served(server));
  assert.deepEqual(
    client.events.slice(3).map(({ event }) => event),
    ['odds:added', 'odds:update'],
  );
  // Only after the last event of a tick the client is up to date.
  assert.deepEqual(
    client.events.slice(3).map(({ id }) => id !== undefined),
    [false, true],
  );
  const totals = (second: number, price: number, alternate: number) => ({
    ...ladder(second, 0, 0, 'betmgm'),
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'Miami Heat',
        start_time: '2026-11-22T00:00:00Z',
        markets: [220.5, 225.5].map((line) => total(line, price, price, line === alternate)),
      },
    ],
  });
  await server.ingest(totals(3, -110, 225.5));
  const query = '/stream?channel=odds&sportsbook=betmgm&is_main_line=';
  const [main, other] = ['true', 'false'].map((value) => new RawSse(server, query + value, server.key('enterprise')));
  const shown = ({ table }: RawSse) => [...table.odds.values()].map((row) => `${row.line} ${row.odds_american}`);
  await until('both are complete', () => main!.table.complete && other!.table.complete);
  assert.deepEqual(
    [main, other].map((one) => shown(one!)),
    [Array(2).fill('220.5 -110'), Array(2).fill('225.5 -110')],
  );
  await server.ingest(totals(4, -120, 225.5));
  await until('both have the changes', () =>
    [main, other].every((one) => shown(one!).every((row) => row.endsWith('-120'))),
  );
  assert.deepEqual(
    [main, other].map((one) => shown(one!)),
    [Array(2).fill('220.5 -120'), Array(2).fill('225.5 -120')],
  );
  for (const one of [main!, other!]) one.vanish();
  client.vanish();
  await until('its end was seen', () => server.server.broadcaster.subscriberCount === 0);
});

test('a stream of prices that are stale, or are not, has what the list with that filter has, after every change and resumed', async (t) => {
  const server = await api(t);
  const key = server.key('enterprise', { maxStreams: 20 });
  let second = 1;
  /** Prices by line of the total; undefined for a line that the book takes down. */
  const poll = (prices: Readonly<Record<number, number | undefined>>, live: boolean, active = true) => {
    const lines = Object.entries(prices).filter(([, price]) => price !== undefined);
    return server.ingest({
      ...ladder(second++, 0, 0, 'betmgm'),
      events: [
        {
          league: 'nba',
          home_team: 'Boston Celtics',
          away_team: 'Miami Heat',
          start_time: '2026-11-22T00:00:00Z',
          is_live: live,
          markets: lines.map(([line, price]) => {
            const { selections, ...market } = total(Number(line), price!, price!, Number(line) !== 220.5);
            return { ...market, selections: selections.map((each) => ({ ...each, is_active: active })) };
          }),
        },
      ],
    } as never);
  };
  const many = (price: number) => Object.fromEntries(Array.from({ length: 400 }, (_, i) => [300.5 + i, price]));
  const query = (is: boolean) => `channel=odds&sportsbook=betmgm&is_stale_pregame_price=${is}`;
  // When a price was seen again is no change to send.
  const textOf = ({
    last_seen_at: _,
    timestamp: _same,
    ...row
  }: object & { last_seen_at?: string; timestamp?: string }) => JSON.stringify(Object.entries(row).sort());
  const listed = async (is: boolean): Promise<string[]> => {
    const path = `/odds?sportsbook=betmgm&is_stale_pregame_price=${is}&format=ndjson&limit=all`;
    const text = await (await server.fetch(path, { key })).text();
    const rows = text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { id: string })));
    return rows.map((row) => textOf(row)).sort();
  };
  const shown = ({ table }: { table: RawSse['table'] }) => [...table.odds.values()].map((row) => textOf(row)).sort();
  const sse = [true, false].map((is) => ({ is, client: new RawSse(server, `/stream?${query(is)}`, key) }));
  const ws = await Promise.all(
    [true, false].map(async (is) => {
      const client = new RawWs(server, { api_key: key });
      await client.frame('connected');
      const filters = { sportsbooks: ['betmgm'], is_stale_pregame_price: is };
      client.say({ type: 'subscribe', channels: ['odds'], filters });
      return { is, client };
    }),
  );
  await until('all are complete', () => [...sse, ...ws].every(({ client }) => client.table.complete));
  assert.equal(JSON.parse(sse[0]!.client.events[0]!.data).filters.is_stale_pregame_price, true);
  const resumable = sse.map(({ client, is }) => ({ is, id: `evt_${client.ids.at(-1)}` }));
  const steps: (() => Promise<unknown>)[] = [
    () => poll({ 220.5: -110, 225.5: -110 }, false),
    () => poll({ 220.5: -110, 225.5: -115 }, true),
    () => poll({ 220.5: -110, 225.5: -115 }, true, false),
    () => poll({ 220.5: -112, 225.5: -115, 230.5: -105 }, true),
    () => poll({ 220.5: -112, 225.5: undefined, 230.5: -106 }, false),
    () => poll({ 220.5: -112, 230.5: -106, ...many(-110) }, false),
    () => poll({ 220.5: -112, 230.5: -106, ...many(-110) }, true),
    () => poll({ 220.5: -112, 230.5: -107, ...many(-111) }, true),
  ];
  const sizes: number[][] = [];
  for (const [i, step] of steps.entries()) {
    await step();
    const expected = new Map([[true, await listed(true)] as const, [false, await listed(false)] as const]);
    sizes.push([...expected.values()].map(({ length }) => length));
    for (const { client, is } of [...sse, ...ws]) {
      const wanted = JSON.stringify(expected.get(is));
      await until(`step ${i}, ${is}`, () => JSON.stringify(shown(client)) === wanted);
    }
    for (const { is, id } of resumable) {
      const path = `/stream?${query(is)}&resume=true`;
      const again = new RawSse(server, path, key, { 'last-event-id': id });
      const wanted = JSON.stringify(expected.get(is));
      await until(
        `step ${i}, ${is}, resumed`,
        () => again.events.length > 0 && JSON.stringify(shown(again)) === wanted,
      );
      assert.equal(JSON.parse(again.events[0]!.data).resumed, true);
      again.vanish();
    }
  }
  assert.deepEqual(sizes, [
    [0, 4],
    [2, 2],
    [2, 2],
    [0, 6],
    [0, 4],
    [0, 804],
    [804, 0],
    [2, 802],
  ]);
  for (const { client } of sse) client.vanish();
  for (const { client } of ws) client.socket.terminate();
});

test('a client that vanishes within its snapshot leaves nothing behind', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2_000, -110), ladder(1, 2_000, -110, 'draftkings'));
  const key = server.key('enterprise', { maxStreams: 8 });
  const { broadcaster } = server.server;
  for (let round = 0; round < 3; round++) {
    const clients = Array.from({ length: 8 }, () => new RawSse(server, '/stream/odds', key));
    for (const client of clients) client.pause();
    await until('all are there', () => broadcaster.subscriberCount === 8);
    for (const client of clients) client.vanish();
    await until('all are gone', () => broadcaster.subscriberCount === 0);
  }
  assert.equal(broadcaster.groupCount, 0);
});

test('resume continues after an id; a foreign id is refused with the reason and a snapshot', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 3, -110));
  const key = server.key('enterprise');
  const first = new RawSse(server, '/stream/odds', key);
  await until('complete', () => first.table.complete);
  first.vanish();
  await server.ingest(ladder(2, 2, -130));
  const id = `evt_${first.ids.at(-1)}`;
  const again = new RawSse(server, '/stream/odds?resume=true', key, { 'last-event-id': id });
  await until('what was missed', () => again.events.length >= 3);
  assert.deepEqual(
    again.events.map(({ event }) => event),
    ['connected', 'odds:removed', 'odds:update'],
  );
  const plain = new RawSse(server, '/stream/odds', key, { 'last-event-id': id });
  await until('a new snapshot', () => plain.table.complete);
  const { reconnected, resumed } = JSON.parse(plain.events[0]!.data);
  assert.deepEqual([reconnected, resumed], [true, false]);
  const foreign = new RawSse(server, '/stream/odds?resume=true', key, { 'last-event-id': 'evt_9007199254740000' });
  await until('a snapshot', () => foreign.table.complete);
  assert.deepEqual(JSON.parse(foreign.events[1]!.data), { reason: 'unknown_position' });
  for (const client of [again, plain, foreign]) client.vanish();
});

test('an id of another directory is refused although its time lies within this log, and this log’s own resume', async (t) => {
  const here = await api(t);
  const there = await api(t);
  const advance = (made: Api, ms: number) => made.clock.set(made.clock.now() + ms);
  const lastId = async (made: Api, key: string) => {
    const stream = new RawSse(made, '/stream/odds', key);
    await until('complete', () => stream.table.complete);
    stream.vanish();
    return stream.ids.at(-1)!;
  };
  const [key, other] = [here.key('enterprise'), there.key('enterprise')];
  await here.ingest(ladder(1, 3, -110));
  advance(there, 5_000);
  await there.ingest(ladder(1, 3, -120));
  const foreign = await lastId(there, other);
  const own: number[] = [await lastId(here, key)];
  const refusal = async () => {
    const stream = new RawSse(here, '/stream/odds?resume=true', key, { 'last-event-id': `evt_${foreign}` });
    await until('a snapshot', () => stream.table.complete);
    stream.vanish();
    return JSON.parse(stream.events[1]!.data);
  };
  advance(here, 10_000);
  assert.deepEqual(await refusal(), { reason: 'unknown_position' }, 'after the last change');
  await here.ingest(ladder(2, 3, -130));
  own.push(await lastId(here, key));
  assert.deepEqual(await refusal(), { reason: 'unknown_position' }, 'between two changes');
  const ws = new RawWs(here, { api_key: key, channels: 'odds', resume: 'true', from_seq: String(foreign) });
  assert.equal((await ws.frame('snapshot_required'))['reason'], 'unknown_position');
  ws.socket.terminate();
  for (const id of own) {
    const stream = new RawSse(here, '/stream/odds?resume=true', key, { 'last-event-id': `evt_${id}` });
    await until('connected', () => stream.events.length > 0);
    assert.equal(JSON.parse(stream.events[0]!.data).resumed, true);
    stream.vanish();
  }
});

/** A moneyline of one game at a book. */
function moneyline(second: number, book: string, home: number, away: number): object {
  const side = (selection: string, selection_type: string, odds_american: number) => ({
    selection,
    selection_type,
    odds_american,
  });
  const selections = [side('Boston Celtics', 'home', home), side('Miami Heat', 'away', away)];
  return {
    book,
    // The clock of these tests is at 18:00:00; older prices would be stale.
    polled_at: new Date(Date.UTC(2026, 10, 20, 17, 59) + second * 1000).toISOString(),
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'Miami Heat',
        start_time: '2026-11-22T00:00:00Z',
        markets: [{ market_type: 'moneyline', selections }],
      },
    ],
  };
}

test('an arbitrage is sent with the snapshot and expires when a price ends it; Hobby gets nothing else', async (t) => {
  const server = await api(t);
  await server.ingest(moneyline(1, 'fanduel', 120, -140), moneyline(1, 'draftkings', -130, 115));
  const client = new RawSse(server, '/stream/opportunities', server.key('hobby', { streaming: true }));
  const all = new RawSse(server, '/stream?channel=all&min_profit=50', server.key('enterprise'));
  await until('complete', () => client.table.complete && all.table.complete);
  const names = (of: RawSse) => of.events.map(({ event }) => event);
  assert.deepEqual(names(client), ['connected', 'snapshot', 'arb:detected', 'snapshot:complete']);
  assert.ok(!names(all).includes('arb:detected'), 'below its min_profit');
  await server.ingest(moneyline(2, 'draftkings', -130, -130));
  await until('it has expired', () => client.table.opportunities.arbitrage.size === 0);
  assert.equal(names(client).at(-1), 'arb:expired');
  assert.ok(!names(all).includes('arb:expired'), 'expired only follows detected');
  for (const one of [client, all]) one.vanish();
});

test('streams are refused as documented', async (t) => {
  const server = await api(t);
  const enterprise = server.key('enterprise', { maxStreams: 1 });
  const open = new RawSse(server, '/stream', enterprise);
  await until('complete', () => open.table.complete);
  const cases: [path: string, key: string | undefined, status: number, code: string][] = [
    ['/stream', undefined, 401, 'unauthorized'],
    ['/stream', server.key('free'), 403, 'tier_restricted'],
    ['/stream', server.key('pro'), 403, 'forbidden'],
    ['/stream', enterprise, 429, 'stream_limit_exceeded'],
    ['/stream?channel=everything', enterprise, 400, 'invalid_request'],
    ['/stream?league=quidditch', enterprise, 400, 'invalid_request'],
    ['/stream?sportsbook=nobody', enterprise, 400, 'invalid_request'],
    ['/stream?market=unheard_of', enterprise, 400, 'invalid_request'],
    ['/stream?sportsbook=pinnacle', server.key('pro', { streaming: true }), 403, 'tier_restricted'],
  ];
  for (const [path, key, status, code] of cases) {
    const response = await server.fetch(path, { key });
    const { error } = (await response.json()) as { error: { code: string } };
    assert.deepEqual([response.status, error.code], [status, code], path);
  }
  open.vanish();
});

test('the served AsyncAPI document is the one of the frames', async (t) => {
  const server = await api(t);
  const document = (await (await server.fetch('/asyncapi.json')).json()) as { asyncapi: string; channels: object };
  assert.equal(document.asyncapi, '3.0.0');
  assert.deepEqual(Object.keys(document.channels), ['stream', 'socket']);
});

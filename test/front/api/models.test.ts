// Books of kind model through the whole server: named as the reference on REST, both streams, alerts and for closing value;
// in no best price, hold or bet; a private one seen by its account alone; the same after a restart.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBacktest, runClvBacktest } from '../../../src/cli/backtest/backtest.js';
import { DEFAULT_LIMITS } from '../../../src/detection/kinds/caller-thresholds.js';
import { ExportedChanges } from '../../../src/intake/feeds/replay/recording.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { decodePage, encodePage, FLAG, Page } from '../../../src/store/history/page.js';
import { FLAGS, json, MINUTE, START } from '../../store/history/rig.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { type Api, api, type Json } from '../api.js';
import { RawSse } from '../stream-rig.js';
import { RawWs } from '../ws/raw-ws.js';
import { LAKERS, NOW } from './serving.js';

const BEGIN = Date.parse(NOW);
const CLOSE = Date.parse(START);

function poll(atMs: number, book: string, home: object, away: object, more: object = {}): object {
  const selections = [
    { selection: 'home', selection_type: 'home', ...home },
    { selection: 'away', selection_type: 'away', ...away },
  ];
  const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };
  const events = [{ ...game, markets: [{ market_type: 'moneyline', selections }] }];
  return { book, polled_at: new Date(atMs).toISOString(), scope: 'event', ...more, events };
}

const DRAFTKINGS = [{ odds_american: 120 }, { odds_american: -140 }] as const;
const FAIR = [{ probability: 0.55 }, { probability: 0.45 }] as const;
const MODEL = { kind: 'model' };
const PRIVATE = { kind: 'model', private: true };

async function push(made: Api, key: string, message: object): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const response = await made.fetch('/ingest', { key, method: 'POST', headers, body: JSON.stringify(message) });
  const answer = (await response.json()) as Json;
  assert.deepEqual([response.status, answer.rejected], [200, []], JSON.stringify(answer));
  return answer;
}

async function post(made: Api, key: string, path: string, body: object): Promise<Json> {
  const headers = { 'content-type': 'application/json' };
  const response = await made.fetch(path, { key, method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as object) } as Json;
}

/** Of each row: its book, fair probability and reference. */
const fairOf = ({ data }: Json) =>
  data.map((row: Json) => [row.sportsbook, row.selection_type ?? row.selection, row.fair_probability, row.sharp_book]);

test('a model is the reference where it is named, and nowhere a price', async (t) => {
  const data = newFolder('overround-model-');
  const made = await api(t, { ...FLAGS, data });
  const account = { account: 'acc_mine' };
  const key = made.key('enterprise', { ...account, scopes: ['read', 'ingest'] });
  const other = made.key('enterprise', { account: 'acc_other' });
  await push(made, key, poll(BEGIN, 'draftkings', ...DRAFTKINGS));
  const { unknown } = await push(made, key, poll(BEGIN, 'mymodel', ...FAIR, MODEL));
  assert.deepEqual(unknown.books, [], 'a model is no unknown sportsbook');

  const ev = await json(made, '/opportunities/ev?devig_book=mymodel', other);
  assert.equal(ev.data.length, 1);
  assert.deepEqual(
    [ev.data[0].sportsbook, ev.data[0].fair_probability, ev.data[0].sharp_book],
    ['draftkings', 0.55, 'mymodel'],
  );
  assert.deepEqual((await json(made, '/opportunities/ev', other)).data, []);
  for (const kind of ['arbitrage', 'middles', 'low_hold'])
    assert.doesNotMatch(JSON.stringify(await json(made, `/opportunities/${kind}`, other)), /mymodel/);

  // Its rows are shown, as what they are.
  const { data: rows } = await json(made, `/odds?event=${LAKERS}&sportsbook=mymodel`, other);
  assert.deepEqual(
    rows.map((row: Json) => [row.sportsbook, row.indicative]),
    [
      ['mymodel', true],
      ['mymodel', true],
    ],
  );
  assert.doesNotMatch(JSON.stringify((await json(made, `/odds/best?event=${LAKERS}`, other)).data), /mymodel/);
  const comparison = JSON.stringify((await json(made, `/odds/comparison?event=${LAKERS}`, other)).data);
  assert.doesNotMatch(comparison, /"by_book":\{[^}]*mymodel/);
  const { data: book } = await json(made, '/sportsbooks/mymodel', other);
  assert.deepEqual([book.id, book.kind, book.commission], ['mymodel', 'model', null]);
  const { data: listed } = await json(made, '/sportsbooks?include_unlisted=true', other);
  assert.deepEqual(
    listed.map((one: Json) => [one.id, one.kind]),
    [
      ['draftkings', 'sportsbook'],
      ['mymodel', 'model'],
    ],
  );

  // No bet can be made at it.
  const bet = { odds_id: rows[0].id, stake: 10, odds_decimal: 1.5 };
  const { data: bets } = await post(made, key, '/account/bets', {
    bets: [
      { ...bet, client_id: 'a', mode: 'paper' },
      { ...bet, client_id: 'b', mode: 'placed' },
    ],
  });
  assert.deepEqual(
    bets.map((one: Json) => [one.status, one.reason]),
    [
      ['rejected', 'model'],
      ['rejected', 'model'],
    ],
  );

  // After a restart it is what it was.
  await made.close();
  const again = await api(t, { ...FLAGS, data });
  const known = again.key('enterprise');
  assert.equal((await json(again, '/sportsbooks/mymodel', known)).data.kind, 'model');
  assert.equal((await json(again, '/opportunities/ev?devig_book=mymodel', known)).data[0].fair_probability, 0.55);
});

test('a private model is its account’s alone, on every surface', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise', { account: 'acc_mine', scopes: ['read', 'ingest'] });
  const other = made.key('enterprise', { account: 'acc_other', scopes: ['read', 'ingest'] });
  await push(made, key, poll(BEGIN, 'draftkings', ...DRAFTKINGS));
  await push(made, key, poll(BEGIN, 'secret', ...FAIR, PRIVATE));
  const fair = async (asker: string) => fairOf(await json(made, '/opportunities/ev?devig_book=secret', asker));
  assert.equal((await fair(key))[0][2], 0.55);
  assert.equal((await made.fetch('/opportunities/ev?devig_book=secret', { key: other })).status, 400);
  assert.equal((await made.fetch('/opportunities/ev?devig_book=secret@acc_mine', { key: other })).status, 400);
  // Another account's of the same name is another book.
  await push(made, other, poll(BEGIN, 'secret', { probability: 0.5 }, { probability: 0.5 }, PRIVATE));
  assert.deepEqual([(await fair(key))[0][2], (await fair(other))[0][2]], [0.55, 0.5]);

  const stranger = made.key('enterprise', { account: 'acc_stranger' });
  const paths = [
    '/odds?limit=100',
    `/events/${LAKERS}/odds`,
    '/odds/best',
    `/odds/comparison?event=${LAKERS}`,
    '/odds/delta?since=2026-11-20T00:00:00Z',
    `/odds/history?event=${LAKERS}`,
    `/odds/opening?event_id=${LAKERS}`,
    '/sportsbooks?include_unlisted=true&include_inactive=true',
    '/health',
    '/opportunities/ev?min_ev=-50',
  ];
  for (const asker of [stranger, key])
    for (const path of paths) {
      const response = await made.fetch(path, { key: asker });
      assert.equal(response.status, 200, path);
      const text = await response.text();
      assert.ok(text.includes('secret') === (asker === key && path.startsWith('/sportsbooks')), `${path}: ${text}`);
    }
  for (const asked of ['secret', 'secret@acc_mine']) {
    const { data } = await json(made, `/odds?sportsbook=${asked}`, stranger);
    assert.deepEqual(data, [], asked);
    assert.equal((await made.fetch(`/sportsbooks/${asked}`, { key: stranger })).status, 404);
  }
  // To its account it is a book that can be named.
  const { data: own } = await json(made, '/odds?sportsbook=secret', key);
  assert.equal(own.length, 2);
  assert.equal((await json(made, '/sportsbooks/secret', key)).data.kind, 'model');
  const client = new RawSse(made, '/stream/odds?channel=odds', stranger);
  await until('the snapshot', () => client.table.complete);
  assert.equal(client.table.odds.size, 2);
  client.vanish();
});

test('what is cached of a private model is shown to nobody else', async (t) => {
  const made = await api(t, FLAGS);
  const keyOf = (account: string) => made.key('enterprise', { account, scopes: ['read', 'ingest'] });
  const [mine, other, stranger] = [keyOf('acc_mine'), keyOf('acc_other'), keyOf('acc_stranger')];
  await push(made, mine, poll(BEGIN, 'draftkings', ...DRAFTKINGS));
  for (const key of [mine, other]) await push(made, key, poll(BEGIN, 'secret', ...FAIR, PRIVATE));
  const askers = [
    [mine, ['secret@acc_mine']],
    [other, ['secret@acc_other']],
    [stranger, []],
    [keyOf('acc_mine'), ['secret@acc_mine']],
  ] as const;
  for (const path of ['/odds?', `/odds?event=${LAKERS}&`, `/odds/comparison?event=${LAKERS}&`])
    for (let times = 0; times < 3; times++)
      for (const [key, own] of askers) {
        const { data } = await json(made, `${path}sportsbook=secret,draftkings`, key);
        assert.deepEqual([...new Set(JSON.stringify(data).match(/secret@\w+/g))], own, path);
      }
});

test('a private model is named by no row, error or list of what met nothing', async (t) => {
  const made = await api(t, FLAGS);
  const mine = made.key('enterprise', { account: 'acc_mine', scopes: ['read', 'ingest'] });
  const stranger = made.key('enterprise', { account: 'acc_stranger', scopes: ['read', 'ingest'] });
  await push(made, mine, poll(BEGIN, 'draftkings', ...DRAFTKINGS));
  await push(made, mine, poll(BEGIN, 'secret', ...FAIR, PRIVATE));
  const { data: own } = await json(made, '/odds?sportsbook=secret', mine);
  const id = own[0].id;
  for (const key of [mine, stranger])
    for (const path of [`/odds/executable?odds_id=${id}&stake=10`, `/odds/history?odds_id=${id}`]) {
      const response = await made.fetch(path, { key });
      assert.equal(response.status, 404, path);
      assert.doesNotMatch(await response.text(), /secret/, path);
    }
  assert.equal((await json(made, `/odds/history?odds_id=${id}&sportsbook=secret`, mine)).data.length, 1);

  // Neither by its id nor by its book's.
  const described = { event: LAKERS, market: 'moneyline', selection: 'home', sportsbook: 'secret@acc_mine' };
  for (const named of [{ odds_id: id }, described]) {
    const { data: graded } = await post(made, stranger, '/clv', { bets: [{ ...named, at: NOW }] });
    assert.deepEqual([graded[0].odds_american, graded[0].reason], [null, 'unknown_bet']);
    const { data: settled } = await post(made, stranger, '/grade', { bets: [named] });
    assert.equal(settled[0].result, 'ungradeable');
  }
  const bet = await post(made, stranger, '/account/bets', {
    bets: [{ ...described, stake: 10, odds_decimal: 1.5, client_id: 'a', mode: 'placed' }],
  });
  assert.equal(bet.status, 400);

  // A game a day later, which no other book has, and one with a team that nobody knows.
  const apart = poll(BEGIN, 'hidden', ...FAIR, PRIVATE) as { events: Json[] };
  const later = new Date(CLOSE + 24 * 60 * MINUTE);
  Object.assign(apart.events[0], { start_time: later.toISOString() });
  const unknown = poll(BEGIN, 'secret', ...FAIR, PRIVATE) as { events: Json[] };
  Object.assign(unknown.events[0], { home_team: 'Bostom Celtix' });
  for (const message of [apart, unknown]) await push(made, mine, message);
  const { data: seen } = await json(made, '/ingest/unmatched', mine);
  assert.deepEqual(
    seen.map((item: Json) => [item.reason, item.name, item.sportsbooks]),
    [
      ['unknown', 'Bostom Celtix', ['secret']],
      ['apart', later.toISOString(), ['hidden']],
    ],
  );
  assert.deepEqual((await json(made, '/ingest/unmatched', stranger)).data, []);
});

test('what a private model says of a game itself is not what others see of it', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise', { account: 'acc_mine', scopes: ['read', 'ingest'] });
  await push(made, key, poll(BEGIN, 'draftkings', ...DRAFTKINGS));
  const { events, ...head } = poll(BEGIN, 'secret', ...FAIR, PRIVATE) as { events: Json[] };
  const told = { is_live: true, status: 'ended', game_state: { home_score: 44, away_score: 33 } };
  const states = [{ event_id: LAKERS, is_live: true, status: 'ended', home_score: 44, away_score: 33 }];
  for (const message of [{ events: [{ ...events[0], ...told }] }, { events, game_states: states }]) {
    await push(made, key, { ...head, ...message });
    const { data } = await json(made, `/events/${LAKERS}`, key);
    assert.deepEqual([data.status, data.is_live, data.game_state], ['upcoming', false, undefined]);
  }
  assert.equal((await json(made, '/odds?sportsbook=secret', key)).data.length, 2);
  // Nor is its start that of the game, however many say so.
  const later = new Date(CLOSE + 60 * MINUTE).toISOString();
  for (const book of ['secret', 'second', 'third'])
    await push(made, key, { ...head, book, events: [{ ...events[0], start_time: later }] });
  const startOf = async (): Promise<number> => Date.parse((await json(made, `/events/${LAKERS}`, key)).data.start_time);
  assert.equal(await startOf(), CLOSE);
  // Nor where the others state none.
  const game = { home_team: 'Utah Jazz', away_team: 'Phoenix Suns' };
  const estimated = poll(BEGIN, 'draftkings', ...DRAFTKINGS) as { events: Json[] };
  Object.assign(estimated.events[0], game, { start_estimated: true });
  await push(made, key, estimated);
  await push(made, key, { ...head, events: [{ ...events[0], ...game, start_time: later }] });
  const jazz = await json(made, '/events/nba_jazz_suns_2026-11-20', key);
  assert.equal(Date.parse(jazz.data.start_time), CLOSE);
  // Of a game that nobody else has it is.
  const own = { ...events[0], home_team: 'Miami Heat', away_team: 'Chicago Bulls' };
  for (const start_time of [START, later]) await push(made, key, { ...head, events: [{ ...own, start_time }] });
  const heat = await json(made, '/events/nba_heat_bulls_2026-11-20', key);
  assert.equal(Date.parse(heat.data.start_time), Date.parse(later));
});

test('streams and alerts take the fair prices of a model', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise', { account: 'acc_mine', scopes: ['read', 'ingest'], streaming: true });
  await push(made, key, poll(BEGIN, 'draftkings', ...DRAFTKINGS));
  await push(made, key, poll(BEGIN, 'secret', ...FAIR, PRIVATE));
  const sse = new RawSse(made, '/stream?channel=ev&devig_book=secret', key);
  const ws = new RawWs(made, { api_key: key, channels: 'ev', devig_book: 'secret' });
  const asked = new RawWs(made, { api_key: key });
  await until('it is open', () => asked.frames.length > 0);
  asked.socket.send(JSON.stringify({ type: 'subscribe', channels: ['ev'], filters: { devig_book: 'secret' } }));
  const usual = new RawSse(made, '/stream?channel=ev', key);
  const found = (events: RawSse['events']): number[] =>
    events
      .filter(({ event }) => event === 'ev:detected')
      .flatMap(({ data }) => {
        const items = JSON.parse(data) as Json;
        return (items as Json[]).map((item) => item.fair_probability);
      });
  await until('it is detected', () => found(sse.events).length > 0);
  assert.deepEqual(found(sse.events), [0.55]);
  for (const socket of [ws, asked])
    await until('over WebSocket too', () => JSON.stringify(socket.frames).includes('"sharp_book":"secret"'));
  made.clock.set(BEGIN + 5_000);
  await push(made, key, poll(BEGIN + 5_000, 'secret', { probability: 0.6 }, { probability: 0.4 }, PRIVATE));
  await until('it changes', () => found(sse.events).includes(0.6));
  made.clock.set(BEGIN + 10_000);
  await push(made, key, poll(BEGIN + 10_000, 'secret', { probability: 0.4 }, { probability: 0.6 }, PRIVATE));
  await until('it ends', () => sse.events.some(({ event }) => event === 'ev:expired'));
  assert.deepEqual(found(usual.events), []);
  for (const stream of [sse, usual]) stream.vanish();
  for (const { socket } of [ws, asked]) socket.terminate();
  const stranger = made.key('enterprise', { account: 'acc_stranger', streaming: true });
  assert.equal((await made.fetch('/stream?channel=ev&devig_book=secret', { key: stranger })).status, 400);
  const rule = { name: 'mine', channel: 'ev', filters: { devig_book: 'secret' } };
  const target = { type: 'webhook', url: 'https://example.com/hook' };
  assert.equal((await post(made, key, '/account/alerts', { ...rule, target })).status, 201);
  assert.equal((await post(made, stranger, '/account/alerts', { ...rule, target })).status, 400);
});

test('closing value is computed against a model where it is named', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise', { account: 'acc_mine', scopes: ['read', 'ingest'] });
  const at = CLOSE - MINUTE;
  made.clock.set(at);
  await push(made, key, poll(at, 'draftkings', ...DRAFTKINGS));
  await push(made, key, poll(at, 'pinnacle', { odds_american: -104 }, { odds_american: -104 }));
  await push(made, key, poll(at, 'mymodel', ...FAIR, MODEL));
  await push(made, key, poll(at, 'secret', { probability: 0.6 }, { probability: 0.4 }, PRIVATE));
  made.clock.set(CLOSE + MINUTE);
  await made.ingest({ book: 'fanduel', polled_at: new Date(CLOSE + MINUTE).toISOString(), events: [] });
  const bet = {
    event: LAKERS,
    sportsbook: 'draftkings',
    market: 'moneyline',
    selection: 'home',
    odds_american: 120,
    at: new Date(at).toISOString(),
  };
  const judged = async (asker: string, devig_book?: string) => {
    const { data } = await post(made, asker, '/clv', {
      bets: [bet],
      ...(devig_book === undefined ? {} : { devig_book }),
    });
    return [data[0].closing_no_vig_probability, data[0].devig_book, data[0].clv_percent];
  };
  assert.deepEqual(await judged(key), [0.5, 'pinnacle', 10]);
  assert.deepEqual(await judged(key, 'mymodel'), [0.55, 'mymodel', 21]);
  assert.deepEqual((await judged(key, 'secret')).slice(0, 2), [0.6, 'secret']);
  const stranger = made.key('enterprise', { account: 'acc_stranger' });
  assert.deepEqual(await judged(stranger, 'secret'), [null, null, null]);
  const clv = await json(made, '/historical/clv?against=mymodel', key);
  assert.deepEqual(
    clv.data.groups.map((group: Json) => [group.group_key, group.total_graded >= 0]),
    clv.data.groups.map((group: Json) => [group.group_key, true]),
  );
});

test('a recording with a model backtests against it', async () => {
  const file = join(newFolder('overround-model-'), 'recording.ndjson');
  const at = CLOSE - 30 * MINUTE;
  const lines = [
    poll(at, 'draftkings', ...DRAFTKINGS),
    poll(at + 1_000, 'secret', ...FAIR, PRIVATE),
    poll(at + 2_000, 'draftkings', ...DRAFTKINGS),
    poll(CLOSE - MINUTE, 'secret', { probability: 0.6 }, { probability: 0.4 }, PRIVATE),
    poll(CLOSE - MINUTE, 'draftkings', ...DRAFTKINGS),
    poll(CLOSE + MINUTE, 'draftkings', ...DRAFTKINGS),
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const base = { file, catalogue: loadCatalogue(), books: null };
  const found = async (devigBook?: string) => {
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    const { rejected } = await runBacktest({ ...base, devigBook, limits: DEFAULT_LIMITS, write });
    assert.equal(rejected, 0);
    const items = written
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Json);
    return items
      .filter(({ type }) => type === 'ev:detected')
      .map(({ data }) => [data.sharp_book, data.fair_probability]);
  };
  assert.deepEqual(await found(), []);
  assert.deepEqual(await found('secret'), [
    ['secret', 0.55],
    ['secret', 0.6],
  ]);
  const { groups } = await runClvBacktest({ ...base, devigBook: 'secret', minEv: 0, groupBy: 'devig_book' });
  assert.deepEqual(
    groups.map((group) => [group.group_key, group.total_graded]),
    [['secret', 1]],
  );
});

test('the commands of the guide, as they stand', async (t) => {
  const page = readFileSync('docs/guides/own-model.md', 'utf8');
  const asked = [...page.matchAll(/^```sh\ncurl -s "\$URL\/api\/v1([^"]+)"([^`]*)^```$/gm)];
  assert.equal(asked.length, 3);
  const made = await api(t, FLAGS);
  const key = made.key('enterprise', { scopes: ['read', 'ingest'] });
  await made.ingest(poll(BEGIN, 'draftkings', ...DRAFTKINGS));
  const answers: Json[] = [];
  for (const [, path, rest] of asked) {
    const body = / -d '([^']+)'/.exec(rest!)?.[1];
    const headers = { 'content-type': 'application/json' };
    const response = await made.fetch(path!, { key, headers, ...(body === undefined ? {} : { method: 'POST', body }) });
    answers.push((await response.json()) as Json);
    assert.equal(response.status, 200, JSON.stringify(answers));
  }
  const [pushed, { data }] = answers as [Json, Json];
  assert.deepEqual([pushed.accepted, pushed.rejected], [2, []]);
  assert.deepEqual([data.length, data[0].sharp_book, data[0].fair_probability], [1, 'mymodel', 0.55]);
});

test('history keeps that a price is a model’s, whatever its line; an export of it is read as one', () => {
  const page = new Page();
  const lines = [Number.NaN, -3.5, -3.5, 0.1, Number.NaN];
  const flags = [FLAG.indicative + FLAG.model, FLAG.indicative + FLAG.model + FLAG.live, FLAG.live, 15, 15];
  for (const [i, line] of lines.entries()) page.add(i % 2, BEGIN * 1000 + i, 120, 2.2, line, flags[i]!);
  const read: [number, number, number][] = [];
  decodePage(encodePage(page), (_row, atUs, _american, _decimal, line, flag) =>
    read.push([atUs - BEGIN * 1000, line, flag]),
  );
  const written = lines.map((line, i) => [i, line, flags[i]]);
  assert.deepEqual(
    read.sort(([a], [b]) => a - b),
    written,
  );

  const exported = new ExportedChanges();
  const game = { league: 'nba', home_team: 'a', away_team: 'b', event_start_time: START, player_name: null };
  const row = { market_type: 'moneyline', selection: 'a', selection_type: 'home', is_alternate_line: false };
  const price = { line: null, odds_american: -122.2, odds_decimal: 1.818182, indicative: true, is_prematch: true };
  exported.add({ at: NOW, odds_id: '1', sportsbook: 'secret@acc_mine', kind: 'model', ...game, ...row, ...price });
  exported.add({ at: NOW, odds_id: '2', sportsbook: 'fanduel', ...game, ...row, ...price });
  const messages = [...exported.polls()].flatMap((poll) => poll.messages.map(({ book, kind }) => [book, kind]));
  assert.deepEqual(messages, [
    ['secret', 'model'],
    ['fanduel', undefined],
  ]);
});

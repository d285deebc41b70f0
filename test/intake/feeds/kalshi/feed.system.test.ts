import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { present } from '../../../../src/base/model/present.js';
import { KalshiFeed } from '../../../../src/intake/feeds/kalshi/feed.js';
import { eventually } from '../../../support/until.js';
import { newFolder } from '../../../temp-folders.js';
import { feedIn } from '../access.js';
import { catalogue, type Served, type ShownRow, served } from '../kit/served.js';
import { KalshiVenue, KEY, KEY_ID } from './venue.js';

const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
const SERIES = ['KXNBAGAME', 'KXNBASPREAD', 'KXNBATOTAL', 'KXEPLGAME', 'KXNBA1HWINNER', 'KXNBA'];

async function venue(t: TestContext): Promise<KalshiVenue> {
  const made = new KalshiVenue();
  await made.listen();
  t.after(() => made.close());
  return made;
}

function feedOf(made: KalshiVenue, key = true, series = SERIES): KalshiFeed {
  return new KalshiFeed({
    ...made.settings,
    series,
    catalogue,
    random: Math.random,
    discoverEveryMs: 300,
    ...(key ? { key: { id: KEY_ID, key: KEY.privateKey } } : {}),
  });
}

function game(made: KalshiVenue, title = 'Los Angeles L at Boston'): [lal: string, bos: string] {
  const markets = [
    { code: 'LAL', yes: 'Los Angeles L' },
    { code: 'BOS', yes: 'Boston' },
  ];
  return made.list('KXNBAGAME', '26NOV22LALBOS', title, markets, START) as [string, string];
}

async function shown({ rows }: Served): Promise<string[]> {
  return (await rows('kalshi')).map(say).sort();
}

function say({ market_type, selection_type, line, odds_decimal, size, is_active }: ShownRow): string {
  return `${market_type} ${selection_type}${line == null ? '' : ` ${line}`} ${odds_decimal} x ${size}${is_active === false ? ' -' : ''}`;
}

test('bids of both sides become prices to back: winners by the cheaper way, spreads and totals by both sides', async (t) => {
  const made = await venue(t);
  const [lal, bos] = game(made, 'Game 1: Los Angeles L at Boston');
  const spread = { code: 'BOS4', yes: 'Boston wins by over 4.5 Points', strike: 4.5 };
  const [boston45] = made.list('KXNBASPREAD', '26NOV22LALBOS', 'Los Angeles L at Boston: Spread', [spread]);
  const over = { code: '224', yes: 'Over 224.5 points scored', strike: 224.5 };
  const [total] = made.list('KXNBATOTAL', '26NOV22LALBOS', 'Los Angeles L at Boston: Total Points', [over]);
  const [half] = made.list('KXNBA1HWINNER', '26NOV22LALBOS', 'Los Angeles L at Boston: First Half', [
    { code: 'BOS', yes: 'Boston' },
  ]);
  const epl = [
    { code: 'ARS', yes: 'Arsenal' },
    { code: 'MCI', yes: 'Manchester City' },
    { code: 'TIE', yes: 'Tie' },
  ];
  const [arsenal, city, tie] = made.list('KXEPLGAME', '26NOV22ARSMCI', 'Arsenal vs Manchester City', epl, START);
  made.list('KXNBA', '27', 'Pro Basketball Champion?', [{ code: 'BOS', yes: 'Boston' }]);
  made.list('KXNBAGAME', '26NOV22XXXBOS', 'Seattle at Boston', [{ code: 'BOS', yes: 'Boston' }], START);
  // YES of Boston costs 0.58 by itself and 0.56 as NO of the Lakers; YES of the Lakers 0.46.
  made.set(bos, 'no', 42, 100);
  made.set(lal, 'yes', 44, 25);
  made.set(lal, 'no', 54, 10.5);
  made.set(boston45!, 'yes', 40, 10);
  made.set(boston45!, 'no', 55, 20);
  made.set(total!, 'no', 50, 3);
  made.set(half!, 'no', 60, 1);
  for (const [i, ticker] of [arsenal, city, tie].entries()) {
    made.set(ticker!, 'no', 60 + i, 10);
    made.set(ticker!, 'yes', 30, 10);
  }
  const world = await served(t, feedOf(made));
  await eventually(async () =>
    assert.deepEqual(await shown(world), [
      'kalshi_nba1hwinner contract 2.5 x 0.4',
      'moneyline away 2.173913 x 4.83',
      'moneyline away 2.564103 x 3.9',
      'moneyline draw 2.631579 x 3.8',
      'moneyline home 1.785714 x 14',
      'moneyline home 2.5 x 4',
      'point_spread away 4.5 1.666667 x 6',
      'point_spread home -4.5 2.222222 x 9',
      'total_points over 224.5 2 x 1.5',
    ]),
  );
  const rows = await world.rows('kalshi');
  const home = rows.find(
    (row) => row.event_id.startsWith('nba_') && row.market_type === 'moneyline' && row.selection_type === 'home',
  )!;
  // The contract bought for Boston is NO of the Lakers' one.
  assert.deepEqual([home.exchange_token_id, home.volume_24h, home.open_interest], [lal, 1200.5, 800]);
  assert.match(home.event_id, /^nba_celtics_lakers_/);
  assert.equal(new Set(rows.map(({ event_id }) => event_id)).size, 2);
  // At equal prices the sizes of both contracts are added.
  made.set(bos, 'no', 44, 100);
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline home 1.785714 x 70')));
  // A contract that asks something else by now.
  const asks = made.events.flatMap(({ body }) => body['markets'] as Record<string, unknown>[]);
  Object.assign(asks.find(({ ticker }) => ticker === total)!, { floor_strike: 230.5 });
  await eventually(async () => assert.ok((await shown(world)).includes('total_points over 230.5 2 x 1.5')));
  made.set(bos, 'no', 42, 0);
  made.set(lal, 'yes', 44, 0);
  made.set(bos, 'no', 44, 0);
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline home 1.785714 x undefined -')));
});

test('a missing number makes every book fresh, by a command or by a new connection; pauses and ends are seen', async (t) => {
  const made = await venue(t);
  made.cents = true;
  const [lal, bos] = game(made);
  made.set(bos, 'no', 42, 100);
  const world = await served(t, feedOf(made));
  await eventually(async () => assert.deepEqual(await shown(world), ['moneyline home 1.724138 x 58']));
  made.lose = 1;
  made.set(bos, 'no', 43, 7);
  made.set(lal, 'no', 50, 5);
  await eventually(async () =>
    assert.deepEqual(await shown(world), ['moneyline away 2 x 2.5', 'moneyline home 1.754386 x 3.99']),
  );
  assert.equal(made.clients.size, 1);
  made.noFresh = true;
  made.lose = 1;
  made.set(bos, 'no', 43, 9);
  made.tell('{"type":"orderbook_del');
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline home 1.754386 x 5.13')));
  const metrics = await (await fetch(`${world.server.url}/metrics`)).text();
  assert.match(metrics, /what="gaps"\} [1-9]/);
  assert.match(metrics, /what="bad_messages"\} 1\n/);
  made.noFresh = false;
  made.set(bos, 'no', 43, 0);
  made.set(lal, 'no', 50, 0);
  made.set(bos, 'no', 42, 100);
  made.set(lal, 'no', 53, 100);
  const both = ['moneyline away 2.12766 x 47', 'moneyline home 1.724138 x 58'];
  await eventually(async () => assert.deepEqual(await shown(world), both));
  const body = made.events[0]!.body as { markets: { status: string }[] };
  body.markets[1]!.status = 'inactive';
  made.happen(bos, 'deactivated');
  await eventually(async () =>
    assert.deepEqual(await shown(world), [both[0], 'moneyline home 1.724138 x undefined -']),
  );
  body.markets[1]!.status = 'active';
  made.happen(bos, 'activated');
  await eventually(async () => assert.deepEqual(await shown(world), both));
  made.unlist('KXNBAGAME-26NOV22LALBOS');
  await eventually(async () => assert.deepEqual(await shown(world), []));
  const [client] = made.clients;
  // The connection is still open: the next subscription's numbers begin anew.
  const [, denver] = made.list(
    'KXNBAGAME',
    '26NOV22UTADEN',
    'Utah at Denver',
    [
      { code: 'UTA', yes: 'Utah' },
      { code: 'DEN', yes: 'Denver' },
    ],
    START,
  );
  made.set(denver!, 'no', 42, 100);
  await eventually(async () => assert.deepEqual(await shown(world), ['moneyline home 1.724138 x 58']));
  assert.ok(made.clients.size === 1 && made.clients.has(client!));
});

test('where a subscription may have fewer contracts they are spread over more; a command that comes too soon is no refusal', async (t) => {
  const made = await venue(t);
  made.marketsMax = 2;
  const [lal, bos] = game(made);
  const points = [220.5, 222.5, 224.5, 226.5].map((strike) => ({ code: `${strike}`, yes: 'Over', strike }));
  const totals = made.list('KXNBATOTAL', '26NOV22LALBOS', 'Los Angeles L at Boston: Total', points);
  for (const ticker of [lal, bos, ...totals]) made.set(ticker, 'no', 42, 100);
  const world = await served(t, feedOf(made));
  const active = async () => (await shown(world)).filter((row) => row.endsWith('x 58')).length;
  await eventually(async () => assert.equal(await active(), 6));
  assert.ok(made.clients.size >= 3);
  const said = world.log.filter((line) => line.includes('a command was refused'));
  assert.ok(said.length <= made.clients.size, said.join('\n'));
  const fresh = () => made.actions.filter((action) => action === 'get_snapshot').length;
  const gap = async () => {
    const before = fresh();
    made.lose = 1;
    made.set(bos, 'no', 43, 7);
    made.set(bos, 'no', 43, 0);
    await eventually(() => assert.ok(fresh() > before));
    await eventually(async () => assert.equal(await active(), 6));
  };
  made.hasty = 1;
  await gap();
  assert.equal(made.hasty, 0);
  await gap();
});

test('a list that was asked for before a pause does not end it', async (t) => {
  const made = await venue(t);
  const [lal, bos] = game(made);
  made.set(bos, 'no', 42, 100);
  made.set(lal, 'no', 53, 100);
  const world = await served(t, feedOf(made, true, ['KXNBAGAME']));
  const both = ['moneyline away 2.12766 x 47', 'moneyline home 1.724138 x 58'];
  await eventually(async () => assert.deepEqual(await shown(world), both));
  made.delayMs = 500;
  const lists = () => made.requests.filter((path) => path.includes('/events')).length;
  const before = lists();
  await eventually(() => assert.ok(lists() > before));
  // What was answered already says that it is active.
  const [{ series, body }] = made.events as [(typeof made.events)[number]];
  const markets = (body['markets'] as { ticker: string }[]).map((market) =>
    market.ticker === bos ? { ...market, status: 'inactive' } : market,
  );
  made.events[0] = { series, body: { ...body, markets } };
  made.happen(bos, 'deactivated');
  const paused = [both[0], 'moneyline home 1.724138 x undefined -'];
  await eventually(async () => assert.deepEqual(await shown(world), paused));
  for (const after = lists() + 2; lists() < after; ) assert.deepEqual(await shown(world), paused);
});

test('an error that answers no command is one of the subscription: what it showed is asked for anew', async (t) => {
  const made = await venue(t);
  const [lal, bos] = game(made);
  made.set(bos, 'no', 42, 100);
  const world = await served(t, feedOf(made, true, ['KXNBAGAME']));
  await eventually(async () => assert.deepEqual(await shown(world), ['moneyline home 1.724138 x 58']));
  const [client] = made.clients;
  made.tell({ type: 'error', sid: 1, msg: { code: 25, msg: 'Subscription buffer overflow' } });
  made.lose = 1;
  made.set(lal, 'no', 53, 100);
  // Nothing follows what was lost.
  const both = ['moneyline away 2.12766 x 47', 'moneyline home 1.724138 x 58'];
  await eventually(async () => assert.deepEqual(await shown(world), both));
  assert.ok(!made.clients.has(client!));
});

test('a contract that is listed after the other one of its game is a price of both teams, too', async (t) => {
  const made = await venue(t);
  const [, bos] = game(made);
  const body = made.events[0]!.body as { markets: object[] };
  const [later] = body.markets.splice(0, 1);
  made.set(bos, 'no', 42, 100);
  const world = await served(t, feedOf(made, true, ['KXNBAGAME']));
  await eventually(async () => assert.deepEqual(await shown(world), ['moneyline home 1.724138 x 58']));
  const { ticker } = later as { ticker: string };
  made.set(ticker, 'yes', 44, 25);
  made.set(ticker, 'no', 54, 10);
  body.markets.push(later!);
  const both = ['moneyline away 2.173913 x 4.6', 'moneyline home 1.785714 x 14'];
  await eventually(async () => assert.deepEqual(await shown(world), both));
});

test("without a milestone or a ticker's day a game starts by its earliest end; names and pages are the venue's own", async (t) => {
  const made = await venue(t);
  const startMs = Date.parse(START);
  const after = (hours: number) => new Date(startMs + hours * 3_600_000).toISOString();
  const markets = ['Los Angeles G', 'Los Angeles F', 'Tie'].map((yes, i) => ({
    code: ['LAG', 'LAF', 'TIE'][i]!,
    yes,
    more: { expected_expiration_time: after(6), occurrence_datetime: after(2) },
  }));
  const tickers = made.list('KXMLSGAME', '26JAN22LAGLAF', 'Los Angeles G vs Los Angeles F', markets);
  made.titles.set('KXMLSGAME', 'Major League Soccer Game');
  for (const ticker of tickers) made.set(ticker, 'no', 60, 10);
  const world = await served(t, feedOf(made, true, ['KXMLSGAME']));
  await eventually(async () => assert.equal((await shown(world)).length, 3));
  const [row] = (await world.rows('kalshi')) as (ShownRow & { deep_link: string })[];
  assert.match(row!.event_id, /^mls_galaxy_lafc_/);
  const page = 'https://kalshi.com/markets/kxmlsgame/major-league-soccer-game/kxmlsgame-26jan22laglaf';
  assert.equal(row!.deep_link, page);
  const { data } = (await world.read('/events?league=mls')) as { data: { start_time: string }[] };
  assert.equal(Date.parse(data[0]!.start_time), startMs);
});

test('an estimated start finds the game and gives way to the first one that is stated', async (t) => {
  const made = await venue(t);
  const startMs = Date.parse(START);
  const eastern = new Date(startMs).toLocaleDateString('en-US', { timeZone: 'America/New_York', day: '2-digit', month: 'short', year: '2-digit' }); // biome-ignore format: one call
  const [month, day, year] = eastern.replace(',', '').split(' ');
  const end = new Date(startMs + 4.5 * 3_600_000).toISOString();
  const markets = [
    { code: 'SEA', yes: 'Seattle', more: { occurrence_datetime: end, expected_expiration_time: end } },
    { code: 'KC', yes: 'Kansas City', more: { occurrence_datetime: end, expected_expiration_time: end } },
  ];
  const suffix = `${year}${month!.toUpperCase()}${day}SEAKC`;
  for (const ticker of made.list('KXNFLGAME', suffix, 'Seattle at Kansas City', markets)) made.set(ticker, 'no', 40, 9);
  const world = await served(t, feedOf(made, true, ['KXNFLGAME']));
  await eventually(async () => assert.equal((await shown(world)).length, 2));
  const starts = async () => {
    const { data } = (await world.read('/events?league=nfl')) as { data: { start_time: string }[] };
    return data.map(({ start_time }) => Date.parse(start_time) - startMs);
  };
  assert.equal((await starts()).length, 1);
  const selections = [{ selection: 'Kansas City Chiefs', selection_type: 'home' as const, odds_decimal: 1.9 }];
  await world.server.ingest([
    {
      book: 'polymarket',
      polled_at: new Date().toISOString(),
      scope: 'event',
      events: [
        {
          ...{ league: 'nfl', home_team: 'Kansas City Chiefs', away_team: 'Seattle Seahawks', start_time: START },
          markets: [{ market_type: 'moneyline', selections }],
        },
      ],
    },
  ]);
  await eventually(async () => assert.deepEqual(await starts(), [0]));
  // What the venue goes on saying changes nothing.
  made.set(`KXNFLGAME-${suffix}-SEA`, 'no', 45, 9);
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline away 1.818182 x 4.95')));
  assert.deepEqual(await starts(), [0]);
});

test('confirmations are numbered as books are, and gaps without end bring few requests, one at a time', async (t) => {
  const made = await venue(t);
  const [, bos] = game(made);
  made.set(bos, 'no', 42, 100);
  const world = await served(t, feedOf(made));
  await eventually(async () => assert.deepEqual(await shown(world), ['moneyline home 1.724138 x 58']));
  const spread = { code: 'BOS4', yes: 'Boston wins by over 4.5 Points', strike: 4.5 };
  const [boston45] = made.list('KXNBASPREAD', '26NOV22LALBOS', 'Los Angeles L at Boston: Spread', [spread]);
  made.set(boston45!, 'no', 55, 20);
  const both = ['moneyline home 1.724138 x 58', 'point_spread home -4.5 2.222222 x 9'];
  await eventually(async () => assert.deepEqual(await shown(world), both));
  made.set(bos, 'no', 43, 10);
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline home 1.754386 x 5.7')));
  assert.deepEqual(made.actions, ['add_markets']);
  const gaps = async () => /what="gaps"\} [1-9]/.test(await (await fetch(`${world.server.url}/metrics`)).text());
  assert.equal(await gaps(), false);
  // From now on every message follows a gap, the confirmations of requests and the books too.
  made.skips = 1;
  made.freshAfterMs = 100;
  made.set(bos, 'no', 43, 20);
  await eventually(async () => assert.ok((await shown(world)).some((row) => row.endsWith('-'))));
  const requests = () => made.actions.filter((action) => action === 'get_snapshot').length;
  const before = requests();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  assert.ok(before >= 1 && requests() <= 6, `${requests()} requests for fresh books`);
  assert.equal(made.overlapping, 0);
  assert.equal(made.clients.size, 1);
  made.skips = 0;
  await eventually(async () => assert.ok((await shown(world)).every((row) => !row.endsWith('-'))));
});

test('a key is an id and a file, and what is missing is stated in one line', async () => {
  const folder = newFolder('overround-kalshi-');
  const path = join(folder, 'key.pem');
  const urls = { KALSHI_URL: 'http://127.0.0.1:1', KALSHI_WS_URL: 'ws://127.0.0.1:1' };
  const make = (id: string | undefined, file: string | undefined, series = 'KXNBAGAME') =>
    feedIn(`kalshi:series=${series}`, present({ ...urls, KALSHI_KEY_ID: id, KALSHI_PRIVATE_KEY: file }) as never);
  await assert.rejects(make('id', undefined), /KALSHI_PRIVATE_KEY \(a file\) is missing/);
  await assert.rejects(make(undefined, path), /KALSHI_KEY_ID is missing/);
  await assert.rejects(make('id', path), /the file cannot be read \(ENOENT\)/);
  writeFileSync(path, 'not a key');
  await assert.rejects(make('id', path), /holds no private key/);
  writeFileSync(path, KEY.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  assert.equal((await make('id', path)).name, 'kalshi:series=KXNBAGAME');
  await assert.rejects(make(undefined, undefined, 'KXFOO'), /unknown league/);
  await assert.rejects(make(undefined, undefined, 'NBA'), /no series ticker/);
});

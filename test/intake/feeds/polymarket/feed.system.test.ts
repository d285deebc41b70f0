import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Rest } from '../../../../src/intake/feeds/kit/rest.js';
import { PolymarketFeed } from '../../../../src/intake/feeds/polymarket/feed.js';
import { readLeagueEvents, readSports } from '../../../../src/intake/feeds/polymarket/gamma.js';
import { stopwatch } from '../../../support/own-time.js';
import { eventually } from '../../../support/until.js';
import { catalogue, type Served, type ShownRow, served } from '../kit/served.js';
import { feedBench } from '../kit/venue.js';
import { type EventSpec, PolymarketVenue } from './venue.js';

type Pair = [string, string];

const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();
const DAY = START.slice(0, 10);
const NEXT_START = new Date(Date.parse(START) + 30 * 3_600_000).toISOString();
const NEXT_DAY = NEXT_START.slice(0, 10);

const GAME: EventSpec = {
  slug: `nba-bos-lal-${DAY}`,
  series: '10345',
  start: START,
  title: 'Celtics vs. Lakers',
  teams: [
    { name: 'Lakers', abbreviation: 'lal', ordering: 'home' },
    { name: 'Celtics', abbreviation: 'bos', ordering: 'away' },
  ],
  markets: [
    { kind: 'moneyline', outcomes: ['Celtics', 'Lakers'] },
    { kind: 'spreads', outcomes: ['Lakers', 'Celtics'], line: -4.5 },
    { kind: 'totals', outcomes: ['Over', 'Under'], line: 224.5 },
    { kind: 'first_half_moneyline', outcomes: ['Celtics', 'Lakers'], question: 'Celtics vs. Lakers: 1H Moneyline' },
  ],
  more: { gameId: 1234 },
};

async function venue(t: TestContext): Promise<PolymarketVenue> {
  const made = new PolymarketVenue();
  await made.listen();
  t.after(() => made.close());
  return made;
}

function feedOf(made: PolymarketVenue, sports: string[] = ['nba', 'epl'], discoverEveryMs = 300): PolymarketFeed {
  return new PolymarketFeed({ ...made.settings, sports, catalogue, random: Math.random, discoverEveryMs });
}

/** `type selection line -> decimal, size`, inactive rows with a minus. */
async function shown({ rows }: Served, league = ''): Promise<string[]> {
  const found = await rows('polymarket');
  return found
    .filter(({ event_id }) => event_id.startsWith(league))
    .map(say)
    .sort();
}

function say({ market_type, selection_type, line, odds_decimal, is_active }: ShownRow): string {
  return `${market_type} ${selection_type}${line == null ? '' : ` ${line}`} ${odds_decimal}${is_active === false ? ' -' : ''}`;
}

/** Three markets of one moneyline, and the lines in a second event of the same game. */
function listSoccer(made: PolymarketVenue): void {
  const teams = [
    { name: 'Arsenal FC', abbreviation: 'ars' },
    { name: 'Manchester City FC', abbreviation: 'mci' },
  ];
  const slug = `epl-ars-mci-${DAY}`;
  const yes: [string, string] = ['Yes', 'No'];
  const { tokens } = made.list({
    slug,
    series: '10188',
    start: START,
    teams,
    markets: [
      { kind: 'moneyline', outcomes: yes, title: 'Arsenal FC' },
      { kind: 'moneyline', outcomes: yes, title: 'Draw (Arsenal FC vs. Manchester City FC)' },
      { kind: 'moneyline', outcomes: yes, title: 'Manchester City FC' },
    ],
    more: { negRisk: true },
  });
  const more = made.list({
    slug: `${slug}-more-markets`,
    series: '10188',
    start: START,
    teams,
    markets: [
      { kind: 'totals', outcomes: ['Over', 'Under'], line: 2.5 },
      { kind: 'spreads', outcomes: ['Manchester City FC', 'Arsenal FC'], line: -0.5 },
      { kind: 'both_teams_to_score', outcomes: yes },
    ],
  });
  for (const [[token], cents] of [
    [tokens[0], 45],
    [tokens[1], 28],
    [tokens[2], 30],
  ] as [[string, string], number][]) {
    made.set(token, 'asks', cents, 10);
    made.set(token, 'bids', cents - 1, 10);
  }
  for (const [token] of more.tokens) made.set(token, 'asks', 50, 10);
}

test('winner, spread and total of a game are rows of their own tokens; other questions have types of their own; soccer has a draw', async (t) => {
  const made = await venue(t);
  const moneyline = GAME.markets.slice(0, 1);
  // None of these is a game of the league: a series, an augmented event, another league's game, one with an unknown
  // team.
  made.list({ ...GAME, slug: 'nba-finals-celtics-vs-lakers', markets: moneyline });
  made.list({ ...GAME, slug: `nba-mia-nyk-${DAY}`, more: { negRiskAugmented: true } });
  made.list({ ...GAME, slug: `cbb-bos-lal-${DAY}`, markets: moneyline });
  const unknown = [GAME.teams![0]!, { name: 'Sonics', abbreviation: 'xyz' }];
  made.list({ ...GAME, slug: `nba-bos-xyz-${DAY}`, teams: unknown });
  for (const token of made.tokens.keys()) made.set(token, 'asks', 50, 10);
  const { tokens } = made.list(GAME);
  const [[celtics, lakers], [lakersSpread], [over, under], [half]] = tokens as [Pair, Pair, Pair, Pair];
  made.set(celtics!, 'asks', 56, 100);
  made.set(celtics!, 'asks', 58, 500);
  made.set(celtics!, 'bids', 53, 200);
  made.set(lakersSpread!, 'asks', 29, 12.34);
  made.set(over!, 'asks', 50, 10);
  made.set(under!, 'asks', 51, 10);
  made.set(half!, 'asks', 40, 10);
  listSoccer(made);
  const world = await served(t, feedOf(made));
  await eventually(async () =>
    assert.deepEqual(await shown(world, 'epl_'), [
      'moneyline away 3.333333',
      'moneyline draw 3.571429',
      'moneyline home 2.222222',
      'point_spread away -0.5 2',
      'polymarket_both_teams_to_score contract 2',
      'total_goals over 2.5 2',
    ]),
  );
  await eventually(async () =>
    assert.deepEqual(await shown(world, 'nba_'), [
      'moneyline away 1.785714',
      'moneyline home 2.12766',
      'point_spread home -4.5 3.448276',
      'polymarket_first_half_moneyline contract 2.5',
      'total_points over 224.5 2',
      'total_points under 224.5 1.960784',
    ]),
  );
  const rows = (await world.rows('polymarket')).filter(({ league }) => league === 'nba');
  assert.deepEqual(new Set(rows.map(({ event_id }) => event_id)).size, 1);
  assert.match(rows[0]!.event_id, /^nba_lakers_celtics_/);
  // The price of the Lakers is the best ask of their own token, which mirrors the best bid of the Celtics' token.
  assert.deepEqual(made.best(lakers!), { price: 0.47, size: 94 });
  made.set(celtics!, 'asks', 56, 0);
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline away 1.724138')));
  made.set(celtics!, 'asks', 58, 0);
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline away 1.724138 -')));
});

test('pages that are cut short or made up, and offsets that are refused, lose no game', async (t) => {
  const made = await venue(t);
  made.pageMax = 3;
  for (let i = 0; i < 9; i++) made.list({ ...GAME, slug: `nba-a${i}-h${i}-${DAY}` });
  const { context } = feedBench();
  const { signal } = new AbortController();
  const baseUrl = made.settings.gammaUrl;
  const gamma = new Rest({ context, baseUrl, perSecond: 1_000, random: () => 0, signal });
  const nba = { league: 'nba', codes: ['nba'] };
  for (const refused of [false, true]) {
    made.offsetRefused = refused;
    assert.equal((await readLeagueEvents(gamma, nba, await readSports(gamma))).length, 9);
  }
  const sports = await readSports(gamma);
  made.madeUp = { message: 'hello' };
  await assert.rejects(readSports(gamma), /no list/);
  await assert.rejects(readLeagueEvents(gamma, nba, sports), /no list/);
});

test('after a lost or invalid message the book is fetched again; a closed market is inactive, then removed', async (t) => {
  const made = await venue(t);
  const listed = made.list({ ...GAME, markets: GAME.markets.slice(0, 1) });
  const [celtics] = listed.tokens[0]!;
  made.set(celtics, 'asks', 56, 100);
  made.set(celtics, 'bids', 53, 200);
  const world = await served(t, feedOf(made));
  await eventually(async () =>
    assert.deepEqual(await shown(world), ['moneyline away 1.785714', 'moneyline home 2.12766']),
  );
  made.lose = 1;
  made.set(celtics, 'asks', 55, 70);
  assert.deepEqual(await shown(world), ['moneyline away 1.785714', 'moneyline home 2.12766'], 'nobody can know yet');
  made.set(celtics, 'bids', 52, 10);
  await eventually(async () =>
    assert.deepEqual(await shown(world), ['moneyline away 1.818182', 'moneyline home 2.12766']),
  );
  const metrics = await (await fetch(`${world.server.url}/metrics`)).text();
  // Two, because each frame concerns both tokens.
  assert.match(metrics, /overround_feed_events_total\{feed="polymarket",what="gaps"\} 2\n/);
  made.lose = 1;
  made.set(celtics, 'asks', 54, 5);
  made.tell('{"event_type":"price_chan');
  await eventually(async () => assert.ok((await shown(world)).includes('moneyline away 1.851852')));
  made.unlist(listed.id);
  await eventually(async () => assert.deepEqual(await shown(world), []));
  const first = made.list({
    ...GAME,
    slug: `nba-bos-lal-${NEXT_DAY}`,
    start: NEXT_START,
    markets: GAME.markets.slice(0, 3),
  });
  for (const [token] of first.tokens) made.set(token, 'asks', 50, 10);
  await eventually(async () => assert.equal((await shown(world)).length, 3));
  made.tell({ event_type: 'market_resolved', market: '0x1', assets_ids: first.tokens[0] });
  await eventually(async () =>
    assert.deepEqual(
      (await shown(world)).filter((row) => row.endsWith('-')),
      ['moneyline away 2 -'],
    ),
  );
  const event = made.events[0]!.body as { markets: { acceptingOrders: boolean }[] };
  event.markets[2]!.acceptingOrders = false;
  await eventually(async () => assert.equal((await shown(world)).filter((row) => row.endsWith('-')).length, 2));
  made.unlist(first.id);
  await eventually(async () => assert.deepEqual(await shown(world), []));
});

test('a venue that is unreachable or hangs has no active row within 10 s, and all present ones when it is back', async (t) => {
  const made = await venue(t);
  const { tokens } = made.list({ ...GAME, markets: GAME.markets.slice(0, 1) });
  made.set(tokens[0]![0], 'asks', 56, 100);
  made.set(tokens[0]![0], 'bids', 53, 100);
  await made.close();
  const world = await served(t, feedOf(made));
  await eventually(() => assert.equal(world.log.filter((line) => line.includes('cannot be reached')).length, 1));
  await made.listen();
  await eventually(async () => assert.equal((await shown(world)).length, 2));
  made.hangs = true;
  let passed = stopwatch(t);
  await eventually(async () => assert.ok((await shown(world)).every((row) => row.endsWith('-'))));
  assert.ok(passed() < 10_000);
  made.set(tokens[0]![0], 'asks', 51, 100);
  made.hangs = false;
  await eventually(async () =>
    assert.deepEqual(await shown(world), ['moneyline away 1.960784', 'moneyline home 2.12766']),
  );
  await made.close();
  passed = stopwatch(t);
  await eventually(async () => assert.ok((await shown(world)).every((row) => row.endsWith('-'))));
  assert.ok(passed() < 3_000);
  const health = (await world.read('/health')) as { feeds: { state: string; error: string }[] };
  assert.equal(health.feeds[0]!.state, 'failing');
  assert.match(health.feeds[0]!.error, /ECONNREFUSED|closed with/);
  made.set(tokens[0]![0], 'asks', 50, 100);
  await made.listen();
  await eventually(async () => assert.deepEqual(await shown(world), ['moneyline away 2', 'moneyline home 2.12766']));
});

test('one token of which nothing is heard is not excused by others on its connection', async (t) => {
  const made = await venue(t);
  const [silent] = made.list({ ...GAME, markets: GAME.markets.slice(0, 1) }).tokens[0]!;
  const later = { ...GAME, slug: `nba-bos-lal-${NEXT_DAY}`, start: NEXT_START, markets: GAME.markets.slice(0, 1) };
  const [talking] = made.list(later).tokens[0]!;
  made.set(silent, 'asks', 56, 100);
  made.set(talking, 'asks', 48, 100);
  const world = await served(t, feedOf(made));
  await eventually(async () => assert.equal((await shown(world)).length, 2));
  made.withheld.add(silent);
  let count = 100;
  const talk = setInterval(() => made.set(talking, 'asks', 48, ++count), 500);
  t.after(() => clearInterval(talk));
  const active = ['moneyline away 1.785714 -', 'moneyline away 2.083333'];
  await eventually(async () => assert.deepEqual(await shown(world), active));
  made.withheld.clear();
  await eventually(async () => assert.ok((await shown(world)).every((row) => !row.endsWith('-'))));
});

test('of two markets with one question the one that is shown stays, whichever comes first in later lists', async (t) => {
  const made = await venue(t);
  const [winner, spread] = GAME.markets as [(typeof GAME.markets)[number], (typeof GAME.markets)[number]];
  const { tokens } = made.list({ ...GAME, markets: [winner, winner, spread, { ...spread, line: -5.5 }] });
  for (const [i, [celtics, lakers]] of (tokens as Pair[]).slice(0, 2).entries()) {
    made.set(celtics, 'asks', 50 + 10 * i, 100);
    made.set(lakers, 'asks', 60 + 10 * i, 100);
  }
  const here = await served(t, feedOf(made, ['nba'], 100));
  const wanted = ['moneyline away 2', 'moneyline home 1.666667', 'point_spread home -4.5 2'];
  made.set(tokens[2]![0]!, 'asks', 50, 100);
  made.set(tokens[3]![0]!, 'asks', 40, 100);
  await eventually(async () => assert.deepEqual(await shown(here), [...wanted, 'point_spread home -5.5 2.5']));
  const markets = made.events[0]!.body['markets'] as object[];
  markets.reverse();
  Object.assign(markets[0]!, { line: -4.5 });
  await eventually(async () => assert.deepEqual(await shown(here), wanted));
  markets.reverse();
  const asked = made.requests.length;
  await eventually(() => assert.ok(made.requests.length > asked + 8));
  assert.deepEqual(await shown(here), wanted);
  assert.equal(here.log.filter((line) => line.includes('rejected')).length, 0, here.log.join('\n'));
});

test('outcomes may come in any order, also when they are settled, which may be nearly at what they are worth', async (t) => {
  const made = await venue(t);
  const { tokens } = made.list({ ...GAME, markets: GAME.markets.slice(0, 3) });
  const [[celtics, lakers], [lakersSpread, celticsSpread], [over, under]] = tokens as [Pair, Pair, Pair];
  for (const [token, cents] of [
    [celtics, 56],
    [lakers, 45],
    [lakersSpread, 40],
    [celticsSpread, 61],
    [over, 48],
    [under, 53],
  ] as [string, number][])
    made.set(token, 'asks', cents, 100);
  const feed = new PolymarketFeed({
    ...made.settings,
    sports: ['nba'],
    catalogue,
    random: Math.random,
    discoverEveryMs: 200,
    settleEveryMs: 200,
  });
  const here = await served(t, feed, { settings: { history: '7' } });
  const wanted = [
    'moneyline away 1.785714',
    'moneyline home 2.222222',
    'point_spread away 4.5 1.639344',
    'point_spread home -4.5 2.5',
    'total_points over 224.5 2.083333',
    'total_points under 224.5 1.886792',
  ];
  const prices = async () => (await shown(here)).map((row) => row.replace(/(\.\d{6})\d*/, '$1'));
  await eventually(async () => assert.deepEqual(await prices(), wanted));
  const { markets } = made.events[0]!.body as { markets: Record<string, unknown>[] };
  const turned = (text: unknown) => JSON.stringify((JSON.parse(text as string) as string[]).reverse());
  for (const market of markets) {
    market['outcomes'] = turned(market['outcomes']);
    market['clobTokenIds'] = turned(market['clobTokenIds']);
  }
  markets[1]!['line'] = 4.5;
  const asked = made.requests.length;
  await eventually(() => assert.ok(made.requests.length > asked + 4));
  for (let i = 0; i < 5; i++) assert.deepEqual(await prices(), wanted);
  // Settled in the other order, and not to the last digit: the Celtics won, 224 points.
  for (const [i, worth] of ['["0.0005", "0.9995"]', '["0.4995", "0.5005"]', '["0.9995", "0.0005"]'].entries())
    Object.assign(markets[i]!, { closed: true, umaResolutionStatus: 'resolved', outcomePrices: worth });
  const [{ event_id }] = (await here.rows('polymarket')) as [ShownRow];
  const bets = [
    ['moneyline', 'Celtics'],
    ['moneyline', 'Lakers'],
    ['point_spread', 'Celtics', 4.5],
    ['total_points', 'Under', 224.5],
  ].map(([market_type, selection, line]) => ({
    event_id,
    market_type,
    selection,
    ...(line === undefined ? {} : { line }),
    sportsbook: 'polymarket',
    odds_decimal: 2,
  }));
  await eventually(async () => {
    const response = await fetch(`${here.server.url}/api/v1/grade`, {
      method: 'POST',
      headers: { 'x-api-key': here.server.ownKey('enterprise')!, 'content-type': 'application/json' },
      body: JSON.stringify({ bets }),
    });
    const { data } = (await response.json()) as { data: { result: string }[] };
    assert.deepEqual(
      data.map(({ result }) => result),
      ['won', 'lost', 'half', 'won'],
    );
  });
});

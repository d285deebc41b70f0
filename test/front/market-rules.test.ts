// What follows from a market type's rules, through a whole server: posted, and listed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { shared } from '../shared.js';
import { newFolder } from '../temp-folders.js';
import { type Api, api } from './api.js';

interface Side {
  type: string;
  line?: number;
  price: number;
}

const side = ({ type, line, price }: Side) => ({
  selection: type,
  selection_type: type,
  ...(line === undefined ? {} : { line }),
  odds_decimal: price,
});
const market = (market_type: string, sides: readonly Side[], more: object = {}) => ({
  market_type,
  ...more,
  selections: sides.map(side),
});
const over = (line: number, price: number) => ({ type: 'over', line, price });
const under = (line: number, price: number) => ({ type: 'under', line, price });

const OVERLAY = [
  {
    id: 'total_tries',
    name: 'Total Tries',
    description: 'Tries of both sides together.',
    examples: ['Over 5.5'],
    sports: ['rugby'],
    statistic: 'tries_scored',
    line_step: 1,
  },
  {
    id: 'coin_flip_margin',
    name: 'Coin Flip Margin',
    description: 'A handicap of its own name, whose settlement only this entry states.',
    examples: ['Home -1.5'],
    sports: ['basketball'],
    family: 'handicap',
    line: 'required',
    line_step: 0.5,
    statistic: 'flips',
    tie: 'push',
    model: 'wide_margin',
  },
];

const server = shared(async (t) => {
  const catalogue = newFolder('overround-catalogue-');
  writeFileSync(join(catalogue, 'markets.overlay.json'), JSON.stringify(OVERLAY));
  return api(t, { catalogue });
});
let games = 0;

/** A game of its own for each test: its ingest and lists. */
async function game(league = 'nba') {
  const made: Api = await server();
  const keys = { ingest: made.key('enterprise', { scopes: ['ingest'] }), read: made.key('enterprise') };
  const no = ++games;
  const teams = { home_team: `Home ${no}`, away_team: `Away ${no}` };
  const post = async (book: string, markets: readonly object[], swapped = false) => {
    const [home_team, away_team] = swapped ? [teams.away_team, teams.home_team] : [teams.home_team, teams.away_team];
    const event = { league, home_team, away_team, start_time: '2026-11-21T00:30:00Z', markets };
    const response = await made.fetch('/ingest', {
      method: 'POST',
      key: keys.ingest,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ book, polled_at: '2026-11-20T18:00:00Z', scope: 'event', events: [event] }),
    });
    return (await response.json()) as { accepted: number; rejected: { path: string; reason: string }[] };
  };
  const id = `${league}_home-${no}_away-${no}_${league === 'epl' ? '2026-11-21' : '2026-11-20'}`;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, read field by field
  const list = async (path: string): Promise<any[]> => {
    const response = await made.fetch(`${path}${path.includes('?') ? '&' : '?'}event=${id}&limit=200`, {
      key: keys.read,
    });
    const body = (await response.json()) as { data: unknown[] };
    assert.equal(response.status, 200, JSON.stringify(body));
    return body.data;
  };
  return { ...made, id, post, list, keys };
}

const rows = (data: readonly Record<string, unknown>[]) =>
  data.map((row) => [row['market_type'], row['team'] ?? null, row['selection_type'], row['line']]).sort();

test('the totals of two teams in one half are two markets', async () => {
  const { post, list } = await game('nfl');
  await post('draftkings', [market('team_total_h1', [over(13.5, 2.1), under(13.5, 1.6)], { team: 'home' })]);
  await post('fanduel', [market('team_total_h1', [over(13.5, 1.6), under(13.5, 2.1)], { team: 'away' })]);
  await post('betmgm', [market('team_total_h1', [over(16.5, 2.2), under(16.5, 1.5)], { team: 'away' })]);
  for (const path of ['arbitrage?min_profit=0', 'middles', 'low_hold'])
    assert.deepEqual(await list(`/opportunities/${path}`), [], path);
  await post('caesars', [market('team_total_h1', [over(13.5, 1.6), under(13.5, 2.1)], { team: 'home' })]);
  const found = await list('/opportunities/arbitrage?min_profit=0');
  assert.deepEqual(
    found.map((item) => [item.market_type, item.legs.map((leg: { sportsbook: string }) => leg.sportsbook)]),
    [['team_total_h1', ['draftkings', 'caesars']]],
  );
});

test('a team’s total needs its team in every part, stated or in its name', async () => {
  const { post, list } = await game('nfl');
  const sides = [over(13.5, 1.9), under(13.5, 1.9)];
  const refused = await post('draftkings', [market('team_total_h1', sides), market('team_total_q3', sides)]);
  assert.deepEqual(
    refused.rejected.map(({ reason }) => reason),
    ['team_total_h1 needs "home" or "away"', 'team_total_q3 needs "home" or "away"'],
  );
  await post('draftkings', [market('home_team_total_h1', sides), market('away_team_total', sides)]);
  assert.deepEqual(rows(await list('/odds')), [
    ['team_total', 'away', 'over', 13.5],
    ['team_total', 'away', 'under', 13.5],
    ['team_total_h1', 'home', 'over', 13.5],
    ['team_total_h1', 'home', 'under', 13.5],
  ]);
  const other = await post('draftkings', [market('home_team_total_h1', sides, { team: 'away' })]);
  assert.deepEqual([other.accepted, other.rejected[0]?.reason], [0, 'home_team_total_h1 is not about the away team']);
});

test('what a book lists the other way round is turned by the rules of its market, in every family and part', async () => {
  const { post, list } = await game('epl');
  const listed = (home: 'home' | 'away', away: 'home' | 'away') => [
    market(`${home}_team_total_h1`, [over(0.5, 1.7)]),
    market('team_total', [under(1.5, 1.8)], { team: away }),
    market('moneyline_h1', [
      { type: home, price: 2.9 },
      { type: 'draw', price: 2.2 },
    ]),
    market('point_spread', [{ type: home, line: -0.75, price: 1.9 }]),
    market('corners_spread', [{ type: away, line: 1.5, price: 1.9 }]),
    market('double_chance', [{ type: `${home}_or_draw`, price: 1.3 }]),
    market('half_time_full_time', [{ type: `${home}_${away}`, price: 21 }]),
    market('correct_score', [{ type: home === 'home' ? '2_1' : '1_2', price: 9 }]),
    market(`${home}_clean_sheet`, [{ type: 'yes', price: 2.6 }]),
    market('draw_no_bet', [{ type: away, price: 2.4 }]),
  ];
  const plain = await post('draftkings', listed('home', 'away'));
  const turned = await post('fanduel', listed('away', 'home'), true);
  assert.deepEqual([plain.rejected, turned.rejected], [[], []]);
  const all = await list('/odds');
  const of = (book: string) => rows(all.filter((row) => row.sportsbook === book));
  assert.equal(of('draftkings').length, 11);
  assert.deepEqual(of('fanduel'), of('draftkings'));
});

test('a contract venue’s whole strikes are markets of its own, its halves are the books’', async () => {
  const { post, list, fetch, keys } = await game();
  const lines = [224, 224.5];
  const strikes = lines.flatMap((line) => [over(line, 2.2), under(line, 1.7)]);
  const named = (type: string) =>
    market(
      type,
      strikes.map((one) => ({ ...one })),
    );
  const mixed = {
    ...named('total_points'),
    selections: strikes.map((one) => ({ ...side(one), is_alternate_line: true })),
  };
  const spread = market('point_spread', [
    { type: 'home', line: -3, price: 2.4 },
    { type: 'away', line: 3, price: 1.6 },
  ]);
  for (const venue of ['kalshi', 'polymarket']) assert.deepEqual((await post(venue, [mixed, spread])).rejected, []);
  await post('draftkings', [
    ...lines.map((line) => ({
      ...market('total_points', [over(line, 1.7), under(line, 2.4)]),
      selections: [over(line, 1.7), under(line, 2.4)].map((one) => ({ ...side(one), is_alternate_line: true })),
    })),
    market('point_spread', [
      { type: 'home', line: -3, price: 1.6 },
      { type: 'away', line: 3, price: 2.4 },
    ]),
  ]);
  const found = await list('/opportunities/arbitrage?min_profit=0&include_suspicious=true');
  assert.deepEqual([...new Set(found.map((item) => `${item.market_type} ${item.line}`))], ['total_points 224.5']);
  const own = (await list('/odds?sportsbook=kalshi')).map((row) => `${row.market_type} ${row.line}`);
  assert.deepEqual([...new Set(own)].sort(), [
    'point_spread_contract_kalshi -3',
    'point_spread_contract_kalshi 3',
    'total_points 224.5',
    'total_points_contract_kalshi 224',
  ]);
  const types = (await (await fetch('/markets', { key: keys.read })).json()) as { data: Record<string, unknown>[] };
  const entry = types.data.find(({ id }) => id === 'total_points_contract_kalshi')!;
  const { family, tie, derived, hasLine, part } = entry;
  assert.deepEqual(
    { family, tie, derived, hasLine, part },
    { family: 'total', tie: 'loses', derived: true, hasLine: true, part: 'game' },
  );
});

test('closing a market of a contract venue without selections closes its own strikes too', async () => {
  const { post, list } = await game();
  await post('kalshi', [
    market('total_points', [over(220, 2), under(220, 1.9)]),
    market('moneyline', [{ type: 'home', price: 2 }]),
  ]);
  await post('kalshi', [
    { market_type: 'total_points', is_active: false, selections: [] },
    market('moneyline', [{ type: 'home', price: 2 }]),
  ]);
  const active = (await list('/odds')).map((row) => [row.market_type, row.is_active !== false]);
  assert.deepEqual(active.sort(), [
    ['moneyline', true],
    ['total_points_contract_kalshi', false],
    ['total_points_contract_kalshi', false],
  ]);
});

test('a handicap without a line is refused in every part and statistic', async () => {
  const { post } = await game('epl');
  for (const type of [
    'corners_spread',
    'cards_spread',
    'game_handicap',
    'point_spread_h1',
    'puck_line_p2',
    'set_handicap',
  ]) {
    const { accepted, rejected } = await post('draftkings', [market(type, [{ type: 'home', price: 1.9 }])]);
    assert.deepEqual([accepted, rejected.map(({ reason }) => reason)], [0, [`${type} needs a line`]]);
  }
});

test('a market type of an operator’s catalogue is one entry: it is taken in, paired and shown by its rules', async () => {
  const { post, list, fetch, keys } = await game();
  const flips = (home: number, away: number) =>
    market('coin_flip_margin', [
      { type: 'home', line: -1.5, price: home },
      { type: 'away', line: 1.5, price: away },
    ]);
  await post('draftkings', [flips(2.2, 1.7)]);
  const { rejected } = await post('fanduel', [
    flips(1.7, 2.1),
    market('coin_flip_margin_h1', [{ type: 'home', price: 2 }]),
  ]);
  assert.deepEqual(rejected, []);
  const [found] = await list('/opportunities/arbitrage?min_profit=0');
  assert.deepEqual([found.market_type, found.line], ['coin_flip_margin', -1.5]);
  const { data } = (await (await fetch('/markets', { key: keys.read })).json()) as { data: Record<string, unknown>[] };
  const shown = (id: string) => {
    const { family, statistic, line_step, model, derived, hasLine } = data.find((one) => one['id'] === id)!;
    return [family, statistic, line_step, model, derived ?? false, hasLine];
  };
  assert.deepEqual(shown('coin_flip_margin'), ['handicap', 'flips', 0.5, 'wide_margin', false, true]);
  // What the entry does not say follows from its name.
  assert.deepEqual(shown('total_tries'), ['total', 'tries_scored', 1, 'wide_total', false, true]);
  assert.deepEqual(shown('coin_flip_margin_h1'), ['other', null, null, null, true, false]);
  const without = await post('fanduel', [market('coin_flip_margin', [{ type: 'home', price: 2 }])]);
  assert.equal(without.rejected[0]?.reason, 'coin_flip_margin needs a line');
});

/** Type, sport's league, team, percent of a push between equal sides (null: none is known), and whether one is possible. */
const PUSHES: readonly [type: string, league: string, percent: number, flagged: boolean, line?: number][] = [
  ['draw_no_bet', 'epl', 26.4, true],
  ['moneyline_q1', 'nba', 6.6, true],
  ['moneyline_h1', 'nfl', 8.9, true],
  ['moneyline_1st_1_innings', 'mlb', 55.3, true],
  ['moneyline_1st_5_innings', 'mlb', 15.7, true],
  ['moneyline_p1', 'nhl', 31.2, true],
  ['moneyline', 'nfl', 0.35, true],
  ['moneyline', 'ncaaf', 0, false],
  ['moneyline', 'nba', 0, false],
  ['moneyline', 'ufc', 0, true],
  ['home_team_total', 'nfl', 4.35, true, 21],
  ['home_team_total_h1', 'nfl', 6.5, true, 10],
  ['home_team_total', 'nfl', 0, false, 21.5],
  ['point_spread_h1', 'nfl', 8.9, true, 0],
];

test('an edge is that of the bet, returned on a push, wherever a result can push, and says so', async () => {
  for (const [type, league, percent, flagged, line] of PUSHES) {
    const { post, list, id } = await game(league);
    const [first, second] = line !== undefined && type.includes('total') ? ['over', 'under'] : ['home', 'away'];
    const sides = (a: number, b: number) => {
      const opposite = first === 'home' && line !== undefined ? 0 - line : line;
      return market(type, [
        { type: first!, price: a, ...(line === undefined ? {} : { line }) },
        { type: second!, price: b, ...(opposite === undefined ? {} : { line: opposite }) },
      ]);
    };
    await post('pinnacle', [sides(1.9, 1.9)]);
    await post('draftkings', [sides(2.2, 1.6)]);
    const [found] = await list('/opportunities/ev?min_ev=0');
    assert.ok(found !== undefined, `${type} ${league} ${id}`);
    assert.ok(Math.abs(found.ev_percentage - (10 - percent / 10)) < 0.02, `${type} ${league}: ${found.ev_percentage}`);
    assert.equal(found.warnings.includes('PUSH_POSSIBLE'), flagged, `${type} ${league}`);
    // Stakes and fair probability are those given that the bet is decided.
    assert.deepEqual([found.fair_probability, found.kelly_percent], [0.5, 8.3333]);
  }
});

after(() => assert.ok(games > 5));

test('a name of another service is its market: two books meet by it, filters take it, and one that means nothing is told', async () => {
  const { post, list, fetch, id, keys } = await game('epl');
  const sides = (yes: number, no: number) => [
    { type: 'yes', price: yes },
    { type: 'no', price: no },
  ];
  await post('draftkings', [market('both_teams_to_score', sides(2.2, 1.6))]);
  await post('fanduel', [market('btts', sides(1.7, 2.1)), market('alternate_totals', [over(3.5, 3), under(3.5, 1.3)])]);
  assert.deepEqual(
    (await list('/opportunities/arbitrage?market=btts&min_profit=0')).map((item) => item.market_type),
    ['both_teams_to_score'],
  );
  const lines = await list('/odds?market=totals&sportsbook=fanduel');
  assert.deepEqual(rows(lines), [
    ['total_goals', null, 'over', 3.5],
    ['total_goals', null, 'under', 3.5],
  ]);
  assert.ok(lines.every((row) => row.is_alternate_line === true));
  for (const path of ['/odds', '/odds/best', '/opportunities/arbitrage', '/opportunities/ev']) {
    const told = await fetch(`${path}?event=${id}&market=btts,first_corner_kick`, { key: keys.read });
    const { meta } = (await told.json()) as { meta: { unknown?: string[] } };
    assert.deepEqual(meta.unknown, ['first_corner_kick'], path);
    const strict = await fetch(`${path}?event=${id}&market=first_corner_kick&strict=true`, { key: keys.read });
    assert.equal(strict.status, 400, path);
    assert.match(JSON.stringify(await strict.json()), /first_corner_kick: no such name/);
  }
});

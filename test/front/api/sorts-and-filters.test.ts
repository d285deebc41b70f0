// Sort orders and filters of the lists: each name, in both directions, and what passes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bothWays, EVENT_SORTS, OPPORTUNITY_SORTS, ROW_SORTS } from '../../../src/schema/parameters.js';
import { shared } from '../../shared.js';
import { api, fillWorld, type Json } from '../api.js';
import { ARSENAL, BULLS, LAKERS, STREET } from './serving.js';

/** Read only. */
const made = shared(async (t) => {
  const world = await api(t);
  await fillWorld(world);
  const key = world.key('enterprise');
  const get = async (path: string): Promise<Json> => {
    const response = await world.fetch(path, { key });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const list = async (path: string): Promise<Json[]> => {
    const body = await get(path);
    assert.deepEqual([body.status, body.meta?.ignored], [200, undefined], `${path} ${JSON.stringify(body.error)}`);
    return body.data;
  };
  return { ...world, get, list };
});

type Value = (item: Json) => number | string;

const startOf: Value = (item) => Date.parse(item.event_start_time ?? item.start_time);
const prices = (item: Json): number[] =>
  [item.odds_decimal, item.best_odds?.decimal, ...(item.legs ?? []).map((leg: Json) => leg.odds_decimal)]
    .concat([item.side1, item.side2, item.side3].map((side) => side?.odds.decimal))
    .filter((price) => price !== undefined);
const longest: Value = (item) => Math.max(...prices(item));

/** By the sort's name, the values by which items must be ordered: rows, best prices, events and opportunities alike. */
const VALUES: Record<string, Value> = {
  time: startOf,
  start_time: startOf,
  event_start_time: startOf,
  sport: (item) => item.sport,
  league: (item) => item.league,
  market: (item) => item.market_type,
  sportsbook: (item) => item.sportsbook ?? item.best_book,
  odds: longest,
  odds_american: longest,
  odds_decimal: longest,
  odds_probability: (item) => 1 / Number(longest(item)),
  probability: (item) => item.middle_probability ?? 1 / Number(longest(item)),
  timestamp: (item) => Date.parse(item.last_seen_at ?? 0) || -(item.oldest_odds_age_seconds ?? item.odds_age_seconds),
  ev: (item) => item.ev_percentage ?? item.expected_value ?? item.profit_percent,
  profit: (item) => item.ev_percentage ?? item.expected_value ?? item.profit_percent,
  confidence: (item) => item.confidence_score ?? item.confidence,
  quality: (item) => item.confidence_score ?? item.quality_score ?? item.confidence,
  kelly: (item) => item.kelly_fraction,
  book_count: (item) => item.book_count,
  middle_size: (item) => item.middle_size,
  hold: (item) => item.hold_percentage,
};
VALUES['last_seen_at'] = VALUES['timestamp']!;

const BEST_FIRST: Record<string, readonly string[]> = {
  arbitrage: ['profit', 'ev'],
  middles: ['quality', 'ev', 'profit', 'probability', 'middle_size'],
  low_hold: ['confidence', 'quality'],
};

test('every list accepts each of its sort orders in both directions, and time everywhere', async () => {
  const { list, get } = await made();
  const rowSorts = Object.values(ROW_SORTS).flat();
  const lists: [path: string, sorts: readonly string[]][] = [
    ['/odds?limit=200', rowSorts],
    ['/odds/best?limit=200', rowSorts],
    ['/odds/delta?limit=200&since=2026-11-20T17:00:00Z', rowSorts],
    ['/events?limit=200', EVENT_SORTS],
    ['/opportunities/ev?min_ev=-100&limit=200', OPPORTUNITY_SORTS.ev],
    ['/opportunities/arbitrage?min_profit=-100&include_suspicious=true', OPPORTUNITY_SORTS.arbitrage],
    ['/opportunities/middles?min_ev=-100&limit=200', OPPORTUNITY_SORTS.middle],
    ['/opportunities/low_hold?max_hold=1000&limit=200', OPPORTUNITY_SORTS.low_hold],
  ];
  for (const [path, sorts] of lists) {
    assert.ok(sorts.includes('time'), path);
    for (const sort of bothWays(sorts)) {
      const items = await list(`${path}&sort=${sort}`);
      const name = sort.replace('-', '');
      const down = name !== sort || BEST_FIRST[/opportunities\/(\w+)/.exec(path)?.[1] ?? '']?.includes(name);
      const values = items.map(VALUES[name]!);
      assert.ok(values.length > 0 && !values.includes(Number.NaN), `${path} ${sort}`);
      for (let i = 1; i < values.length; i++) {
        const [before, value] = [values[i - 1]!, values[i]!];
        const right =
          typeof value === 'number' && down ? value <= Number(before) + 1e-6 : down ? value <= before : true;
        const rising = typeof value === 'number' ? value >= Number(before) - 1e-6 : value >= before;
        assert.ok(down ? right : rising, `${path}&sort=${sort}: ${before} before ${value}`);
      }
    }
    const { status, error } = await get(`${path}&sort=shoe_size`);
    assert.deepEqual([status, error.code], [400, 'invalid_request'], path);
    assert.match(error.message, /^sort\b.*time/);
  }
  const [first] = await list('/odds?limit=1&sort=-odds&market=moneyline');
  const paged = await get('/odds?limit=1&sort=-odds&market=moneyline');
  const next = await list(`/odds?limit=1&sort=-odds&market=moneyline&cursor=${paged.pagination.next_cursor}`);
  assert.ok(first.odds_decimal >= next[0].odds_decimal && first.id !== next[0].id, 'cursors take the synonyms too');
});

const eventsOf = (items: Json[]): string[] => [...new Set(items.map((item) => item.event_id))].sort();

test('rows, best prices and changes are found by team, day and words as events are', async () => {
  const { list, get } = await made();
  const all = eventsOf(await list('/odds?limit=200'));
  for (const path of ['/odds?limit=200', '/odds/best?limit=200', '/odds/delta?limit=200&since=2026-11-20T17:00:00Z']) {
    for (const team of ['lakers', 'LAL', 'Los+Angeles+Lakers', 'los+angeles&team=nobody'])
      assert.deepEqual(eventsOf(await list(`${path}&team=${team}`)), [LAKERS], `${path} ${team}`);
    assert.deepEqual(eventsOf(await list(`${path}&team=lakers,bulls`)), [BULLS, LAKERS].sort(), path);
    assert.deepEqual(eventsOf(await list(`${path}&q=chel&live=true`)), [ARSENAL], path);
    assert.deepEqual(eventsOf(await list(`${path}&q=street`)), [STREET], path);
    // 01:00 in UTC is the day before in New York.
    assert.deepEqual(eventsOf(await list(`${path}&date=2026-11-20&league=nba`)), [BULLS, LAKERS].sort(), path);
    assert.deepEqual(eventsOf(await list(`${path}&date=2026-11-22`)), [], path);
    assert.equal((await get(`${path}&date=yesterday`)).error.message, 'date must be a date', path);
    const whole = await get(`${path}&team=lakers`);
    assert.equal(whole.pagination.total, (await list(`${path}&event=${LAKERS}`)).length, path);
  }
  assert.ok(all.length > 3);
  // Totals are cached by filter: another team has another one.
  const total = async (team: string) => (await get(`/odds?limit=1&team=${team}`)).pagination.total;
  assert.ok((await total('lakers')) !== (await total('bulls')));
});

test('opportunities are filtered by the prices of their legs, +EV also by the width of its market', async () => {
  const { list, get } = await made();
  for (const path of [
    '/opportunities/arbitrage?min_profit=-100&include_suspicious=true',
    '/opportunities/middles?min_ev=-100&limit=200',
    '/opportunities/low_hold?max_hold=1000&limit=200',
    '/opportunities/ev?min_ev=-100&limit=200',
  ]) {
    const all = await list(path);
    const bounds = [...new Set(all.flatMap(prices))].sort((a, b) => a - b);
    const american = (decimal: number) => (decimal >= 2 ? (decimal - 1) * 100 : -100 / (decimal - 1)).toFixed(6);
    for (const bound of [bounds[0]!, bounds[bounds.length >> 1]!]) {
      const above = await list(`${path}&min_odds=${american(bound)}`);
      const below = await list(`${path}&max_odds=${american(bound)}`);
      const passing = (test: (price: number) => boolean) => all.filter((item) => prices(item).every(test)).length;
      assert.equal(
        above.length,
        passing((price) => price >= bound - 1e-4),
        `${path} from ${bound}`,
      );
      assert.equal(
        below.length,
        passing((price) => price <= bound + 1e-4),
        `${path} to ${bound}`,
      );
    }
  }
  const all = await list('/opportunities/ev?min_ev=-100&limit=200');
  const widths = all.map((item) => item.market_width).filter((width) => width !== null);
  const middle = widths.sort((a, b) => a - b)[widths.length >> 1];
  const narrow = await list(`/opportunities/ev?min_ev=-100&limit=200&max_market_width=${middle}`);
  assert.equal(narrow.length, widths.filter((width) => width <= middle).length);
  const wide = await list(`/opportunities/ev?min_ev=-100&limit=200&min_market_width=${middle}`);
  assert.equal(wide.length, widths.filter((width) => width >= middle).length);
  assert.equal((await get('/opportunities/ev?min_market_width=wide')).error.message, 'min_market_width must be number');
});

test('the prices of a future are narrowed by sport and league', async () => {
  const { list, get } = await made();
  const path = '/futures/odds?future_id=nba_championship_winner';
  const all = await list(path);
  assert.ok(all.length > 2);
  for (const query of ['sport=basketball', 'league=nba', 'leagues=nfl,nba', 'league=nba&sport=soccer,basketball'])
    assert.deepEqual(await list(`${path}&${query}`), all, query);
  assert.deepEqual(await list(`${path}&league=nfl`), []);
  const strange = await get(`${path}&league=fog-league`);
  assert.deepEqual([strange.data, strange.meta.unknown], [[], ['fog-league']]);
});

test('teams show their leagues and number of events', async () => {
  const { list } = await made();
  const [lakers] = await list('/teams?league=nba&q=lakers');
  assert.deepEqual([lakers.leagues, lakers.event_count, lakers.live_count], [['nba'], 1, 0]);
  const [arsenal] = await list('/teams?league=epl&q=arsenal');
  assert.deepEqual([arsenal.event_count, arsenal.live_count], [1, 1]);
  assert.ok(arsenal.leagues.includes('epl'));
  const [bruins] = await list('/teams?league=nhl&q=bruins');
  assert.deepEqual([bruins.event_count, bruins.live_count], [0, 0], 'a game that is over does not count');
  for (const team of await list('/teams')) assert.ok(team.leagues.includes(team.league), team.id);
});

// What rows say beside their price: whether their line is the book's main one, whether a price in play is still that of
// before the game, and the ids that a bet by the book's own interface needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ODDS_COLUMNS } from '../../../src/answers/csv.js';
import { bestRoutes } from '../../../src/front/api/best.js';
import { deltaRoutes } from '../../../src/front/api/delta.js';
import { oddsRoutes } from '../../../src/front/api/odds.js';
import type { IngestEvent, IngestMarket } from '../../../src/intake/ingest/message.js';
import { Odds, OddsGroup } from '../../../src/schema/odds-items.js';
import { shared } from '../../shared.js';
import { type Body, moneyline, overUnder, pastOf, serving } from './serving.js';

const served = shared((t) =>
  serving(t, (deps) => {
    return [...oddsRoutes(deps, pastOf(deps)), ...deltaRoutes(deps), ...bestRoutes(deps, pastOf(deps))];
  }),
);

const lakers = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers' };
let day = 1;

/** A game of its own for each test, on another day. */
async function world() {
  const server = await served();
  const id = `nba_celtics_lakers_2026-12-${String(day).padStart(2, '0')}`;
  day++;
  const start_time = `2026-12-${String(day).padStart(2, '0')}T00:30:00Z`;
  const poll = async (book: string, markets: object[], more: Partial<IngestEvent> = {}): Promise<void> => {
    server.clock.set(server.clock.now() + 1_000);
    const polled_at = new Date(server.clock.now()).toISOString();
    const event = { ...lakers, start_time, markets: markets as IngestMarket[], ...more };
    await server.ingest({ book, polled_at, events: [event] });
  };
  const rows = async (query = '') => (await server.ok(`/odds?event=${id}${query}`, 'pro')).data as Body[];
  return { ...server, poll, rows, id };
}

test('is_main_line is what is_alternate_line is not, and selects main lines in lists and among best prices', async () => {
  const { poll, rows, ok, id } = await world();
  await poll('draftkings', [
    overUnder('total_points', 220.5),
    overUnder('total_points', 225.5, {}, true),
    moneyline(-150, 130),
  ]);
  await poll('fanduel', [overUnder('total_points', 225.5)]);
  const all = await rows();
  assert.equal(all.length, 8);
  for (const row of all) assert.equal(row['is_main_line'], !row['is_alternate_line']);
  const lines = (list: Body[]) => list.map((row) => `${row['sportsbook']} ${row['line']}`).sort();
  assert.deepEqual(lines(await rows('&is_main_line=false')), ['draftkings 225.5', 'draftkings 225.5']);
  const main = await ok(`/odds?event=${id}&is_main_line=true&limit=2`, 'pro');
  assert.deepEqual([main.data.length, main.pagination.total, main.meta.filters.is_main_line], [2, 6, true]);
  const best = async (query: string) =>
    ((await ok(`/odds/best?event=${id}&market=total_points${query}`, 'pro')).data as Body[]).map(
      ({ line, all_books }) => `${line} ${all_books.map(({ book }: Body) => book).sort()}`,
    );
  assert.deepEqual((await best('')).sort(), [
    '220.5 draftkings',
    '220.5 draftkings',
    '225.5 draftkings,fanduel',
    '225.5 draftkings,fanduel',
  ]);
  assert.deepEqual((await best('&is_main_line=true')).sort(), [
    '220.5 draftkings',
    '220.5 draftkings',
    '225.5 fanduel',
    '225.5 fanduel',
  ]);
  assert.deepEqual(await best('&is_main_line=false'), ['225.5 draftkings', '225.5 draftkings']);
});

test('a price in play is stale while it has not moved since the start, whatever else is said of it', async () => {
  const { poll, rows, ok, id } = await world();
  const stale = async (query = '') =>
    Object.fromEntries((await rows(query)).map((row) => [row['selection_type'], row['is_stale_pregame_price']]));
  await poll('draftkings', [moneyline(-150, 130)]);
  assert.deepEqual(await stale(), { home: undefined, away: undefined }, 'nothing to say before the game');
  // One side moves with the message that says that the game is in play.
  await poll('draftkings', [moneyline(-150, 140)], { is_live: true });
  assert.deepEqual(await stale(), { home: true, away: false });
  await poll('draftkings', [moneyline(-150, 140)], { is_live: true, suspended: true });
  await poll('draftkings', [moneyline(-150, 140), overUnder('total_points', 220.5)], { is_live: true });
  assert.deepEqual(await stale(), { home: true, away: false, over: false, under: false });
  assert.deepEqual(await stale('&is_stale_pregame_price=true'), { home: true });
  assert.deepEqual(await stale('&is_stale_pregame_price=false'), { away: false, over: false, under: false });
  const best = async (is: boolean) =>
    (await ok(`/odds/best?event=${id}&is_stale_pregame_price=${is}`, 'pro')).pagination.total;
  assert.deepEqual([await best(true), await best(false)], [1, 3]);
  await poll('draftkings', [moneyline(-145, 140), overUnder('total_points', 220.5)], { is_live: true });
  assert.deepEqual(await stale(), { home: false, away: false, over: false, under: false });
  assert.equal((await rows('&market=moneyline'))[0]!['odds_american_previous'], -150);
  await poll('draftkings', [moneyline(-145, 140), overUnder('total_points', 220.5)], { is_live: false });
  assert.deepEqual(await stale(), { home: undefined, away: undefined, over: undefined, under: undefined });
});

test("rows have the book's own ids of event, market and selection where its feed tells them", async () => {
  const { poll, rows, id, ok } = await world();
  const total = (line: number, more: object) => ({
    ...overUnder('total_points', line, more),
    selections: ['over', 'under'].map((side) => ({
      selection: side,
      selection_type: side,
      line,
      odds_american: -110,
      external_id: `${side}-${line}`,
    })),
  });
  const ids = async () =>
    (await rows()).map(
      ({ selection_type, external_event_id, market_id, selection_id }) =>
        `${selection_type} ${external_event_id} ${market_id} ${selection_id}`,
    );
  await poll('draftkings', [total(220.5, { market_id: 'm.1' })], { external_id: `e-${id}` });
  await poll('fanduel', [moneyline(-150, 130)]);
  assert.deepEqual((await ids()).sort(), [
    'away undefined undefined undefined',
    'home undefined undefined undefined',
    `over e-${id} m.1 over-220.5`,
    `under e-${id} m.1 under-220.5`,
  ]);
  // Of its own names, and of one line; the event gets another id.
  const own = total(220.5, {});
  own.selections = own.selections.map(({ external_id, ...more }, i) => ({
    ...more,
    selection_id: external_id,
    market_id: `m.${i}`,
  })) as never;
  await poll('draftkings', [own], { external_event_id: `f-${id}` });
  assert.deepEqual(
    (await ids()).filter((one) => !one.includes('undefined')),
    [`over f-${id} m.0 over-220.5`, `under f-${id} m.1 under-220.5`],
  );
  const table = await (await ok(`/odds?event=${id}&fields=market_id,selection_id`, 'pro')).data;
  assert.deepEqual(
    table.filter((row: Body) => row['market_id'] === 'm.0'),
    [{ market_id: 'm.0', selection_id: 'over-220.5' }],
  );
});

test('a page of odds has up to 500 rows, and no more', async () => {
  const { refused, ok } = await world();
  assert.equal((await ok('/odds?limit=500', 'pro')).pagination.limit, 500);
  assert.deepEqual((await refused('/odds?limit=501', 'pro')).slice(0, 2), [400, 'invalid_request']);
});

test('every documented field of a row may be asked for by its name, and a row under its event has those it must have', async () => {
  const { poll, rows, ok, id } = await world();
  await poll('draftkings', [moneyline(-150, 130)]);
  const whole = await rows();
  // The opening is history's, which is not kept here.
  const { opening: _opening, ...fields } = Odds.properties;
  for (const name of Object.keys(fields))
    assert.deepEqual((await rows(`&fields=${name}`))[0]![name], whole[0]![name], name);
  const [group] = (await ok(`/odds?event=${id}&group_by=event`, 'pro')).data as Body[];
  const [must] = OddsGroup.properties.odds.anyOf;
  for (const row of group!['odds'])
    assert.deepEqual(
      must.items.required.filter((name) => row[name] === undefined),
      [],
    );
});

test('a table of rows has a column for every field but those that say what others do, and those that are no cell', () => {
  // team_name says it too, odds_probability is the same; openings have columns of their own, a ladder has none.
  const without = ['team', 'probability', 'opening', 'depth'];
  assert.deepEqual(
    ODDS_COLUMNS.toSorted(),
    Object.keys(Odds.properties)
      .filter((name) => !without.includes(name))
      .sort(),
  );
});

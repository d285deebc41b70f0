// The desk computes as the server does: for any prices of a game its best prices, holds and main lines are those of
// /odds/best and /odds/comparison, and its fair prices those by which detection judges each book.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OutcomeView } from '../../dashboard/model/block.js';
import { type Block, Board } from '../../dashboard/model/board.js';
import { judgedByMethods } from '../../dashboard/model/devig-methods.js';
import { declareMarkets } from '../../dashboard/model/market-choice.js';
import type { OddsRow } from '../../src/client/client.js';
import { canonicalPlayerName } from '../../src/rules/catalogue/player-name.js';
import { type Body, NOW } from '../front/api/serving.js';
import { api } from '../front/api.js';
import { shared } from '../shared.js';

const NOW_MS = Date.parse(NOW);
const served = shared(async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { features: ['low_hold'] });
  const get = async (path: string): Promise<Body> => {
    const answer = await made.fetch(path, { key });
    const body = (await answer.json()) as Body;
    assert.equal(answer.status, 200, JSON.stringify(body));
    return body;
  };
  declareMarkets((await get('/markets'))['data']);
  const books = (await get('/sportsbooks?catalog=true&include_unlisted=true'))['data'];
  return { ...made, get, books };
});

const BOOKS = ['draftkings', 'fanduel', 'betmgm', 'betrivers', 'ballybet', 'betparx', 'matchbook', 'caesars'];
const PLAYERS = ['Luka Dončić', 'Luka Doncic', 'LUKA DONCIC'];

/** A book's two prices: mostly with a margin, now and then below what two results cost, or that nobody means. */
const twoPrices = fc
  .tuple(
    fc.double({ min: 0.25, max: 0.75, noNaN: true }),
    fc.constantFrom(0.9, 0.985, 1.02, 1.04, 1.05, 1.06, 1.06, 1.08, 1.3),
  )
  .map(([share, sum]) => [share, 1 - share].map((one) => decimalOf(one * sum)));
const threePrices = fc
  .tuple(fc.double({ min: 0.25, max: 0.45, noNaN: true }), fc.constantFrom(0.95, 1.03, 1.05, 1.08))
  .map(([share, sum]) => [share, 0.95 - share - 0.1 * share, 0.05 + 0.1 * share].map((one) => decimalOf(one * sum)));
const decimalOf = (probability: number): number => Math.max(1.01, Math.round(1_000 / probability) / 1_000);

const more = fc.record(
  {
    is_active: fc.constantFrom(true, true, true, true, true, true, false),
    size: fc.constantFrom(5, 50, 500, 500),
  },
  { requiredKeys: ['is_active'] },
);

type Side = [selection: string, type: string, line?: number];
function marketOf(
  market_type: string,
  sides: readonly Side[],
  prices: readonly number[],
  of: readonly object[],
  rest = {},
) {
  const { is_alternate_line = false, ...named } = rest as Body;
  return {
    market_type,
    ...named,
    selections: sides.map(([selection, selection_type, line], i) => ({
      ...{ selection, selection_type, odds_decimal: prices[i]!, ...of[i % of.length]! },
      ...(line === undefined ? {} : { line, is_alternate_line }),
    })),
  };
}

const two = (market_type: string, sides: readonly Side[], rest: object = {}) =>
  fc
    .tuple(twoPrices, fc.array(more, { minLength: 2, maxLength: 2 }))
    .map(([prices, of]) => marketOf(market_type, sides, prices, of, rest));
const WINNERS: readonly Side[] = [
  ['h', 'home'],
  ['a', 'away'],
  ['Draw', 'draw'],
];
const winner = fc.oneof(
  two('moneyline', WINNERS.slice(0, 2)),
  fc
    .tuple(threePrices, fc.array(more, { minLength: 3, maxLength: 3 }))
    .map(([prices, of]) => marketOf('moneyline', WINNERS, prices, of)),
);
const handicap = (type: string) =>
  withAlternate(
    (line, is_alternate_line) =>
      two(
        type,
        [
          ['h', 'home', line],
          ['a', 'away', -line],
        ],
        { is_alternate_line },
      ),
    [-2.5, -1.5, 1.5],
  );
const total = (type: string, lines: readonly number[], rest: object = {}) =>
  withAlternate(
    (line, is_alternate_line) =>
      two(
        type,
        [
          ['Over', 'over', line],
          ['Under', 'under', line],
        ],
        { ...rest, is_alternate_line },
      ),
    lines,
  );
/** Beside the main line, or in its place, an alternate one. */
const withAlternate = (main: (at: number, alternate: boolean) => fc.Arbitrary<object>, lines: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...lines), fc.constantFrom(...lines), fc.constantFrom('main', 'both', 'alternate'))
    .chain(([at, other, which]) =>
      fc.tuple(...(which === 'alternate' ? [] : [main(at, false)]), ...(which === 'main' ? [] : [main(other, true)])),
    );

const points = fc
  .constantFrom(...PLAYERS)
  .chain((player_name) => total('player_points', [25.5, 26.5], { player_name, stat_category: 'points' }));

const LEAGUES = {
  nba: {
    teams: ['Boston Celtics', 'Los Angeles Lakers'],
    markets: [
      two('moneyline', WINNERS.slice(0, 2)),
      handicap('point_spread'),
      total('total_points', [219.5, 220.5, 221]),
      points,
    ],
  },
  nhl: {
    teams: ['Boston Bruins', 'New York Rangers'],
    markets: [winner, handicap('puck_line'), total('total_goals', [5.5, 6])],
  },
  epl: {
    teams: ['Arsenal', 'Chelsea'],
    markets: [
      winner,
      two('both_teams_to_score', [
        ['Yes', 'yes'],
        ['No', 'no'],
      ]),
      total('total_goals', [2.5, 3]),
    ],
  },
} as const;

const game = fc.constantFrom(...(Object.keys(LEAGUES) as (keyof typeof LEAGUES)[])).chain((league) => {
  const markets = fc.tuple(...(LEAGUES[league].markets as readonly fc.Arbitrary<object | object[]>[]));
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom(...BOOKS), markets, { minKeys: 4 }),
      // A sharp book's prices are the reference where there are any.
      fc.option(markets, { freq: 2 }),
    )
    .map(([books, sharp]) => ({ league, books: sharp === null ? books : { ...books, pinnacle: sharp } }));
});

let day = 0;

const whose = (body: Body): string => canonicalPlayerName(body['player_name'] ?? '');
/** -0 and 0 are one line. */
const lineOf = (line: number | null): number | null => (line === null ? null : line + 0);

test('best prices, holds, main lines and fair prices of the desk are the server’s, for any prices', async () => {
  const { get, books, ingest } = await served();
  let judged = 0;
  let held = 0;
  await fc.assert(
    fc.asyncProperty(game, async ({ league, books: priced }) => {
      const start_time = new Date(NOW_MS + ++day * 86_400_000 + 3_600_000).toISOString();
      const [home_team, away_team] = LEAGUES[league].teams;
      const of = { league, home_team, away_team, start_time };
      await ingest(
        ...Object.entries(priced).map(([book, markets]) => ({ book, events: [{ ...of, markets: markets.flat() }] })),
      );
      const rows = (await get(`/odds?league=${league}&limit=500&date=${start_time.slice(0, 10)}`))['data'] as OddsRow[];
      const event = rows[0]!.event_id;
      const [best, comparison, ev] = await Promise.all([
        get(`/odds/best?event=${event}&limit=200`),
        get(`/odds/comparison?event=${event}`),
        get(`/opportunities/ev?event=${event}&min_ev=-100&include_assumed=true&limit=200`),
      ]);
      const board = new Board();
      board.setBooks(books);
      for (const row of rows) board.put(row);
      for (const block of board.blocks.values()) {
        const view = board.view(block, NOW_MS);
        const isOf = (body: Body): boolean =>
          body['market_type'] === block.market && whose(body) === canonicalPlayerName(block.who);
        const compared = view.outcomes.flatMap(({ cells }) => [...cells.values()]).find(({ excluded }) => !excluded);
        const three = compared !== undefined && board.isThreeWay(compared.row);
        const market = (comparison['data'].markets as Body[]).find(
          (one) => isOf(one) && (one['three_way'] ?? false) === three,
        );
        const hold = market?.['hold'];
        const context = `${block.market} ${block.who} at ${view.line}: ${JSON.stringify(rows.filter((row) => row.market_type === block.market).map((row) => [row.sportsbook, row.selection_type, row.line, row.odds_decimal, row.is_active, row.size]))}`;
        if (compared !== undefined) {
          assert.equal(view.hold === null, hold.best_available === null, context);
          if (view.hold !== null) {
            held++;
            assert.equal(view.line, lineOf(hold.line), context);
            assert.ok(
              Math.abs(view.hold - hold.best_available) < 1e-4,
              `${view.hold} ${hold.best_available} ${context}`,
            );
          }
        }
        for (const outcome of view.outcomes) {
          const item = (best['data'] as Body[]).find(
            (one) =>
              isOf(one) &&
              (one['three_way'] ?? false) === three &&
              one['selection_type'] === outcome.type &&
              lineOf(one['line']) === lineOf(outcome.line),
          );
          assert.deepEqual(
            [outcome.best?.row.id ?? null, outcome.best?.row.sportsbook ?? null],
            [item?.['odds_id'] ?? null, item?.['best_book'] ?? null],
            `${outcome.type} ${context}`,
          );
          for (const one of ev['data'] as Body[]) {
            if (!isOf(one) || !isAt(one, outcome, board, block)) continue;
            const row = board.row(one['odds_id'])!;
            const by = judgedByMethods(row, board, NOW_MS)?.by.find(({ method }) => method === 'power');
            if (by === undefined)
              assert.fail(
                `no fair price of ${row.sportsbook} ${row.selection_type}, ${one['fair_probability']} ${context}`,
              );
            judged++;
            assert.ok(
              Math.abs(by.fair - one['fair_probability']) < 2e-6,
              `${row.sportsbook} ${by.fair} ${one['fair_probability']} ${one['sharp_book']} ${context}`,
            );
          }
        }
      }
    }),
    { numRuns: 40, includeErrorInReport: true },
  );
  assert.ok(judged > 50 && held > 50, `${judged} prices were judged, and ${held} holds compared`);
});

/** Whether the price is one of those that the outcome compares at its line. */
function isAt(item: Body, outcome: OutcomeView, board: Board, block: Block): boolean {
  const row = board.row(item['odds_id']);
  return (
    row !== undefined &&
    block.rows.has(row.id) &&
    outcome.cells.get(row.sportsbook)?.row.id === row.id &&
    outcome.cells.get(row.sportsbook)?.excluded === false
  );
}

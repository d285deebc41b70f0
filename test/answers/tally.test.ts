import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Tally } from '../../src/answers/tally.js';
import type { OddsTable } from '../../src/tables/table.js';
import { engineFor, moneyline, NOW, overUnder } from '../front/api/serving.js';

const BOOKS = ['draftkings', 'pinnacle', 'corner_store'];
const LEAGUES = ['nba', 'epl'];

/** Counts row by row, without any of the short cuts. */
function recount(table: OddsTable) {
  const c = table.columns;
  const leagues: Record<string, { sport: string; events: number; live: number }> = {};
  const books: Record<string, number> = Object.fromEntries(BOOKS.map((book) => [book, 0]));
  const events = new Map<string, Set<string>>();
  const selections = new Map<string, Set<string>>();
  for (const event of table.events.ordered()) {
    const scored = typeof event.state?.home_score === 'number';
    if (event.status === 'ended' || (event.rows.count === 0 && !scored)) continue;
    leagues[event.league] ??= { sport: event.sport, events: 0, live: 0 };
    leagues[event.league]!.events++;
    if (event.live) leagues[event.league]!.live++;
    const ofBooks = new Set<string>();
    for (const slot of event.rows.unsorted()) {
      ofBooks.add(table.books.name(c.book[slot]!));
      const market = table.markets.name(c.market[slot]!);
      if (!events.has(market)) events.set(market, new Set());
      if (!selections.has(market)) selections.set(market, new Set());
      events.get(market)!.add(event.id);
      const player = c.player.at(slot)?.toLowerCase().replaceAll('.', '');
      selections
        .get(market)!
        .add([event.id, c.selectionType.at(slot), player, c.line[slot], c.team.at(slot)].join(' '));
    }
    for (const book of ofBooks) books[book]!++;
  }
  const markets = Object.fromEntries(
    [...events].map(([market, ids]) => [market, [ids.size, selections.get(market)!.size]]),
  );
  return { leagues, books, markets };
}

function counts(tally: Tally) {
  return {
    leagues: Object.fromEntries(tally.leagues()),
    books: Object.fromEntries(BOOKS.map((book) => [book, tally.eventsOfBook(book)])),
    markets: Object.fromEntries(
      [...tally.markets()].map(([market, { events, selections }]) => [market, [events, selections]]),
    ),
  };
}

const game = fc.record({
  no: fc.integer({ min: 0, max: 4 }),
  league: fc.constantFrom(...LEAGUES),
  status: fc.constantFrom(undefined, undefined, 'live' as const, 'ended' as const),
  score: fc.constantFrom(undefined, 3),
  lines: fc.uniqueArray(fc.constantFrom(218.5, 219.5, 220.5), { maxLength: 2 }),
  players: fc.uniqueArray(fc.constantFrom('T.J. Watt', 'LeBron James', 'tj watt'), { maxLength: 2 }),
});
const poll = fc.record({
  book: fc.constantFrom(...BOOKS),
  scope: fc.constantFrom('event' as const, 'none' as const),
  games: fc.array(game, { minLength: 1, maxLength: 3 }),
});

test('the counts equal a count from scratch, whatever is added, removed, changed or ended', async (t) => {
  const { engine } = engineFor(t);
  const tally = new Tally(engine.table);
  let second = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(poll, { minLength: 1, maxLength: 4 }), async (polls) => {
      for (const { book, scope, games } of polls) {
        const polled_at = new Date(Date.parse(NOW) + ++second * 1000).toISOString();
        const events = games.map(({ no, league, status, score, lines, players }) => ({
          league,
          home_team: `Home ${no}`,
          away_team: `Away ${no}`,
          start_time: '2026-11-21T00:30:00Z',
          ...(status === undefined ? {} : { status }),
          ...(score === undefined ? {} : { game_state: { home_score: score } }),
          markets: [
            moneyline(-110, -110),
            ...lines.map((line, i) => overUnder('total_points', line, {}, i > 0)),
            ...players.map((player_name) => overUnder('player_points', 9.5, { player_name })),
          ].slice(lines.length % 2),
        }));
        await engine.ingest([{ book, scope, polled_at, events }]);
        assert.deepEqual(counts(tally), recount(engine.table));
      }
    }),
    { numRuns: 60 },
  );
});

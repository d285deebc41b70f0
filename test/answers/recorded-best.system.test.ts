// Best odds over a recorded season, compared with the maximum columns of the source. Its maximum covers more bookmakers
// than it lists: if a listed one has it, our best price equals it exactly; how often that happens is counted for each
// column.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { bestRoutes } from '../../src/front/api/best.js';
import { type Body, NOW, pastOf, serving } from '../front/api/serving.js';
import { catalogue } from '../writer/shard/rig.js';

const SOCCER = resolve(process.cwd(), '../shared/data/soccer/2025-26_E0.csv');
const skip = existsSync(SOCCER) ? false : 'the recorded prices are not here';

/** The bookmakers listed with a price of each result. Only the first one's totals and handicaps are. */
const BOOKS = ['B365', 'BFD', 'BMGM', 'BV', 'BW', 'CL', 'LB'];
/** In the file, but not in its maximum: the exchange and the sharp book (`P` in columns of totals and handicaps). */
const OUTSIDE = ['BFE', 'PS'];

type Row = (column: string) => number;

interface Family {
  market: 'moneyline' | 'total_goals' | 'point_spread';
  /** Side of our market by the end of the column's name. */
  sides: Record<string, string>;
  books: readonly string[];
  /** The column of the home line. */
  line: (closing: string) => string | null;
  fixed: number | null;
}

const FAMILIES: Family[] = [
  { market: 'moneyline', sides: { H: 'home', D: 'draw', A: 'away' }, books: BOOKS, line: () => null, fixed: null },
  { market: 'total_goals', sides: { '>2.5': 'over', '<2.5': 'under' }, books: ['B365'], line: () => null, fixed: 2.5 },
  {
    market: 'point_spread',
    sides: { AHH: 'home', AHA: 'away' },
    books: ['B365'],
    line: (closing) => `AH${closing}h`,
    fixed: null,
  },
];

function games(): { home: string; away: string; row: Row }[] {
  const [head, ...lines] = readFileSync(SOCCER, 'utf8')
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return lines.map((cells) => ({
    home: cells[head!.indexOf('HomeTeam')]!,
    away: cells[head!.indexOf('AwayTeam')]!,
    row: (column) => {
      const at = head!.indexOf(column);
      assert.ok(at >= 0, column);
      const price = cells[at] === '' ? Number.NaN : Number(cells[at]);
      // No cell of this file is empty, so that a difference cannot come from one.
      assert.ok(Number.isFinite(price), `${cells[3]} ${column}`);
      return price;
    },
  }));
}

const nameOf = (team: string): string => catalogue.resolveTeam('epl', team).name;

function columnOf(book: string, family: Family, closing: string, side: string): string {
  return `${book === 'PS' && family.market !== 'moneyline' ? 'P' : book}${closing}${side}`;
}

function lineOf(family: Family, closing: string, row: Row): number | null {
  const column = family.line(closing);
  return column === null ? family.fixed : row(column);
}

function marketOf(family: Family, book: string, closing: string, row: Row) {
  const line = lineOf(family, closing, row);
  return {
    market_type: family.market,
    selections: Object.entries(family.sides).map(([column, type]) => ({
      selection: type,
      selection_type: type,
      ...(line === null ? {} : { line: type === 'away' ? 0 - line : line }),
      odds_decimal: row(columnOf(book, family, closing, column)),
    })),
  };
}

/** The number of the 100 games in which a listed bookmaker has the source's maximum, by column. */
const EQUAL: Record<string, number> = {
  MaxH: 76,
  MaxD: 66,
  MaxA: 76,
  'Max>2.5': 39,
  'Max<2.5': 30,
  MaxAHH: 66,
  MaxAHA: 68,
  MaxCH: 69,
  MaxCD: 72,
  MaxCA: 69,
  'MaxC>2.5': 30,
  'MaxC<2.5': 23,
  MaxCAHH: 49,
  MaxCAHA: 43,
};

test('best odds of 100 games, early and closing, equal the source’s maximum if a listed bookmaker has it', {
  skip,
}, async (t) => {
  const season = games();
  assert.equal(season.length, 100);
  const { clock, ingest, ok } = await serving(t, (deps) => bestRoutes(deps, pastOf(deps)));
  const equal: Record<string, number> = {};
  for (const closing of ['', 'C']) {
    const polled_at = new Date(Date.parse(NOW) + (closing === '' ? 0 : 60_000)).toISOString();
    clock.set(Date.parse(polled_at));
    // The whole file is ingested; the caller's filter selects the books of the maximum.
    for (const book of [...BOOKS, ...OUTSIDE])
      await ingest({
        book: book.toLowerCase(),
        polled_at,
        events: season.map(({ home, away, row }) => ({
          league: 'epl',
          home_team: home,
          away_team: away,
          start_time: '2026-11-22T15:00:00Z',
          markets: FAMILIES.filter(({ books }) => books.includes(book) || OUTSIDE.includes(book)).map((family) =>
            marketOf(family, book, closing, row),
          ),
        })),
      });
    const listed = new Map<string, Body>();
    const ask = `/odds/best?sportsbook=${BOOKS.join(',').toLowerCase()}&limit=200`;
    for (let offset = 0, more = true; more; offset += 200) {
      const { data, pagination } = await ok(`${ask}&offset=${offset}`, 'sharp');
      for (const item of data)
        listed.set(`${item.home_team}|${item.away_team}|${item.market_type}|${item.selection_type}`, item);
      more = pagination.has_more;
    }
    assert.equal(listed.size, 7 * season.length);
    for (const family of FAMILIES)
      for (const [side, type] of Object.entries(family.sides)) {
        const max = `Max${closing}${side}`;
        equal[max] = 0;
        for (const { home, away, row } of season) {
          const words = `${home}-${away} ${max}`;
          const item = listed.get(`${nameOf(home)}|${nameOf(away)}|${family.market}|${type}`);
          assert.ok(item !== undefined, words);
          const prices = family.books.map((book) => row(columnOf(book, family, closing, side)));
          const best = Math.max(...prices);
          assert.equal(item['best_odds'].decimal, best, words);
          assert.equal(item['best_book'], family.books[prices.indexOf(best)]!.toLowerCase(), words);
          const line = lineOf(family, closing, row);
          assert.equal(item['line'], line === null ? null : type === 'away' ? 0 - line : line, words);
          assert.ok(best <= row(max), words);
          if (best === row(max)) equal[max]++;
        }
      }
  }
  assert.deepEqual(equal, EQUAL);
});

/** Prices of one game differ by less than this: no bookmaker's is below this share of the lowest listed one. */
const LOWEST = 0.85;
/** The source's average is rounded to hundredths. */
const ROUNDING = 0.00501;
/** The number of bookmakers that are in the maximum and average but not listed, as required by both columns. */
const UNLISTED = 3;

test('neither the exchange nor the sharp book is in the maximum: both are often above it', { skip }, () => {
  const season = games();
  const above: Record<string, Record<string, number>> = {};
  for (const family of FAMILIES) {
    const counts: Record<string, number> = {};
    for (const closing of ['', 'C'])
      for (const side of Object.keys(family.sides))
        for (const { row } of season)
          for (const book of OUTSIDE)
            if (row(columnOf(book, family, closing, side)) > row(`Max${closing}${side}`))
              counts[book] = (counts[book] ?? 0) + 1;
    above[family.market] = counts;
  }
  assert.deepEqual(above, {
    moneyline: { BFE: 387, PS: 154 },
    total_goals: { BFE: 329, PS: 151 },
    point_spread: { BFE: 345, PS: 257 },
  });
});

test('if the maximum is above every listed price, the average also includes unlisted bookmakers', {
  skip,
}, () => {
  let alone = 0;
  let left = 0;
  for (const closing of ['', 'C'])
    for (const side of ['H', 'D', 'A'])
      for (const { home, row } of games()) {
        const prices = BOOKS.map((book) => row(book + closing + side));
        const max = row(`Max${closing}${side}`);
        const average = row(`Avg${closing}${side}`);
        const sum = prices.reduce((total, price) => total + price, 0);
        if (Math.abs(average - sum / BOOKS.length) <= ROUNDING) alone++;
        // The sum that the average leaves for the unlisted bookmakers: none is above the maximum, and if no listed one
        // has it, one of them does.
        const rest = (error: number) => (average + error) * (BOOKS.length + UNLISTED) - sum;
        const least = LOWEST * Math.min(...prices);
        const missing = Math.max(...prices) < max;
        if (missing) left++;
        const words = `${home} ${closing}${side}: ${rest(0)} for ${UNLISTED}, ${max} the most`;
        assert.ok(rest(-ROUNDING) <= UNLISTED * max, words);
        assert.ok(rest(ROUNDING) >= (missing ? max + (UNLISTED - 1) * least : UNLISTED * least), words);
      }
  // 428 of the 600 maxima are at a listed bookmaker; only a quarter of the averages could be of the listed ones alone.
  assert.deepEqual([left, alone], [172, 166]);
});

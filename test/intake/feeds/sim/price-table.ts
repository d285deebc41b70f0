// A minimal table of prices from ingest messages, and opportunities counted over it by brute force: slow, plain, and
// independent of the engine except for its formulas.

import { decimalFromAmerican } from '../../../../src/base/model/price.js';
import { EXPECTED, middleProbability, middleReturns } from '../../../../src/detection/maths/middle.js';
import { centreFromPrice, type ResultModel, resultModel } from '../../../../src/detection/maths/result-model.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { MarketTypes } from '../../../../src/rules/markets/market-types.js';

const TYPES = new MarketTypes();

export interface Row {
  book: string;
  /** Event, market, player and team. */
  market: string;
  league: string;
  type: string;
  side: string;
  line: number | null;
  decimal: number;
  live: boolean;
  seenMs: number;
}

export interface Counts {
  rows: number;
  arbitrages: number[];
  values: number[];
  middles: number[];
  lowHolds: number;
}

const PREMATCH_AGE_MS = 300_000;
const LIVE_AGE_MS = 60_000;
const SAME_EVENT_MS = 18 * 3_600_000;

export class PriceTable {
  /** Rows by event and book. */
  readonly #rows = new Map<string, Map<string, Row[]>>();
  readonly #starts = new Map<string, number[]>();
  readonly #sports: Map<string, string>;
  readonly #owners: Map<string, string>;

  constructor(catalogue: {
    leagues: readonly { id: string; sport: string }[];
    books: readonly { id: string; owner: string }[];
  }) {
    this.#sports = new Map(catalogue.leagues.map(({ id, sport }) => [id, sport]));
    this.#owners = new Map(catalogue.books.map(({ id, owner }) => [id, owner]));
  }

  apply(messages: readonly IngestMessage[]): void {
    for (const message of messages)
      for (const event of message.events ?? []) {
        const key = this.#keyOf(`${event.league}|${event.home_team}|${event.away_team}`, Date.parse(event.start_time!));
        const books = this.#rows.get(key) ?? new Map<string, Row[]>();
        this.#rows.set(key, books);
        const rows: Row[] = [];
        // Suspended prices do not count; if the whole event is suspended, its list of markets is empty.
        for (const market of event.markets.filter(({ is_active }) => is_active !== false))
          for (const selection of market.selections)
            rows.push({
              book: message.book,
              market: [key, market.market_type, market.player_name ?? '', market.team ?? ''].join('|'),
              league: event.league!,
              type: market.market_type,
              side: selection.selection_type,
              line: selection.line ?? null,
              decimal:
                (selection.odds_decimal as number | undefined) ??
                decimalFromAmerican(selection.odds_american as number),
              live: event.is_live === true,
              seenMs: Date.parse(message.polled_at),
            });
        books.set(message.book, rows);
      }
  }

  /** The same teams' games within 18 hours are one. */
  #keyOf(teams: string, startMs: number): string {
    const starts = this.#starts.get(teams) ?? [];
    this.#starts.set(teams, starts);
    const known = starts.find((otherMs) => Math.abs(otherMs - startMs) < SAME_EVENT_MS);
    if (known === undefined) starts.push(startMs);
    return `${teams}|${known ?? startMs}`;
  }

  *rows(): Iterable<Row> {
    for (const books of this.#rows.values()) for (const rows of books.values()) yield* rows;
  }

  count(nowMs: number): Counts {
    const markets = new Map<string, Row[]>();
    let fresh = 0;
    for (const row of this.rows()) {
      if (nowMs - row.seenMs > (row.live ? LIVE_AGE_MS : PREMATCH_AGE_MS)) continue;
      fresh++;
      const rows = markets.get(row.market);
      if (rows === undefined) markets.set(row.market, [row]);
      else rows.push(row);
    }
    const counts: Counts = { rows: fresh, arbitrages: [], values: [], middles: [], lowHolds: 0 };
    for (const rows of markets.values()) this.#countMarket(rows, counts);
    return counts;
  }

  #countMarket(rows: readonly Row[], counts: Counts): void {
    const lines = new Map<number, Row[]>();
    for (const row of rows) {
      // Both sides of a line under one number: a spread's is the margin the home side must pass.
      const line = row.side === 'home' && row.line !== null ? 0 - row.line : (row.line ?? 0);
      const others = lines.get(line);
      if (others === undefined) lines.set(line, [row]);
      else others.push(row);
    }
    let centre = Number.NaN;
    let nearest = Number.POSITIVE_INFINITY;
    const sport = this.#sports.get(rows[0]!.league)!;
    const model = resultModel(TYPES.of(rows[0]!.type, sport), sport, rows[0]!.league);
    const best = new Map<number, Row[]>();
    for (const [line, own] of lines) {
      const sides = [...new Set(own.map((row) => row.side))].sort();
      if (sides.length < 2) continue;
      const top = sides.map((side) =>
        own.filter((row) => row.side === side).reduce((a, b) => (b.decimal > a.decimal ? b : a)),
      );
      best.set(line, top);
      const sum = top.reduce((total, row) => total + 1 / row.decimal, 0);
      if (sum < 1) counts.arbitrages.push((1 / sum - 1) * 100);
      else if (sum <= 1.05) counts.lowHolds++;
      const fair = this.#fair(own, sides);
      if (fair === null) continue;
      for (const row of own) {
        const value = (fair.of(row) * row.decimal - 1) * 100;
        if (value > 2) counts.values.push(value);
      }
      if (model === undefined) continue;
      const above = fair.of(own.find((row) => row.side === (sides.includes('home') ? 'home' : 'over'))!);
      if (Math.abs(above - 0.5) >= nearest) continue;
      nearest = Math.abs(above - 0.5);
      centre = centreFromPrice(model, line, above);
    }
    if (model !== undefined && !Number.isNaN(centre)) countMiddles(best, model, centre, counts);
  }

  /** Fair probabilities at one line: the sharp book's, otherwise the mean of at least three other owners' books. */
  #fair(rows: readonly Row[], sides: readonly string[]): { of(row: Row): number } | null {
    const byBook = new Map<string, Map<string, number>>();
    for (const row of rows) {
      const prices = byBook.get(row.book) ?? new Map<string, number>();
      prices.set(row.side, 1 / row.decimal);
      byBook.set(row.book, prices);
    }
    const devigged = new Map<string, Map<string, number>>();
    for (const [book, prices] of byBook) {
      if (prices.size !== sides.length) continue;
      const sum = [...prices.values()].reduce((a, b) => a + b, 0);
      devigged.set(book, new Map([...prices].map(([side, p]) => [side, p / sum])));
    }
    const sharp = devigged.get('pinnacle');
    if (sharp !== undefined) return { of: (row) => sharp.get(row.side)! };
    if (devigged.size < 4) return null;
    return {
      of: (row) => {
        const owners = new Map<string, number>();
        for (const [book, prices] of devigged)
          if (this.#owners.get(book) !== this.#owners.get(row.book))
            owners.set(this.#owners.get(book)!, prices.get(row.side)!);
        if (owners.size < 3) return 0;
        return [...owners.values()].reduce((a, b) => a + b, 0) / owners.size;
      },
    };
  }
}

function countMiddles(best: Map<number, Row[]>, model: ResultModel, centre: number, counts: Counts): void {
  const chances = new Float64Array(3);
  const returns = new Float64Array(3);
  const first = (rows: Row[]): Row => rows.find((row) => row.side === 'over' || row.side === 'home')!;
  const second = (rows: Row[]): Row => rows.find((row) => row.side === 'under' || row.side === 'away')!;
  for (const [low, lowRows] of best)
    for (const [high, highRows] of best) {
      if (high <= low) continue;
      middleProbability(model, low, high, centre, chances);
      middleReturns(low, high, first(lowRows).decimal, second(highRows).decimal, chances, returns);
      if (returns[EXPECTED]! >= 0 && chances[0]! > 0) counts.middles.push(returns[EXPECTED]!);
    }
}

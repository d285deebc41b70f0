// The made-up market the bench pushes: events of several leagues, books with three two-way markets each. Prices follow
// from event, book and a phase, so that a change is exactly what the bench says it is.

import { DAY_MS } from '../src/base/model/time.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';

export const LEAGUES = ['nba', 'wnba', 'ncaab', 'wncaab', 'nfl', 'ncaaf', 'ufl', 'cfl'] as const;
/** Selections of a book on an event. */
export const QUOTES_PER_BOOK = 6;
/** Phases from here on are prices no book would mean. */
export const GENEROUS = 8;
export const TIME_PLACE = '2026-01-01T00:00:00.000Z';

export interface MarketSize {
  events: number;
  books: number;
}

export class Market {
  readonly size: MarketSize;
  readonly books: readonly string[];
  readonly #startMs: number;

  constructor(size: MarketSize, nowMs: number) {
    this.size = size;
    const known = loadCatalogue().books;
    this.books = Array.from({ length: size.books }, (_, i) => known[i]?.id ?? `book-${i}`);
    // Two days ahead at 18:00 UTC: the same day in the leagues' own time zones, and never live during a run.
    this.#startMs = Math.floor(nowMs / DAY_MS) * DAY_MS + 2 * DAY_MS + 18 * 3_600_000;
  }

  get rows(): number {
    return this.size.events * this.size.books * QUOTES_PER_BOOK;
  }

  league(event: number): string {
    return LEAGUES[event % LEAGUES.length]!;
  }

  eventId(event: number): string {
    const date = new Date(this.#startMs).toISOString().slice(0, 10);
    return `${this.league(event)}_home-${event}_away-${event}_${date}`;
  }

  /**
   * A message of one book for some events. `phase` picks each quote's price: another phase of other parity is a change;
   * from GENEROUS up it is a price so good that it is an arbitrage with the other books, and EV.
   */
  message(
    book: number,
    events: readonly number[],
    phase: (event: number, quote: number) => number,
    markets = 3,
  ): object {
    return {
      book: this.books[book]!,
      polled_at: TIME_PLACE,
      scope: 'none',
      events: events.map((event) => this.#event(book, event, (quote) => phase(event, quote), markets)),
    };
  }

  /** Everything, in messages of `eventsAtOnce` events. */
  *whole(eventsAtOnce: number): Iterable<object> {
    for (let from = 0; from < this.size.events; from += eventsAtOnce) {
      const events: number[] = [];
      for (let event = from; event < Math.min(from + eventsAtOnce, this.size.events); event++) events.push(event);
      for (let book = 0; book < this.size.books; book++) yield this.message(book, events, () => 0);
    }
  }

  #event(book: number, event: number, phase: (quote: number) => number, markets: number): object {
    // A fair chance between 0.3 and 0.7, the book's own margin and a small error round it.
    const fair = 0.3 + 0.4 * noise(event, 7);
    const price = (quote: number, chance: number): number => {
      const margin = phase(quote) >= GENEROUS ? 0.92 : 1.045 + 0.002 * (book % 8);
      const american = americanOf(chance * margin * (1 + 0.01 * (noise(event * 31 + quote, book) - 0.5)));
      const moved = phase(quote) & 1 ? 2 : 0;
      return american < 0 ? american - moved : american + moved;
    };
    const line = Math.round(noise(event, 3) * 20) / 2 + 0.5;
    const pair = (type: string, at: number, sides: [string, string], lines: [number, number] | null): object => ({
      market_type: type,
      selections: sides.map((side, i) => ({
        selection: side,
        selection_type: side,
        ...(lines === null ? {} : { line: lines[i] }),
        odds_american: price(at + i, i === 0 ? fair : 1 - fair),
      })),
    });
    return {
      league: this.league(event),
      home_team: `Home ${event}`,
      away_team: `Away ${event}`,
      start_time: new Date(this.#startMs).toISOString(),
      markets: [
        pair('moneyline', 0, ['home', 'away'], null),
        pair('point_spread', 2, ['home', 'away'], [-line, line]),
        pair('total_points', 4, ['over', 'under'], [200 + line, 200 + line]),
      ].slice(0, markets),
    };
  }
}

/** American odds of an implied chance, never between -100 and +100. */
function americanOf(chance: number): number {
  const odds = chance >= 0.5 ? (-100 * chance) / (1 - chance) : (100 * (1 - chance)) / chance;
  return odds < 0 ? Math.min(-101, Math.round(odds)) : Math.max(101, Math.round(odds));
}

/** 0 to 1, the same for the same numbers. */
function noise(a: number, b: number): number {
  let hash = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

// The books' statements, recorded beside the program: what must be shown, and every price that ever was.
import { getOrInsert } from '../src/base/memory/get-or-insert.js';
import type { OddsRow } from '../src/client/types.js';
import type { Game } from '../test/world/games.js';
import { personOf, teamIn, turned } from '../test/world/names.js';
import { marketOf, type Price, Visible } from '../test/world/visible.js';
import type { Push } from '../test/world/world.js';

/** Used by corrupt messages only, so that what is accepted of them by chance does not affect the truth. */
export const NOISE_LEAGUE = 'wnba';
export const NOISE_BOOK = 'noise';
export const NOISE_TEAMS = ['Noise Home', 'Noise Away'] as const;
const NOISE: ReadonlySet<string> = new Set([NOISE_LEAGUE, NOISE_BOOK, ...NOISE_TEAMS]);

/** A row's game according to the truth, and whether the program has its teams swapped. */
export interface Placed {
  game: Game;
  flipped: boolean;
}

const LATELY_MS = 30_000;

interface Lately {
  push: Push;
  nowMs: number;
  /** When it was acknowledged (`performance.now`). */
  atMs: number;
}

export class Truth {
  readonly games: Game[] = [];
  readonly visible = new Visible(this.games);
  /** By game and row: every pair of price and line that was ever sent. */
  readonly #ever = new Map<number, Map<string, Set<string>>>();
  /** What was acknowledged recently, and the previous state. */
  readonly #before = new Visible(this.games);
  readonly #lately: Lately[] = [];
  readonly #byTeams = new Map<string, Game[]>();
  /** By game and book: the latest time at which the book states to have been polled, acknowledged or not. */
  readonly #polledMs = new Map<number, Map<string, number>>();
  /** Games of earlier seasons that no book listed the last time. */
  readonly #unlisted = new Set<number>();
  /** The same of a book's whole list of a league, by both; acknowledged. */
  readonly #listedMs = new Map<string, number>();
  /** A second truth, of one push at a time, to read its contents. */
  readonly #reader = (push: Push): Visible => {
    const visible = new Visible(this.games);
    visible.push(push, Number.MAX_SAFE_INTEGER);
    return visible;
  };

  /**
   * Games before this one are of seasons that no reader is shown any more, not even a minute late; except those that are
   * still listed, because their books left while the clock was behind their last polls, and those that may be: if the
   * clock was set back between a poll and its answer, nobody knows by which of the two the program took it. Those that were
   * listed until just now are forgotten the next time: an answer with their rows may be under way.
   */
  forgetBefore(first: number): void {
    const earlier = [...this.#ever.keys()].filter((no) => no < first).map((no) => this.games[no]!);
    for (const game of earlier) {
      const { no, home, away } = game;
      const listed = this.visible.shows(no) || this.#polledSince(game);
      const wasUnlisted = this.#unlisted.delete(no);
      if (!listed && !wasUnlisted) this.#unlisted.add(no);
      if (listed || !wasUnlisted) continue;
      this.#ever.delete(no);
      this.#polledMs.delete(no);
      this.visible.forget(no);
      this.#before.forget(no);
      for (const key of [`${home}|${away}`, `${away}|${home}`]) this.#byTeams.delete(key);
    }
  }

  /** Whether a book stated it by a later clock than its last whole list of the league. */
  #polledSince({ no, league }: Game): boolean {
    const polls = [...(this.#polledMs.get(no) ?? [])];
    return polls.some(([book, ms]) => ms > (this.#listedMs.get(`${book}|${league}`) ?? 0));
  }

  addGames(games: readonly Game[]): void {
    this.games.push(...games);
    for (const game of games)
      for (const key of [`${game.home}|${game.away}`, `${game.away}|${game.home}`])
        this.#byTeams.set(key, [...(this.#byTeams.get(key) ?? []), game]);
  }

  /** It is under way: from now on its prices may be seen. */
  sent(push: Push): void {
    const visible = this.#reader(push);
    const { book, polled_at } = push.message;
    for (const no of new Set(push.games)) {
      const polls = getOrInsert(this.#polledMs, no, () => new Map<string, number>());
      polls.set(book, Math.max(polls.get(book) ?? 0, Date.parse(polled_at)));
      let rows = this.#ever.get(no);
      if (rows === undefined) {
        rows = new Map();
        this.#ever.set(no, rows);
      }
      for (const price of visible.of(no)) {
        const name = either(nameIn(no, price));
        const ever = rows.get(name);
        const pair = pairOf(price.decimal, price.line);
        if (ever === undefined) rows.set(name, new Set([pair]));
        else ever.add(pair);
      }
    }
  }

  /** It was acknowledged: from now on it must be seen. */
  acknowledged(push: Push, nowMs: number): void {
    this.visible.push(push, nowMs);
    const { book, league, scope, polled_at } = push.message;
    if (scope === 'league') {
      const key = `${book}|${league}`;
      this.#listedMs.set(key, Math.max(this.#listedMs.get(key) ?? 0, Date.parse(polled_at)));
    }
    const atMs = performance.now();
    this.#lately.push({ push, nowMs, atMs });
    this.#settle(atMs - LATELY_MS);
  }

  /** Name of every row that must be shown, with its price and whether it is open; of these books alone if given. */
  shown(books?: ReadonlySet<string>): Map<string, string> {
    return this.#shownBy(this.visible, books);
  }

  /**
   * The possible states of each row if everything acknowledged after `sinceMs` (`performance.now`, at most 30 s ago),
   * and everything under way, may be lost from some moment on: its states since then, '' if it may be absent.
   */
  since(sinceMs: number, underWay: readonly Push[], nowMs: number): Map<string, Set<string>> {
    this.#settle(sinceMs);
    const states = new Map([...this.#shownBy(this.#before)].map(([name, state]) => [name, new Set([state])]));
    const later = [...this.#lately, ...underWay.map((push) => ({ push, nowMs, atMs: Number.NaN }))];
    this.#lately.length = 0;
    for (const { push, nowMs: takenMs } of later) {
      this.#before.push(push, takenMs);
      const { book } = push.message;
      const shown = this.#shownBy(this.#before, new Set([book]));
      for (const [name, state] of shown) {
        const known = states.get(name);
        if (known === undefined) states.set(name, new Set(['', state]));
        else known.add(state);
      }
      for (const [name, known] of states) if (name.startsWith(`${book}|`) && !shown.has(name)) known.add('');
    }
    return states;
  }

  #settle(untilMs: number): void {
    while (this.#lately.length > 0 && this.#lately[0]!.atMs < untilMs) {
      const { push, nowMs } = this.#lately.shift()!;
      this.#before.push(push, nowMs);
    }
  }

  #shownBy(visible: Visible, books?: ReadonlySet<string>): Map<string, string> {
    const shown = new Map<string, string>();
    for (const no of this.#ever.keys())
      for (const price of visible.of(no)) {
        if (books !== undefined && !books.has(price.book)) continue;
        shown.set(nameIn(no, price), `${pairOf(price.decimal, price.line)} ${price.active}`);
      }
    return shown;
  }

  /** The true game of a row; undefined if it has none. */
  place(row: OddsRow): Placed | undefined {
    const candidates = this.#byTeams.get(`${row.home_team}|${row.away_team}`) ?? [];
    const startMs = Date.parse(row.event_start_time);
    let game: Game | undefined;
    for (const other of candidates)
      if (game === undefined || Math.abs(other.startMs - startMs) < Math.abs(game.startMs - startMs)) game = other;
    return game === undefined ? undefined : { game, flipped: row.home_team !== game.home };
  }

  nameOf(row: OddsRow, { game, flipped }: Placed): string {
    const type = flipped ? turned(row.selection_type) : row.selection_type;
    const line = row.is_alternate_line ? (row.line ?? 0) + 0 : '';
    const market = marketOf({ market: row.market_type, team: teamIn(row, flipped) });
    return [row.sportsbook, game.no, market, personOf(row.player_name), type, line].join('|');
  }

  /** What a reader was shown and no book ever stated; null if it is true. */
  lie(row: OddsRow): string | null {
    // From corrupt messages, some of which are valid after all, and perhaps in another league than intended.
    if ([row.league, row.sportsbook, row.home_team, row.away_team].some((text) => NOISE.has(text))) return null;
    const placed = this.place(row);
    if (placed === undefined) return `a row of no game: ${JSON.stringify(row)}`;
    const ever = this.#ever.get(placed.game.no)?.get(either(this.nameOf(row, placed)));
    if (ever?.has(pairOf(row.odds_decimal, row.line)) === true) return null;
    return `a price that no book ever said: ${JSON.stringify(row)}`;
  }
}

/**
 * Of a handicap in play, whether or not it counts from the bet: one message does not tell, as the book may have shown a
 * draw before.
 */
const either = (name: string): string => name.replace('|point_spread_rest', '|point_spread');

function nameIn(no: number, price: Price): string {
  const line = price.alternate ? price.line! + 0 : '';
  return [price.book, no, marketOf(price), price.player, price.type, line].join('|');
}

/** Price and line as stated together; a draw's line is either team's. */
export function pairOf(decimal: number, line: number | null): string {
  return `${Math.round(decimal * 1e6)}@${line === null ? '' : Math.abs(line)}`;
}

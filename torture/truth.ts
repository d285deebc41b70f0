// What the books have said, kept beside the program: what must be on show, and every price that ever was.
import type { OddsRow } from '../src/client/types.js';
import type { Game } from '../test/world/games.js';
import { Visible } from '../test/world/visible.js';
import type { Push } from '../test/world/world.js';

/** Nobody plays there but corrupt messages, so that what is accepted of them by chance harms no truth. */
export const NOISE_LEAGUE = 'wnba';
export const NOISE_BOOK = 'noise';
export const NOISE_TEAMS = ['Noise Home', 'Noise Away'] as const;
const NOISE: ReadonlySet<string> = new Set([NOISE_LEAGUE, NOISE_BOOK, ...NOISE_TEAMS]);

/** A row's game as the truth knows it, and whether the program has its teams the other way round. */
export interface Placed {
  game: Game;
  flipped: boolean;
}

export class Truth {
  readonly games: Game[] = [];
  readonly visible = new Visible(this.games);
  /** By row: every pair of price and line that was ever sent. */
  readonly #ever = new Map<string, Set<string>>();
  readonly #byTeams = new Map<string, Game[]>();
  /** A second truth, of one push at a time, to read what is in it. */
  readonly #reader = (push: Push): Visible => {
    const visible = new Visible(this.games);
    visible.push(push, Number.MAX_SAFE_INTEGER);
    return visible;
  };

  addGames(games: readonly Game[]): void {
    this.games.push(...games);
    for (const game of games)
      for (const key of [`${game.home}|${game.away}`, `${game.away}|${game.home}`])
        this.#byTeams.set(key, [...(this.#byTeams.get(key) ?? []), game]);
  }

  /** It is on its way: from now on its prices may be seen. */
  sent(push: Push): void {
    const visible = this.#reader(push);
    for (const no of new Set(push.games))
      for (const price of visible.of(no)) {
        const name = [price.book, no, price.market, price.player, price.type, price.alternate ? price.line : ''];
        const key = name.join('|');
        const ever = this.#ever.get(key);
        const pair = pairOf(price.decimal, price.line);
        if (ever === undefined) this.#ever.set(key, new Set([pair]));
        else ever.add(pair);
      }
  }

  /** It was acknowledged: from now on it must be seen. */
  acknowledged(push: Push, nowMs: number): void {
    this.visible.push(push, nowMs);
  }

  /** Name of every row that must be on show, with its price and whether it is open; of these books alone where given. */
  shown(books?: ReadonlySet<string>): Map<string, string> {
    const shown = new Map<string, string>();
    for (const { no } of this.games)
      for (const price of this.visible.of(no)) {
        if (books !== undefined && !books.has(price.book)) continue;
        const line = price.alternate ? price.line! + 0 : '';
        const name = [price.book, no, price.market, price.player, price.type, line].join('|');
        shown.set(name, `${pairOf(price.decimal, price.line)} ${price.active}`);
      }
    return shown;
  }

  /** The true game of a row; undefined where it is of none. */
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
    return [row.sportsbook, game.no, row.market_type, row.player_name !== undefined, type, line].join('|');
  }

  /** What a reader was shown and no book ever said; null where it is true. */
  lie(row: OddsRow): string | null {
    // Of corrupt messages, some of which say something after all, and perhaps in another league than they were to.
    if ([row.league, row.sportsbook, row.home_team, row.away_team].some((text) => NOISE.has(text))) return null;
    const placed = this.place(row);
    if (placed === undefined) return `a row of no game: ${JSON.stringify(row)}`;
    const ever = this.#ever.get(this.nameOf(row, placed));
    if (ever?.has(pairOf(row.odds_decimal, row.line)) === true) return null;
    return `a price that no book ever said: ${JSON.stringify(row)}`;
  }
}

/** Price and line as they were said together; a draw's line is either team's. */
export function pairOf(decimal: number, line: number | null): string {
  return `${Math.round(decimal * 1e6)}@${line === null ? '' : Math.abs(line)}`;
}

/** Home's side as away's. */
export const turned = (type: string): string => (type === 'home' ? 'away' : type === 'away' ? 'home' : type);

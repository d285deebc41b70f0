// Tells a game's wrong date by the games beside it in its season's file, which is in the order of their dates.
import { DAY_MS } from '../../../../base/model/time.js';

interface Dated<Of> {
  day: number;
  of: Of;
}

export interface Judged<Of> {
  of: Of;
  /** A year or more from the rest of its season. */
  isApart: boolean;
}

/** Games on either side that a date is compared with. */
const BESIDE = 20;
const APART_MS = 365 * DAY_MS;
/** With one other game nothing says which of the two is wrong. */
const GAMES_LEAST = 3;

export class SeasonDates<Of> {
  #season = '';
  #games: Dated<Of>[] = [];
  /** How many at the beginning are judged and are kept for those after them. */
  #judged = 0;

  /** Returns what is judged by now. */
  *add(season: string, day: number, of: Of): Generator<Judged<Of>, void> {
    if (season !== this.#season) {
      yield* this.end();
      this.#season = season;
    }
    this.#games.push({ day, of });
    if (this.#games.length - this.#judged <= BESIDE) return;
    yield this.#judge(this.#judged++);
    if (this.#judged > BESIDE) {
      this.#games.shift();
      this.#judged--;
    }
  }

  *end(): Generator<Judged<Of>, void> {
    while (this.#judged < this.#games.length) yield this.#judge(this.#judged++);
    this.#games = [];
    this.#judged = 0;
  }

  #judge(index: number): Judged<Of> {
    const { day, of } = this.#games[index]!;
    if (this.#games.length < GAMES_LEAST) return { of, isApart: false };
    const days = this.#games.map((game) => game.day).sort((a, b) => a - b);
    return { of, isApart: Math.abs(day - days[days.length >> 1]!) >= APART_MS };
  }
}

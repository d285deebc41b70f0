// The rows' opening prices, for snapshots that were asked to show them. History knows them, on a thread or in a process of
// its own: a row is asked for once, many at a time, one question after the other. Meanwhile only those snapshots wait.
import type { OpeningFields } from '../history/answers.js';
import type { HistorySource } from '../history/source.js';
import { grown } from '../memory/grown.js';
import type { Clock } from '../model/clock.js';
import { LIMITS } from '../model/limits.js';
import { formatUs, parseTimeUs } from '../model/time.js';
import type { OddsTable } from '../table/table.js';
import { isStill } from './changes.js';

const ROWS_MAX = LIMITS.openingsAsked.max;
/** Where history did not answer nobody waits for it for so long: rows are shown without an opening. */
const UNANSWERED_MS = 5_000;

interface Asked {
  slots: readonly number[];
  /** Of each row: tells whether the slot still holds it. */
  createdPositions: readonly number[];
  ids: readonly string[];
  /** What was committed up to there is known to whoever answers. */
  position: number;
}

export class OpeningPrices {
  readonly #table: OddsTable;
  readonly #history: Pick<HistorySource, 'openings'>;
  readonly #clock: Clock;
  readonly #answered: () => void;
  // By slot, and nothing before the first stream asks: most servers are never asked.
  /** Created position of the row that the others are of. */
  #created = new Float64Array(0);
  /** 0 where history knows no opening. */
  #american = new Int32Array(0);
  #decimal = new Float64Array(0);
  /** NaN is none. */
  #line = new Float64Array(0);
  /** Unix µs; where history knows no opening the position up to which it knew none. */
  #at = new Float64Array(0);
  readonly #wanted = new Set<number>();
  #asking = false;
  #failedMs = Number.NEGATIVE_INFINITY;

  /** @param answered called when more is known. */
  constructor(table: OddsTable, history: Pick<HistorySource, 'openings'>, clock: Clock, answered: () => void) {
    this.#table = table;
    this.#history = history;
    this.#clock = clock;
    this.#answered = answered;
  }

  /**
   * Whether those of the rows in `slots` from `from` to `to`, listed as of `position`, are known, or known not to be there.
   * What is not is asked for, up to `ahead`; rows that are gone are passed over.
   */
  known(slots: Uint32Array, from: number, to: number, ahead: number, position: number): boolean {
    this.#makeRoom();
    let all = true;
    const end = Math.min(ahead, slots.length);
    for (let i = from; i < end; i++) {
      const slot = slots[i]!;
      if (!isStill(this.#table, slot, position) || this.#isKnown(slot, position)) continue;
      if (i < to) all = false;
      this.#wanted.add(slot);
    }
    if (this.#wanted.size > 0) this.#ask();
    // For a while after a failure nothing is asked: all that is wanted is then known not to be there.
    return all || !this.#asking;
  }

  /** JSON of a row's opening; `null` where none is known. */
  text(slot: number): string {
    const american = this.#american[slot] ?? 0;
    if (american === 0 || !this.#isOf(slot)) return 'null';
    const line = this.#line[slot]!;
    const at = formatUs(this.#at[slot]!);
    return `{"odds_american":${american},"odds_decimal":${this.#decimal[slot]},"line":${Number.isNaN(line) ? 'null' : line},"at":"${at}"}`;
  }

  #makeRoom(): void {
    const { capacity } = this.#table.columns;
    if (this.#created.length >= capacity) return;
    this.#created = grown(this.#created, capacity);
    this.#american = grown(this.#american, capacity);
    this.#decimal = grown(this.#decimal, capacity);
    this.#line = grown(this.#line, capacity);
    this.#at = grown(this.#at, capacity);
  }

  #isOf(slot: number): boolean {
    return this.#created[slot] === this.#table.columns.createdPosition[slot];
  }

  #isKnown(slot: number, position: number): boolean {
    return this.#isOf(slot) && (this.#american[slot] !== 0 || this.#at[slot]! >= position);
  }

  #ask(): void {
    if (this.#asking) return;
    if (this.#clock.now() - this.#failedMs < UNANSWERED_MS) {
      this.#keep(this.#take(Number.POSITIVE_INFINITY), new Map());
      return;
    }
    const asked = this.#take(ROWS_MAX);
    if (asked.ids.length === 0) return;
    this.#asking = true;
    this.#history.openings(asked.ids).then(
      (found) => this.#received(asked, found),
      // Whoever keeps history says in the log what is wrong with it.
      () => {
        this.#failedMs = this.#clock.now();
        this.#received(asked, new Map());
      },
    );
  }

  #received(asked: Asked, found: ReadonlyMap<string, OpeningFields>): void {
    this.#keep(asked, found);
    this.#asking = false;
    this.#ask();
    this.#answered();
  }

  /** Takes up to `most` rows of those wanted that are still there. */
  #take(most: number): Asked {
    const { columns, position } = this.#table;
    const slots: number[] = [];
    for (const slot of this.#wanted) {
      if (slots.length >= most) break;
      this.#wanted.delete(slot);
      if (columns.id.has(slot)) slots.push(slot);
    }
    const createdPositions = slots.map((slot) => columns.createdPosition[slot]!);
    return { slots, createdPositions, ids: slots.map((slot) => columns.id.at(slot)), position };
  }

  #keep({ slots, createdPositions, ids, position }: Asked, found: ReadonlyMap<string, OpeningFields>): void {
    for (const [i, slot] of slots.entries()) {
      this.#wanted.delete(slot);
      const opening = found.get(ids[i]!);
      this.#created[slot] = createdPositions[i]!;
      this.#american[slot] = opening?.odds_american ?? 0;
      this.#decimal[slot] = opening?.odds_decimal ?? 0;
      this.#line[slot] = opening?.line ?? Number.NaN;
      this.#at[slot] = opening === undefined ? position : parseTimeUs(opening.at)!;
    }
  }
}

// The rows' opening prices, for snapshots that show them. History provides them, on a thread or in a process of its
// own: each row is requested once, many at a time, one request after the other. Only those snapshots wait meanwhile.

import { grown } from '../base/memory/grown.js';
import type { Clock } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import { formatUs, parseTimeUs } from '../base/model/time.js';
import type { AskHistory } from '../store/clv/queries.js';
import type { OpeningFields } from '../store/history/answers.js';
import type { OddsTable } from '../tables/table.js';

const ROWS_MAX = LIMITS.openingsRequested.max;
/** After a failed request no snapshot waits for this long: rows are shown without an opening. */
const UNANSWERED_MS = 5_000;

interface Requested {
  slots: readonly number[];
  /** Identifies the row, to see whether the slot still has it. */
  createdPositions: readonly number[];
  ids: readonly string[];
  /** Everything committed up to there is known to history. */
  position: number;
}

export class OpeningPrices {
  readonly #table: OddsTable;
  readonly #history: AskHistory;
  readonly #clock: Clock;
  readonly #answered: () => void;
  // By slot, allocated by the first stream that needs it: most servers never do.
  /** Created position of the row that the other values are of. */
  #created = new Float64Array(0);
  /** 0 if history has no opening. */
  #american = new Int32Array(0);
  #decimal = new Float64Array(0);
  /** NaN means none. */
  #line = new Float64Array(0);
  /** Unix µs; if history has no opening, the position up to which it had none. */
  #at = new Float64Array(0);
  readonly #wanted = new Set<number>();
  #asking = false;
  #failedMs = Number.NEGATIVE_INFINITY;

  /** @param answered called when more is known */
  constructor(table: OddsTable, history: AskHistory, clock: Clock, answered: () => void) {
    this.#table = table;
    this.#history = history;
    this.#clock = clock;
    this.#answered = answered;
  }

  /**
   * Whether those of the rows in `slots` from `from` to `to`, listed as of `position`, are known, or known to be
   * missing. Others are requested, up to `ahead`; removed rows are skipped.
   */
  known(slots: Uint32Array, from: number, to: number, ahead: number, position: number): boolean {
    this.#makeRoom();
    let all = true;
    const end = Math.min(ahead, slots.length);
    for (let i = from; i < end; i++) {
      const slot = slots[i]!;
      if (!this.#table.isStill(slot, position) || this.#isKnown(slot, position)) continue;
      if (i < to) all = false;
      this.#wanted.add(slot);
    }
    if (this.#wanted.size > 0) this.#ask();
    // For a while after a failure nothing is requested: everything then counts as known to be missing.
    return all || !this.#asking;
  }

  /** JSON of a row's opening; `null` if none is known. */
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
    const requested = this.#take(ROWS_MAX);
    if (requested.ids.length === 0) return;
    this.#asking = true;
    this.#history('openings', requested.ids).then(
      (found) => this.#received(requested, new Map(found)),
      // History itself logs what is wrong.
      () => {
        this.#failedMs = this.#clock.now();
        this.#received(requested, new Map());
      },
    );
  }

  #received(requested: Requested, found: ReadonlyMap<string, OpeningFields>): void {
    this.#keep(requested, found);
    this.#asking = false;
    this.#ask();
    this.#answered();
  }

  /** Takes up to `most` of the wanted rows that still exist. */
  #take(most: number): Requested {
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

  #keep({ slots, createdPositions, ids, position }: Requested, found: ReadonlyMap<string, OpeningFields>): void {
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

// Games that are over: their results of the last day, read again for what changed since, and what the prices above fair
// that were detected in them made.
import { OverroundError, type Result } from '../src/client/client.js';
import { type GradedSums, isOver, sumsOf } from './model/graded.js';
import type { Session } from './session.js';

const EVERY_MS = 15_000;
const EVERY_MS_TIGHT = 120_000;
const BACK_MS = 86_400_000;
const PAGE = 200;
const PAGES_MAX = 25;
/** Games that are graded at once, the latest first. */
const GRADED_MAX = 20;
const PREDICTIONS_MAX = 1_000;

export class Finished {
  readonly #session: Session;
  readonly #changed: () => void;
  readonly #results = new Map<string, Result>();
  /** Event id → sums, and the revision of the result that they are of. */
  readonly #sums = new Map<string, GradedSums & { revision: number }>();
  #since = '';
  #mayGrade = true;
  #isRefused = false;

  constructor(session: Session, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Once. */
  begin(): void {
    void this.#read();
    setInterval(() => void this.#read(), this.#session.isTight ? EVERY_MS_TIGHT : EVERY_MS);
  }

  /** The latest start first. */
  get all(): Result[] {
    return [...this.#results.values()].sort(
      (a, b) => Date.parse(b.event_start_time) - Date.parse(a.event_start_time) || (a.event_id < b.event_id ? -1 : 1),
    );
  }

  sumsOf(eventId: string): GradedSums | undefined {
    return this.#sums.get(eventId);
  }

  async #read(): Promise<void> {
    if (this.#isRefused || (document.hidden && this.#since !== '')) return;
    const { client, clock } = this.#session;
    const since = this.#since === '' ? new Date(clock.now() - BACK_MS).toISOString() : this.#since;
    try {
      let cursor: string | undefined;
      let changed = false;
      for (let page = 0; page < PAGES_MAX; page++) {
        const { data, pagination } = await client.results({ updated_since: since, limit: PAGE, cursor });
        for (const result of data) {
          if (result.updated_at > this.#since) this.#since = result.updated_at;
          if (isOver(result)) this.#results.set(result.event_id, result);
          else this.#results.delete(result.event_id);
          changed = true;
        }
        cursor = pagination?.next_cursor ?? undefined;
        if (cursor === undefined) break;
      }
      if (changed) this.#changed();
      await this.#grade();
    } catch (error) {
      // A token that has no results; otherwise what is known stays, and the next turn tries again.
      if (error instanceof OverroundError && error.status === 403) this.#isRefused = true;
    }
  }

  async #grade(): Promise<void> {
    if (!this.#mayGrade || this.#session.isTight) return;
    const due = this.all.filter(({ event_id, revision }) => this.#sums.get(event_id)?.revision !== revision);
    try {
      await this.#gradeAll(due.slice(0, GRADED_MAX));
    } catch (error) {
      // Of another tier, or a server without history.
      if (error instanceof OverroundError && [403, 404].includes(error.status)) this.#mayGrade = false;
    }
  }

  /** Together, unless they are too many for one answer. */
  async #gradeAll(due: readonly Result[]): Promise<void> {
    if (due.length === 0) return;
    const ids = due.map(({ event_id }) => event_id);
    const { data, pagination } = await this.#session.client.predictions({ event: ids, limit: PREDICTIONS_MAX });
    const isWhole = pagination.total <= data.length;
    if (!isWhole && due.length > 1) {
      const half = due.length >> 1;
      await this.#gradeAll(due.slice(0, half));
      await this.#gradeAll(due.slice(half));
      return;
    }
    for (const { event_id, revision } of due) {
      const own = data.filter((one) => one.event_id === event_id);
      this.#sums.set(event_id, { ...sumsOf(own, isWhole ? own.length : pagination.total), revision });
    }
    this.#changed();
  }
}

// Requests per account today, this week and this month (UTC), persistent across restarts: counted in memory, written
// every few seconds and at close. A crash loses those few seconds at most.
import type { Clock } from '../model/clock.js';
import { DAY_MS } from '../model/time.js';
import type { AccountsStore } from '../store/accounts-store.js';

const FLUSH_EVERY_MS = 5000;

export interface Usage {
  today: number;
  thisWeek: number;
  thisMonth: number;
}

/** The counts of other processes for the same accounts. */
export interface SharedUsage {
  /** Called with this process's counts, a few seconds late. */
  publish(entries: readonly (readonly [account: string, counters: Counters])[]): void;
  others(account: string): Iterable<Counters>;
}

export interface Counters extends Usage {
  /** Days since 1970 (UTC): the day, the week's Monday and the month's first day that the counts refer to. */
  day: number;
  week: number;
  month: number;
}

export class UsageCounters {
  readonly #store: AccountsStore;
  readonly #clock: Clock;
  /** Counts since the last write, and those being written. */
  #unwritten = new Map<string, Counters>();
  #writing: ReadonlyMap<string, Counters> = new Map();
  #flushed: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;
  #shared: SharedUsage | undefined;
  readonly #onError: (error: unknown) => void;

  /** A failed write is repeated with the next one, and reported to onError. */
  constructor(store: AccountsStore, clock: Clock, onError: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onError = onError;
    this.#timer = setInterval(() => {
      this.flush().catch(onError);
    }, FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  /** Adds the counts of other processes for the same accounts. */
  shareBy(shared: SharedUsage): void {
    this.#shared = shared;
  }

  count(account: string): void {
    const day = this.#day();
    let counters = this.#unwritten.get(account);
    if (counters === undefined) {
      counters = newCounters(day);
      this.#unwritten.set(account, counters);
    }
    roll(counters, day);
    counters.today++;
    counters.thisWeek++;
    counters.thisMonth++;
  }

  /** Counts of other processes, as of their last write. */
  read(account: string): Usage {
    const { today, thisWeek, thisMonth } = this.#with(this.#store.usage(account), [
      this.#writing.get(account),
      this.#unwritten.get(account),
      ...(this.#shared?.others(account) ?? []),
    ]);
    return { today, thisWeek, thisMonth };
  }

  /** Unix ms of the current month's first moment and of the next one's. */
  period(): { startMs: number; endMs: number } {
    const now = new Date(this.#clock.now());
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
  }

  /** Adds to the stored counts, as other processes count there too. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.catch(() => undefined).then(() => this.#write());
    return this.#flushed;
  }

  async #write(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const written = this.#unwritten;
    this.#unwritten = new Map();
    this.#writing = written;
    try {
      const entries: [account: string, counters: Counters][] = [];
      await this.#store.changeUsage([...written.keys()], (account, stored) => {
        const sum = this.#with(stored, [written.get(account)]);
        entries.push([account, sum]);
        return sum;
      });
      this.#shared?.publish(entries);
    } catch (error) {
      for (const [account, counters] of written)
        this.#unwritten.set(account, this.#with(counters, [this.#unwritten.get(account)]));
      throw error;
    } finally {
      this.#writing = new Map();
    }
  }

  /** Writes the counts; the store stays open. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(this.#onError);
  }

  #day(): number {
    return Math.floor(this.#clock.now() / DAY_MS);
  }

  /** The sum, as of today. */
  #with(stored: unknown, others: readonly (Counters | undefined)[]): Counters {
    const day = this.#day();
    const sum = newCounters(day);
    for (const counters of [stored as Counters | undefined, ...others]) {
      if (counters === undefined) continue;
      const now = { ...counters };
      roll(now, day);
      sum.today += now.today;
      sum.thisWeek += now.thisWeek;
      sum.thisMonth += now.thisMonth;
    }
    return sum;
  }
}

function newCounters(day: number): Counters {
  return { day, week: weekOf(day), month: monthOf(day), today: 0, thisWeek: 0, thisMonth: 0 };
}

function roll(counters: Counters, day: number): void {
  if (counters.day === day) return;
  const fresh = newCounters(day);
  counters.today = 0;
  if (counters.week !== fresh.week) counters.thisWeek = 0;
  if (counters.month !== fresh.month) counters.thisMonth = 0;
  counters.day = fresh.day;
  counters.week = fresh.week;
  counters.month = fresh.month;
}

/** 1970-01-01 was a Thursday: three days after a Monday. */
function weekOf(day: number): number {
  return day - ((day + 3) % 7);
}

function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / DAY_MS;
}

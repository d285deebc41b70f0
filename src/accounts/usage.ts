// Requests per account today, this week and this month (UTC), kept across restarts: counted in memory, written every few
// seconds and at close. A crash forgets those few seconds at most.
import type { Clock } from '../model/clock.js';
import type { AccountsStore } from '../store/accounts-store.js';

const DAY_MS = 86_400_000;
const FLUSH_EVERY_MS = 5000;

export interface Usage {
  today: number;
  thisWeek: number;
  thisMonth: number;
}

/** What other processes have counted of the same accounts. */
export interface SharedUsage {
  /** Told of what this process has counted, a few seconds after it was. */
  tell(entries: readonly (readonly [account: string, counters: Counters])[]): void;
  others(account: string): Iterable<Counters>;
}

export interface Counters extends Usage {
  /** Days since 1970 (UTC): the day, the week's Monday and the month's first day that the counts are of. */
  day: number;
  week: number;
  month: number;
}

export class UsageCounters {
  readonly #store: AccountsStore;
  readonly #clock: Clock;
  readonly #counters = new Map<string, Counters>();
  #dirty = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #shared: SharedUsage | undefined;
  readonly #onError: (error: unknown) => void;

  /** A write that fails is tried again with the next one, and told to onError. */
  constructor(store: AccountsStore, clock: Clock, onError: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onError = onError;
    this.#timer = setInterval(() => {
      this.flush().catch(onError);
    }, FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  /** Has the same accounts counted together with other processes. */
  shareBy(shared: SharedUsage): void {
    this.#shared = shared;
  }

  count(account: string): void {
    const counters = this.#current(account);
    counters.today++;
    counters.thisWeek++;
    counters.thisMonth++;
    this.#dirty.add(account);
  }

  read(account: string): Usage {
    let { today, thisWeek, thisMonth } = this.#current(account);
    for (const other of this.#shared?.others(account) ?? []) {
      const counters = { ...other };
      this.#roll(counters);
      today += counters.today;
      thisWeek += counters.thisWeek;
      thisMonth += counters.thisMonth;
    }
    return { today, thisWeek, thisMonth };
  }

  /** Unix ms of the current month's first moment and of the next one's. */
  period(): { startMs: number; endMs: number } {
    const now = new Date(this.#clock.now());
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
  }

  async flush(): Promise<void> {
    if (this.#dirty.size === 0) return;
    const written = this.#dirty;
    this.#dirty = new Set();
    try {
      const entries = [...written].map((account) => [account, this.#counters.get(account)!] as const);
      await this.#store.putUsage(entries);
      this.#shared?.tell(entries);
    } catch (error) {
      for (const account of written) this.#dirty.add(account);
      throw error;
    }
  }

  /** Writes what is counted; the store stays open. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(this.#onError);
  }

  #current(account: string): Counters {
    const day = Math.floor(this.#clock.now() / DAY_MS);
    let counters = this.#counters.get(account);
    if (counters === undefined) {
      counters = (this.#store.usage(account) as Counters | undefined) ?? newCounters(day);
      this.#counters.set(account, counters);
    }
    this.#roll(counters);
    return counters;
  }

  #roll(counters: Counters): void {
    const day = Math.floor(this.#clock.now() / DAY_MS);
    if (counters.day !== day) roll(counters, day);
  }
}

function newCounters(day: number): Counters {
  return { day, week: weekOf(day), month: monthOf(day), today: 0, thisWeek: 0, thisMonth: 0 };
}

function roll(counters: Counters, day: number): void {
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

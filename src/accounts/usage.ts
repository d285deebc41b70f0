// Requests per account today, this week and this month (UTC), over all processes and persistent across restarts:
// counted in memory, added to the control store every few seconds and at close. A crash loses those few seconds at most.
import { randomBytes } from 'node:crypto';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { Clock } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import { DAY_MS } from '../base/model/time.js';
import { command, type Draft } from '../log/control/command.js';
import type { Control } from '../log/control/control.js';

const FLUSH_EVERY_MS = 5000;
const USAGE = 'usage';
/** The last report of each process: one that is sent again is not added twice. */
const REPORTS = 'usage-report';

export interface Usage {
  today: number;
  thisWeek: number;
  thisMonth: number;
}

interface Counters extends Usage {
  /** Days since 1970 (UTC): the day, the week's Monday and the month's first day that the counts refer to. */
  day: number;
  week: number;
  month: number;
}

interface Report {
  /** The process, and its report's number. */
  from: string;
  no: number;
  counts: readonly (readonly [account: string, counters: Counters])[];
}

interface LastReport {
  no: number;
  atMs: number;
}

const addUsage = command('usage.add', (draft, { from, no, counts }: Report) => {
  const last = draft.value(`${REPORTS}|${from}`) as LastReport | undefined;
  if (last !== undefined && last.no >= no) return;
  const day = Math.floor(draft.nowMs / DAY_MS);
  for (const [account, counters] of counts) {
    const stored = draft.value(`${USAGE}|${account}`) as Counters | undefined;
    draft.put(`${USAGE}|${account}`, sumOf(day, [stored, counters]));
  }
  draft.put(`${REPORTS}|${from}`, { no, atMs: draft.nowMs } satisfies LastReport);
  if (last === undefined) forgetOldest(draft);
});

function forgetOldest(draft: Draft): void {
  const reports = [...draft.entries(REPORTS)] as [string, LastReport][];
  if (reports.length <= LIMITS.usageReporters.max) return;
  reports.sort(([, a], [, b]) => a.atMs - b.atMs);
  draft.remove(reports[0]![0]);
}

export class UsageCounters {
  readonly #control: Control;
  readonly #clock: Clock;
  readonly #from = randomBytes(8).toString('hex');
  /** Counts since the last report, and the one that is not acknowledged yet. */
  #unreported = new Map<string, Counters>();
  #report: { no: number; counts: ReadonlyMap<string, Counters> } = { no: 0, counts: new Map() };
  #flushed: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #onError: (error: unknown) => void;

  /**
   * A failed report is repeated as it is, and reported to onError. In lockstep counts are stored at close alone: each
   * report has a position, and when it is due by the system's clock differs from run to run.
   */
  constructor(control: Control, clock: Clock, onError: (error: unknown) => void, isLockstep = false) {
    this.#control = control;
    this.#clock = clock;
    this.#onError = onError;
    if (isLockstep) return;
    this.#timer = setInterval(() => {
      this.flush().catch(onError);
    }, FLUSH_EVERY_MS);
    this.#timer.unref();
  }

  count(account: string): void {
    const day = this.#day();
    const counters = getOrInsert(this.#unreported, account, () => newCounters(day));
    roll(counters, day);
    counters.today++;
    counters.thisWeek++;
    counters.thisMonth++;
  }

  /** Counts of other processes, as of their last report. */
  read(account: string): Usage {
    const { today, thisWeek, thisMonth } = sumOf(this.#day(), [
      this.#control.store.value(`${USAGE}|${account}`) as Counters | undefined,
      this.#report.counts.get(account),
      this.#unreported.get(account),
    ]);
    return { today, thisWeek, thisMonth };
  }

  /** Unix ms of the current month's first moment and of the next one's. */
  period(): { startMs: number; endMs: number } {
    const now = new Date(this.#clock.now());
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) };
  }

  /** Settles when what was counted by now is stored. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed
      .catch(() => undefined)
      .then(async () => {
        // What could not be reported comes first.
        if (this.#report.counts.size > 0) await this.#send();
        this.#report = { no: this.#report.no + 1, counts: this.#unreported };
        this.#unreported = new Map();
        if (this.#report.counts.size > 0) await this.#send();
      });
    return this.#flushed;
  }

  async #send(): Promise<void> {
    const { no, counts } = this.#report;
    await this.#control.run(addUsage, { from: this.#from, no, counts: [...counts] });
    this.#report = { no, counts: new Map() };
  }

  /** Reports the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch(this.#onError);
  }

  #day(): number {
    return Math.floor(this.#clock.now() / DAY_MS);
  }
}

/** As of that day. */
function sumOf(day: number, all: readonly (Counters | undefined)[]): Counters {
  const sum = newCounters(day);
  for (const counters of all) {
    if (counters === undefined) continue;
    const now = { ...counters };
    roll(now, day);
    sum.today += now.today;
    sum.thisWeek += now.thisWeek;
    sum.thisMonth += now.thisMonth;
  }
  return sum;
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

// Every change of a price, from the server's history: the stream tells of several changes of a row within a tick, or while
// the sink was away, the last alone.
import type { Static } from 'typebox';
import { monotonicMs } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';
import { present } from '../../base/model/present.js';
import { decimalFromAmerican, isAmericanStated } from '../../base/model/price.js';
import { round6 } from '../../base/model/row-json.js';
import { formatUs, parseTimeUs } from '../../base/model/time.js';
import { type HistoryRow, type OverroundClient, OverroundError, type SocketFilters } from '../../client/client.js';
import type { HistoryPoint } from '../../schema/history.js';
import type { Fields } from './part-builder.js';
import type { Note } from './target.js';

/** What is read at once (µs): so much that an answer is neither large nor one of very many. */
const STEP_US = { first: 10e6, least: 1e6, most: 3_600e6 };
const MANY_ROWS = 50_000;
const FEW_ROWS = 10_000;
const EVERY_MS = 1_000;
const PAGE_POINTS = LIMITS.historyPoints.max;

/** Every change after one position up to another. */
export interface Changes {
  rows: Fields[];
  /** Null: there is no history to be read, now and later. */
  upTo: number | null;
  notes: Note[];
}

export class ChangesReader {
  readonly #client: OverroundClient;
  readonly #params: Readonly<Record<string, string>>;
  readonly #tell: (text: string) => void;
  #stepUs = STEP_US.first;
  #nextMs = 0;
  #read: Changes | undefined;
  #reading = false;
  #ended = false;

  constructor(client: OverroundClient, filters: SocketFilters, tell: (text: string) => void) {
    this.#client = client;
    this.#tell = tell;
    const { sports, leagues, sportsbooks, markets, eventIds } = filters;
    const lists = { sport: sports, league: leagues, sportsbook: sportsbooks, market: markets, event: eventIds };
    this.#params = Object.fromEntries(
      Object.entries(lists).flatMap(([name, list]) => (list === undefined ? [] : [[name, list.join()]])),
    );
  }

  /** What was read since the last call. */
  take(): Changes | undefined {
    const read = this.#read;
    this.#read = undefined;
    return read;
  }

  /** Begins to read what came after `from` up to `to`, if it is time; `whenRead` is called once there is something to take. */
  begin(from: number, to: number, whenRead: () => void): void {
    if (this.#reading || this.#ended || this.#read !== undefined || monotonicMs() < this.#nextMs || to <= from) return;
    this.#reading = true;
    void this.#changes(from, to)
      .then(
        (changes) => {
          this.#read = changes;
          this.#nextMs = monotonicMs() + (changes.upTo !== null && changes.upTo < to ? 0 : EVERY_MS);
        },
        (error: unknown) => this.#failed(error, from),
      )
      .finally(() => {
        this.#reading = false;
        whenRead();
      });
  }

  #failed(error: unknown, from: number): void {
    const { retryAfter } = error as OverroundError;
    this.#nextMs = monotonicMs() + (retryAfter ?? 2) * 1_000;
    const reason = refusal(error);
    if (reason === undefined) return;
    this.#ended = true;
    this.#tell(`no history (${reason}): ${WITHOUT}`);
    this.#read = { rows: [], upTo: null, notes: [{ event: 'no_history', reason, before: from }] };
  }

  /** As far as the step reaches. */
  async #changes(from: number, to: number): Promise<Changes> {
    for (;;) {
      const end = Math.min(to, from + this.#stepUs);
      const found = await this.#pages(from, end);
      if (found === undefined || (found.rows.length > MANY_ROWS && this.#stepUs > STEP_US.least))
        this.#stepUs = Math.max(STEP_US.least, this.#stepUs / 2);
      else if (found.rows.length < FEW_ROWS) this.#stepUs = Math.min(STEP_US.most, this.#stepUs * 2);
      if (found !== undefined) return found;
    }
  }

  /** Undefined if they are too many to be held at once. */
  async #pages(from: number, to: number): Promise<Changes | undefined> {
    const params = {
      ...this.#params,
      from: formatUs(from + 1),
      to: formatUs(Math.max(to, from + 1)),
      limit: PAGE_POINTS,
    };
    const rows: Fields[] = [];
    const notes = new Map<string, Note>();
    let upTo = to;
    let cursor: string | undefined;
    do {
      const { data, meta, pagination } = await this.#client.oddsHistory(present({ ...params, cursor }));
      for (const row of data) addPoints(rows, row);
      if (rows.length > LIMITS.sinkRows.max && this.#stepUs > STEP_US.least) return undefined;
      upTo = Math.min(upTo, parseTimeUs(meta['to']) ?? upTo);
      const gaps = (meta['gaps'] ?? []) as { from: string; to: string }[];
      const lost = [...gaps, ...(meta['clamped'] ? [{ from: params.from, to: String(meta['from']) }] : [])];
      for (const gap of lost)
        notes.set(gap.from, { event: 'gap', reason: `no history from ${gap.from} to ${gap.to}`, before: from });
      cursor = pagination.next_cursor;
    } while (cursor !== undefined);
    for (const { reason } of notes.values()) this.#tell(`odds_changes has a gap: ${reason}`);
    return { rows, upTo: Math.max(from, upTo), notes: [...notes.values()] };
  }
}

/** What `odds_changes` has then. */
export const WITHOUT = 'odds_changes has what the stream tells, of several changes of a price at once the last';

/** Why there is no history for this key, at this server; undefined where another error may pass. */
export function refusal(error: unknown): string | undefined {
  return error instanceof OverroundError && [400, 403, 404].includes(error.status) ? error.message : undefined;
}

/** Each point as a row of `odds_changes`. */
function addPoints(
  rows: Fields[],
  { points, opening, line: _line, removed_at: _removed, ...identity }: HistoryRow,
): void {
  for (const point of points as Static<typeof HistoryPoint>[]) {
    const { odds_american, odds_decimal } = point;
    const isAmerican = isAmericanStated(odds_american, odds_decimal);
    const decimal = isAmerican ? decimalFromAmerican(odds_american) : odds_decimal;
    rows.push({
      ...identity,
      ...point,
      odds_probability: round6(1 / decimal),
      change: point.at === opening.at ? 'added' : 'updated',
    });
  }
}

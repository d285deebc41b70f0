// Follows a server and writes what it says: a cut of the stream is a transaction of the target, with the position that it
// leads to. Whatever fails, it begins again from the position that was committed last.

import type { Static } from 'typebox';
import { monotonicMs } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';
import { present } from '../../base/model/present.js';
import { decimalFromAmerican, isAmericanStated } from '../../base/model/price.js';
import { round6 } from '../../base/model/row-json.js';
import { formatUs, parseTimeUs } from '../../base/model/time.js';
import {
  type ChannelWord,
  type HistoryRow,
  type LiveStream,
  OverroundClient,
  OverroundError,
  type SocketFilters,
  type WebSocketConstructor,
} from '../../client/client.js';
import { Bell, wait } from '../../intake/feeds/wait.js';
import type { HistoryPoint } from '../../schema/history.js';
import { type Cut, type Fields, PartBuilder } from './part-builder.js';
import { type Kept, type Note, SinkError, type Target, TargetGone } from './target.js';

export interface SinkOptions {
  url: string;
  apiKey: string;
  name: string;
  filters: SocketFilters;
  target: Target;
  WebSocket: WebSocketConstructor;
  /** One line for who runs it. */
  tell(text: string): void;
  /** Ends it: what is whole is written, then it returns. */
  signal: AbortSignal;
}

export interface SinkStatus {
  name: string;
  state: 'starting' | 'following' | 'waiting for the server' | 'waiting for the target';
  /** Committed in the target. */
  position: number | null;
  /** Up to there `odds_changes` has every change; null where there is no history to read them from. */
  changes_position: number | null;
  /** From the newest position that was received to the committed one (ms). */
  lag_ms: number | null;
  rows: number;
  commits: number;
  restated: number;
}

const WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Rows of a snapshot that are written before it is whole. */
const PIECE_ROWS = 5_000;
const REST_MS = 1_000;
/** Nothing has changed since then: an answer says that there is history. */
const NEVER_YET = '2099-01-01T00:00:00Z';
const NEVER = new AbortController().signal;
const ALL: readonly ChannelWord[] = ['odds', 'ev', 'arbitrage', 'middles', 'low_hold', 'moves', 'results'];
/** What a subscription can be refused with for ever. */
const FINAL = new Set(['invalid_request', 'tier_restricted', 'forbidden']);

export class SinkRun {
  readonly #options: SinkOptions;
  readonly #client: OverroundClient;
  readonly status: SinkStatus;
  #received: number | null = null;
  /** Why there is none to be read; undefined where there is. */
  #noHistory: string | undefined;

  constructor(options: SinkOptions) {
    this.#options = options;
    const { url, apiKey, WebSocket } = options;
    this.#client = new OverroundClient({ url, apiKey, WebSocket });
    this.status = {
      name: options.name,
      state: 'starting',
      position: null,
      changes_position: null,
      lag_ms: null,
      rows: 0,
      commits: 0,
      restated: 0,
    };
  }

  /** Until the signal. Rejects with SinkError or OverroundError where going on cannot help. */
  async run(): Promise<void> {
    const { signal, target, tell } = this.#options;
    const filters = JSON.stringify(this.#options.filters);
    const { channels, noHistory } = await this.#allowed();
    this.#noHistory = noHistory;
    if (noHistory !== undefined && target.fill !== undefined) tell(`no history (${noHistory}): ${WITHOUT}`);
    let failures = 0;
    while (!signal.aborted) {
      const commits = this.status.commits;
      try {
        const kept = await target.open(filters);
        await this.#follow(kept, filters, channels);
        await target.close();
      } catch (error) {
        await target.close().catch(() => undefined);
        if (!(error instanceof TargetGone)) throw error;
        failures = this.status.commits === commits ? failures + 1 : 1;
        this.status.state = 'waiting for the target';
        const waitMs = Math.min(WAIT_MS * 2 ** Math.min(failures - 1, 5), LONGEST_WAIT_MS);
        tell(`the target is gone (${error.message}); again in ${waitMs / 1_000} s`);
        await wait(waitMs, signal);
      }
    }
  }

  /** The channels that the key may see, and why it may read no history, where it may not. */
  async #allowed(): Promise<{ channels: ChannelWord[]; noHistory: string | undefined }> {
    const { signal, tell } = this.#options;
    for (let failures = 0; ; failures++)
      try {
        const [account, tiers] = await Promise.all([this.#client.account(), this.#client.tiers()]);
        const { features } = account.data;
        const seen = tiers.data.find(({ id }) => id === account.data.tier)?.channels ?? [];
        const held = features as Readonly<Record<string, boolean>>;
        const may = (channel: string): boolean => held[channel] ?? (seen as readonly string[]).includes(channel);
        const allowed = held['streaming'] === true ? ALL.filter(may) : [];
        if (allowed.length > 0) return { channels: allowed, noHistory: await this.#refusal() };
        throw new SinkError('the key may follow nothing: it needs a tier and the add-on for streams');
      } catch (error) {
        if (!(error instanceof OverroundError) || isFinal(error) || signal.aborted) throw error;
        this.status.state = 'waiting for the server';
        const waitMs =
          error.retryAfter === undefined
            ? Math.min(WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
            : error.retryAfter * 1_000;
        tell(`the server does not answer (${error.message}); again in ${waitMs / 1_000} s`);
        await wait(waitMs, signal);
      }
  }

  async #refusal(): Promise<string | undefined> {
    try {
      const { meta } = await this.#client.oddsHistory({ from: NEVER_YET, limit: 1, include: 'removals' });
      const ignored = (meta['ignored'] ?? []) as string[];
      return ignored.includes('include') ? 'the server is of an earlier release' : undefined;
    } catch (error) {
      const reason = refusal(error);
      if (reason === undefined) throw error;
      return reason;
    }
  }

  async #follow(kept: Kept, filters: string, channels: readonly ChannelWord[]): Promise<void> {
    const { name, target, tell, signal } = this.#options;
    const otherFilters = kept.position !== null && kept.filters !== filters;
    this.status.position = kept.position;
    const reader = this.#noHistory === undefined ? new ChangesReader(this.#client, this.#options.filters, tell) : null;
    const writer = new Writer(target, this.status, { reader, otherFilters, tell });
    await writer.begin(kept, this.#noHistory);
    const builder = new PartBuilder(name, kept.open);
    const ending = new AbortController();
    const end = () => ending.abort();
    signal.addEventListener('abort', end, { once: true });
    let failed: unknown;
    let giveUp: () => void = () => undefined;
    // Also where the target does not answer any more: it is let go by who opened it.
    const givenUp = new Promise<void>((resolve) => {
      giveUp = resolve;
    });
    const fail = (error: unknown): void => {
      failed ??= error;
      end();
      giveUp();
    };
    const stream: LiveStream = this.#client.socket(channels, this.#options.filters, {
      merge: false,
      firstTriesMax: Number.POSITIVE_INFINITY,
      signal: ending.signal,
      ...(otherFilters ? {} : { position: kept.position ?? undefined }),
      onEvent: (event) => {
        if (event.type === 'error' && FINAL.has(event.code))
          fail(new SinkError(`the server refuses: ${event.message}`));
        if (event.type === 'started') this.status.state = 'following';
        builder.take(event);
        // A part of a change is held until it is whole, but a snapshot may be as large as the market.
        if (stream.position === null && builder.waiting >= PIECE_ROWS && builder.divisible)
          writer.add(builder.cut(null));
      },
      onPosition: (position) => {
        this.#received = position;
        writer.add(builder.cut(position));
        this.#lag();
        if (writer.waiting > LIMITS.sinkRows.max && writer.whole) {
          tell(
            `the target is slower than the server: ${writer.waiting} rows wait; it is followed again from what is written`,
          );
          fail(new TargetGone('it takes less than comes'));
        }
      },
      onLost: (error) => {
        this.status.state = 'waiting for the server';
        tell(`lost the server: ${error.message}`);
      },
      onError: (error) => fail(error),
    });
    try {
      const ended = stream.ended.then((error) => {
        if (error !== undefined) fail(error);
        writer.end();
      });
      await Promise.race([writer.run(() => this.#lag()).catch(fail), givenUp]);
      end();
      await ended;
    } finally {
      signal.removeEventListener('abort', end);
    }
    if (failed !== undefined) throw failed;
  }

  #lag(): void {
    const { position } = this.status;
    this.status.lag_ms =
      this.#received === null || position === null ? null : Math.max(0, (this.#received - position) / 1_000);
  }
}

interface Beginning {
  /** Of every change; null where there is no history. */
  reader: ChangesReader | null;
  otherFilters: boolean;
  tell(text: string): void;
}

/** Writes cuts in their order; those that wait together are one transaction. */
class Writer {
  readonly #target: Target;
  readonly #status: SinkStatus;
  readonly #begin: Beginning;
  #cuts: Cut[] = [];
  #waiting = 0;
  #notes: Note[] = [];
  /** Of the transaction under way: its note is there. */
  #restarted = false;
  readonly #bell = new Bell();
  #ended = false;
  /** The last cut that was added leads to a position. */
  whole = true;

  constructor(target: Target, status: SinkStatus, begin: Beginning) {
    this.#target = target;
    this.#status = status;
    this.#begin = begin;
  }

  /** From where on every change is written, if there is history to have them from. */
  async begin({ position, changes }: Kept, noHistory: string | undefined): Promise<void> {
    this.#status.changes_position = changes;
    if (this.#target.fill === undefined) return;
    if (noHistory === undefined) {
      if (position !== null && changes === null) await this.#complete([], position, []);
    } else if (position !== null && changes !== null)
      await this.#complete([], null, [{ event: 'no_history', reason: noHistory, before: changes }]);
    else if (position === null) this.#notes.push({ event: 'no_history', reason: noHistory, before: null });
  }

  async #complete(rows: readonly Fields[], upTo: number | null, notes: readonly Note[]): Promise<void> {
    await this.#target.fill!(rows, upTo, notes);
    this.#status.changes_position = upTo;
  }

  /** Rows that are not written yet. */
  get waiting(): number {
    return this.#waiting;
  }

  add(cut: Cut): void {
    this.#cuts.push(cut);
    this.whole = cut.position !== null;
    for (const part of cut.parts) this.#waiting += part.size;
    this.#bell.ring();
  }

  /** What was added is still written. */
  end(): void {
    this.#ended = true;
    this.#bell.ring();
  }

  async run(onCommit: () => void): Promise<void> {
    let open = false;
    for (;;) {
      const cuts = this.#cuts;
      this.#cuts = [];
      let reached: number | null = null;
      // What does not lead to a position is part of the transaction that does.
      const last = cuts.findLastIndex(({ position }) => position !== null);
      for (const [i, cut] of cuts.entries()) {
        if (cut.restarts) {
          await this.#target.restart();
          if (!this.#restarted) this.#notes.push(this.#noteOf(cut));
          this.#restarted = true;
        }
        for (const part of cut.parts) {
          if (part.size > 0) await this.#target.write(part);
          this.#waiting -= part.size;
          this.#status.rows += part.size;
        }
        if (i !== last) continue;
        reached = cut.position!;
        await this.#target.commit(reached, this.#notes);
        this.#status.restated += this.#notes.filter(({ event }) => event === 'restated').length;
        this.#notes = [];
        this.#restarted = false;
        const isFirst = this.#status.position === null;
        this.#status.position = reached;
        this.#status.commits++;
        // Before it nothing is known: what it told is where every change begins.
        if (isFirst && this.#begin.reader !== null && this.#target.fill !== undefined)
          await this.#complete([], reached, []);
        onCommit();
      }
      // Not within a snapshot, which is one transaction.
      if (cuts.length > 0) open = last < cuts.length - 1;
      if (!open) await this.#fill();
      if (this.#cuts.length > 0) continue;
      if (this.#ended) return;
      await this.#bell.sleep(REST_MS, NEVER);
      if (this.#cuts.length === 0 && !this.#ended && !open) await this.#target.rest?.();
    }
  }

  /** What the server's history has beside what the stream told. */
  async #fill(): Promise<void> {
    const { reader } = this.#begin;
    const { position } = this.#status;
    if (this.#target.fill === undefined || reader === null || position === null) return;
    const read = reader.take();
    if (read !== undefined) await this.#complete(read.rows, read.upTo, read.notes);
    const from = this.#status.changes_position;
    if (from !== null && !this.#ended) reader.begin(from, position, () => this.#bell.ring());
  }

  #noteOf({ reason }: Cut): Note {
    const before = this.#status.position;
    if (before === null) return { event: 'started', reason: null, before: null };
    const why = reason ?? (this.#begin.otherFilters ? 'filters' : 'unknown_position');
    this.#begin.tell(`what came after ${before} is not known any more (${why}): all is written anew`);
    return { event: 'restated', reason: why, before };
  }
}

function isFinal({ status }: OverroundError): boolean {
  return status === 400 || status === 401 || status === 403 || status === 404;
}

// Every change of a price, from the server's history: the stream tells of several changes of a row within a tick, or while
// the sink was away, the last alone.

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

class ChangesReader {
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
      include: 'removals' as const,
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

/** Each point as a row of `odds_changes`, and each removal without its price: that is the one before it. */
function addPoints(
  rows: Fields[],
  { points, removals = [], opening, line: _line, removed_at: _removed, ...identity }: HistoryRow,
): void {
  for (const at of removals) rows.push({ ...identity, at, change: 'removed' });
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

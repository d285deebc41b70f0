// Follows a server and writes what it says: a cut of the stream is a transaction of the target, with the position that it
// leads to. Whatever fails, it begins again from the position that was committed last.

import { LIMITS } from '../../base/model/limits.js';
import {
  type ChannelWord,
  type LiveStream,
  OverroundClient,
  OverroundError,
  type SocketFilters,
  type WebSocketConstructor,
} from '../../client/client.js';
import { Bell, wait } from '../../intake/feeds/wait.js';
import { ChangesReader, refusal, WITHOUT } from './changes.js';
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
      await this.#client.oddsHistory({ from: NEVER_YET, limit: 1 });
      return undefined;
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

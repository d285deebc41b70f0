// The same engine over recorded odds: every opportunity that meets the limits, as it is detected and as it ends, in the
// order of the recording's time. Two runs of one file write the same bytes.

import { meets } from '../../answers/opportunities/list.js';
import { OpportunityPresenter, type ServedEvents } from '../../answers/opportunities/presenter.js';
import { BET_KINDS, type BetKind, type UniverseSpec } from '../../base/model/opportunity.js';
import { present } from '../../base/model/present.js';
import { KIND_WORDS } from '../../base/model/stream-channels.js';
import { formatMs } from '../../base/model/time.js';
import type { Limits } from '../../detection/kinds/caller-thresholds.js';
import type { ReasonCount } from '../../intake/feeds/formats/read-report.js';
import { type BadLine, readRecording } from '../../intake/feeds/replay/recording.js';
import type { Opportunity, UniverseNews } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { DEFAULT_STATE } from '../../rules/catalogue/deep-link.js';
import { OddsTable } from '../../tables/table.js';
import { Timeline } from './timeline.js';

export interface BacktestOptions {
  /** A recording: NDJSON of ingest messages or of The Odds API polls, plain or gzip. */
  file: string;
  catalogue: Catalogue;
  /** Null means every book. */
  books: readonly string[] | null;
  /** The book whose prices are the fair ones; the engine's own reference by default. */
  devigBook?: string | undefined;
  limits: Limits;
  /** Receives whole lines, including the newline, in order. The next poll waits for it. */
  write(lines: string): void | Promise<void>;
  /** Bytes of the file read so far. */
  onRead?(bytes: number): void;
  onBadLine?(bad: BadLine): void;
  /** A compressed file that ends early: it is read as far as it goes. */
  onCutShort?(name: string): void;
}

export interface BacktestResult {
  polls: number;
  quotes: number;
  /** Parts of messages that were invalid. */
  rejected: number;
  /** Why, with the first of each. */
  refusals: readonly ReasonCount[];
  badLines: number;
  /** Books in the recording. */
  books: ReadonlySet<string>;
  kinds: KindSummary[];
}

/** Rejects if the file cannot be read. */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const { minEv, minMiddleEv, minSize, maxHold } = options.limits;
  const kept = { minEv, minMiddleEv, minMiddleSize: minSize, maxHold };
  const { books: among, devigBook } = options;
  const universe: UniverseSpec = { key: 'backtest', books: among, kept, ...present({ devigBook }) };
  const timeline: Timeline = new Timeline(options.catalogue, universe, (atMs, position, news) =>
    journal.take(atMs, position, news),
  );
  const journal = new Journal(options, timeline);
  let polls = 0;
  let badLines = 0;
  let lastMs = 0;
  const recording = readRecording(options.file, {
    leagues: options.catalogue,
    onBadLine: (bad) => {
      badLines++;
      options.onBadLine?.(bad);
    },
    onCutShort: (name) => options.onCutShort?.(name),
    onRead: (bytes) => options.onRead?.(bytes),
  });
  for await (const poll of recording) {
    timeline.play(poll);
    polls++;
    lastMs = Math.max(lastMs, poll.atMs);
    const lines = journal.lines();
    if (lines !== '') await options.write(lines);
  }
  const { quotes, rejected, refusals, books } = timeline;
  return { polls, quotes, rejected, refusals: refusals.leftOutReasons, badLines, books, kinds: journal.finish(lastMs) };
}

interface Shown {
  kind: BetKind;
  sinceMs: number;
  bestEdge: number;
}

/** What a subscriber with these limits would be sent, as lines. */
class Journal {
  readonly #limits: Limits;
  readonly #server: OpportunityPresenter;
  readonly #shown = new Map<string, Shown>();
  /** Changes that a subscriber is sent later. */
  readonly #held = new Map<string, Opportunity>();
  readonly #ended: { kind: BetKind; edge: number; lifeS: number }[] = [];
  #lines: string[] = [];

  constructor({ limits, catalogue }: BacktestOptions, events: ServedEvents) {
    this.#limits = limits;
    // There is no table.
    this.#server = new OpportunityPresenter(catalogue, new OddsTable(catalogue), events);
  }

  take(atMs: number, position: number, news: readonly UniverseNews[]): void {
    for (const { detected, expired } of news) {
      for (const { id } of expired) {
        this.#held.delete(id);
        this.#end(id, atMs);
      }
      for (const opportunity of detected) this.#held.set(opportunity.id, opportunity);
    }
    for (const [id, opportunity] of this.#held)
      if (opportunity.updatedPosition <= position) {
        this.#held.delete(id);
        this.#show(opportunity, atMs);
      }
  }

  lines(): string {
    const lines = this.#lines.join('');
    this.#lines = [];
    return lines;
  }

  /** Opportunities active at the end of the recording lasted until then, as far as is known. */
  finish(lastMs: number): KindSummary[] {
    for (const shown of this.#shown.values()) this.#count(shown, lastMs);
    return BET_KINDS.map((kind) =>
      summaryOf(
        kind,
        this.#ended.filter((one) => one.kind === kind),
      ),
    );
  }

  #show(opportunity: Opportunity, atMs: number): void {
    const { id, kind, edge } = opportunity;
    // Its universe only has opportunities, no moves.
    if (kind === 'move') return;
    if (!meets(opportunity, edge, this.#limits)) {
      this.#end(id, atMs);
      return;
    }
    const shown = this.#shown.get(id);
    if (shown === undefined) this.#shown.set(id, { kind, sinceMs: atMs, bestEdge: edge });
    else shown.bestEdge = kind === 'low_hold' ? Math.min(shown.bestEdge, edge) : Math.max(shown.bestEdge, edge);
    const data = this.#server.item(opportunity, atMs, DEFAULT_STATE);
    this.#lines.push(`${JSON.stringify({ at: formatMs(atMs), type: `${KIND_WORDS[kind].prefix}:detected`, data })}\n`);
  }

  #end(id: string, atMs: number): void {
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    this.#shown.delete(id);
    this.#count(shown, atMs);
    this.#lines.push(
      `${JSON.stringify({ at: formatMs(atMs), type: `${KIND_WORDS[shown.kind].prefix}:expired`, id })}\n`,
    );
  }

  #count({ kind, sinceMs, bestEdge }: Shown, atMs: number): void {
    this.#ended.push({ kind, edge: bestEdge, lifeS: (atMs - sinceMs) / 1000 });
  }
}

// A backtest's results by kind: number, value and duration.

export type KindSummary = ReturnType<typeof summaryOf>;

function summaryOf(kind: BetKind, ended: readonly { edge: number; lifeS: number }[]) {
  const edges = ended.map(({ edge }) => edge);
  const lives = ended.map(({ lifeS }) => lifeS);
  return {
    kind,
    count: ended.length,
    /** Percent; the best of each opportunity. */
    meanEdge: mean(edges),
    maxEdge: most(edges),
    /** From first detection to expiry, or to the end of the recording. */
    meanLifeSeconds: mean(lives),
    maxLifeSeconds: most(lives),
  };
}

function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

function most(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((max, value) => Math.max(max, value));
}

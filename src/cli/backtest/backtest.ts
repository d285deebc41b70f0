// The same engine over recorded odds: every opportunity that meets the limits, as it is detected and as it ends, in the
// order of the recording's time. Two runs of one file write the same bytes.

import { meets } from '../../answers/opportunities/list.js';
import { OpportunityPresenter, type ServedEvents } from '../../answers/opportunities/presenter.js';
import type { ClvGrouping } from '../../base/model/bet-words.js';
import { LIMITS } from '../../base/model/limits.js';
import { BET_KINDS, type BetKind, type UniverseSpec } from '../../base/model/opportunity.js';
import { present } from '../../base/model/present.js';
import { KIND_WORDS } from '../../base/model/stream-channels.js';
import { formatMs } from '../../base/model/time.js';
import type { Limits } from '../../detection/kinds/caller-thresholds.js';
import { readInstants } from '../../engine/replay/instants.js';
import type { ReasonCount } from '../../intake/feeds/formats/read-report.js';
import { type BadLine, readRecording } from '../../intake/feeds/replay/recording.js';
import type { Opportunity, UniverseNews } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { DEFAULT_STATE } from '../../rules/catalogue/deep-link.js';
import { Grader } from '../../store/clv/grader.js';
import { type Prediction, predictionOf } from '../../store/clv/prediction.js';
import { Settler } from '../../store/clv/settler.js';
import { groupGraded, type JudgedPrediction } from '../../store/clv/summary.js';
import { memoryHistoryStore } from '../../store/history/memory-store.js';
import { Recorder } from '../../store/history/recorder.js';
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

// Closing line value over a recording: the first of each price above fair, graded by the close in the recording.

interface ClvBacktestOptions extends Omit<BacktestOptions, 'limits' | 'write' | 'onBadLine'> {
  /** Minimum edge in percent. */
  minEv: number;
  groupBy: ClvGrouping;
  /** A file with what became of the games. */
  results?: string | undefined;
  onBadLine?(file: string, bad: BadLine): void;
}

/** Changes in memory before they are packed. */
const PENDING_MAX = LIMITS.historyUnwritten.max;

/** Rejects if the file cannot be read. */
export async function runClvBacktest(options: ClvBacktestOptions) {
  const { catalogue, books, minEv, groupBy, devigBook } = options;
  const recorder = new Recorder(memoryHistoryStore());
  recorder.begin('backtest', 1);
  const universe: UniverseSpec = { key: 'backtest', books, kept: { minEv }, ...present({ devigBook }) };
  const against = devigBook === undefined ? null : [devigBook];
  const predictions = new Map<string, Prediction>();
  const note = (news: readonly UniverseNews[]): void => {
    for (const { detected } of news)
      for (const opportunity of detected)
        if (opportunity.kind === 'ev' && opportunity.edge > 0 && opportunity.edge >= minEv)
          if (!predictions.has(opportunity.id)) {
            const { item, market, sport } = opportunity;
            const state = catalogue.types.of(market, sport).rest ? timeline.get(item.event_id)?.state : undefined;
            predictions.set(opportunity.id, predictionOf(opportunity, state));
          }
  };
  const timeline = new Timeline(catalogue, universe, (_atMs, _position, news) => note(news), recorder);
  let polls = 0;
  let firstMs: number | null = null;
  let lastMs = 0;
  let resultsRejected = 0;
  for await (const instant of await readInstants({ ...options, leagues: catalogue })) {
    const { rejected } = timeline;
    timeline.play(instant);
    if (recorder.pending >= PENDING_MAX) recorder.flush();
    if (instant.results) {
      resultsRejected += timeline.rejected - rejected;
      continue;
    }
    polls++;
    firstMs ??= instant.atMs;
    lastMs = instant.atMs;
  }
  recorder.flush();
  const results = { resultOf: (id: string) => timeline.results.get(id) };
  const judges = {
    grader: new Grader(recorder, catalogue),
    settler: new Settler(recorder, catalogue, results, []),
  };
  const graded = gradeAll(recorder, judges, predictions.values(), lastMs, against);
  return {
    polls,
    quotes: timeline.quotes,
    books: timeline.books,
    refusals: timeline.refusals.leftOutReasons,
    date_range: { from: firstMs === null ? null : formatMs(firstMs), to: firstMs === null ? null : formatMs(lastMs) },
    group_by: groupBy,
    groups: groupGraded(graded, groupBy),
    by_market: groupGraded(graded, 'market'),
    by_edge: groupGraded(graded, 'edge'),
    /** Results that could not be applied. */
    results_rejected: resultsRejected,
  };
}

function gradeAll(
  recorder: Recorder,
  { grader, settler }: { grader: Grader; settler: Settler },
  predictions: Iterable<Prediction>,
  nowMs: number,
  against: readonly string[] | null,
): JudgedPrediction[] {
  const graded: JudgedPrediction[] = [];
  for (const prediction of predictions) {
    const event = recorder.find(prediction.event);
    if (event === undefined) continue;
    // Nobody tells more.
    const settled = settler.settlePrediction(event, prediction, Number.POSITIVE_INFINITY);
    graded.push({ ...grader.grade(event, prediction, nowMs * 1000, against), settled });
  }
  return graded;
}

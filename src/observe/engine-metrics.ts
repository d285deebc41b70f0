// Metrics of the stages behind the front: ingest batches, deltas, fan-out, queues.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Broadcaster } from '../broadcast/broadcaster.js';
import {
  diagnosticChannels,
  type IngestRead,
  type ShardBatch,
  subscribeTo,
  type TableDelta,
} from '../diagnostics/channels.js';
import type { EngineView } from '../engine/engine-view.js';
import { NAME_KINDS } from '../ingest/unknown-names.js';
import { monotonicMs } from '../model/clock.js';
import { HistogramCounts, histogramMetric } from './counted-histogram.js';
import { StageTimes } from './stage-times.js';

const BATCH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/**
 * Counts what the engine and the streams of a server publish.
 * @returns a function that stops counting
 */
export function observeEngine(registry: Registry, source: object): () => void {
  const counts = new EngineCounts();
  registerCounts(registry, counts);
  const stages = new BatchStages(registry);
  const ends = [
    subscribeTo(diagnosticChannels.ingestRead, source, ({ ms, unknown }) => {
      stages.read(ms);
      counts.read(unknown);
    }),
    subscribeTo(diagnosticChannels.shardBatch, source, (batch) => {
      counts.batch(batch);
      if (batch.messages > 0) stages.batch(batch);
    }),
    subscribeTo(diagnosticChannels.tableDelta, source, (delta) => counts.delta(delta)),
    subscribeTo(diagnosticChannels.streamsTick, source, ({ deliveries }) => stages.tick(deliveries)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Plain numbers, passed to prom-client when it is scraped: a batch of one quote should not pay for more. */
class EngineCounts {
  readonly batchSeconds = new HistogramCounts(BATCH_SECONDS, {});
  /** By shard. */
  readonly quotes = new Map<number, number>();
  deltas = 0;
  deltaBytes = 0;
  rowsWritten = 0;
  rowsRemoved = 0;
  boundedMarkets = 0;
  readonly unknownNames = { teams: 0, leagues: 0, markets: 0, books: 0 };

  read(unknown: IngestRead['unknown']): void {
    for (const kind of NAME_KINDS) this.unknownNames[kind] += unknown[kind];
  }

  batch({ shard, quotes, messages, boundedMarkets, startedMs, endedMs }: ShardBatch): void {
    this.quotes.set(shard, (this.quotes.get(shard) ?? 0) + quotes);
    this.boundedMarkets += boundedMarkets;
    if (messages > 0) this.batchSeconds.observe((endedMs - startedMs) / 1000);
  }

  delta({ bytes, rowsWritten, rowsRemoved }: TableDelta): void {
    this.deltas++;
    this.deltaBytes += bytes;
    this.rowsWritten += rowsWritten;
    this.rowsRemoved += rowsRemoved;
  }
}

function registerCounts(registry: Registry, counts: EngineCounts): void {
  const registers = [registry];
  const counter = countersOf(registry);
  new Counter({
    name: 'overround_ingest_quotes_total',
    help: 'Quotes taken, changed or seen again.',
    labelNames: ['shard'] as const,
    registers,
    collect() {
      this.reset();
      for (const [shard, count] of counts.quotes) this.inc({ shard: String(shard) }, count);
    },
  });
  registry.registerMetric(
    histogramMetric(
      'overround_ingest_batch_seconds',
      'Time from sending a batch to a shard to its delta being applied, in seconds: matching, diff, commit, delivery.',
      () => [counts.batchSeconds],
    ),
  );
  counter('overround_deltas_total', 'Deltas applied to the table.', () => counts.deltas);
  counter(
    'overround_delta_bytes_total',
    'Bytes of encoded deltas, as written to the change log.',
    () => counts.deltaBytes,
  );
  new Counter({
    name: 'overround_row_changes_total',
    help: 'Rows that changed, by kind.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      this.reset();
      this.inc({ kind: 'written' }, counts.rowsWritten);
      this.inc({ kind: 'removed' }, counts.rowsRemoved);
    },
  });
  new Counter({
    name: 'overround_ingest_unknown_names_total',
    help: 'Names in messages that the catalogue does not know, by kind.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      this.reset();
      for (const kind of NAME_KINDS) this.inc({ kind }, counts.unknownNames[kind]);
    },
  });
  counter(
    'overround_bounded_markets_total',
    'Evaluations of markets with more lines or middles than are looked at: only a broken feed shows so many.',
    () => counts.boundedMarkets,
  );
}

/** How long the stages between a message and the last socket took. */
class BatchStages {
  readonly #times: StageTimes;
  /** The first batch since the last tick of the fan-out. */
  #unsent: { committedMs: number; endedMs: number } | undefined;
  #sentBefore = 0;

  constructor(registry: Registry) {
    this.#times = new StageTimes(registry);
  }

  read(ms: number): void {
    this.#times.observe('read', ms);
  }

  batch({ queuedMs, startedMs, sentMs, returnedMs, endedMs, times, changed }: ShardBatch): void {
    for (const ms of queuedMs) this.#times.observe('queue', startedMs - ms);
    if (times === undefined) return;
    this.#times.observe('wake', times.begun - sentMs);
    this.#times.observe('apply', times.applied - times.begun);
    this.#times.observe('detect', times.detected - times.applied);
    this.#times.observe('commit', times.committed - times.detected);
    this.#times.observe('return', returnedMs - times.committed);
    this.#times.observe('deliver', endedMs - returnedMs);
    if (changed) this.#unsent ??= { committedMs: times.committed, endedMs };
  }

  tick(deliveries: number): void {
    if (this.#unsent !== undefined && deliveries > this.#sentBefore) {
      const nowMs = monotonicMs();
      this.#times.observe('send', nowMs - this.#unsent.endedMs);
      this.#times.observe('commit_to_sent', nowMs - this.#unsent.committedMs);
    }
    this.#unsent = undefined;
    this.#sentBefore = deliveries;
  }
}

/** Makes counters that are read at each scrape. */
function countersOf(registry: Registry) {
  return (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
}

/** Values read at each scrape. */
export function watchEngine(registry: Registry, engine: EngineView, broadcaster: Broadcaster): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  gauge('overround_table_rows', 'Rows in the odds table.', () => engine.table.rowCount);
  gauge('overround_table_bytes', 'Bytes held for encoded rows.', () => engine.table.bytes.bytes);
  gauge('overround_table_events', 'Events in the odds table.', () => engine.table.events.size);
  gauge('overround_ingest_queue_quotes', 'Quotes waiting for a shard.', () =>
    engine.queueDepths.reduce((sum, depth) => sum + depth, 0),
  );
  const { unmatchedNotes } = engine;
  if (unmatchedNotes !== undefined)
    new Counter({
      name: 'overround_ingest_left_out_total',
      help: 'Parts of messages that were refused, and games that a feed left out (unlisted), by what is wrong.',
      labelNames: ['reason', 'kind'] as const,
      registers,
      collect() {
        this.reset();
        for (const reason of ['refused', 'unlisted'] as const)
          for (const [kind, count] of Object.entries(unmatchedNotes.counts[reason])) this.inc({ reason, kind }, count);
      },
    });
  gauge('overround_stream_groups', 'Groups of subscribers.', () => broadcaster.groupCount);
  gauge('overround_stream_subscribers', 'Open streams.', () => broadcaster.subscriberCount);
  gauge(
    'overround_stream_tick_seconds',
    'Length of the last fan-out tick, in seconds.',
    () => broadcaster.stats.lastTickMs / 1000,
  );
  const counter = countersOf(registry);
  counter('overround_stream_deliveries_total', 'Buffers handed to sockets.', () => broadcaster.stats.deliveries);
  counter('overround_stream_delivered_bytes_total', 'Bytes handed to sockets.', () => broadcaster.stats.deliveredBytes);
  counter(
    'overround_stream_stuck_closed_total',
    'Streams closed because nothing was read.',
    () => broadcaster.stats.stuckClosed,
  );
}

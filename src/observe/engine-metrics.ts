// Metrics of the stages behind the front: ingest batches, deltas, fan-out, queues.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Broadcaster } from '../broadcast/broadcaster.js';
import { diagnosticChannels, subscribeTo } from '../diagnostics/channels.js';
import type { EngineView } from '../engine/engine-view.js';
import { monotonicMs } from '../model/clock.js';
import { HistogramCounts, histogramMetric } from './counted-histogram.js';
import { StageTimes } from './stage-times.js';

const BATCH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/**
 * Counts what the engine and the streams of a server publish. In plain numbers, passed to prom-client when it is
 * scraped: a batch of one quote should not pay for more.
 * @returns a function that stops counting
 */
export function observeEngine(registry: Registry, source: object): () => void {
  const registers = [registry];
  const seconds = new HistogramCounts(BATCH_SECONDS, {});
  const quotes = new Map<number, number>();
  let deltas = 0;
  let deltaBytes = 0;
  let written = 0;
  let removed = 0;
  let boundedMarkets = 0;
  const counter = countersOf(registry);
  new Counter({
    name: 'overround_ingest_quotes_total',
    help: 'Quotes taken, changed or seen again.',
    labelNames: ['shard'] as const,
    registers,
    collect() {
      this.reset();
      for (const [shard, count] of quotes) this.inc({ shard: String(shard) }, count);
    },
  });
  registry.registerMetric(
    histogramMetric(
      'overround_ingest_batch_seconds',
      'Time from sending a batch to a shard to its delta being applied, in seconds: matching, diff, commit, delivery.',
      () => [seconds],
    ),
  );
  counter('overround_deltas_total', 'Deltas applied to the table.', () => deltas);
  counter('overround_delta_bytes_total', 'Bytes of encoded deltas, as written to the change log.', () => deltaBytes);
  new Counter({
    name: 'overround_row_changes_total',
    help: 'Rows that changed, by kind.',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      this.reset();
      this.inc({ kind: 'written' }, written);
      this.inc({ kind: 'removed' }, removed);
    },
  });
  counter(
    'overround_bounded_markets_total',
    'Evaluations of markets with more lines or middles than are looked at: only a broken feed shows so many.',
    () => boundedMarkets,
  );
  const stages = new StageTimes(registry);
  /** The first batch since the last tick of the fan-out. */
  let unsent: { committedMs: number; endedMs: number } | undefined;
  let sentBefore = 0;
  const ends = [
    subscribeTo(diagnosticChannels.ingestRead, source, ({ ms }) => stages.observe('read', ms)),
    subscribeTo(diagnosticChannels.shardBatch, source, (batch) => {
      const { shard, startedMs, sentMs, returnedMs, endedMs, times } = batch;
      quotes.set(shard, (quotes.get(shard) ?? 0) + batch.quotes);
      boundedMarkets += batch.boundedMarkets;
      if (batch.messages === 0) return;
      seconds.observe((endedMs - startedMs) / 1000);
      for (const queuedMs of batch.queuedMs) stages.observe('queue', startedMs - queuedMs);
      if (times === undefined) return;
      stages.observe('wake', times.begun - sentMs);
      stages.observe('apply', times.applied - times.begun);
      stages.observe('detect', times.detected - times.applied);
      stages.observe('commit', times.committed - times.detected);
      stages.observe('return', returnedMs - times.committed);
      stages.observe('deliver', endedMs - returnedMs);
      if (batch.changed) unsent ??= { committedMs: times.committed, endedMs };
    }),
    subscribeTo(diagnosticChannels.streamsTick, source, ({ deliveries }) => {
      if (unsent !== undefined && deliveries > sentBefore) {
        const nowMs = monotonicMs();
        stages.observe('send', nowMs - unsent.endedMs);
        stages.observe('commit_to_sent', nowMs - unsent.committedMs);
      }
      unsent = undefined;
      sentBefore = deliveries;
    }),
    subscribeTo(diagnosticChannels.tableDelta, source, ({ bytes, rowsWritten, rowsRemoved }) => {
      deltas++;
      deltaBytes += bytes;
      written += rowsWritten;
      removed += rowsRemoved;
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
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

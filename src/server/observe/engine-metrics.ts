// Metrics of the stages behind the front: ingest batches, deltas, fan-out, queues.

import type { Registry } from 'prom-client';
import {
  diagnosticChannels,
  type IngestRead,
  type ShardBatch,
  subscribeTo,
  type TableDelta,
} from '../../base/diagnostics/diagnostic-channels.js';
import { monotonicMs } from '../../base/model/clock.js';
import type { Broadcaster } from '../../broadcast/broadcaster.js';
import type { Engine } from '../../engine/engine.js';
import { NAME_KINDS } from '../../intake/ingest/unknown-names.js';
import { HistogramCounts, histogramMetric, metersOf, type Sample, withLabels } from './meters.js';

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
  const { counter, counters } = metersOf(registry);
  counters('overround_ingest_quotes_total', 'Quotes accepted, changed or not.', ['shard'], () =>
    [...counts.quotes].map(([shard, count]) => [{ shard }, count]),
  );
  registry.registerMetric(
    histogramMetric(
      'overround_ingest_batch_seconds',
      'Time from sending a batch to a shard until its changes are in the table, in seconds.',
      () => [counts.batchSeconds],
    ),
  );
  counter('overround_deltas_total', 'Deltas (committed batches of changes) applied to the table.', () => counts.deltas);
  counter(
    'overround_delta_bytes_total',
    'Bytes of encoded deltas, as written to the change log.',
    () => counts.deltaBytes,
  );
  counters('overround_row_changes_total', 'Rows that changed: written or removed.', ['kind'], () => [
    [{ kind: 'written' }, counts.rowsWritten],
    [{ kind: 'removed' }, counts.rowsRemoved],
  ]);
  counters(
    'overround_ingest_unknown_names_total',
    'Names in messages that the catalogue does not know: teams, leagues, markets, books.',
    ['kind'],
    () => NAME_KINDS.map((kind) => [{ kind }, counts.unknownNames[kind]]),
  );
  counter(
    'overround_bounded_markets_total',
    'Evaluations of markets with more lines or middles than detection looks at; only a broken feed has so many.',
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

/**
 * Values read at each scrape.
 * @param leaseChanges changes of the process that writes the log, as this one has seen them
 */
export function watchEngine(
  registry: Registry,
  engine: Engine,
  broadcaster: Broadcaster,
  leaseChanges: () => number,
): void {
  const { gauge, counter, counters } = metersOf(registry);
  gauge('overround_table_rows', 'Rows in the odds table.', () => engine.table.rowCount);
  gauge(
    'overround_table_bytes',
    'Bytes of JSON kept for fields that rows have in common.',
    () => engine.table.json.bytes,
  );
  gauge('overround_table_events', 'Events in the odds table.', () => engine.table.events.size);
  gauge('overround_ingest_queue_quotes', 'Quotes waiting for a shard.', () =>
    engine.queueDepths.reduce((sum, depth) => sum + depth, 0),
  );
  const unmatchedNotes = engine.shards?.unmatchedNotes;
  if (unmatchedNotes !== undefined)
    counters(
      'overround_ingest_left_out_total',
      'Parts of messages by reason: refused, unlisted (a game that a feed left out), joined (--match roster).',
      ['reason', 'kind'],
      () =>
        (['refused', 'unlisted', 'joined'] as const).flatMap((reason) =>
          Object.entries(unmatchedNotes.counts[reason]).map(([kind, count]): Sample => [{ reason, kind }, count]),
        ),
    );
  gauge(
    'overround_stream_groups',
    'Groups of streams with the same subscription, which are encoded once.',
    () => broadcaster.groupCount,
  );
  gauge('overround_stream_subscribers', 'Open streams.', () => broadcaster.subscriberCount);
  gauge(
    'overround_stream_tick_seconds',
    'Time that the last sending of changes to all streams took, in seconds.',
    () => broadcaster.stats.lastTickMs / 1000,
  );
  counter(
    'overround_stream_deliveries_total',
    'Buffers handed to sockets of streams.',
    () => broadcaster.stats.deliveries,
  );
  counter(
    'overround_stream_delivered_bytes_total',
    'Bytes handed to sockets of streams.',
    () => broadcaster.stats.deliveredBytes,
  );
  counter(
    'overround_stream_stuck_closed_total',
    'Streams closed because their client read nothing for 10 s.',
    () => broadcaster.stats.stuckClosed,
  );
  gauge(
    'overround_follow_lag_seconds',
    "How far this process's table is behind the process that writes the log, in seconds.",
    () => engine.cluster.lagMs / 1000,
  );
  counter(
    'overround_lease_changes_total',
    'How often another process became the writer of the log, as this one saw it.',
    leaseChanges,
  );
}

// The time a change spends in each stage, from the request that brings it to the subscribers' sockets: one histogram
// per stage, over every batch.

/** In order, with a description. */
const STAGES = {
  read: 'a body parsed and its messages normalised',
  queue: 'a message waiting for the batches before it',
  wake: 'a batch on its way to the shard thread',
  apply: 'matching and diff',
  detect: 'opportunities',
  commit: 'delta, slabs and log entry written',
  return: 'the answer on its way back',
  deliver: 'decoded, applied to the table and to opportunities',
  send: 'written to every stream that follows',
  commit_to_sent: 'the last three',
} as const;

type Stage = keyof typeof STAGES;

/** Upper bounds of the buckets, in seconds: a fifth apart where most batches are. */
const BOUNDS = [
  0.000_05, 0.000_1, 0.000_2, 0.000_3, 0.000_4, 0.000_5, 0.000_6, 0.000_8, 0.001, 0.001_25, 0.001_5, 0.002, 0.002_5,
  0.003, 0.004, 0.005, 0.006, 0.008, 0.01, 0.012, 0.015, 0.02, 0.025, 0.03, 0.04, 0.06, 0.1, 0.25, 1, 5,
];

class StageTimes {
  readonly #counts: Readonly<Record<Stage, HistogramCounts>>;

  constructor(registry: Registry) {
    const stages = Object.keys(STAGES) as Stage[];
    this.#counts = Object.fromEntries(
      stages.map((stage) => [stage, new HistogramCounts(BOUNDS, { stage })]),
    ) as Readonly<Record<Stage, HistogramCounts>>;
    const described = Object.entries(STAGES).map(([stage, what]) => `${stage}: ${what}`);
    registry.registerMetric(
      histogramMetric(
        'overround_stage_seconds',
        withLabels(`Time of each stage of a batch, in seconds. ${described.join('; ')}.`, ['stage']),
        () => Object.values(this.#counts),
      ),
    );
  }

  /** @param ms milliseconds */
  observe(stage: Stage, ms: number): void {
    this.#counts[stage].observe(ms / 1000);
  }
}

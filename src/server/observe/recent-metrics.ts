// The last quarter of an hour of the metrics that show how the server is doing, for charts on the operator's page where
// there is no Prometheus. Values are stored as read: the page computes rates.

import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { Clock } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';

const EVERY_MS = 5_000;
const SAMPLES_MAX = LIMITS.metricSamples.max;
const SERIES_MAX = LIMITS.metricSeries.max;

/** Name of a metric, and the label that distinguishes its values; they are summed over all other labels. */
const FOLLOWED: readonly (readonly [name: string, by?: string])[] = [
  ['overround_ingest_quotes_total'],
  ['overround_row_changes_total'],
  ['overround_delta_bytes_total'],
  ['overround_ingest_queue_quotes'],
  ['overround_table_rows'],
  ['overround_table_events'],
  ['overround_stream_subscribers'],
  ['overround_stream_groups'],
  ['overround_stream_deliveries_total'],
  ['overround_stream_delivered_bytes_total'],
  ['overround_stream_stuck_closed_total'],
  ['overround_http_requests_total'],
  ['overround_http_request_seconds'],
  ['overround_http_connections'],
  ['overround_stage_seconds', 'stage'],
  ['overround_feed_lag_seconds', 'feed'],
  ['overround_feed_up', 'feed'],
  ['overround_feed_events_total', 'what'],
  ['overround_follow_lag_seconds'],
  ['overround_lease_changes_total'],
  // The first of them updates all three.
  ['process_cpu_user_seconds_total'],
  ['process_cpu_seconds_total'],
  ['process_resident_memory_bytes'],
  ['nodejs_heap_size_used_bytes'],
];

export interface RecentMetrics {
  every_s: number;
  /** Unix ms of each sample, oldest first. */
  at: number[];
  /**
   * `name`, or `name{value of its label}` → one value per sample, null if there was none; for histograms `name_sum` and
   * `name_count`.
   */
  series: Record<string, (number | null)[]>;
}

export interface MetricSamples {
  /** Reads all followed metrics once. */
  sample(): Promise<void>;
  readonly recent: RecentMetrics;
  close(): void;
}

export function sampleMetrics(registry: Registry, clock: Clock, failed: (error: unknown) => void): MetricSamples {
  const samples: { atMs: number; values: ReadonlyMap<string, number> }[] = [];
  const sample = async (): Promise<void> => {
    const values = new Map<string, number>();
    for (const [name, by] of FOLLOWED) {
      const metric = await registry.getSingleMetric(name)?.get();
      if (metric !== undefined) add(values, metric as Read, by);
    }
    samples.push({ atMs: Math.round(clock.now()), values });
    if (samples.length > SAMPLES_MAX) samples.shift();
  };
  let reading = false;
  const timer = setInterval(() => {
    if (reading) return;
    reading = true;
    void sample()
      .catch(failed)
      .finally(() => {
        reading = false;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    sample,
    get recent() {
      const names = [...new Set(samples.flatMap(({ values }) => [...values.keys()]))].slice(0, SERIES_MAX);
      const series = names.map((name) => [name, samples.map(({ values }) => values.get(name) ?? null)] as const);
      const at = samples.map(({ atMs }) => atMs);
      return { every_s: EVERY_MS / 1_000, at, series: Object.fromEntries(series) };
    },
    close: () => clearInterval(timer),
  };
}

/** Values of histograms have names of their own. */
type Read = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>;

function add(sums: Map<string, number>, { name, type, values }: Read, by: string | undefined): void {
  for (const { value, labels, metricName = name } of values) {
    if (String(type) === 'histogram' && !/_(?:sum|count)$/.test(metricName)) continue;
    if (!Number.isFinite(value)) continue;
    const key = by === undefined ? metricName : `${metricName}{${labels[by] ?? ''}}`;
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
}

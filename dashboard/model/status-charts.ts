// The charts of the operator's page: what each shows of the metrics, and from which value on it is worth a look.
import { labelsOf, levelOf, meanOf, type Points, type RecentMetrics, rateOf } from './recent-rates.js';

export type Line = { label: string; points: Points };

export interface Chart {
  title: string;
  unit: string;
  /** From this value on it is worth a look; the page's own until another is entered. */
  warnFrom?: number;
  lines(recent: RecentMetrics): Line[];
}

const scaled = (points: Points, by: number): Points => points.map((value) => (value === null ? null : value * by));
const one = (label: string, points: Points): Line[] => [{ label, points }];
const STAGES = ['read', 'queue', 'wake', 'apply', 'detect', 'commit', 'return', 'deliver', 'send'];

export const CHARTS: readonly Chart[] = [
  {
    title: 'Ingest and changes',
    unit: 'a second',
    lines: (recent) => [
      { label: 'quotes', points: rateOf(recent, 'overround_ingest_quotes_total') },
      { label: 'rows changed', points: rateOf(recent, 'overround_row_changes_total') },
    ],
  },
  {
    title: 'Stages of a batch',
    unit: 'ms, mean',
    warnFrom: 500,
    lines: (recent) =>
      STAGES.map((stage) => ({
        label: stage,
        points: scaled(meanOf(recent, 'overround_stage_seconds', stage), 1_000),
      })),
  },
  {
    title: 'Commit to sockets',
    unit: 'ms, mean',
    warnFrom: 100,
    lines: (recent) =>
      one('commit to sent', scaled(meanOf(recent, 'overround_stage_seconds', 'commit_to_sent'), 1_000)),
  },
  {
    title: 'Waiting for shards',
    unit: 'quotes',
    lines: (recent) => one('quotes', levelOf(recent, 'overround_ingest_queue_quotes')),
  },
  {
    title: 'Streams',
    unit: 'open',
    lines: (recent) => [
      { label: 'streams', points: levelOf(recent, 'overround_stream_subscribers') },
      { label: 'groups', points: levelOf(recent, 'overround_stream_groups') },
      { label: 'connections', points: levelOf(recent, 'overround_http_connections') },
    ],
  },
  {
    title: 'Sent to streams',
    unit: 'MB a second',
    lines: (recent) => one('bytes', scaled(rateOf(recent, 'overround_stream_delivered_bytes_total'), 1e-6)),
  },
  {
    title: 'Requests',
    unit: 'a second',
    lines: (recent) => one('requests', rateOf(recent, 'overround_http_requests_total')),
  },
  {
    title: 'Time to answer',
    unit: 'ms, mean',
    warnFrom: 100,
    lines: (recent) => one('requests', scaled(meanOf(recent, 'overround_http_request_seconds'), 1_000)),
  },
  {
    title: 'Change log',
    unit: 'kB a second',
    lines: (recent) => one('written', scaled(rateOf(recent, 'overround_delta_bytes_total'), 1e-3)),
  },
  {
    title: 'Feeds behind',
    unit: 's',
    warnFrom: 30,
    lines: (recent) =>
      labelsOf(recent, 'overround_feed_lag_seconds').map((feed) => ({
        label: feed.split(':')[0]!,
        points: levelOf(recent, `overround_feed_lag_seconds{${feed}}`),
      })),
  },
  {
    title: 'Behind the log',
    unit: 'ms',
    warnFrom: 1_000,
    lines: (recent) =>
      recent.series['overround_follow_lag_seconds'] === undefined
        ? []
        : one('behind', scaled(levelOf(recent, 'overround_follow_lag_seconds'), 1_000)),
  },
  {
    title: 'Processor',
    unit: '% of a core',
    warnFrom: 150,
    lines: (recent) => one('process', scaled(rateOf(recent, 'process_cpu_seconds_total'), 100)),
  },
  {
    title: 'Memory',
    unit: 'MB',
    lines: (recent) => [
      { label: 'resident', points: scaled(levelOf(recent, 'process_resident_memory_bytes'), 1e-6) },
      { label: 'heap', points: scaled(levelOf(recent, 'nodejs_heap_size_used_bytes'), 1e-6) },
    ],
  },
];

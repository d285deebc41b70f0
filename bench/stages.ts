// Where the time goes, according to the server: a histogram for each stage in /metrics, read before and after a run.
import type { Bench } from './bench.js';

const METRIC = 'overround_stage_seconds';
const BUCKET = `${METRIC}_bucket{`;

/** Counts of values of at most `le` seconds: cumulative, in ascending order; the last is of all (`le` is Infinity). */
export type Buckets = readonly { le: number; count: number }[];

/** The buckets of each stage, in the order of /metrics; summed if a stage has several (shards). */
export function stagesOf(metrics: string): Map<string, Buckets> {
  const counts = new Map<string, Map<number, number>>();
  for (const line of metrics.split('\n')) {
    if (!line.startsWith(BUCKET)) continue;
    const stage = /[{,]stage="([^"]*)"/.exec(line)?.[1];
    const bound = /[{,]le="([^"]*)"/.exec(line)?.[1];
    const count = Number(/\} (\S+)/.exec(line)?.[1]);
    if (stage === undefined || bound === undefined || Number.isNaN(count))
      throw new Error(`no bucket of a stage: ${line}`);
    const le = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    const buckets = counts.get(stage) ?? new Map<number, number>();
    buckets.set(le, (buckets.get(le) ?? 0) + count);
    counts.set(stage, buckets);
  }
  const rising = (buckets: ReadonlyMap<number, number>): Buckets =>
    [...buckets].map(([le, count]) => ({ le, count })).sort((a, b) => a.le - b.le);
  return new Map([...counts].map(([stage, buckets]) => [stage, rising(buckets)]));
}

/** The difference of two readings, by stage; stages without values are omitted. */
export function stagesBetween(
  before: ReadonlyMap<string, Buckets>,
  after: ReadonlyMap<string, Buckets>,
): Map<string, Buckets> {
  const between = new Map<string, Buckets>();
  for (const [stage, buckets] of after) {
    const old = new Map(before.get(stage)?.map(({ le, count }) => [le, count]));
    const added = buckets.map(({ le, count }) => ({ le, count: count - (old.get(le) ?? 0) }));
    if ((added.at(-1)?.count ?? 0) > 0) between.set(stage, added);
  }
  return between;
}

/**
 * The quantile (s) of a share (0 to 1): linear interpolation within its bucket. Above the last bound nothing but that
 * bound is known.
 */
export function quantileOfBuckets(buckets: Buckets, share: number): number {
  const all = buckets.at(-1)?.count ?? 0;
  if (all === 0) return Number.NaN;
  const rank = share * all;
  let lower = { le: 0, count: 0 };
  for (const bucket of buckets) {
    if (bucket.count >= rank && bucket.count > lower.count) {
      if (bucket.le === Number.POSITIVE_INFINITY) return lower.le;
      return lower.le + ((bucket.le - lower.le) * (rank - lower.count)) / (bucket.count - lower.count);
    }
    lower = bucket;
  }
  return lower.le;
}

/** Reads them from a server. */
export async function readStages(port: number): Promise<Map<string, Buckets>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`GET /metrics: ${answer.status} ${text}`);
  return stagesOf(text);
}

/** p50 and p99 of each stage between two readings, as figures. */
export function tellStages(
  bench: Bench,
  title: string,
  before: ReadonlyMap<string, Buckets>,
  after: ReadonlyMap<string, Buckets>,
): void {
  if (after.size === 0) {
    bench.skip(`${title}, stages`, 'the server does not tell them');
    return;
  }
  for (const [stage, buckets] of stagesBetween(before, after))
    for (const [name, share] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const)
      bench.figure(
        `${title}, stage ${stage}: ${name}, interpolated in its bucket`,
        quantileOfBuckets(buckets, share) * 1000,
        'ms',
      );
}

// Derived from the samples of a server's metrics: rates of counters, means of histograms, levels of gauges.

export interface RecentMetrics {
  every_s: number;
  at: number[];
  series: Record<string, (number | null)[]>;
}

export type Points = (number | null)[];

/** Per second; null at the first sample, after a gap, and where the counter restarted. */
export function rateOf(recent: RecentMetrics, name: string): Points {
  const values = recent.series[name] ?? recent.at.map(() => null);
  return values.map((value, i) => {
    const before = values[i - 1];
    const seconds = (recent.at[i]! - (recent.at[i - 1] ?? 0)) / 1_000;
    if (value === null || before === undefined || before === null || value < before || seconds <= 0) return null;
    return (value - before) / seconds;
  });
}

/** Mean of a histogram since the previous sample; null if there was no observation. */
export function meanOf(recent: RecentMetrics, name: string, label?: string): Points {
  const of = (part: string): Points => rateOf(recent, `${name}_${part}${label === undefined ? '' : `{${label}}`}`);
  const sums = of('sum');
  return of('count').map((count, i) => (count === null || count === 0 || sums[i] === null ? null : sums[i]! / count));
}

export function levelOf(recent: RecentMetrics, name: string): Points {
  return recent.series[name] ?? recent.at.map(() => null);
}

/** Values of the label that distinguishes a metric's series. */
export function labelsOf(recent: RecentMetrics, name: string): string[] {
  const start = `${name}{`;
  return Object.keys(recent.series).flatMap((key) => (key.startsWith(start) ? [key.slice(start.length, -1)] : []));
}

/** `3.2k`, `1.5M`, `0.012`. */
export function figureText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${(value / 1e9).toFixed(2)}G`;
  if (size >= 1e6) return `${(value / 1e6).toFixed(2)}M`;
  if (size >= 1e4) return `${(value / 1e3).toFixed(1)}k`;
  if (size >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return size >= 1 ? value.toFixed(1) : value.toPrecision(2);
}

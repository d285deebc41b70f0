// Metrics whose values are read when they are scraped: a stage counts in plain numbers, and pays for nothing more.
import { Counter, Gauge, type Registry } from 'prom-client';

/** One value of a metric with labels. */
export type Sample = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/** The help of a metric, with its labels. */
export function withLabels(help: string, names: readonly string[]): string {
  if (names.length === 0) return help;
  return `${help} ${names.length === 1 ? 'Label' : 'Labels'}: ${names.join(', ')}.`;
}

/** Makes metrics of a registry, each with a function that reads its value, or one for each of its labels' values. */
export function metersOf(registry: Registry) {
  const registers = [registry];
  const gauges = (name: string, help: string, labelNames: string[], read: () => Iterable<Sample>): void => {
    new Gauge({
      ...{ name, help: withLabels(help, labelNames), labelNames, registers },
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  };
  const counters = (name: string, help: string, labelNames: string[], read: () => Iterable<Sample>): void => {
    new Counter({
      ...{ name, help: withLabels(help, labelNames), labelNames, registers },
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  };
  return {
    gauges,
    counters,
    gauge: (name: string, help: string, read: () => number) => gauges(name, help, [], () => [[{}, read()]]),
    counter: (name: string, help: string, read: () => number) => counters(name, help, [], () => [[{}, read()]]),
  };
}

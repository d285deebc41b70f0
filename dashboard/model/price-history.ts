// Price histories of several books on one time axis, in a chart's form.

export interface HistoryRow {
  odds_id: string;
  sportsbook: string;
  selection: string;
  line: number | null;
  points: { at: string; odds_decimal: number; line: number | null; is_active: boolean }[];
}

export interface Series {
  sportsbook: string;
  /** Decimal odds at each of the times; null before the first, and while suspended. */
  values: (number | null)[];
}

/** @param nowS Unix seconds: the last prices extend until now */
export function seriesOf(rows: readonly HistoryRow[], nowS: number): { times: number[]; series: Series[] } {
  const known = rows.map(({ sportsbook, points }) => ({
    sportsbook,
    points: points
      .map(({ at, odds_decimal, is_active }) => ({
        at: Date.parse(at) / 1_000,
        value: is_active ? odds_decimal : null,
      }))
      .sort((a, b) => a.at - b.at),
  }));
  const times = [...new Set([...known.flatMap(({ points }) => points.map(({ at }) => at)), nowS])].sort(
    (a, b) => a - b,
  );
  const series = known.map(({ sportsbook, points }) => {
    let next = 0;
    let value: number | null = null;
    const values = times.map((time) => {
      while (next < points.length && points[next]!.at <= time) value = points[next++]!.value;
      return value;
    });
    return { sportsbook, values };
  });
  return { times, series };
}

/** Mean of the books' prices at each time, as implied probabilities; null where there is none. */
export function meanOf(series: readonly Series[]): (number | null)[] {
  return (series[0]?.values ?? []).map((_, i) => {
    const known = series.flatMap(({ values }) => values[i] ?? []);
    return known.length === 0 ? null : known.length / known.reduce((sum, price) => sum + 1 / price, 0);
  });
}

/** What one book's price did: decimal odds. */
export interface LineHistory {
  sportsbook: string;
  open: number;
  high: number;
  low: number;
  /** Null while it is suspended. */
  now: number | null;
  /** The newest first; times in Unix ms. */
  moves: { atMs: number; from: number; to: number }[];
}

/** Undefined if it never had a price. */
export function lineHistoryOf({ sportsbook, points }: HistoryRow, movesMax: number): LineHistory | undefined {
  const sorted = points
    .map(({ at, odds_decimal, is_active }) => ({ atMs: Date.parse(at), price: odds_decimal, isActive: is_active }))
    .sort((a, b) => a.atMs - b.atMs);
  const open = sorted.filter(({ isActive }) => isActive);
  const [first] = open;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const moves = open.flatMap(({ atMs, price }, i) => {
    const from = open[i - 1]?.price ?? price;
    return from === price ? [] : [{ atMs, from, to: price }];
  });
  return {
    sportsbook,
    open: first.price,
    high: open.reduce((high, { price }) => Math.max(high, price), 0),
    low: open.reduce((low, { price }) => Math.min(low, price), Number.POSITIVE_INFINITY),
    now: last.isActive ? last.price : null,
    moves: moves.slice(-movesMax).reverse(),
  };
}

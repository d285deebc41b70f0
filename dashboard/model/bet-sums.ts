// What an account's bets made over time, and their closing line values against their results.
import type { AccountBet, BetsSummary } from '../../src/client/client.js';

/** Profit after each bet that was settled, in the order of settlement. */
export interface ProfitCurve {
  /** Unix s. */
  times: number[];
  profit: number[];
  /** What the closing line values promised of the same bets; those without one promise nothing. */
  expected: number[];
  /** Two standard deviations of that promise: 19 times in 20 chance alone leaves the profit within it. */
  within: number[];
}

/** What was at risk, in the bankroll's currency, as profits are: stakes are in those of their books. */
const stakeOf = ({ exposure }: AccountBet): number => exposure;

export function isSettled(bet: AccountBet): boolean {
  return bet.profit !== null && bet.status !== 'struck' && bet.graded_at !== null;
}

export function profitCurve(bets: readonly AccountBet[]): ProfitCurve {
  const settled = bets
    .filter(isSettled)
    .sort((a, b) => Date.parse(a.graded_at!) - Date.parse(b.graded_at!) || (a.id < b.id ? -1 : 1));
  const curve: ProfitCurve = { times: [], profit: [], expected: [], within: [] };
  let [profit, expected, variance] = [0, 0, 0];
  for (const bet of settled) {
    // Cents, so that many sums make none.
    profit = Math.round((profit + bet.profit!) * 100) / 100;
    expected += (stakeOf(bet) * (bet.clv_percent ?? 0)) / 100;
    variance += varianceOf(bet);
    const within = 2 * Math.sqrt(variance);
    const at = Date.parse(bet.graded_at!) / 1_000;
    // Those graded by one result are one step.
    if (curve.times.at(-1) === at) {
      curve.profit[curve.profit.length - 1] = profit;
      curve.expected[curve.expected.length - 1] = expected;
      curve.within[curve.within.length - 1] = within;
    } else {
      curve.times.push(at);
      curve.profit.push(profit);
      curve.expected.push(expected);
      curve.within.push(within);
    }
  }
  return curve;
}

/**
 * Of the profit of a bet that wins with the chance that its closing line value implies, or without one as its price does.
 * What was refunded was no gamble.
 */
function varianceOf(bet: AccountBet): number {
  if (bet.result === 'push' || bet.result === 'void') return 0;
  const risk = stakeOf(bet);
  // Of a lay what it wins for a unit that it may lose.
  const decimal = bet.is_lay ? bet.odds_decimal / (bet.odds_decimal - 1) : bet.odds_decimal;
  const chance = Math.min(1, Math.max(0, (1 + (bet.clv_percent ?? 0) / 100) / decimal));
  return (risk * decimal) ** 2 * chance * (1 - chance);
}

export interface ClvSpread {
  /** Bets by whole percents: `from` and more, under `from + 1`; the first and last are open-ended. */
  bins: { from: number; bets: number }[];
  /** Those that have a value. */
  bets: number;
  /** Those above 0. */
  beat: number;
  mean: number;
  median: number;
}

/** Beyond these percents values count to the outermost bins. */
const CLV_MOST = 10;

/** Closing line values of all bets that have one, struck ones left out; undefined if none has. */
export function clvSpread(bets: readonly AccountBet[]): ClvSpread | undefined {
  const values = bets.flatMap(({ clv_percent, status }) => (status === 'struck' ? [] : (clv_percent ?? [])));
  if (values.length === 0) return undefined;
  values.sort((a, b) => a - b);
  const bins = Array.from({ length: 2 * CLV_MOST }, (_, i) => ({ from: i - CLV_MOST, bets: 0 }));
  for (const value of values) bins[Math.min(2 * CLV_MOST - 1, Math.max(0, Math.floor(value) + CLV_MOST))]!.bets++;
  const middle = values.length >> 1;
  return {
    bins,
    bets: values.length,
    beat: values.filter((value) => value > 0).length,
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    median: values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2,
  };
}

type DayGroup = Pick<BetsSummary['groups'][number], 'group_key' | 'bets' | 'profit' | 'open_exposure'>;

export interface Day {
  /** `2026-11-24`. */
  date: string;
  bets: number;
  profit: number;
  /** What is open of it. */
  open: number;
}

export interface Month {
  /** `2026-11`. */
  month: string;
  /** Weeks from Monday; null for days of other months. */
  weeks: (Day | null)[][];
  bets: number;
  profit: number;
}

/** A month's days as the server sums them up by the day on which bets were recorded (UTC). */
export function monthOf(month: string, groups: readonly DayGroup[]): Month {
  const byDate = new Map(groups.map((group) => [group.group_key, group]));
  const [year, no] = month.split('-').map(Number) as [number, number];
  const before = (new Date(Date.UTC(year, no - 1, 1)).getUTCDay() + 6) % 7;
  const days: (Day | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= new Date(Date.UTC(year, no, 0)).getUTCDate(); day++) {
    const date = `${month}-${String(day).padStart(2, '0')}`;
    const { bets = 0, profit = 0, open_exposure = 0 } = byDate.get(date) ?? {};
    days.push({ date, bets, profit, open: open_exposure });
  }
  while (days.length % 7 !== 0) days.push(null);
  const known = days.flatMap((day) => day ?? []);
  return {
    month,
    weeks: Array.from({ length: days.length / 7 }, (_, week) => days.slice(7 * week, 7 * week + 7)),
    bets: known.reduce((sum, { bets }) => sum + bets, 0),
    profit: Math.round(known.reduce((sum, { profit }) => sum + profit, 0) * 100) / 100,
  };
}

/** The month before or after. */
export function monthBy(month: string, by: number): string {
  const [year, no] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, no - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Bounds of the bands of closing line value, percent. */
const BOUNDS = [-5, -2, 0, 2, 5];

export interface ClvBand {
  name: string;
  bets: number;
  stake: number;
  profit: number;
  /** Percent of what was staked. */
  roi: number;
}

/** Settled bets by their closing line value: whether what the close confirmed is what won. */
export function clvBands(bets: readonly AccountBet[]): ClvBand[] {
  const bands = [...BOUNDS.map((end, i) => bandName(BOUNDS[i - 1], end)), bandName(BOUNDS.at(-1), undefined)].map(
    (name): ClvBand => ({ name, bets: 0, stake: 0, profit: 0, roi: 0 }),
  );
  for (const bet of bets) {
    if (!isSettled(bet) || bet.clv_percent === null) continue;
    const at = BOUNDS.findIndex((end) => bet.clv_percent! < end);
    const band = bands[at < 0 ? BOUNDS.length : at]!;
    band.bets++;
    band.stake += stakeOf(bet);
    band.profit += bet.profit!;
  }
  for (const band of bands) band.roi = band.stake === 0 ? 0 : (band.profit / band.stake) * 100;
  return bands.filter(({ bets: count }) => count > 0);
}

function bandName(from: number | undefined, to: number | undefined): string {
  if (from === undefined) return `under ${to} %`;
  return to === undefined ? `${from} % and more` : `${from} to ${to} %`;
}

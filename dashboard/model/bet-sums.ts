// What an account's bets made over time, and their closing line values against their results.
import type { AccountBet } from '../../src/client/client.js';

/** Profit after each bet that was settled, in the order of settlement. */
export interface ProfitCurve {
  /** Unix s. */
  times: number[];
  profit: number[];
  /** What the closing line values promised of the same bets; those without one promise nothing. */
  expected: number[];
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
  const curve: ProfitCurve = { times: [], profit: [], expected: [] };
  let [profit, expected] = [0, 0];
  for (const bet of settled) {
    profit += bet.profit!;
    expected += (stakeOf(bet) * (bet.clv_percent ?? 0)) / 100;
    const at = Date.parse(bet.graded_at!) / 1_000;
    // Those graded by one result are one step.
    if (curve.times.at(-1) === at) {
      curve.profit[curve.profit.length - 1] = profit;
      curve.expected[curve.expected.length - 1] = expected;
    } else {
      curve.times.push(at);
      curve.profit.push(profit);
      curve.expected.push(expected);
    }
  }
  return curve;
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

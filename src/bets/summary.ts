// What an account's bets did, in groups: sums in cents, drawdown in the order of settlement.
import type { BetGrouping } from '../model/bet-words.js';
import { type Bet, counts, stakeOf } from './bet.js';

export interface BetSummary {
  group_key: string;
  bets: number;
  /** Cents, as the next two. */
  stake: number;
  profit: number;
  open_exposure: number;
  /** Percent of the settled stake. */
  roi_percent: number | null;
  clv_percent: number | null;
  /** 0-1, of won and lost; halves count half. */
  win_rate: number | null;
  /** Cents. */
  max_drawdown: number;
}

const WON: Partial<Record<string, number>> = { won: 1, half_won: 0.75, half: 0.5, half_lost: 0.25, lost: 0 };

/** Rejected, struck and waiting ones are left out. The largest stake first. */
export function summarised(bets: Iterable<Bet>, grouping: BetGrouping | null): BetSummary[] {
  const groups = new Map<string, Bet[]>();
  for (const bet of bets) {
    if (!counts(bet)) continue;
    const key = keyOf(bet, grouping);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bet]);
    else group.push(bet);
  }
  const summaries = [...groups].map(([key, group]) => summaryOf(key, group));
  return summaries.sort((a, b) => b.stake - a.stake || (a.group_key < b.group_key ? -1 : 1));
}

export function summaryOf(key: string, bets: readonly Bet[]): BetSummary {
  let stake = 0;
  let settledStake = 0;
  let profit = 0;
  let open = 0;
  let won = 0;
  let decided = 0;
  let clv = 0;
  let clvs = 0;
  for (const bet of bets) {
    const staked = stakeOf(bet);
    stake += staked;
    const { grading } = bet;
    if (grading?.clv != null) {
      clv += grading.clv;
      clvs++;
    }
    if (grading?.profit == null) {
      open += staked;
      continue;
    }
    settledStake += staked;
    profit += grading.profit;
    const share = WON[grading.result];
    if (share === undefined) continue;
    won += share;
    decided++;
  }
  return {
    group_key: key,
    bets: bets.length,
    stake,
    profit,
    open_exposure: open,
    roi_percent: settledStake === 0 ? null : (100 * profit) / settledStake,
    clv_percent: clvs === 0 ? null : clv / clvs,
    win_rate: decided === 0 ? null : won / decided,
    max_drawdown: drawdown(profitCurve(bets)),
  };
}

/** Profit after each settlement (cents), in the order of settlement. */
export function profitCurve(bets: readonly Bet[]): { atMs: number; profit: number }[] {
  let profit = 0;
  return bets
    .flatMap((bet) =>
      bet.grading?.profit == null ? [] : [{ atMs: bet.grading.atMs, no: bet.no, change: bet.grading.profit }],
    )
    .sort((a, b) => a.atMs - b.atMs || a.no - b.no)
    .map(({ atMs, change }) => {
      profit += change;
      return { atMs, profit };
    });
}

/** The deepest fall from a height reached before, the beginning included. */
function drawdown(curve: readonly { profit: number }[]): number {
  let height = 0;
  let deepest = 0;
  for (const { profit } of curve) {
    height = Math.max(height, profit);
    deepest = Math.max(deepest, height - profit);
  }
  return deepest;
}

function keyOf({ subject, tag, recordedMs }: Bet, grouping: BetGrouping | null): string {
  if (grouping === null) return 'all';
  if (grouping === 'day') return new Date(recordedMs).toISOString().slice(0, 10);
  if (grouping === 'tag') return tag ?? '';
  return subject![grouping];
}

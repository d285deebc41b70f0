// What an account's bets did, in groups: sums in cents, drawdown in the order of settlement.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { BetGrouping } from '../../base/model/bet-words.js';
import { LIMITS } from '../../base/model/limits.js';
import { PARTS } from '../../store/clv/summary.js';
import { type Bet, counts, riskOf, stakeOf } from './bet.js';
import { exactOf, plus, roundedCents } from './cents.js';

/** Money in cents. */
export type BetSummary = ReturnType<typeof summaryOf>;

const GROUPS_MAX = LIMITS.betGroups.max;
/** The group of all that would be too many. */
export const OTHER = 'other';

/** Rejected, struck and waiting ones are left out. The largest stake first, and beyond so many groups the rest as one. */
export function summarised(bets: Iterable<Bet>, grouping: BetGrouping | null): BetSummary[] {
  const groups = new Map<string, Bet[]>();
  for (const bet of bets) {
    if (!counts(bet)) continue;
    const key = keyOf(bet, grouping);
    getOrInsert(groups, key, () => []).push(bet);
  }
  const staked = [...groups].map(([key, group]) => ({
    key,
    group,
    stake: group.reduce((sum, bet) => sum + stakeOf(bet), 0),
  }));
  staked.sort((a, b) => b.stake - a.stake || (a.key < b.key ? -1 : 1));
  const shown = staked.length > GROUPS_MAX ? staked.slice(0, GROUPS_MAX - 1) : staked;
  const summaries = shown.map(({ key, group }) => summaryOf(key, group));
  if (shown.length < staked.length)
    summaries.push(
      summaryOf(
        OTHER,
        staked.slice(shown.length).flatMap(({ group }) => group),
      ),
    );
  return summaries;
}

export function summaryOf(key: string, bets: readonly Bet[]) {
  let stake = 0;
  let settledRisk = 0;
  let profit = exactOf(0);
  let open = 0;
  let won = 0;
  let lost = 0;
  let clv = 0;
  let clvs = 0;
  for (const bet of bets) {
    const risk = riskOf(bet);
    stake += stakeOf(bet);
    const { grading } = bet;
    if (grading?.clv != null) {
      clv += grading.clv;
      clvs++;
    }
    if (grading?.profit == null) {
      open += risk;
      continue;
    }
    profit = plus(profit, exactOf(grading.profit));
    const parts = PARTS[grading.result];
    // A void is no bet.
    if (parts === undefined) continue;
    settledRisk += risk;
    won += parts[0];
    lost += parts[1];
  }
  return {
    group_key: key,
    bets: bets.length,
    /** Of a lay the backer's. */
    stake,
    profit: roundedCents(profit),
    /** What may be lost. */
    open_exposure: open,
    /** Of what was at risk on the settled ones, voids left out. */
    roi_percent: settledRisk === 0 ? null : (100 * (profit.cents + profit.millionths / 1e6)) / settledRisk,
    clv_percent: clvs === 0 ? null : clv / clvs,
    /** 0-1: a half won counts as half a win, a half lost as half a loss. */
    win_rate: won + lost === 0 ? null : won / (won + lost),
    max_drawdown: drawdown(profitCurve(bets)),
  };
}

/** Profit after each settlement (cents), in the order of settlement. */
export function profitCurve(bets: readonly Bet[]): { atMs: number; profit: number }[] {
  let profit = exactOf(0);
  return bets
    .flatMap((bet) =>
      bet.grading?.profit == null ? [] : [{ atMs: bet.grading.atMs, no: bet.no, change: bet.grading.profit }],
    )
    .sort((a, b) => a.atMs - b.atMs || a.no - b.no)
    .map(({ atMs, change }) => {
      profit = plus(profit, exactOf(change));
      return { atMs, profit: roundedCents(profit) };
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

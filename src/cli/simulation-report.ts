// What the paper bets of a simulated run did: numbers, and tables for a terminal.

import { type Bet, counts, stakeOf } from '../accounts/bets/bet.js';
import { amountOf, halfEven } from '../accounts/bets/cents.js';
import type { Bankroll } from '../accounts/bets/ledger.js';
import { type BetSummary, profitCurve, summarised, summaryOf } from '../accounts/bets/summary.js';
import type { BetRejection } from '../base/model/bet-words.js';
import { roundTo } from '../base/model/price.js';
import { formatMs } from '../base/model/time.js';

export interface SimulationReport {
  currency: string;
  deposits: number;
  cash: number;
  /** Of the filled ones, those whose profit is known. */
  settled: number;
  rejected: number;
  /** How many for each reason, most first. */
  rejected_by_reason: Partial<Record<BetRejection, number>>;
  /** Amounts in units of the currency, here and below. */
  total: BetSummary;
  by_sportsbook: BetSummary[];
  by_market: BetSummary[];
  /** Profit after each settlement. */
  curve: { at: string; profit: number }[];
  /** Closing line value and profit of each settled bet that has both. */
  bets: { id: string; clv_percent: number; stake: number; profit: number }[];
}

/** @param bets oldest first */
export function reportOf(bets: readonly Bet[], { currency, deposits, cash }: Bankroll): SimulationReport {
  const counted = bets.filter(counts);
  const rejected = bets.filter(({ status }) => status === 'rejected');
  return {
    currency,
    deposits: amountOf(deposits ?? 0),
    cash: amountOf(cash),
    settled: counted.filter(({ grading }) => grading?.profit != null).length,
    rejected: rejected.length,
    rejected_by_reason: reasonsOf(rejected),
    total: inUnits(summaryOf('all', counted)),
    by_sportsbook: summarised(counted, 'sportsbook').map(inUnits),
    by_market: summarised(counted, 'market').map(inUnits),
    curve: profitCurve(counted).map(({ atMs, profit }) => ({ at: formatMs(atMs), profit: amountOf(profit) })),
    bets: counted.flatMap((bet) => {
      const { clientId: id, grading } = bet;
      if (grading?.clv == null || grading.profit === null) return [];
      const [stake, profit] = [amountOf(stakeOf(bet)), amountOf(halfEven(grading.profit))];
      return [{ id, clv_percent: roundTo(grading.clv, 4), stake, profit }];
    }),
  };
}

function reasonsOf(rejected: readonly Bet[]): SimulationReport['rejected_by_reason'] {
  const numbers = new Map<BetRejection, number>();
  for (const { reason } of rejected) if (reason !== null) numbers.set(reason, (numbers.get(reason) ?? 0) + 1);
  return Object.fromEntries([...numbers].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}

/** ` (3 price_moved, 1 no_rate)`; nothing without any. */
export function reasonsText({ rejected_by_reason: reasons }: SimulationReport): string {
  const texts = Object.entries(reasons).map(([reason, number]) => `${number} ${reason}`);
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

function inUnits(summary: BetSummary): BetSummary {
  const rounded = (value: number | null): number | null => (value === null ? null : roundTo(value, 4));
  return {
    ...summary,
    stake: amountOf(summary.stake),
    profit: amountOf(summary.profit),
    open_exposure: amountOf(summary.open_exposure),
    max_drawdown: amountOf(summary.max_drawdown),
    roi_percent: rounded(summary.roi_percent),
    clv_percent: rounded(summary.clv_percent),
    win_rate: rounded(summary.win_rate),
  };
}

export const COLUMNS: readonly [head: string, cell: (summary: BetSummary) => string][] = [
  ['bets', ({ bets }) => String(bets)],
  ['stake', ({ stake }) => stake.toFixed(2)],
  ['profit', ({ profit }) => profit.toFixed(2)],
  ['ROI %', ({ roi_percent }) => roi_percent?.toFixed(2) ?? '-'],
  ['CLV %', ({ clv_percent }) => clv_percent?.toFixed(2) ?? '-'],
  ['won', ({ win_rate }) => win_rate?.toFixed(3) ?? '-'],
  ['drawdown', ({ max_drawdown }) => max_drawdown.toFixed(2)],
  ['open', ({ open_exposure }) => open_exposure.toFixed(2)],
];

/** For a terminal. */
export function reportTable(report: SimulationReport): string {
  const { currency, deposits, cash, settled, rejected, total, by_sportsbook, by_market } = report;
  const cellsOf = (summary: BetSummary): string[] => [summary.group_key, ...COLUMNS.map(([, cell]) => cell(summary))];
  const heads = COLUMNS.map(([head]) => head);
  const parts = [
    [['', ...heads], cellsOf(total)],
    [['sportsbook', ...heads], ...by_sportsbook.map(cellsOf)],
    [['market', ...heads], ...by_market.map(cellsOf)],
  ];
  const counts = `${total.bets} bets filled, ${settled} of them settled; ${rejected} rejected${reasonsText(report)}`;
  const money = `deposits ${deposits.toFixed(2)}, cash ${cash.toFixed(2)}, open ${total.open_exposure.toFixed(2)} ${currency}`;
  return `${textTable(...parts.filter(({ length }) => length > 1))}\n${counts}\n${money}\n`;
}

/**
 * A table for a terminal: the first column to the left, the others to the right, each as wide as its longest cell.
 * @param parts rows of one width each; an empty line is between two parts
 */
export function textTable(...parts: readonly (readonly (readonly string[])[])[]): string {
  const rows = parts.flat();
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return parts.map((part) => part.map((row) => `${line(row)}\n`).join('')).join('\n');
}

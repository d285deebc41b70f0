// What the paper bets of a simulated run did: numbers, a table for a terminal, and a page with the profit curve.
import { type Bet, counts } from '../bets/bet.js';
import { amountOf } from '../bets/cents.js';
import type { Bankroll } from '../bets/ledger.js';
import { type BetSummary, profitCurve, summarised, summaryOf } from '../bets/summary.js';
import { roundTo } from '../model/price.js';
import { formatMs } from '../model/time.js';

export interface SimulationReport {
  currency: string;
  deposits: number;
  cash: number;
  rejected: number;
  total: SummaryNumbers;
  by_sportsbook: SummaryNumbers[];
  by_market: SummaryNumbers[];
  /** Profit after each settlement. */
  curve: { at: string; profit: number }[];
  /** Closing line value and profit of each settled bet that has both. */
  bets: { id: string; clv_percent: number; profit: number }[];
}

/** Amounts in units of the currency. */
type SummaryNumbers = BetSummary;

/** @param bets oldest first */
export function reportOf(bets: readonly Bet[], { currency, deposits, cash }: Bankroll): SimulationReport {
  const counted = bets.filter(counts);
  return {
    currency,
    deposits: amountOf(deposits ?? 0),
    cash: amountOf(cash),
    rejected: bets.filter(({ status }) => status === 'rejected').length,
    total: inUnits(summaryOf('all', counted)),
    by_sportsbook: summarised(counted, 'sportsbook').map(inUnits),
    by_market: summarised(counted, 'market').map(inUnits),
    curve: profitCurve(counted).map(({ atMs, profit }) => ({ at: formatMs(atMs), profit: amountOf(profit) })),
    bets: counted.flatMap(({ clientId, grading }) =>
      grading?.clv == null || grading.profit === null
        ? []
        : [{ id: clientId, clv_percent: roundTo(grading.clv, 4), profit: amountOf(grading.profit) }],
    ),
  };
}

function inUnits(summary: BetSummary): SummaryNumbers {
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

const COLUMNS: readonly [head: string, cell: (summary: SummaryNumbers) => string][] = [
  ['', ({ group_key }) => group_key],
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
  const rows = [report.total, ...report.by_sportsbook, ...report.by_market].map((summary) =>
    COLUMNS.map(([, cell]) => cell(summary)),
  );
  const heads = COLUMNS.map(([head]) => head);
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  const { currency, deposits, cash, rejected } = report;
  const money = `deposits ${deposits.toFixed(2)}, cash ${cash.toFixed(2)} ${currency}; ${rejected} bets rejected`;
  return [line(heads), ...rows.map(line), '', money, ''].join('\n');
}

const [WIDTH, HEIGHT] = [720, 240];

/** A page of its own: it loads nothing. */
export function reportPage(report: SimulationReport, title: string): string {
  const { curve, bets } = report;
  const profits = [0, ...curve.map(({ profit }) => profit)];
  const line = profits.map((profit, i) => [i, profit] as const);
  const dots = bets.map(({ clv_percent, profit }) => [clv_percent, profit] as const);
  const cells = (summary: SummaryNumbers): string =>
    `<tr>${COLUMNS.map(([, cell]) => `<td>${escaped(cell(summary))}</td>`).join('')}</tr>`;
  const rows = [report.total, ...report.by_sportsbook, ...report.by_market].map(cells).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}td,th{padding:.2rem .7rem;text-align:right}td:first-child{text-align:left}svg{border:1px solid #bbb;max-width:100%}</style></head>
<body><h1>${escaped(title)}</h1>
<h2>Profit after each settlement (${escaped(report.currency)})</h2>
${plot(line, (points) => `<polyline fill="none" stroke="#06c" stroke-width="2" points="${points.map((point) => point.join()).join(' ')}"/>`)}
<h2>Closing line value (percent) against profit, each bet</h2>
${plot(dots, (points) => points.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="#06c"/>`).join(''))}
<table><tr>${COLUMNS.map(([head]) => `<th>${head}</th>`).join('')}</tr>
${rows}</table>
</body></html>
`;
}

type Point = readonly [x: number, y: number];

/** With a line where nothing was won. */
function plot(values: readonly Point[], draw: (points: readonly Point[]) => string): string {
  const span = (axis: 0 | 1): [least: number, width: number] => {
    const all = [0, ...values.map((value) => value[axis])];
    const least = all.reduce((a, b) => Math.min(a, b));
    return [least, all.reduce((a, b) => Math.max(a, b)) - least || 1];
  };
  const [[left, width], [bottom, height]] = [span(0), span(1)];
  const y = (value: number): number => roundTo(HEIGHT - 10 - ((value - bottom) / height) * (HEIGHT - 20), 1);
  const points = values.map(([x, value]): Point => [roundTo(10 + ((x - left) / width) * (WIDTH - 20), 1), y(value)]);
  const zero = `<line x1="0" x2="${WIDTH}" y1="${y(0)}" y2="${y(0)}" stroke="#bbb"/>`;
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${zero}${draw(points)}</svg>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

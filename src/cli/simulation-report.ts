// What the paper bets of a simulated run did: numbers, tables for a terminal, and a page.

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

// The page of a simulated run: its numbers, the profit curve, closing line value against result, and tables by book and
// market. It loads nothing.

const STYLE = `:root{color-scheme:light dark;--ink:#1a1c1f;--soft:#5c6470;--line:#d5d9df;--back:#fff;--card:#f5f6f8;--blue:#0b62c4;--green:#0a7a3d;--red:#c02626}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#9aa3af;--line:#3a4048;--back:#15181c;--card:#1e2227;--blue:#6bb0ff;--green:#4cc27f;--red:#ff7b72}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2.2rem 0 .4rem}p{margin:.3rem 0;color:var(--soft)}
code{font-size:.9em}dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.6rem;margin:1.2rem 0}
dl div{background:var(--card);border-radius:.5rem;padding:.5rem .8rem}dt{color:var(--soft);font-size:.85rem}dd{margin:0;font-size:1.25rem;font-variant-numeric:tabular-nums}
dd small{display:block;font-size:.8rem;color:var(--soft)}.up{color:var(--green)}.down{color:var(--red)}
div.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%}
th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}th{color:var(--soft);font-weight:600}
th:first-child,td:first-child{text-align:left}svg{width:100%;height:auto;display:block}
svg text{font:12px system-ui,sans-serif;fill:var(--soft)}.grid{stroke:var(--line)}.zero{stroke:var(--soft)}
.curve{fill:none;stroke:var(--blue);stroke-width:2;stroke-linejoin:round}.won{fill:var(--green)}.lost{fill:var(--red)}.won,.lost{fill-opacity:.65}`;

export function reportPage(report: SimulationReport, recording: string, command: string): string {
  const { curve, bets, currency } = report;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(`${recording}: ${command}`)}</title><style>${STYLE}</style></head>
<body><h1>Paper bets over ${escaped(recording)}</h1>
<p><code>${escaped(command)}</code></p>
${tiles(report)}
<h2>Profit after each settlement (${escaped(currency)})</h2>
${curve.length === 0 ? '<p>No bet is settled: there is no result of its game.</p>' : profitPlot(curve)}
<h2>Closing line value against result, each bet</h2>
${bets.length === 0 ? '<p>No settled bet has a closing line value.</p>' : clvPlot(bets, currency)}
${table('By sportsbook', report.by_sportsbook)}
${table('By market', report.by_market)}
</body></html>
`;
}

function tiles(report: SimulationReport): string {
  const { total, settled, rejected, deposits, cash, currency } = report;
  const percent = (value: number | null): string => (value === null ? '-' : signed(value, `${value.toFixed(2)} %`));
  const all: [name: string, value: string, more: string][] = [
    ['Profit', signed(total.profit, total.profit.toFixed(2)), currency],
    ['ROI', percent(total.roi_percent), 'of settled stakes'],
    ['CLV', percent(total.clv_percent), 'mean'],
    ['Bets', String(total.bets), `${settled} settled, ${rejected} rejected${reasonsText(report)}`],
    ['Drawdown', total.max_drawdown.toFixed(2), currency],
    ['Cash', cash.toFixed(2), `of ${deposits.toFixed(2)}; ${total.open_exposure.toFixed(2)} open`],
  ];
  const tile = ([name, value, more]: (typeof all)[number]): string =>
    `<div><dt>${name}</dt><dd>${value} <small>${escaped(more)}</small></dd></div>`;
  return `<dl>${all.map(tile).join('')}</dl>`;
}

function table(title: string, summaries: readonly BetSummary[]): string {
  const heads = ['', ...COLUMNS.map(([head]) => head)].map((head) => `<th>${head}</th>`).join('');
  const cellOf = (summary: BetSummary, [head, cell]: (typeof COLUMNS)[number]): string => {
    const text = escaped(cell(summary));
    const value = { profit: summary.profit, 'ROI %': summary.roi_percent, 'CLV %': summary.clv_percent }[head];
    return `<td>${value == null ? text : signed(value, text)}</td>`;
  };
  const rows = summaries.map((summary) => {
    const cells = COLUMNS.map((column) => cellOf(summary, column)).join('');
    return `<tr><td>${escaped(summary.group_key)}</td>${cells}</tr>`;
  });
  return `<h2>${title}</h2>\n<div class="wide"><table><tr>${heads}</tr>\n${rows.join('\n')}</table></div>`;
}

function signed(value: number, text: string): string {
  return value === 0 ? text : `<span class="${value > 0 ? 'up' : 'down'}">${text}</span>`;
}

const [WIDTH, HEIGHT] = [760, 280];
const MARGIN = { left: 64, right: 16, top: 12, bottom: 34 };

interface Axis {
  low: number;
  high: number;
  ticks: number[];
}

type Scale = (value: number) => number;

/** From and to round numbers around the values and zero. */
function axisOf(values: readonly number[]): Axis {
  const low = values.reduce((a, b) => Math.min(a, b), 0);
  const high = values.reduce((a, b) => Math.max(a, b), 0);
  const rough = (high - low || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks };
}

function scales(x: { low: number; high: number }, y: Axis): [Scale, Scale] {
  const [wide, high] = [WIDTH - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom];
  return [
    (value) => round(MARGIN.left + ((value - x.low) / (x.high - x.low || 1)) * wide),
    (value) => round(HEIGHT - MARGIN.bottom - ((value - y.low) / (y.high - y.low)) * high),
  ];
}

const round = (value: number): number => Math.round(10 * value) / 10;

/** Ticks of both axes; the bold lines are zero. */
function frame(
  xs: readonly [at: number, text: string, zero?: boolean][],
  y: Axis,
  toX: Scale,
  toY: Scale,
  name: string,
): string {
  const end = HEIGHT - MARGIN.bottom;
  const across = y.ticks.map((tick) => {
    const at = toY(tick);
    const text = `<text x="${MARGIN.left - 8}" y="${at + 4}" text-anchor="end">${tickText(tick, y)}</text>`;
    return `<line class="${tick === 0 ? 'zero' : 'grid'}" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${at}" y2="${at}"/>${text}`;
  });
  const down = xs.map(([at, text, zero], i) => {
    const x = toX(at);
    const anchor = i === 0 ? 'start' : i === xs.length - 1 ? 'end' : 'middle';
    const line = `<line class="${zero ? 'zero' : 'grid'}" x1="${x}" x2="${x}" y1="${MARGIN.top}" y2="${end}"/>`;
    return `${line}<text x="${x}" y="${end + 18}" text-anchor="${anchor}">${escaped(text)}</text>`;
  });
  return `<title>${escaped(name)}</title>${across.join('')}${down.join('')}`;
}

function tickText(tick: number, { ticks }: Axis): string {
  const step = ticks[1]! - ticks[0]!;
  return tick.toFixed(step >= 1 ? 0 : Math.ceil(-Math.log10(step) - 1e-9));
}

function svg(inner: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${inner}</svg>`;
}

/** A profit lasts until the next settlement. */
function profitPlot(curve: SimulationReport['curve']): string {
  const times = curve.map(({ at }) => Date.parse(at));
  const span = { low: times[0]!, high: times.at(-1)! };
  const y = axisOf(curve.map(({ profit }) => profit));
  const [toX, toY] = scales(span, y);
  let [path, before] = [`M${toX(span.low)} ${toY(0)}`, toY(0)];
  for (const [i, { profit }] of curve.entries()) {
    const [x, now] = [toX(times[i]!), toY(profit)];
    // Many settlements of one moment are one step.
    if (times[i + 1] === times[i]) continue;
    if (now !== before || i === curve.length - 1) path += `H${x}V${now}`;
    before = now;
  }
  const count = span.low === span.high ? 1 : 5;
  const ticks = Array.from(
    { length: count },
    (_, i) => span.low + (i / Math.max(1, count - 1)) * (span.high - span.low),
  );
  const xs = ticks.map((at) => [at, new Date(at).toISOString().slice(5, 16).replace('T', ' ')] as [number, string]);
  const last = curve.at(-1)!.profit;
  const name = `Profit after each of ${curve.length} settlements; ${last.toFixed(2)} at the end`;
  return `${svg(`${frame(xs, y, toX, toY, name)}<path class="curve" d="${path}"/>`)}<p>Time is the recording's, UTC.</p>`;
}

function clvPlot(bets: SimulationReport['bets'], currency: string): string {
  const x = axisOf(bets.map(({ clv_percent }) => clv_percent));
  const y = axisOf(bets.map(({ profit }) => profit));
  const [toX, toY] = scales(x, y);
  const xs = x.ticks.map((tick) => [tick, `${tickText(tick, x)} %`, tick === 0] as [number, string, boolean]);
  const dots = bets.map(
    ({ id, clv_percent, profit }) =>
      `<circle class="${profit < 0 ? 'lost' : 'won'}" cx="${toX(clv_percent)}" cy="${toY(profit)}" r="4"><title>${escaped(`${id}: CLV ${clv_percent.toFixed(2)} %, profit ${profit.toFixed(2)}`)}</title></circle>`,
  );
  const said = (name: string, some: SimulationReport['bets']): string => {
    if (some.length === 0) return `${name}: no bet`;
    const sum = (of: 'stake' | 'profit'): number => some.reduce((all, bet) => all + bet[of], 0);
    return `${name}: ${some.length} bets, ROI ${((100 * sum('profit')) / sum('stake')).toFixed(2)} %`;
  };
  const above = said(
    'CLV above 0',
    bets.filter(({ clv_percent }) => clv_percent > 0),
  );
  const below = said(
    'CLV 0 or less',
    bets.filter(({ clv_percent }) => clv_percent <= 0),
  );
  const name = `Closing line value and profit of ${bets.length} bets`;
  return `${svg(frame(xs, y, toX, toY, name) + dots.join(''))}
<p>To the right: better than the closing price. Up: profit in ${escaped(currency)}. ${above}; ${below}.</p>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

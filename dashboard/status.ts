// The operator's page: the state of feeds, books, shards, streams and the process, and charts of the last quarter of an
// hour. It needs no key: it shows what /health and /metrics show.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import uPlot from 'uplot';
import { type Health, OverroundClient } from '../src/client/client.js';
import { element } from './dom.js';
import { ageText } from './model/odds-format.js';
import { figureText, levelOf, type Points, type RecentMetrics, rateOf } from './model/recent-rates.js';
import { CHARTS, type Chart, type Line } from './model/status-charts.js';
import { showUnmatched } from './unmatched-view.js';

/** Callers without a key may call /health ten times a minute. */
const EVERY_MS = { metrics: 5_000, health: 10_000 };
const HEIGHT_PX = 150;
const THRESHOLDS_KEY = 'overround-status-thresholds';
const MINUTES_KEY = 'overround-status-minutes';
/** The server keeps as much. */
const MINUTES_MAX = 15;
const MINUTES = [2, 5, MINUTES_MAX];

const byId = (id: string): HTMLElement => document.getElementById(id)!;
const client = new OverroundClient({ url: location.origin });
const plots = new Map<Chart, { plot: uPlot; labels: string; place: HTMLElement }>();
let health: Health | undefined;
let recent: RecentMetrics | undefined;
let answeredMs = Number.NaN;

/** Thresholds that were entered here, by the chart's title; null: none. */
const entered = new Map<string, number | null>(thresholdsOf(localStorage.getItem(THRESHOLDS_KEY)));
/** Charts whose newest value is at or over their threshold. */
const over = new Set<string>();
/** What the charts show: the last minutes, or a range that was chosen by dragging. */
let minutes = MINUTES.find((value) => String(value) === localStorage.getItem(MINUTES_KEY)) ?? MINUTES_MAX;
let fixed: readonly [from: number, to: number] | undefined;

function thresholdsOf(text: string | null): [string, number | null][] {
  try {
    return Object.entries(JSON.parse(text ?? '{}') as Record<string, number | null>);
  } catch {
    // Written by another program: treated as if nothing were stored.
    return [];
  }
}

function thresholdOf({ title, warnFrom }: Chart): number | null {
  return entered.has(title) ? entered.get(title)! : (warnFrom ?? null);
}

function setThreshold({ title }: Chart, text: string): void {
  const value = Number(text);
  entered.set(title, text === '' || !Number.isFinite(value) ? null : value);
  localStorage.setItem(THRESHOLDS_KEY, JSON.stringify(Object.fromEntries(entered)));
  drawCharts();
}

function timeRange(of: RecentMetrics): [from: number, to: number] {
  if (fixed !== undefined) return [...fixed];
  const to = (of.at.at(-1) ?? 0) / 1_000;
  return [to - minutes * 60, to];
}

function drawCharts(): void {
  if (recent === undefined) return;
  for (const chart of CHARTS) drawChart(chart, recent);
  render(rangeBar(), byId('range'));
}

function chooseRange(chosen: readonly [number, number] | undefined): void {
  fixed = chosen;
  drawCharts();
}

function rangeBar(): TemplateResult {
  const choose = (event: Event): void => {
    minutes = Number((event.target as HTMLSelectElement).value);
    localStorage.setItem(MINUTES_KEY, String(minutes));
    chooseRange(undefined);
  };
  const clock = (seconds: number): string => new Date(seconds * 1_000).toLocaleTimeString();
  return html`<label>range <select aria-label="Range of time" @change=${choose}>${MINUTES.map(
    (value) => html`<option value=${value} .selected=${value === minutes}>last ${value} min</option>`,
  )}</select></label>
    ${fixed === undefined ? html`<small>drag over a chart to look closer</small>` : html`<span>${clock(fixed[0])} to ${clock(fixed[1])}</span> <button type="button" @click=${() => chooseRange(undefined)}>back to now</button>`}
    <span role="status" class="loss">${over.size === 0 ? '' : `over their threshold: ${[...over].join(', ')}`}</span>`;
}

function placeOf(chart: Chart): HTMLElement {
  const input = element('input');
  input.type = 'number';
  input.step = 'any';
  input.value = String(thresholdOf(chart) ?? '');
  input.placeholder = 'none';
  input.ariaLabel = `threshold, ${chart.title}`;
  input.addEventListener('change', () => setThreshold(chart, input.value));
  const title = element('span', '', chart.title, element('small', '', chart.unit));
  return element('figure', '', element('figcaption', '', title, element('label', '', 'warn from ', input)));
}

/** The threshold as a line across the chart, where it is in sight. */
function drawThreshold(plot: uPlot, chart: Chart): void {
  const threshold = thresholdOf(chart);
  const { min = 0, max = 0 } = plot.scales['y']!;
  if (threshold === null || threshold < min || threshold > max) return;
  const { left, width } = plot.bbox;
  const y = plot.valToPos(threshold, 'y', true);
  plot.ctx.save();
  plot.ctx.strokeStyle = '#d9534f';
  plot.ctx.setLineDash([6, 5]);
  plot.ctx.beginPath();
  plot.ctx.moveTo(left, y);
  plot.ctx.lineTo(left + width, y);
  plot.ctx.stroke();
  plot.ctx.restore();
}

function drawChart(chart: Chart, of: RecentMetrics): void {
  const lines = chart.lines(of).filter(({ points }) => points.some((value) => value !== null));
  const labels = lines.map(({ label }) => label).join();
  const data: uPlot.AlignedData = [of.at.map((ms) => ms / 1_000), ...lines.map(({ points }) => points)];
  const known = plots.get(chart);
  const place = known?.place ?? placeOf(chart);
  const threshold = thresholdOf(chart);
  const isOver =
    threshold !== null && lines.some(({ points }) => (points.at(-1) ?? Number.NEGATIVE_INFINITY) >= threshold);
  if (isOver) over.add(chart.title);
  else over.delete(chart.title);
  place.classList.toggle('over', isOver);
  if (known !== undefined && known.labels === labels) {
    known.plot.setData(data);
    return;
  }
  known?.plot.destroy();
  place.hidden = lines.length === 0;
  if (known === undefined) byId('charts').append(place);
  plots.set(chart, { plot: new uPlot(optionsOf(chart, lines, place), data, place), labels, place });
}

function optionsOf(chart: Chart, lines: readonly Line[], place: HTMLElement): uPlot.Options {
  const colour = getComputedStyle(document.body).color;
  const grid = { stroke: 'rgba(128,128,128,0.2)', width: 1 };
  return {
    width: Math.max(240, place.clientWidth - 20),
    height: HEIGHT_PX,
    cursor: { drag: { x: true, y: false, setScale: false } },
    axes: [
      { stroke: colour, grid, space: 90 },
      { stroke: colour, grid, size: 56, values: (_, values) => values.map(figureText) },
    ],
    scales: {
      x: { range: () => timeRange(recent!) },
      y: { range: (_, min, max) => [Math.min(0, min), yTop(max, thresholdOf(chart))] },
    },
    hooks: {
      draw: [(plot) => drawThreshold(plot, chart)],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 8) return;
          const chosen = [plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x')] as const;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          chooseRange(chosen);
        },
      ],
    },
    series: [
      {},
      ...lines.map(({ label }, i) => ({
        label,
        stroke: `hsl(${Math.round(150 + (i * 360) / lines.length)} 60% 48%)`,
        width: 1.5,
        points: { show: false },
        value: (_: uPlot, value: number | null) => (value === null ? '' : figureText(value)),
      })),
    ],
  };
}

/** A threshold that is near is in sight; a far one would flatten everything. */
function yTop(max: number, threshold: number | null): number {
  const top = max > 0 ? max * 1.1 : 1;
  return threshold !== null && threshold > top && threshold < 2 * top ? threshold * 1.05 : top;
}

const newest = (points: Points): string => {
  const value = points.at(-1) ?? null;
  return value === null ? '-' : figureText(value);
};

function facts(now: Health, of: RecentMetrics | undefined): TemplateResult {
  const level = (name: string): string => (of === undefined ? '-' : newest(levelOf(of, name)));
  const rate = (name: string): string => (of === undefined ? '-' : newest(rateOf(of, name)));
  const figures: [string, string][] = [
    ['release', now.release],
    ['rows', level('overround_table_rows')],
    ['games', level('overround_table_events')],
    ['quotes/s', rate('overround_ingest_quotes_total')],
    ['changes/s', rate('overround_row_changes_total')],
    ['waiting', level('overround_ingest_queue_quotes')],
    ['streams', level('overround_stream_subscribers')],
    ['stuck, closed', level('overround_stream_stuck_closed_total')],
  ];
  return html`<dl class="outcome">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    ${now.simulated ? html`<p class="warn">A running feed makes its prices up.</p>` : nothing}
    <div class="tables"><div>${checks(now)}${cluster(now)}${feeds(now)}</div>${books(now)}</div>`;
}

function checks({ checks: list }: Health): TemplateResult {
  return html`<table class="results"><caption>Checks</caption><tbody>${Object.entries(list).map(
    ([
      name,
      { status, message, latency_ms },
    ]) => html`<tr><th scope="row">${name}</th><td class=${status === 'ok' ? 'gain' : 'loss'}>${status}</td>
      <td>${message ?? (latency_ms === undefined ? '' : `${latency_ms} ms`)}</td></tr>`,
  )}</tbody></table>`;
}

/** If the server is one of several. */
function cluster(now: Health): TemplateResult | typeof nothing {
  const { cluster: of } = now as Health & { cluster?: Record<string, unknown> };
  if (of === undefined || of === null) return nothing;
  return html`<table class="results"><caption>Cluster</caption><tbody>${Object.entries(of).map(
    ([name, value]) =>
      html`<tr><th scope="row">${name}</th><td>${Array.isArray(value) ? value.length : String(value)}</td></tr>`,
  )}</tbody></table>`;
}

function feeds(now: Health): TemplateResult {
  const atMs = Date.parse(now.timestamp);
  return html`<table class="results"><caption>Feeds</caption><tbody>${
    now.feeds.length === 0 ? html`<tr><td>none: odds are pushed in</td></tr>` : nothing
  }${now.feeds.map(
    ({
      kind,
      state,
      last_success_at,
      lag_ms,
      error,
    }) => html`<tr><th scope="row">${kind}</th><td class=${state === 'running' || state === 'ended' ? 'gain' : 'loss'}>${state}</td>
      <td>${last_success_at === null ? 'nothing yet' : `${ageText(atMs - Date.parse(last_success_at))} ago`}${lag_ms === null ? '' : `, ${lag_ms} ms behind`}${error === null ? '' : html` <span class="loss">${error}</span>`}</td></tr>`,
  )}</tbody></table>`;
}

/** Older than this is too old for best prices before a game. */
const OLD_S = 300;

function books(now: Health): TemplateResult {
  const list = [...now.books].sort((a, b) => b.age_seconds - a.age_seconds || a.sportsbook.localeCompare(b.sportsbook));
  return html`<div class="polls"><h2>Books, newest poll</h2><ul>${list.map(
    ({ sportsbook, age_seconds }) =>
      html`<li><span>${sportsbook}</span> <b class=${age_seconds > OLD_S ? 'loss' : ''}>${ageText(age_seconds * 1_000)}</b></li>`,
  )}</ul></div>`;
}

function drawState(lost: boolean): void {
  const place = byId('state');
  document.body.classList.toggle('unanswered', lost);
  place.dataset['state'] = lost ? 'lost' : health?.status === 'ok' ? 'live' : 'polling';
  const text = lost ? `no answer for ${ageText(performance.now() - answeredMs)}` : (health?.status ?? 'connecting');
  if (place.textContent !== text) place.textContent = text;
}

async function readRecent(): Promise<void> {
  try {
    const answer = await fetch('/metrics/recent', { signal: AbortSignal.timeout(EVERY_MS.metrics) });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    recent = (await answer.json()) as RecentMetrics;
    answeredMs = performance.now();
    drawCharts();
    drawState(false);
  } catch {
    // The data shown stays, with its age.
    drawState(true);
  }
}

async function readHealth(): Promise<void> {
  try {
    health = (await client.health({ retries: 0 })).data;
    render(facts(health, recent), byId('facts'));
  } catch {
    // A service that is down answers 503, one that is gone not at all; the state says which.
  }
}

addEventListener('resize', () => {
  for (const { plot, place } of plots.values())
    plot.setSize({ width: Math.max(240, place.clientWidth - 20), height: HEIGHT_PX });
});
setInterval(() => {
  if (!document.hidden) void readRecent();
}, EVERY_MS.metrics);
setInterval(() => {
  if (!document.hidden) void readHealth();
}, EVERY_MS.health);
showUnmatched(byId('unmatched'));
await readRecent();
await readHealth();

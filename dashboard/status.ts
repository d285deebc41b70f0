// The operator's page: the state of feeds, books, shards, streams and the process, and charts of the last quarter of an
// hour. It needs no key: it shows what /health and /metrics show.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import uPlot from 'uplot';
import { type Health, OverroundClient } from '../src/client/client.js';
import { element } from './dom.js';
import { ageText } from './model/odds-format.js';
import {
  figureText,
  labelsOf,
  levelOf,
  meanOf,
  type Points,
  type RecentMetrics,
  rateOf,
} from './model/recent-rates.js';
import { showUnmatched } from './unmatched-view.js';

/** Callers without a key may call /health ten times a minute. */
const EVERY_MS = { metrics: 5_000, health: 10_000 };
const HEIGHT_PX = 150;

type Line = { label: string; points: Points };

interface Chart {
  title: string;
  unit: string;
  lines(recent: RecentMetrics): Line[];
}

const scaled = (points: Points, by: number): Points => points.map((value) => (value === null ? null : value * by));
const one = (label: string, points: Points): Line[] => [{ label, points }];
const STAGES = ['read', 'queue', 'wake', 'apply', 'detect', 'commit', 'return', 'deliver', 'send'];

const CHARTS: readonly Chart[] = [
  {
    title: 'Ingest and changes',
    unit: 'a second',
    lines: (recent) => [
      { label: 'quotes', points: rateOf(recent, 'overround_ingest_quotes_total') },
      { label: 'rows changed', points: rateOf(recent, 'overround_row_changes_total') },
    ],
  },
  {
    title: 'Stages of a batch',
    unit: 'ms, mean',
    lines: (recent) =>
      STAGES.map((stage) => ({
        label: stage,
        points: scaled(meanOf(recent, 'overround_stage_seconds', stage), 1_000),
      })),
  },
  {
    title: 'Commit to sockets',
    unit: 'ms, mean',
    lines: (recent) =>
      one('commit to sent', scaled(meanOf(recent, 'overround_stage_seconds', 'commit_to_sent'), 1_000)),
  },
  {
    title: 'Waiting for shards',
    unit: 'quotes',
    lines: (recent) => one('quotes', levelOf(recent, 'overround_ingest_queue_quotes')),
  },
  {
    title: 'Streams',
    unit: 'open',
    lines: (recent) => [
      { label: 'streams', points: levelOf(recent, 'overround_stream_subscribers') },
      { label: 'groups', points: levelOf(recent, 'overround_stream_groups') },
      { label: 'connections', points: levelOf(recent, 'overround_http_connections') },
    ],
  },
  {
    title: 'Sent to streams',
    unit: 'MB a second',
    lines: (recent) => one('bytes', scaled(rateOf(recent, 'overround_stream_delivered_bytes_total'), 1e-6)),
  },
  {
    title: 'Requests',
    unit: 'a second',
    lines: (recent) => one('requests', rateOf(recent, 'overround_http_requests_total')),
  },
  {
    title: 'Time to answer',
    unit: 'ms, mean',
    lines: (recent) => one('requests', scaled(meanOf(recent, 'overround_http_request_seconds'), 1_000)),
  },
  {
    title: 'Change log',
    unit: 'kB a second',
    lines: (recent) => one('written', scaled(rateOf(recent, 'overround_delta_bytes_total'), 1e-3)),
  },
  {
    title: 'Feeds behind',
    unit: 's',
    lines: (recent) =>
      labelsOf(recent, 'overround_feed_lag_seconds').map((feed) => ({
        label: feed.split(':')[0]!,
        points: levelOf(recent, `overround_feed_lag_seconds{${feed}}`),
      })),
  },
  {
    title: 'Behind the log',
    unit: 'ms',
    lines: (recent) =>
      recent.series['overround_follow_lag_seconds'] === undefined
        ? []
        : one('behind', scaled(levelOf(recent, 'overround_follow_lag_seconds'), 1_000)),
  },
  {
    title: 'Processor',
    unit: '% of a core',
    lines: (recent) => one('process', scaled(rateOf(recent, 'process_cpu_seconds_total'), 100)),
  },
  {
    title: 'Memory',
    unit: 'MB',
    lines: (recent) => [
      { label: 'resident', points: scaled(levelOf(recent, 'process_resident_memory_bytes'), 1e-6) },
      { label: 'heap', points: scaled(levelOf(recent, 'nodejs_heap_size_used_bytes'), 1e-6) },
    ],
  },
];

const byId = (id: string): HTMLElement => document.getElementById(id)!;
const client = new OverroundClient({ url: location.origin });
const plots = new Map<Chart, { plot: uPlot; labels: string; place: HTMLElement }>();
let health: Health | undefined;
let recent: RecentMetrics | undefined;
let answeredMs = Number.NaN;

function drawChart(chart: Chart, of: RecentMetrics): void {
  const lines = chart.lines(of).filter(({ points }) => points.some((value) => value !== null));
  const labels = lines.map(({ label }) => label).join();
  const data: uPlot.AlignedData = [of.at.map((ms) => ms / 1_000), ...lines.map(({ points }) => points)];
  const known = plots.get(chart);
  if (known !== undefined && known.labels === labels) {
    known.plot.setData(data);
    return;
  }
  known?.plot.destroy();
  const place =
    known?.place ?? element('figure', '', element('figcaption', '', chart.title, element('small', '', chart.unit)));
  place.hidden = lines.length === 0;
  if (known === undefined) byId('charts').append(place);
  const colour = getComputedStyle(place).color;
  const grid = { stroke: 'rgba(128,128,128,0.2)', width: 1 };
  const plot = new uPlot(
    {
      width: Math.max(240, place.clientWidth - 20),
      height: HEIGHT_PX,
      axes: [
        { stroke: colour, grid },
        { stroke: colour, grid, size: 56, values: (_, values) => values.map(figureText) },
      ],
      scales: { y: { range: (_, min, max) => [Math.min(0, min), max > 0 ? max * 1.1 : 1] } },
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
    },
    data,
    place,
  );
  plots.set(chart, { plot, labels, place });
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
    for (const chart of CHARTS) drawChart(chart, recent);
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

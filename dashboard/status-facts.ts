// What the operator's page states: figures, checks, the cluster, feeds, and the age of each book's newest poll.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Health } from '../src/client/client.js';
import { ageText } from './model/odds-format.js';
import { figureText, levelOf, type Points, type RecentMetrics, rateOf } from './model/recent-rates.js';

const newest = (points: Points): string => {
  const value = points.at(-1) ?? null;
  return value === null ? '-' : figureText(value);
};

export function facts(now: Health, of: RecentMetrics | undefined): TemplateResult {
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

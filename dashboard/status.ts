// The operator's page: the state of feeds, books, shards, streams and the process, and charts of the last quarter of an
// hour. It needs no key: it shows what /health and /metrics show.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { type Health, OverroundClient } from '../src/client/client.js';
import { ChartGrid } from './chart-grid.js';
import { ageText } from './model/odds-format.js';
import type { RecentMetrics } from './model/recent-rates.js';
import { facts } from './status-facts.js';
import { Unmatched } from './unmatched-names.js';

/** Callers without a key may call /health ten times a minute. */
const EVERY_MS = { metrics: 5_000, health: 10_000 };

class StatusPage {
  readonly #root: HTMLElement;
  readonly #client = new OverroundClient({ url: location.origin });
  readonly #charts = new ChartGrid(() => this.#draw());
  readonly #unmatched = new Unmatched(() => this.#draw());
  #health: Health | undefined;
  #recent: RecentMetrics | undefined;
  #answeredMs = Number.NaN;
  #isLost = false;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  start(): void {
    this.#draw();
    void this.#readRecent();
    void this.#readHealth();
    setInterval(() => !document.hidden && void this.#readRecent(), EVERY_MS.metrics);
    setInterval(() => !document.hidden && void this.#readHealth(), EVERY_MS.health);
  }

  async #readRecent(): Promise<void> {
    try {
      const answer = await fetch('/metrics/recent', { signal: AbortSignal.timeout(EVERY_MS.metrics) });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      this.#recent = (await answer.json()) as RecentMetrics;
      this.#answeredMs = performance.now();
      this.#isLost = false;
      this.#charts.take(this.#recent);
    } catch {
      // The data shown stays, with its age.
      this.#isLost = true;
      this.#draw();
    }
  }

  async #readHealth(): Promise<void> {
    try {
      this.#health = (await this.#client.health({ retries: 0 })).data;
    } catch {
      // A service that is down answers 503, one that is gone not at all; the state says which.
    }
    this.#draw();
  }

  #draw(): void {
    document.body.classList.toggle('unanswered', this.#isLost);
    render(this.#template(), this.#root);
  }

  #template(): TemplateResult {
    const health = this.#health;
    const state = this.#isLost ? 'lost' : health === undefined ? '' : health.status === 'ok' ? 'live' : 'polling';
    const age = Number.isNaN(this.#answeredMs) ? '' : ` for ${ageText(performance.now() - this.#answeredMs)}`;
    return html`<header><div class="top"><h1>overround status</h1>
      <span id="state" class="state" role="status" data-state=${state}>${this.#isLost ? `no answer${age}` : (health?.status ?? 'connecting')}</span>
      <a class="push" href="/dashboard">board</a><a href="/metrics">metrics</a><a href="/docs">docs</a></div></header>
      <main id="main"><section id="facts" aria-label="State">${health === undefined ? nothing : facts(health, this.#recent)}</section>
        <section id="unmatched" aria-label="Not matched">${this.#unmatched.template()}</section>
        ${this.#charts.template()}</main>`;
  }
}

new StatusPage(document.getElementById('status')!).start();

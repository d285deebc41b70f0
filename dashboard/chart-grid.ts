// The charts of the operator's page: each with a threshold that is kept in this browser, all over the same range of time.
import { html, type TemplateResult } from 'lit-html';
import uPlot from 'uplot';
import { amountField } from './amount-field.js';
import { browserStore } from './browser-store.js';
import { reachLegend, timeAxis } from './chart-parts.js';
import { element } from './dom.js';
import { figureText, type RecentMetrics } from './model/recent-rates.js';
import { CHARTS, type Chart, type Line } from './model/status-charts.js';

const HEIGHT_PX = 150;
const THRESHOLDS_KEY = 'overround-status-thresholds';
const MINUTES_KEY = 'overround-status-minutes';
/** The server keeps as much. */
const MINUTES_MAX = 15;
const MINUTES = [2, 5, MINUTES_MAX];

interface Drawn {
  place: HTMLElement;
  plot: uPlot | undefined;
  /** Names of the lines it was made for. */
  labels: string;
  isEmpty: boolean;
  /** Its newest value is at or over its threshold. */
  isOver: boolean;
}

export class ChartGrid {
  readonly #changed: () => void;
  readonly #drawn = new Map<Chart, Drawn>(
    CHARTS.map((chart) => [
      chart,
      { place: element('div', 'plot'), plot: undefined, labels: '', isEmpty: true, isOver: false },
    ]),
  );
  /** Thresholds that were entered here, by the chart's title; null: none. */
  readonly #entered = new Map<string, number | null>(thresholdsOf(browserStore.getItem(THRESHOLDS_KEY)));
  #recent: RecentMetrics | undefined;
  /** What the charts show: the last minutes, or a range that was chosen by dragging. */
  #minutes = MINUTES.find((value) => String(value) === browserStore.getItem(MINUTES_KEY)) ?? MINUTES_MAX;
  #fixed: readonly [from: number, to: number] | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
    addEventListener('resize', () => {
      for (const { plot, place } of this.#drawn.values()) plot?.setSize({ width: widthOf(place), height: HEIGHT_PX });
    });
  }

  take(recent: RecentMetrics): void {
    this.#recent = recent;
    for (const chart of CHARTS) this.#look(chart, recent);
    // A chart is as wide as its place, which has to be in the page.
    this.#changed();
    for (const chart of CHARTS) this.#draw(chart, recent);
  }

  template(): TemplateResult {
    return html`<div id="range" class="range" role="group" aria-label="Range of the charts">${this.#range()}</div>
      <section id="charts" aria-label="Charts">${CHARTS.map((chart) => {
        const { place, isEmpty, isOver } = this.#drawn.get(chart)!;
        return html`<figure class=${isOver ? 'over' : ''} ?hidden=${isEmpty}><figcaption><span>${chart.title}<small>${chart.unit}</small></span>
          <label>warn from ${amountField({ label: `threshold, ${chart.title}`, placeholder: 'none', value: this.#thresholdOf(chart), set: (value) => this.#setThreshold(chart, value) })}</label></figcaption>${place}</figure>`;
      })}</section>`;
  }

  #range(): TemplateResult {
    const choose = (event: Event): void => {
      this.#minutes = Number((event.target as HTMLSelectElement).value);
      browserStore.setItem(MINUTES_KEY, String(this.#minutes));
      this.#show(undefined);
    };
    const clock = (seconds: number): string => new Date(seconds * 1_000).toLocaleTimeString();
    const over = [...this.#drawn].flatMap(([{ title }, { isOver }]) => (isOver ? [title] : []));
    return html`<label>range <select aria-label="Range of time" @change=${choose}>${MINUTES.map(
      (value) => html`<option value=${value} .selected=${value === this.#minutes}>last ${value} min</option>`,
    )}</select></label>
      ${this.#fixed === undefined ? html`<small>drag over a chart to look closer</small>` : html`<span>${clock(this.#fixed[0])} to ${clock(this.#fixed[1])}</span> <button type="button" @click=${() => this.#show(undefined)}>back to now</button>`}
      <span role="status" class="loss">${over.length === 0 ? '' : `over their threshold: ${over.join(', ')}`}</span>`;
  }

  #show(range: readonly [number, number] | undefined): void {
    this.#fixed = range;
    if (this.#recent !== undefined) this.take(this.#recent);
  }

  #thresholdOf({ title, warnFrom }: Chart): number | null {
    return this.#entered.has(title) ? this.#entered.get(title)! : (warnFrom ?? null);
  }

  #setThreshold({ title }: Chart, value: number | undefined): void {
    this.#entered.set(title, value ?? null);
    browserStore.setItem(THRESHOLDS_KEY, JSON.stringify(Object.fromEntries(this.#entered)));
    if (this.#recent !== undefined) this.take(this.#recent);
  }

  #look(chart: Chart, recent: RecentMetrics): void {
    const drawn = this.#drawn.get(chart)!;
    const lines = linesOf(chart, recent);
    const threshold = this.#thresholdOf(chart);
    drawn.isEmpty = lines.length === 0;
    drawn.isOver =
      threshold !== null && lines.some(({ points }) => (points.at(-1) ?? Number.NEGATIVE_INFINITY) >= threshold);
  }

  #draw(chart: Chart, recent: RecentMetrics): void {
    const drawn = this.#drawn.get(chart)!;
    const lines = linesOf(chart, recent);
    const data: uPlot.AlignedData = [recent.at.map((ms) => ms / 1_000), ...lines.map(({ points }) => points)];
    const labels = lines.map(({ label }) => label).join();
    if (drawn.plot !== undefined && drawn.labels === labels) {
      drawn.plot.setData(data);
      return;
    }
    drawn.plot?.destroy();
    drawn.plot = new uPlot(this.#optionsOf(chart, lines, widthOf(drawn.place)), data, drawn.place);
    drawn.labels = labels;
    reachLegend(drawn.plot);
  }

  #optionsOf(chart: Chart, lines: readonly Line[], width: number): uPlot.Options {
    const colour = getComputedStyle(document.body).color;
    const grid = { stroke: 'rgba(128,128,128,0.2)', width: 1 };
    return {
      width,
      height: HEIGHT_PX,
      cursor: { drag: { x: true, y: false, setScale: false } },
      axes: [timeAxis(colour, grid), { stroke: colour, grid, size: 56, values: (_, values) => values.map(figureText) }],
      scales: {
        x: { range: () => this.#timeRange() },
        y: { range: (_, min, max) => [Math.min(0, min), yTop(max, this.#thresholdOf(chart))] },
      },
      hooks: {
        draw: [(plot) => drawThreshold(plot, this.#thresholdOf(chart))],
        setSelect: [
          (plot) => {
            const { left, width: chosen } = plot.select;
            if (chosen < 8) return;
            const range = [plot.posToVal(left, 'x'), plot.posToVal(left + chosen, 'x')] as const;
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            this.#show(range);
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

  #timeRange(): [from: number, to: number] {
    if (this.#fixed !== undefined) return [...this.#fixed];
    const to = (this.#recent?.at.at(-1) ?? 0) / 1_000;
    return [to - this.#minutes * 60, to];
  }
}

const widthOf = (place: HTMLElement): number => Math.max(240, place.clientWidth);

const linesOf = (chart: Chart, recent: RecentMetrics): Line[] =>
  chart.lines(recent).filter(({ points }) => points.some((value) => value !== null));

function thresholdsOf(text: string | null): [string, number | null][] {
  try {
    return Object.entries(JSON.parse(text ?? '{}') as Record<string, number | null>);
  } catch {
    // Written by another program: treated as if nothing were stored.
    return [];
  }
}

/** The threshold as a line across the chart, where it is in sight. */
function drawThreshold(plot: uPlot, threshold: number | null): void {
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

/** A threshold that is near is in sight; a far one would flatten everything. */
function yTop(max: number, threshold: number | null): number {
  const top = max > 0 ? max * 1.1 : 1;
  return threshold !== null && threshold > top && threshold < 2 * top ? threshold * 1.05 : top;
}

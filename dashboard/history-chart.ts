// The price history of one outcome: the consensus and a few books by default, more as they are chosen, in colours that
// belong to the book.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type uPlot from 'uplot';
import { type OddsRow, OverroundError } from '../src/client/client.js';
import { reachLegend, timeAxis } from './chart-parts.js';
import { element } from './dom.js';
import { type OddsFormat, priceText } from './model/odds-format.js';
import { outcomeText } from './model/outcome.js';
import { type HistoryRow, meanOf, type Series, seriesOf } from './model/price-history.js';
import { historyOf } from './outcome-history.js';
import type { Session } from './session.js';

const HEIGHT_PX = 180;
/** Books shown at first, besides the one whose price was chosen. */
const BOOKS_SHOWN = 3;
const PAGES_MAX = 5;

export class HistoryChart {
  readonly root = element('section', 'chart');
  readonly #place = element('div', 'plot');
  readonly #session: Session;
  readonly #close: () => void;
  #plot: uPlot | undefined;
  #asked = '';
  #title = '';
  #note = '';

  constructor(session: Session, close: () => void) {
    this.#session = session;
    this.#close = close;
    this.root.hidden = true;
    this.root.ariaLabel = 'Prices over time';
    new ResizeObserver(() => this.#plot?.setSize({ width: this.#width, height: HEIGHT_PX })).observe(this.root);
  }

  clear(): void {
    this.#asked = '';
    this.#plot?.destroy();
    this.#plot = undefined;
    this.root.hidden = true;
  }

  /** All books' prices of the row's outcome at its line. */
  async show(row: OddsRow, format: OddsFormat): Promise<void> {
    this.clear();
    this.#asked = row.id;
    this.root.hidden = false;
    this.#title = outcomeText(row);
    this.#say('Loading');
    try {
      const rows = await historyOf(this.#session.client, row, PAGES_MAX);
      // Only those who look at a chart need it.
      const { default: Plot } = await import('uplot');
      if (this.#asked !== row.id) return;
      this.#say(rows.length === 0 ? 'No history of this outcome yet.' : '');
      if (rows.length > 0) this.#draw(Plot, rows, row.sportsbook, format);
    } catch (error) {
      if (this.#asked === row.id) this.#say(reasonOf(error));
    }
  }

  #say(note: string): void {
    this.#note = note;
    render(this.#template(), this.root);
  }

  #template(): TemplateResult {
    return html`<div class="chart-head"><h2>${this.#title}</h2>${this.#note === '' ? nothing : html`<span class="quiet" role="status">${this.#note}</span>`}
      <button type="button" @click=${this.#close}>close</button></div>${this.#place}`;
  }

  get #width(): number {
    return Math.max(200, this.root.clientWidth - 24);
  }

  #draw(Plot: typeof uPlot, rows: readonly HistoryRow[], book: string, format: OddsFormat): void {
    const { times, series } = seriesOf(rows, this.#session.clock.now() / 1_000);
    const order = this.#session.columns([], new Set(series.map(({ sportsbook }) => sportsbook))).map(({ id }) => id);
    series.sort((a, b) => order.indexOf(a.sportsbook) - order.indexOf(b.sportsbook));
    const shown = new Set([book, ...order.filter((id) => id !== book).slice(0, BOOKS_SHOWN)]);
    const mean: Series = { sportsbook: 'mean of all books', values: meanOf(series) };
    const colour = getComputedStyle(this.root).color;
    const grid = { stroke: 'rgba(128,128,128,0.2)', width: 1 };
    const text = (_: uPlot, values: number[]): string[] => values.map((value) => priceText({ decimal: value }, format));
    const lines = [mean, ...series];
    this.#plot?.destroy();
    this.#plot = new Plot(
      {
        width: this.#width,
        height: HEIGHT_PX,
        cursor: { focus: { prox: 24 } },
        focus: { alpha: 0.25 },
        axes: [timeAxis(colour, grid), { stroke: colour, grid, size: 64, values: text }],
        series: [
          {},
          ...lines.map((one) => ({
            label: one === mean ? one.sportsbook : this.#session.nameOf(one.sportsbook),
            stroke: one === mean ? colour : colourOf(one.sportsbook),
            ...(one === mean ? { dash: [5, 4] } : {}),
            show: one === mean || shown.has(one.sportsbook),
            width: one.sportsbook === book ? 2.5 : 1.3,
            paths: Plot.paths.stepped!({ align: 1 }),
            points: { show: false },
            value: (_: uPlot, value: number | null) => (value === null ? '' : priceText({ decimal: value }, format)),
          })),
        ],
      },
      [times, ...lines.map(({ values }) => values)],
      this.#place,
    );
    reachLegend(this.#plot);
  }
}

/** The same for a book in every chart. */
function colourOf(book: string): string {
  let hash = 0;
  for (const char of book) hash = (hash * 31 + char.charCodeAt(0)) >>> 0;
  return `hsl(${(hash * 47) % 360} 65% 50%)`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof OverroundError)) return String(error);
  if (error.tier !== undefined)
    return `History needs the tier ${error.tier}: what is shown is the price now, and the one before in its tooltip.`;
  if (error.status === 404) return 'This server keeps no history.';
  return error.message;
}

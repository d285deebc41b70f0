// The price history of one outcome: one line per book over time, from the server's history.

import type uPlot from 'uplot';
import { type OddsRow, OverroundError } from '../src/client/client.js';
import { element } from './dom.js';
import { lineText, type OddsFormat, priceText } from './model/odds-format.js';
import { type HistoryRow, seriesOf } from './model/price-history.js';
import type { Session } from './session.js';

const HEIGHT_PX = 220;

export class HistoryChart {
  readonly #root: HTMLElement;
  readonly #session: Session;
  #plot: uPlot | undefined;
  #asked = '';

  constructor(root: HTMLElement, session: Session) {
    this.#root = root;
    this.#session = session;
    new ResizeObserver(() => this.#plot?.setSize({ width: this.#width, height: HEIGHT_PX })).observe(root);
  }

  clear(): void {
    this.#asked = '';
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#root.replaceChildren();
    this.#root.hidden = true;
  }

  /** All books' prices of the row's outcome at its line. */
  async show(row: OddsRow, format: OddsFormat): Promise<void> {
    const asked = row.id;
    this.clear();
    this.#asked = asked;
    this.#root.hidden = false;
    const title = [row.player_name, row.selection, lineText(row.line, row.market_type)].filter(Boolean).join(' ');
    const head = element('h3', '', title);
    const note = element('p', 'quiet', 'Loading');
    this.#root.replaceChildren(head, note);
    try {
      const { data } = await this.#session.client.get<HistoryRow[]>('/odds/history', {
        event: row.event_id,
        market: row.market_type,
        selection: row.selection,
        ...(row.line === null ? {} : { line: row.line }),
        limit: 5_000,
      });
      if (this.#asked !== asked) return;
      const rows = data.filter(({ selection }) => selection === row.selection);
      if (rows.length === 0) note.textContent = 'No history of this outcome yet.';
      else {
        // Only those who look at a chart need it.
        const { default: Plot } = await import('uplot');
        note.remove();
        this.#draw(Plot, rows, row.sportsbook, format);
      }
    } catch (error) {
      if (this.#asked === asked) note.textContent = reasonOf(error);
    }
  }

  get #width(): number {
    return Math.max(200, this.#root.clientWidth - 24);
  }

  #draw(Plot: typeof uPlot, rows: readonly HistoryRow[], book: string, format: OddsFormat): void {
    const { times, series } = seriesOf(rows, this.#session.clock.now() / 1_000);
    const colour = getComputedStyle(this.#root).color;
    const grid = { stroke: 'rgba(128,128,128,0.2)', width: 1 };
    const text = (_: uPlot, values: number[]): string[] => values.map((value) => priceText({ decimal: value }, format));
    this.#plot = new Plot(
      {
        width: this.#width,
        height: HEIGHT_PX,
        cursor: { focus: { prox: 24 } },
        focus: { alpha: 0.25 },
        axes: [
          { stroke: colour, grid },
          { stroke: colour, grid, size: 64, values: text },
        ],
        series: [
          {},
          ...series.map(({ sportsbook }, i) => ({
            label: this.#session.nameOf(sportsbook),
            stroke: `hsl(${Math.round((i * 360) / series.length)} 65% 50%)`,
            width: sportsbook === book ? 2.5 : 1.2,
            paths: Plot.paths.stepped!({ align: 1 }),
            points: { show: false },
            value: (_: uPlot, value: number | null) => (value === null ? '' : priceText({ decimal: value }, format)),
          })),
        ],
      },
      [times, ...series.map(({ values }) => values)],
      this.#root,
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof OverroundError)) return String(error);
  if (error.tier !== undefined)
    return `History needs the tier ${error.tier}: what is shown is the price now, and the one before in its tooltip.`;
  if (error.status === 404) return 'This server keeps no history.';
  return error.message;
}

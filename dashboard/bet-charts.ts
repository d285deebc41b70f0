// The profit of the account's bets over time beside what their closing line values promised, and each bet's result
// against its closing line value.
import { html, type TemplateResult } from 'lit-html';
import type uPlot from 'uplot';
import type { AccountBet } from '../src/client/client.js';
import { timeAxis } from './chart-parts.js';
import { element } from './dom.js';
import { isSettled, profitCurve } from './model/bet-sums.js';
import { moneyText, signedText } from './model/odds-format.js';

const HEIGHT_PX = 200;

export class BetCharts {
  readonly #curve = element('figure', 'curve');
  readonly #scatter = element('figure', 'scatter');
  #plots: uPlot[] = [];
  #drawn = 0;

  constructor() {
    this.#curve.hidden = true;
    this.#scatter.hidden = true;
    new ResizeObserver(() => {
      for (const plot of this.#plots) plot.setSize({ width: widthOf(plot.root.parentElement!), height: HEIGHT_PX });
    }).observe(this.#curve);
  }

  template(): TemplateResult {
    return html`<div class="bet-charts">${this.#curve}${this.#scatter}</div>`;
  }

  draw(bets: readonly AccountBet[]): void {
    void this.#draw(bets);
  }

  async #draw(bets: readonly AccountBet[]): Promise<void> {
    const turn = ++this.#drawn;
    // Only those who look at a chart need it.
    const { default: Plot } = await import('uplot');
    if (turn !== this.#drawn) return;
    for (const plot of this.#plots) plot.destroy();
    this.#plots = [];
    const { times, profit, expected, within } = profitCurve(bets);
    const valued = bets
      .filter((bet) => isSettled(bet) && bet.clv_percent !== null && bet.stake_filled > 0)
      .sort((a, b) => a.clv_percent! - b.clv_percent!);
    this.#curve.hidden = times.length === 0;
    this.#scatter.hidden = valued.length === 0;
    this.#curve.replaceChildren(element('figcaption', '', promiseText(profit.at(-1), expected.at(-1), within.at(-1))));
    this.#scatter.replaceChildren(
      element('figcaption', '', 'Return of each bet against its closing line value, percent'),
    );
    // The figures may not be in the page yet.
    const colour = getComputedStyle(document.body).color;
    const grid = { stroke: 'rgba(128,128,128,0.2)', width: 1 };
    const axis = { stroke: colour, grid };
    const common = { height: HEIGHT_PX, legend: { live: false } };
    if (times.length > 0)
      this.#plots.push(
        new Plot(
          {
            ...common,
            width: widthOf(this.#curve),
            axes: [
              timeAxis(colour, grid),
              { ...axis, size: 80, values: (_, values) => values.map((value) => moneyText(value)) },
            ],
            series: [
              {},
              { label: 'profit', stroke: colour, width: 2, paths: Plot.paths.stepped!({ align: 1 }) },
              { label: 'by closing line value', stroke: '#b98a2f', dash: [5, 4], width: 1.5, points: { show: false } },
              ...['the most by chance', 'the least by chance'].map((label) => {
                return { label, stroke: 'rgba(185,138,47,0.4)', width: 1, points: { show: false } };
              }),
            ],
            bands: [{ series: [3, 4], fill: 'rgba(185,138,47,0.12)' }],
          },
          // A single step would have no width.
          [
            [times[0]! - 60, ...times],
            [0, ...profit],
            [0, ...expected],
            [0, ...expected.map((value, i) => value + within[i]!)],
            [0, ...expected.map((value, i) => value - within[i]!)],
          ],
          this.#curve,
        ),
      );
    if (valued.length > 0)
      this.#plots.push(
        new Plot(
          {
            ...common,
            width: widthOf(this.#scatter),
            scales: { x: { time: false, range: (_, min, max) => [Math.min(-2, min - 1), Math.max(2, max + 1)] } },
            axes: [axis, { ...axis, size: 64 }],
            series: [
              {},
              { label: 'bets', stroke: colour, width: 0, paths: () => null, points: { show: true, size: 6 } },
            ],
          },
          [
            valued.map(({ clv_percent }) => clv_percent!),
            valued.map(({ profit: made, stake_filled }) => (made! / stake_filled) * 100),
          ],
          this.#scatter,
        ),
      );
  }
}

/** The picture in words: whether the profit is within what chance makes of the promise. */
function promiseText(profit = 0, expected = 0, within = 0): string {
  const off = profit - expected;
  const said =
    Math.abs(off) <= within
      ? 'within what chance makes of it'
      : off > 0
        ? 'more than chance makes of it 19 times in 20'
        : 'less than chance makes of it 19 times in 20';
  return `Profit ${signedText(profit)}; the close promised ${signedText(expected)} (± ${moneyText(within)}): ${said}`;
}

const widthOf = (place: HTMLElement): number => Math.max(220, place.clientWidth - 20);

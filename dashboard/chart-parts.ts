// What all charts have: an axis of time on one line, and the legend from the keyboard: uPlot's own shows and hides a line
// by click alone.
import type uPlot from 'uplot';

const DAY_S = 86_400;
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const TIMES = {
  seconds: new Intl.DateTimeFormat(undefined, { ...CLOCK, second: '2-digit' }),
  minutes: new Intl.DateTimeFormat(undefined, CLOCK),
  days: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }),
};

/** One text for each instant: the clock, or the date where a step is a day. */
export function timeAxis(stroke: string, grid: uPlot.Axis.Grid): uPlot.Axis {
  const values = (_: uPlot, splits: number[], _axis: number, _space: number, stepS: number): string[] => {
    const format = stepS >= DAY_S ? TIMES.days : stepS >= 60 ? TIMES.minutes : TIMES.seconds;
    return splits.map((s) => format.format(s * 1_000));
  };
  return { stroke, grid, space: 90, values };
}

export function reachLegend(plot: uPlot): void {
  const labels = [...plot.root.querySelectorAll<HTMLElement>('.u-series .u-label')];
  // The first is the axis of time, unless the legend has none.
  for (const [i, label] of labels.entries()) {
    const at = i + plot.series.length - labels.length;
    if (at === 0) continue;
    label.tabIndex = 0;
    label.role = 'checkbox';
    label.ariaChecked = String(plot.series[at]!.show);
    label.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      label.click();
    });
    label.parentElement!.addEventListener('click', () => {
      label.ariaChecked = String(plot.series[at]!.show);
    });
  }
}

// The legend of a chart from the keyboard: uPlot's own shows and hides a line by click alone.
import type uPlot from 'uplot';

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

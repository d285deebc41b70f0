// Line plots on logarithmic axes, and bars, as SVG: what the report needs and no more. (Chart libraries that draw without
// a browser bring a grammar and tens of megabytes for it.) Each brings a ground of its own, light or dark as its reader.
import { type Bars, exponentsOf, format, type Plot } from './bench.js';

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 78;
const RIGHT = 20;
const TOP = 46;
const BOTTOM = 58;
const LEGEND = 18;
const BAR = 24;
const BAR_LEFT = 190;
const BAR_RIGHT = 110;
const LIGHT = ['#1f6feb', '#d1242f', '#1a7f37', '#8250df', '#9a6700'];
const DARK = ['#58a6ff', '#ff7b72', '#3fb950', '#bc8cff', '#d29922'];
const DASHES = ['none', '6 3', '2 3', '8 3 2 3', '12 4'];
const STYLE = `<style>
${theme('#ffffff', '#1f2328', '#d0d7de', '#848d97', LIGHT)}
@media (prefers-color-scheme: dark) { ${theme('#0d1117', '#e6edf3', '#3d444d', '#7d8590', DARK)} }
</style>`;

function theme(ground: string, ink: string, grid: string, control: string, colours: readonly string[]): string {
  const series = colours.map((colour, i) => `.c${i} { fill: ${colour}; } .l${i} { stroke: ${colour}; }`).join(' ');
  return `.ground { fill: ${ground}; } text { fill: ${ink}; } .grid { stroke: ${grid}; } .quiet { fill: ${grid}; } .control { fill: ${control}; } ${series}`;
}

function opened(height: number): string[] {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    STYLE,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
  ];
}

/** One bar under the other, from nothing, in the order given; the program's own in colour, its control darker than peers. */
export function svgOfBars({ title, unit, bars }: Bars): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const parts = [
    ...opened(TOP + bars.length * BAR + 12),
    text(16, 24, `${title} (${unit})`, 'start', ' font-size="14" font-weight="600"'),
  ];
  for (const [i, { name, value, own, control }] of bars.entries()) {
    const top = TOP + i * BAR;
    const width = (value / most) * (WIDTH - BAR_LEFT - BAR_RIGHT);
    const weight = own ? ' font-weight="600"' : '';
    parts.push(text(BAR_LEFT - 8, top + 15, control ? `${name} (control)` : name, 'end', weight));
    const kind = own ? 'c0' : control ? 'control' : 'quiet';
    parts.push(
      `<rect class="${kind}" x="${BAR_LEFT}" y="${top + 3}" width="${width.toFixed(1)}" height="${BAR - 7}"/>`,
    );
    parts.push(text(BAR_LEFT + width + 6, top + 15, format(value), 'start', weight));
  }
  return `${parts.join('\n')}\n</svg>\n`;
}

/** On logarithmic axes, so that a power law is a straight line whose slope is the exponent named with it. */
export function svgOf(plot: Plot): string {
  const points = plot.series.flatMap((series) => series.points).filter(({ x, y }) => x > 0 && y > 0);
  const xs = axis(points.map(({ x }) => x));
  const ys = axis(points.map(({ y }) => y));
  const legend = plot.series.length * LEGEND;
  const [ceiling, floor] = [TOP + legend, HEIGHT + legend - BOTTOM];
  const left = (x: number): number => LEFT + xs.place(x) * (WIDTH - LEFT - RIGHT);
  const top = (y: number): number => floor - ys.place(y) * (floor - ceiling);
  const parts = [
    ...opened(HEIGHT + legend),
    text(16, 24, plot.title, 'start', ' font-size="14" font-weight="600"'),
    text((LEFT + WIDTH - RIGHT) / 2, floor + 42, `${plot.x} (logarithmic)`, 'middle'),
    `<text transform="translate(16 ${(ceiling + floor) / 2}) rotate(-90)" text-anchor="middle">${escaped(plot.y)} (logarithmic)</text>`,
  ];
  for (const tick of xs.ticks) {
    const at = left(tick).toFixed(1);
    parts.push(`<line x1="${at}" x2="${at}" y1="${ceiling}" y2="${floor}" class="grid"/>`);
    parts.push(text(left(tick), floor + 18, short(tick), 'middle'));
  }
  for (const tick of ys.ticks) {
    const at = top(tick).toFixed(1);
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" class="grid"/>`);
    parts.push(text(LEFT - 8, top(tick) + 4, short(tick), 'end'));
  }
  for (const [i, { name, points, exponent }] of plot.series.entries()) {
    const no = i % LIGHT.length;
    // Not by colour alone.
    const stroke = `fill="none" class="l${no}" stroke-width="2" stroke-dasharray="${DASHES[no]}"`;
    const at = TOP - 2 + LEGEND * i;
    parts.push(`<path d="M${LEFT} ${at}h28" ${stroke}/>`);
    parts.push(`<circle cx="${LEFT + 14}" cy="${at}" r="3" class="c${no}"/>`);
    const fitted = Number.isFinite(exponent) ? ` – fitted exponent ${exponentsOf(points, exponent)}` : '';
    parts.push(text(LEFT + 36, at + 4, `${name}${fitted}`, 'start'));
    const shown = points.filter(({ x, y }) => x > 0 && y > 0);
    const line = shown.map(({ x, y }) => `${left(x).toFixed(1)},${top(y).toFixed(1)}`).join(' ');
    parts.push(`<polyline points="${line}" ${stroke}/>`);
    for (const { x, y } of shown)
      parts.push(`<circle cx="${left(x).toFixed(1)}" cy="${top(y).toFixed(1)}" r="3" class="c${no}"/>`);
  }
  return `${parts.join('\n')}\n</svg>\n`;
}

interface Axis {
  ticks: number[];
  /** 0 to 1. */
  place(value: number): number;
}

/** Logarithmic, from a round number below the least to one above the most. */
function axis(values: readonly number[]): Axis {
  const most = roundUp(Math.max(...values));
  // A decade at least: what hardly grows is to look so.
  const least = roundDown(Math.min(...values, most / 10));
  const ticks: number[] = [];
  for (let tick = least; tick <= most * 1.0001; tick = nextRound(tick)) ticks.push(tick);
  const span = Math.log(most / least);
  const shown = ticks.length > 9 ? ticks.filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9) : ticks;
  return { ticks: shown, place: (value) => Math.log(value / least) / span };
}

const ROUND = [1, 2, 5, 10];

function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [...ROUND].reverse().find((digit) => digit * power <= value * 1.0001)! * power;
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ROUND.find((digit) => digit * power >= value * 0.9999)! * power;
}

function nextRound(value: number): number {
  return roundUp(value * 1.5);
}

function short(value: number): string {
  if (value >= 1e6) return `${format(value / 1e6).replace(/\.0+$/, '')}M`;
  return value >= 1e3 ? `${value / 1e3}k` : String(Number(value.toPrecision(3)));
}

function text(x: number, y: number, content: string, anchor: string, more = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${more}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

// Numbers and times as they are read.

/** American odds with their sign. */
export function american(odds: number): string {
  return odds > 0 ? `+${odds}` : String(odds);
}

/** `moneyline_1st_half` as `moneyline 1st half`. */
export function words(id: string): string {
  return id.replaceAll('_', ' ');
}

/** `+3.5` where the line is a handicap, else the number; nothing where there is none. */
export function lineText(line: unknown, marketType: string): string {
  if (typeof line !== 'number') return '';
  return /spread|handicap|run_line|puck_line/.test(marketType) && line > 0 ? `+${line}` : String(line);
}

const TIME = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

export function timeText(instant: string): string {
  return TIME.format(new Date(instant));
}

export function percent(value: unknown): string {
  return typeof value === 'number' ? `${value.toFixed(2)} %` : '';
}

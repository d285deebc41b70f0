// A tool's answer in a few lines of text, for models and people: the full answer is the structured content.
import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';

/** Maximum text of one answer: about 6,000 tokens. A default page of every list is well below it. */
const TEXT_CHARS_MAX = LIMITS.mcpText.max;
const LINE_CHARS_MAX = LIMITS.mcpLine.max;

export type Line = (row: unknown) => string | undefined;

/** A field by its dotted path, as text; empty if it is absent. */
export function field(path: string, show: (value: unknown) => string | undefined = asText): Line {
  const names = path.split('.');
  return (row) => {
    let value = row;
    for (const name of names) value = isMap(value) ? value[name] : undefined;
    return value === null || value === undefined ? undefined : show(value);
  };
}

export const signed = (value: unknown): string => `${Number(value) > 0 ? '+' : ''}${value}`;
export const american = (path: string): Line => field(path, signed);
export const percent = (path: string, what: string): Line => field(path, (value) => `${round(value)} % ${what}`);
export const labelled = (path: string, label: string, show = asText): Line =>
  field(path, (value) => `${label} ${show(value)}`);
export const flag = (path: string, word: string): Line => field(path, (value) => (value === true ? word : undefined));
export const joined = (separator: string, ...parts: readonly Line[]): Line => {
  return (row) => parts.flatMap((part) => part(row) ?? []).join(separator) || undefined;
};
/** The same line for each item of a list. */
export const each = (path: string, item: Line): Line =>
  field(path, (value) =>
    Array.isArray(value) ? value.flatMap((one) => item(one) ?? []).join(' + ') || undefined : undefined,
  );

/** The list in a field, or undefined if there is none. */
export function below(item: unknown, name: string): unknown[] | undefined {
  const list = isMap(item) ? item[name] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** `score 51-54 Q3 07:12`, away team first as in the event's name; empty before a score is known. */
export const score: Line = field('game_state', (state) => {
  const { home_score: home, away_score: away, period, clock } = state as Record<string, unknown>;
  const known = [typeof home === 'number' && typeof away === 'number' ? `${away}-${home}` : undefined, period, clock];
  const shown = known.filter((part) => part !== undefined && part !== null && part !== '');
  return shown.length === 0 ? undefined : `score ${shown.join(' ')}`;
});

/** A price that cannot be bet now. */
export const off: Line = field('is_active', (active) => (active === false ? 'SUSPENDED' : undefined));

interface BookPrice {
  odds_american: number;
  /** After commission, by which prices are ranked. */
  odds_decimal_net: number;
  possibly_stale?: boolean;
  is_active?: boolean;
}

function doubt({ is_active, possibly_stale }: BookPrice): string {
  if (is_active === false) return ' (suspended)';
  return possibly_stale === true ? ' (old)' : '';
}

/** Every book's price of a selection (book → price), best first. */
export const booksOf = (path: string): Line =>
  field(path, (books) =>
    Object.entries(books as Record<string, BookPrice>)
      .sort(([, a], [, b]) => b.odds_decimal_net - a.odds_decimal_net)
      .map(([book, price]) => `${book} ${signed(price.odds_american)}${doubt(price)}`)
      .join(', '),
  );

export interface Reading {
  /** A row as one line … */
  line?: Line;
  /** … or as several. */
  lines?: (row: unknown) => (string | undefined)[];
  /** If the data is one object whose rows are a list within it: that list's name, and the object's own line. */
  within?: { rows: string; head: Line };
}

/** Header line, then the rows' lines, then what was omitted and what to request next. */
export function readable(body: unknown, { line, lines = (row) => [line?.(row)], within }: Reading): string {
  const { data, pagination, meta, removed } = (isMap(body) ? body : {}) as Partial<Record<string, unknown>>;
  const inner = within !== undefined && isMap(data) ? data[within.rows] : undefined;
  const list = Array.isArray(inner) ? inner : data;
  const rows = Array.isArray(list) ? list : [list];
  const { shown, left } = textOf(rows, lines);
  const notes = [
    within === undefined ? undefined : oneLine(within.head(data) ?? ''),
    Array.isArray(data) ? headOf(rows.length, pagination) : undefined,
    ...shown,
    left === 0 ? undefined : `… ${left} more in the structured content; ask for less to read them here`,
    Array.isArray(removed) && removed.length > 0 ? `${removed.length} removed` : undefined,
    isMap(body) && body['overflow'] === true
      ? 'overflow: beyond 10,000; ask for less by league, event or market, and after get_odds_delta read get_odds anew'
      : undefined,
    labelled('server_time', 'server_time')(meta),
    labelled('unknown', 'unknown, so nothing matches:')(meta),
    labelled('ignored', 'unknown arguments, ignored:')(meta),
  ];
  return notes.filter((note) => note !== undefined).join('\n');
}

/** As many whole rows as fit, at least one; `left` is the number of the others. */
function textOf(rows: readonly unknown[], lines: NonNullable<Reading['lines']>): { shown: string[]; left: number } {
  const shown: string[] = [];
  let chars = 0;
  for (const [i, row] of rows.entries()) {
    const texts = lines(row).filter((one) => one !== undefined);
    const own = (texts.length > 0 ? texts : [JSON.stringify(row) ?? '']).map(oneLine);
    for (const one of own) chars += one.length + 1;
    if (i > 0 && chars > TEXT_CHARS_MAX) return { shown, left: rows.length - i };
    shown.push(...own);
  }
  return { shown, left: 0 };
}

function headOf(count: number, pagination: unknown): string {
  const page = (isMap(pagination) ? pagination : {}) as Record<string, unknown>;
  const total = typeof page['total'] === 'number' ? page['total'] : count;
  if (page['has_more'] !== true) return `${count} of ${total}`;
  const next = page['next_cursor'] === undefined ? `offset ${page['next_offset']}` : `cursor ${page['next_cursor']}`;
  return `${count} of ${total}; next page: ${next}`;
}

/** Names come from feeds: none of them may look like a line of ours. */
function oneLine(text: string): string {
  const flat = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return flat.length > LINE_CHARS_MAX ? `${flat.slice(0, LINE_CHARS_MAX)}…` : flat;
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(', ');
  if (!isMap(value)) return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name} ${asText(one)}`)
    .join(', ');
}

function round(value: unknown): string {
  return String(Math.round(Number(value) * 100) / 100);
}

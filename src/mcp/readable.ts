// A tool's answer in a few lines of text, for models and people: the full answer is the structured content.

/** Lines of one answer: the default page of every list is shown whole. */
const LINES_MAX = 50;
const LINE_CHARS_MAX = 1_000;

export type Line = (row: unknown) => string | undefined;

/** A field by its dotted path, as text; nothing where it is not there. */
export function field(path: string, show: (value: unknown) => string | undefined = asText): Line {
  const names = path.split('.');
  return (row) => {
    let value = row;
    for (const name of names) value = isObject(value) ? value[name] : undefined;
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
export const each = (path: string, item: Line, separator = ' + '): Line =>
  field(path, (value) =>
    Array.isArray(value) ? value.flatMap((one) => item(one) ?? []).join(separator) || undefined : undefined,
  );

export interface Reading {
  line: Line;
  /** Where the data is one object and a list within it its rows: that list's name, and the object's own line. */
  within?: { rows: string; head: Line };
}

/** Head line, then a line a row, then what was left out and what to ask next. */
export function readable(body: unknown, { line, within }: Reading): string {
  const { data, pagination, meta, removed } = (isObject(body) ? body : {}) as Partial<Record<string, unknown>>;
  const inner = within !== undefined && isObject(data) ? data[within.rows] : undefined;
  const list = Array.isArray(inner) ? inner : data;
  const rows = Array.isArray(list) ? list : [list];
  const shown = rows.slice(0, LINES_MAX).map((row) => oneLine(line(row) ?? JSON.stringify(row) ?? ''));
  const notes = [
    within === undefined ? undefined : oneLine(within.head(data) ?? ''),
    Array.isArray(data) ? headOf(rows.length, pagination) : undefined,
    ...shown,
    rows.length > LINES_MAX ? `… ${rows.length - LINES_MAX} more in the structured content` : undefined,
    Array.isArray(removed) && removed.length > 0 ? `${removed.length} removed` : undefined,
    isObject(body) && body['overflow'] === true ? 'overflow: take a snapshot with get_odds' : undefined,
    labelled('server_time', 'server_time')(meta),
    labelled('unknown', 'unknown, so nothing matches:')(meta),
    labelled('ignored', 'unknown arguments, ignored:')(meta),
  ];
  return notes.filter((note) => note !== undefined).join('\n');
}

function headOf(count: number, pagination: unknown): string {
  const page = (isObject(pagination) ? pagination : {}) as Record<string, unknown>;
  const total = typeof page['total'] === 'number' ? page['total'] : count;
  if (page['has_more'] !== true) return `${count} of ${total}`;
  const next = page['next_cursor'] === undefined ? `offset ${page['next_offset']}` : `cursor ${page['next_cursor']}`;
  return `${count} of ${total}; next page: ${next}`;
}

/** Names come from feeds: none of them may pass for a line of ours. */
function oneLine(text: string): string {
  const flat = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return flat.length > LINE_CHARS_MAX ? `${flat.slice(0, LINE_CHARS_MAX)}…` : flat;
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(', ');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name} ${asText(one)}`)
    .join(', ');
}

function round(value: unknown): string {
  return String(Math.round(Number(value) * 100) / 100);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

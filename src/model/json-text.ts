// JSON of single values, for what is put together from texts: turning objects into JSON costs several times as much.

// What JSON must escape; half of a surrogate pair too, which no UTF-8 can hold.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** JSON of a text: nearly all texts are their own. */
export function jsonText(value: string): string {
  return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/** JSON of a value; null where there is none. Numbers are finite. */
export function jsonValue(value: string | number | boolean | null | undefined): string {
  if (value === undefined || value === null) return 'null';
  return typeof value === 'string' ? jsonText(value) : String(value);
}

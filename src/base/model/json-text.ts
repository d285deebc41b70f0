// JSON of single values, for answers that are joined from texts: JSON.stringify of objects costs several times as much.

// What JSON must escape; half of a surrogate pair too, which no UTF-8 can hold.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The most bytes that UTF-8 takes for a UTF-16 unit. */
export const UTF8_BYTES_PER_UNIT = 3;

/** Whether the JSON of a text is the text itself in quotes. */
export function isPlainJson(text: string): boolean {
  return !ESCAPED.test(text);
}

/** JSON of a text; nearly all texts need no escaping. */
export function jsonText(value: string): string {
  return isPlainJson(value) ? `"${value}"` : JSON.stringify(value);
}

/** JSON of a value; null if there is none. Numbers must be finite. */
export function jsonValue(value: string | number | boolean | null | undefined): string {
  if (value === undefined || value === null) return 'null';
  return typeof value === 'string' ? jsonText(value) : String(value);
}

// Text that a spreadsheet would run as a formula, prefixed with an apostrophe in each of its lines, and taken back.

const FORMULA = "'*[=+\\-@\\t\\r\uFF1D\uFF0B\uFF0D\uFF20]";
/** Also where apostrophes precede it already, so that taking one away gives back what was there. */
const BEGINS_FORMULA = new RegExp(`(?<=^|[\\r\\n])(?=${FORMULA})`, 'g');
const ESCAPED_FORMULA = new RegExp(`(?<=^|[\\r\\n])'(?=${FORMULA})`, 'g');

export function escapeFormulas(text: string): string {
  return text.replace(BEGINS_FORMULA, "'");
}

export function unescapeFormulas(text: string): string {
  return text.replace(ESCAPED_FORMULA, '');
}

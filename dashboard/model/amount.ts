// Amounts as people type them: `12.5` and `12,5` are the same, `1,000.50` is a thousand and a half, and what can be read in
// two ways is refused rather than guessed. A browser's own number field drops the comma and makes 125 of `12,5`.

const IN_TWO_WAYS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Undefined if it is no amount, or could be two. */
export function parseAmount(text: string): number | undefined {
  const given = text
    .trim()
    .replaceAll(/[\s\u00a0\u202f']/g, '')
    .replace('\u2212', '-');
  if (!/^[-+]?[\d.,]*\d[.,]?$/.test(given)) return undefined;
  const plain = separated(given);
  if (plain === undefined) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** With a point before the decimals, and nothing between thousands. */
function separated(given: string): string | undefined {
  const marks = given.replaceAll(/[^.,]/g, '');
  if (marks === '') return given;
  const digits = given.replace(/^[-+]/, '');
  // `1,000` and `1.000` are a thousand to some and one to others.
  if (marks.length === 1) return IN_TWO_WAYS.test(digits) ? undefined : given.replace(',', '.');
  const decimal = marks.at(-1)!;
  const group = decimal === '.' ? ',' : '.';
  const isGrouped = (mark: string, tail: string): boolean =>
    new RegExp(`^[1-9]\\d{0,2}(\\${mark}\\d{3})+${tail}$`).test(digits);
  if (isGrouped(group, `\\${decimal}\\d*`)) return given.replaceAll(group, '').replace(decimal, '.');
  return isGrouped(decimal, '') ? given.replaceAll(decimal, '') : undefined;
}

/** As it is typed, and read as the same again. */
export function amountInput(value: number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return IN_TWO_WAYS.test(text.replace('-', '')) ? `${text}0` : text;
}

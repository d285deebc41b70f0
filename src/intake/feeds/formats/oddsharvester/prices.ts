// Prices as OddsHarvester writes them: texts, decimal, American or fractional, whatever was asked for.

const FRACTION = /^(\d+)\/(\d+)$/;
const SIGNED = /^[+-]\d+$/;

/** Decimal odds of each; undefined where there is none. */
export function decimalsOf(texts: readonly unknown[]): (number | undefined)[] {
  const written = texts.map((text) =>
    (typeof text === 'number' ? String(text) : typeof text === 'string' ? text : '').trim(),
  );
  const isAmerican = written.some((text) => SIGNED.test(text));
  return written.map((text) => decimalOf(text.replace('\u2212', '-'), isAmerican));
}

function decimalOf(text: string, isAmerican: boolean): number | undefined {
  const [, above, below] = FRACTION.exec(text) ?? [];
  if (above !== undefined) return aboveOne(1 + Number(above) / Number(below));
  if (/^ev(?:en|s)?$/i.test(text)) return 2;
  const number = text === '' ? Number.NaN : Number(text.replace(/^(\d+),(\d+)$/, '$1.$2'));
  if (!isAmerican) return aboveOne(number);
  if (!(Math.abs(number) >= 100)) return undefined;
  return aboveOne(number > 0 ? 1 + number / 100 : 1 - 100 / number);
}

function aboveOne(decimal: number): number | undefined {
  return decimal > 1 && Number.isFinite(decimal) ? Number(decimal.toFixed(6)) : undefined;
}

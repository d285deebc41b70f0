// The key by which props of the same player at different books are grouped. Never shown.

const SUFFIX = /[\s,]+(?:jr|sr|ii|iii|iv)$/;

/**
 * `LaMonte Wade Jr.`, `Lamonte Wade, Jr` and `LAMONTE WADE` have one key; `T.J. Watt` and `TJ Watt` share another.
 * Case, accents, punctuation, spaces and the suffixes Jr, Sr, II, III, IV are ignored.
 */
export function canonicalPlayerName(name: string): string {
  let plain = name
    .normalize('NFC')
    .replace(/[.'’‘ʼʻ`´]/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .trim();
  while (SUFFIX.test(plain)) plain = plain.replace(SUFFIX, '');
  const key = plain.replace(/[^\p{L}\p{N}]+/gu, '');
  return key === '' ? name.trim().toLowerCase() : key;
}

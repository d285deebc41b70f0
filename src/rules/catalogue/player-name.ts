// The key by which props of the same player at different books are grouped. Never shown.

const SUFFIX = /[\s,]+(jr|sr|ii|iii|iv)$/;
const MAY_HAVE_SUFFIX = /[\s,](?:jr|sr|ii|iii|iv)\W*$/i;

/**
 * `LaMonte Wade Jr.`, `Lamonte Wade, Jr` and `LAMONTE WADE` have one key; `T.J. Watt` and `TJ Watt` share another.
 * Case, accents, punctuation, spaces and the suffixes Jr, Sr, II, III, IV are ignored.
 */
export function canonicalPlayerName(name: string): string {
  return split(name).key;
}

/**
 * The key among an event's players: with the suffix of a name that some book of the event lists both with and without
 * it, or with two: there they are two men.
 */
export function playerKey(name: string, namesakes: readonly string[] | undefined): string {
  const { key, suffix } = split(name);
  return suffix !== '' && namesakes?.includes(key) === true ? `${key} ${suffix}` : key;
}

/** Canonical names of different men among names that one book lists in one market. */
export function namesakesIn(names: Iterable<string>): string[] {
  const suffixes = new Map<string, string>();
  const found = new Set<string>();
  for (const name of names) {
    const { key, suffix } = split(name);
    const known = suffixes.get(key);
    if (known === undefined) suffixes.set(key, suffix);
    else if (known !== suffix) found.add(key);
  }
  return [...found];
}

/** Whether a name may end in a suffix: false for nearly all, and cheaply. */
export function mayHaveSuffix(name: string): boolean {
  return MAY_HAVE_SUFFIX.test(name);
}

function split(name: string): { key: string; suffix: string } {
  let plain = name
    .normalize('NFC')
    .replace(/[.'’‘ʼʻ`´]/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .trim();
  let suffix = '';
  for (let found = SUFFIX.exec(plain); found !== null; found = SUFFIX.exec(plain)) {
    suffix = found[1]! + suffix;
    plain = plain.slice(0, found.index);
  }
  const key = plain.replace(/[^\p{L}\p{N}]+/gu, '');
  return { key: key === '' ? name.trim().toLowerCase() : key, suffix };
}

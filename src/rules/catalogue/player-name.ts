// The key by which props of the same player at different books are grouped. Never shown.

import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';

/** Latin letters that Unicode does not decompose into a base letter and an accent. */
export const LATIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
};

/** What stands behind a name for whose son, or which of the name, it is. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['jr', 'jr'],
  ['junior', 'jr'],
  ['sr', 'sr'],
  ['senior', 'sr'],
  ['ii', 'ii'],
  ['2nd', 'ii'],
  ['iii', 'iii'],
  ['3rd', 'iii'],
  ['iv', 'iv'],
  ['4th', 'iv'],
  ['v', 'v'],
  ['5th', 'v'],
]);
const ANY_SUFFIX = [...SUFFIXES.keys()].join('|');
const SUFFIX = new RegExp(`[\\s,]+(${ANY_SUFFIX})$`);
/** At the end, or before the comma of a name whose surname is first. */
const MAY_HAVE_SUFFIX = new RegExp(`[\\s,](?:${ANY_SUFFIX})(?:[^\\p{L}\\p{N}]*$|\\.?,)`, 'iu');
/** `Jackson Jr, Jaren`: what follows the comma stands before it. */
const SURNAME_FIRST = new RegExp(`^([^,]+),(?!\\s*(?:${ANY_SUFFIX})$)([^,]+)$`);
const LETTERS = new RegExp(`[${Object.keys(LATIN_LETTERS).join('')}]`, 'g');

/**
 * `LaMonte Wade Jr.`, `Lamonte Wade, Jr` and `LAMONTE WADE` have one key; `T.J. Watt` and `TJ Watt` share another.
 * Case, accents, letters with a stroke (`Ødegaard`, `Odegaard`), punctuation, spaces and the suffixes Jr, Sr, II, III, IV, V are
 * ignored, also written out; `Wade Jr., LaMonte` has the same key.
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

/** Every key that others may have given a name: first that with its suffix, which is his own among namesakes. */
export function playerKeys(name: string): string[] {
  const { key, suffix } = split(name);
  const own = suffix === '' ? key : `${key} ${suffix}`;
  return [...new Set([own, key, ...[...new Set(SUFFIXES.values())].map((each) => `${key} ${each}`)])];
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

interface Split {
  readonly key: string;
  readonly suffix: string;
}

const known = new BoundedMap<string, Split>(LIMITS.playerNames.max);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A feed repeats a name with every poll. */
function split(name: string): Split {
  let found = known.get(name);
  if (found === undefined) {
    found = splitAnew(name);
    // A copy: a substring keeps the whole message in memory. The dashboard has no Buffer.
    known.set(decoder.decode(encoder.encode(name)), found);
  }
  return found;
}

function splitAnew(name: string): Split {
  let plain = name
    .normalize('NFC')
    .replace(/[.'’‘ʼʻ`´]/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(LETTERS, (letter) => LATIN_LETTERS[letter]!)
    .trim()
    .replace(SURNAME_FIRST, '$2 $1');
  let suffix = '';
  for (let found = SUFFIX.exec(plain); found !== null; found = SUFFIX.exec(plain)) {
    suffix = SUFFIXES.get(found[1]!)! + suffix;
    plain = plain.slice(0, found.index);
  }
  const key = plain.replace(/[^\p{L}\p{N}]+/gu, '');
  return { key: key === '' ? name.trim().toLowerCase() : key, suffix };
}

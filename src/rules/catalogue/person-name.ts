// Names of players of tennis, boxing and the like, whom no list has: `Zverev A.`, `A. Zverev`, `Zverev, Alexander` and
// `Alexander Zverev` may be one man, `Mischa Zverev` is another.
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';
import { slug } from './team-name.js';

/** Sports between two persons. */
export const PERSON_SPORTS: ReadonlySet<string> = new Set(['tennis', 'table_tennis', 'badminton', 'mma', 'boxing']);

/** A name's words, without accents and in lower case: those written out, and initials, or more letters of what is cut short. */
export interface PersonWords {
  readonly full: readonly string[];
  readonly initials: readonly string[];
}

const SUFFIX = /^(?:jr|sr|ii|iii|iv)$/;
/** A pair of players. */
const PAIR = /[/&+]/;
/** `J.M.`, `J. M.`, `J`: letters for first names. */
const INITIALS = /^(?:\p{Lu}\.?){1,3}$/u;
/** `Zh.`, `Ka.`, `J.Ch.`: first names cut short, where a letter would fit two players. `St.` is a word of surnames. */
const CUT_SHORT = /^(?!Ste?\.$)(?:\p{Lu}\p{Ll}{0,3}\.)+$/u;
/** Of a name of several words that the other spelling leaves out. */
const LEFT_OUT_MOST = 2;
/** A word that says who it is. */
const TELLING = 2;

const read = new BoundedMap<string, PersonWords | null>(LIMITS.resolvedNames.max);

/** Null for a pair, and for a name that no word says. */
export function personWords(name: string): PersonWords | null {
  let words = read.get(name);
  if (words === undefined) {
    words = wordsOf(name);
    read.set(name, words);
  }
  return words;
}

function wordsOf(name: string): PersonWords | null {
  if (PAIR.test(name)) return null;
  const full: string[] = [];
  const initials: string[] = [];
  for (const part of name.split(/[\s,-]+/)) {
    if (part === '' || SUFFIX.test(part.toLowerCase().replace('.', ''))) continue;
    // All in capitals is a way to write names, and `LI` is one.
    if (INITIALS.test(part) && (part.includes('.') || part.length === 1))
      for (const letter of slug(part)) initials.push(letter);
    else if (CUT_SHORT.test(part))
      for (const piece of part.split('.')) initials.push(...(piece === '' ? [] : [slug(piece)]));
    else full.push(slug(part));
  }
  return full.some((word) => word.length >= TELLING) ? { full, initials } : null;
}

/**
 * Whether two spellings may be of one person: every word of the one that says less is a word of the other, or an initial
 * of one; at least one word is the same.
 */
export function mayBeSame(a: PersonWords, b: PersonWords): boolean {
  const [less, more] = sizeOf(a) <= sizeOf(b) ? [a, b] : [b, a];
  if (sizeOf(more) - sizeOf(less) > LEFT_OUT_MOST || sizeOf(less) < 2) return false;
  const words = [...more.full];
  const letters = [...more.initials];
  let same = 0;
  const open: string[] = [];
  for (const word of less.full)
    if (take(words, (other) => other === word)) same++;
    else open.push(word);
  for (const word of open) if (!take(letters, (letter) => word.startsWith(letter))) return false;
  for (const letter of less.initials)
    if (!take(words, (word) => word.startsWith(letter)) && !take(letters, (other) => begins(other, letter)))
      return false;
  return same > 0;
}

function begins(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

function sizeOf({ full, initials }: PersonWords): number {
  return full.length + initials.length;
}

/** Removes the first that fits; false if none does. */
function take(list: string[], fits: (each: string) => boolean): boolean {
  const at = list.findIndex(fits);
  if (at === -1) return false;
  list.splice(at, 1);
  return true;
}

// Team names in one form: the slug in event ids for teams that no alias table lists, and the key for looking up alias
// tables.

import { createHash } from 'node:crypto';
import { LIMITS } from '../../base/model/limits.js';
import { LATIN_LETTERS } from './player-name.js';

/** Event ids are keys of the store, so the length of a token must be bounded whatever a feed sends. */
const TOKEN_LENGTH_MAX = LIMITS.teamToken.max;
const HASH_LENGTH = 16;

/**
 * Dots and apostrophes are removed: `D.C.` is `dc` and `John's` is `johns`. Acute and grave accents count as
 * apostrophes.
 */
const DROPPED = /[.'’‘ʼʻ`´]/g;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * `[a-z0-9]+(-[a-z0-9]+)*`, at most 64 characters, and unchanged when slugged again. Letters outside Latin become their
 * code points, so that two clubs written in another script stay distinct.
 */
export function slug(name: string): string {
  if (name.length <= TOKEN_LENGTH_MAX && SLUG.test(name)) return name;
  const text = name.normalize('NFC').trim();
  const words = plain(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (words !== '') return shorten(words);
  return shorten(text === '' ? 'unknown' : [...text].map(codePoint).join('-'));
}

/** Equal for two spellings of one team: the slug without its hyphens. */
export function foldName(name: string): string {
  return slug(name).replaceAll('-', '');
}

function plain(text: string): string {
  return text
    .replace(DROPPED, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replace(
      /[^\p{ASCII}]/gu,
      (letter) => LATIN_LETTERS[letter] ?? (/[\p{L}\p{N}]/u.test(letter) ? codePoint(letter) : ' '),
    );
}

function codePoint(character: string): string {
  return `u${character.codePointAt(0)?.toString(16) ?? ''}`;
}

function shorten(words: string): string {
  if (words.length <= TOKEN_LENGTH_MAX) return words;
  const hash = createHash('sha256').update(words).digest('hex').slice(0, HASH_LENGTH);
  return `${words.slice(0, TOKEN_LENGTH_MAX - HASH_LENGTH - 1).replace(/-$/, '')}-${hash}`;
}

// The normal forms in which ids and aliases of sports, leagues and books are compared: feeds differ in case and
// separators.

/** `soccer_spain_la_liga`, `Soccer Spain La Liga` and `soccer-spain-la-liga` are one name. */
export function foldId(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** `BetOnline.ag`, `betonlineag` and `bet_online_ag` are one book. */
export function foldBook(name: string): string {
  return foldId(name).replaceAll('-', '');
}

// Free-text search in lists of names: words without case, accents and punctuation, matched whole or by their
// beginnings.
import { slug } from '../../rules/catalogue/team-name.js';

/** The names' words, each between hyphens: `-los-angeles-lakers-|-lal-`. */
export function wordsOf(...names: readonly string[]): string {
  return names.map((name) => `-${slug(name)}-`).join('|');
}

/** Whether every one of `words` is the beginning of a word of `text` (as wordsOf makes it). */
export function wordsStartIn(words: readonly string[], text: string): boolean {
  return words.every((word) => text.includes(`-${word}`));
}

/** Whether the words occur whole and in order in one of the text's names: `nets` is not in `hornets`. */
export function standsIn(words: readonly string[], text: string): boolean {
  return text.includes(`-${words.join('-')}-`);
}

// A deep link made for the default US state, turned to another. Detection and the odds table make links once, for all.
import { DEFAULT_STATE } from '../catalogue/deep-link.js';
import type { BookEntry } from '../catalogue/types.js';

const PLACEHOLDER = '{state}';

/** The link for a state (two letters, lower case); as it is at books whose links are the same everywhere. */
export function linkForState(book: BookEntry | undefined, link: string, state: string): string {
  if (state === DEFAULT_STATE || book?.deepLink?.stateDependent !== true) return link;
  for (const template of [book.deepLink.outcome, book.deepLink.event, book.deepLink.homepage]) {
    const at = template?.indexOf(PLACEHOLDER) ?? -1;
    if (at < 0) continue;
    const before = template!.slice(0, at);
    const after = template!.slice(at + PLACEHOLDER.length).split('{')[0]!;
    if (link.startsWith(`${before}${DEFAULT_STATE}${after}`))
      return before + state + link.slice(at + DEFAULT_STATE.length);
  }
  // Not one of our own making: the book's feed gave it.
  if (!URL.canParse(link)) return link;
  const url = new URL(link);
  url.searchParams.set('state', state);
  return url.toString();
}

// How deep a link goes, decided by the book's templates, whatever the source of the link.
import type { BookEntry } from './file-schema.js';

/** `outcome`: the selection, `event`: the page of the event, `homepage`: the page of the book. */
export type LinkType = 'outcome' | 'event' | 'homepage';

const KINDS = ['homepage', 'event', 'outcome'] as const;

const patterns = new WeakMap<NonNullable<BookEntry['deepLink']>, readonly (readonly [LinkType, RegExp])[]>();

/** The template of the book that the link matches; undefined if it matches none. */
export function templateOf(book: BookEntry | undefined, link: string): LinkType | undefined {
  if (book?.deepLink == null) return undefined;
  return patternsOf(book.deepLink).find(([, pattern]) => pattern.test(link))?.[0];
}

/** A link of unknown form is a feed's link to its selection, unless it consists of a host alone. */
export function linkType(book: BookEntry | undefined, link: string): LinkType {
  const known = templateOf(book, link);
  if (known !== undefined) return known;
  return /^https?:\/\/[^/?#]+\/?$/i.test(link) ? 'homepage' : 'outcome';
}

function patternsOf(links: NonNullable<BookEntry['deepLink']>): readonly (readonly [LinkType, RegExp])[] {
  let known = patterns.get(links);
  if (known === undefined) {
    known = KINDS.flatMap((kind) => {
      const template = links[kind];
      return template === null ? [] : [[kind, patternOf(template)] as const];
    });
    patterns.set(links, known);
  }
  return known;
}

/** Ids as deep-link.ts writes them: percent-encoded. */
function patternOf(template: string): RegExp {
  const parts = template
    .split(/\{(\w+)\}/)
    .map((part, i) => (i % 2 === 0 ? escaped(part) : part === 'state' ? '[a-z]{2}' : "[\\w.!~*'()%-]+"));
  return new RegExp(`^${parts.join('')}$`, 'i');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

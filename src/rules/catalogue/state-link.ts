// Changes a book's link to another US state. Workers make the links of rows and opportunities once, for the default
// state; REST, streams and MCP rewrite them for callers that ask for another.
import { DEFAULT_STATE } from './deep-link.js';
import type { BookEntry } from './file-schema.js';

const PLACEHOLDER = '{state}';

/** The texts before and after the state in a book's links, from the book's templates. */
interface StatePlace {
  before: string;
  behind: string;
}

const places = new WeakMap<NonNullable<BookEntry['deepLink']>, readonly StatePlace[]>();

/**
 * A link of the default state rewritten for another (two letters, lower case). If no known part of it names the state,
 * the parameter `state` is added; links of books that are the same in every state are unchanged.
 */
export function linkForState(book: BookEntry | undefined, link: string, state: string): string {
  return state === DEFAULT_STATE ? link : turned(book, link, state);
}

/** A link from a book's feed, for any state or with a placeholder, rewritten for the default state. */
export function linkOfFeed(book: BookEntry | undefined, link: string): string {
  return turned(book, link, DEFAULT_STATE);
}

function turned(book: BookEntry | undefined, link: string, state: string): string {
  if (link.includes(PLACEHOLDER)) return link.replaceAll(PLACEHOLDER, state);
  const links = book?.deepLink;
  if (links?.stateDependent !== true) return link;
  for (const { before, behind } of placesOf(links)) {
    const end = before.length + state.length;
    if (link.startsWith(before) && link.startsWith(behind, end) && /^[a-z]{2}$/i.test(link.slice(before.length, end)))
      return before + state + link.slice(end);
  }
  if (!URL.canParse(link)) return link;
  const url = new URL(link);
  if (state === DEFAULT_STATE && !url.searchParams.has('state')) return link;
  url.searchParams.set('state', state);
  return url.toString();
}

function placesOf(links: NonNullable<BookEntry['deepLink']>): readonly StatePlace[] {
  let known = places.get(links);
  if (known === undefined) {
    const templates = [links.outcome, links.event, links.homepage].filter((template) => template !== null);
    known = templates.flatMap((template) => {
      const [before, rest] = template.split(PLACEHOLDER, 2);
      // The host, or the path up to the next slash: books have several kinds of links beyond it.
      return rest === undefined ? [] : { before: before!, behind: /^[^/?#{]*\/?/.exec(rest)![0] };
    });
    places.set(links, known);
  }
  return known;
}

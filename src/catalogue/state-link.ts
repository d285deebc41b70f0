// A book's link turned to another US state. Workers make the links of rows and opportunities once, for the default state;
// who asks for another gets them turned, the same way on every surface.
import { DEFAULT_STATE } from './deep-link.js';
import type { BookEntry } from './types.js';

const PLACEHOLDER = '{state}';

/** What stands before and behind the state in a book's links, by the book's templates. */
interface StatePlace {
  before: string;
  behind: string;
}

const places = new WeakMap<NonNullable<BookEntry['deepLink']>, readonly StatePlace[]>();

/**
 * A link of the default state turned to another (two letters, lower case). One that has its state nowhere we know gets it as
 * the parameter `state`; links of books that are the same everywhere stay as they are.
 */
export function linkForState(book: BookEntry | undefined, link: string, state: string): string {
  return state === DEFAULT_STATE ? link : turned(book, link, state);
}

/** A link that a book's feed gave, of whatever state or with a place for it, as that of the default state. */
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
      // The host, or the path up to the next slash: books write more than one kind of link behind it.
      return rest === undefined ? [] : { before: before!, behind: /^[^/?#{]*\/?/.exec(rest)![0] };
    });
    places.set(links, known);
  }
  return known;
}

// The target of an id: an odds row's link for the caller's state, or the event's page at a book of an opportunity.
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { linkForState, linkType } from '../rules/catalogue/deep-link.js';
import type { OddsTable } from '../tables/table.js';
import type { OpportunityLink, OpportunityLinks } from './opportunities/opportunities.js';

const ODDS_ID = /^\d{1,24}$/;

/**
 * Every link of an id, best first: one for an odds row, one per book for an opportunity; none for an id that is unknown
 * or over, or if no book has links. Only http and https.
 * @param state US state code, lower case
 */
export function deepLinksOf(
  { table, catalogue, links }: { table: OddsTable; catalogue: Catalogue; links: OpportunityLinks | undefined },
  id: string,
  state: string,
): readonly OpportunityLink[] {
  if (!ODDS_ID.test(id))
    return (links?.of(id, state) ?? []).flatMap((link) => {
      const url = webUrl(link.url);
      return url === undefined ? [] : { ...link, url };
    });
  const slot = table.slotOf(id);
  const link = slot === undefined ? null : table.restOf(slot).link;
  if (slot === undefined || link === null || webUrl(link) === undefined) return [];
  const bookId = table.books.name(table.columns.book[slot]!);
  const book = catalogue.book(bookId);
  const url = webUrl(linkForState(book, link, state));
  return url === undefined ? [] : [{ book: bookId, url, type: linkType(book, link) }];
}

/**
 * A URL as a browser may be sent there, in ASCII; undefined if it is not http or https, has control characters, or a name
 * or password before its host, which makes a stranger's host look like a book's.
 */
function webUrl(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' ? href : undefined;
}

/**
 * The URL of a caller's fallback, normalised, if the operator allows its host (`*` allows any); else undefined. Hosts
 * are compared whole, including their port.
 */
export function allowedFallback(text: string, hosts: readonly string[]): string | undefined {
  const url = webUrl(text);
  return url !== undefined && (hosts.includes('*') || hosts.includes(new URL(url).host)) ? url : undefined;
}

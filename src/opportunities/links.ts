// Where an opportunity's id leads (GET /deeplink/{id}): the event's page at the books that take part, or where the row that
// takes part has a link of its own, there.
import type { Catalogue } from '../catalogue/catalogue.js';
import { deepLink } from '../catalogue/deep-link.js';
import { type LinkType, linkType, templateOf } from '../catalogue/link-type.js';
import { linkForState } from '../catalogue/state-link.js';
import type { Opportunity } from '../delta/opportunity.js';
import type { OddsTable } from '../table/table.js';
import type { Universes } from './universes.js';

export interface OpportunityLink {
  book: string;
  url: string;
  type: LinkType;
}

const OPPORTUNITY_ID = /^[0-9a-f]{16}$/;

/** Odds ids are never 16 characters long, so that the two kinds of ids cannot be taken for each other. */
export function isOpportunityId(id: string): boolean {
  return OPPORTUNITY_ID.test(id);
}

export class OpportunityLinks {
  readonly #universes: Universes;
  readonly #catalogue: Catalogue;
  readonly #table: Pick<OddsTable, 'events'>;

  constructor(universes: Universes, catalogue: Catalogue, table: Pick<OddsTable, 'events'>) {
    this.#universes = universes;
    this.#catalogue = catalogue;
    this.#table = table;
  }

  /**
   * Links of the books that take part, in the order of the legs or sides; none where the id is of nothing alive or no book
   * taking part has deep links. The route is public: ids of every universe are known.
   * @param state US state code.
   */
  of(id: string, state: string): OpportunityLink[] {
    if (!isOpportunityId(id)) return [];
    const opportunity = this.#universes.find(id);
    if (opportunity === undefined) return [];
    const event = this.#table.events.get(opportunity.eventId);
    const links: OpportunityLink[] = [];
    for (const id of new Set(opportunity.books)) {
      const book = this.#catalogue.book(id);
      const own = legLink(opportunity, id);
      const page = book === undefined ? null : deepLink(book, { state, eventExternalId: event?.externalIds[id] });
      // A link we made for the selection gives way to the page of the event; one of the book's feed does not.
      const made = own === null || (page?.type === 'event' && templateOf(book, own) === 'outcome');
      if (!made) links.push({ book: id, url: linkForState(book, own, state), type: linkType(book, own) });
      else if (page !== null) links.push({ book: id, url: page.url, type: page.type });
    }
    return links;
  }
}

/** The link of the first leg or side at a book; an EV item is its own leg. */
function legLink(opportunity: Opportunity, book: string): string | null {
  const { kind, item } = opportunity;
  switch (kind) {
    case 'ev':
      return item.sportsbook === book ? item.deep_link : null;
    case 'arbitrage':
      return item.legs.find((leg) => leg.sportsbook === book && leg.deep_link !== null)?.deep_link ?? null;
    case 'middle':
      return [item.side1, item.side2].find((side) => side.book === book && side.deep_link !== null)?.deep_link ?? null;
    case 'low_hold':
      return item.side1.deep_links[book] ?? item.side2.deep_links[book] ?? item.side3?.deep_links[book] ?? null;
    case 'move':
      return null;
  }
}

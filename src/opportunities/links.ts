// Where an opportunity's id leads: the event's page at the books that take part (GET /deeplink/{id}).
import type { Catalogue } from '../catalogue/catalogue.js';
import { deepLink } from '../catalogue/deep-link.js';
import type { OddsTable } from '../table/table.js';
import type { Universes } from './universes.js';

export interface OpportunityLink {
  book: string;
  url: string;
  type: 'event' | 'homepage';
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
   * Event-level links of the books that take part, in the order of the legs or sides; none where the id is of nothing
   * alive or no book taking part has deep links. The route is public: ids of every universe are known.
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
      if (book === undefined) continue;
      const link = deepLink(book, { state, eventExternalId: event?.externalIds[id] });
      if (link !== null && link.type !== 'outcome') links.push({ book: id, url: link.url, type: link.type });
    }
    return links;
  }
}

// What REST, the streams and deep links are served from: the universes in use, over the table of opportunities.

import type { EngineLog } from '../../base/model/log.js';
import { KINDS } from '../../detection/kinds/kinds.js';
import type { Engine } from '../../engine/engine.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { deepLink, type LinkType, linkForState, linkType, templateOf } from '../../rules/catalogue/deep-link.js';
import type { OddsTable } from '../../tables/table.js';
import { OpportunityPresenter } from './presenter.js';
import { OpportunityStreams } from './stream-view.js';
import { Universes } from './universes.js';

const SWEEP_MS = 1_000;

export class Opportunities {
  readonly universes: Universes;
  readonly streams: OpportunityStreams;
  readonly links: OpportunityLinks;
  readonly #engine: Engine;
  #sweep: NodeJS.Timeout | undefined;

  /** @param onReady called when a universe that streams wait for is complete */
  constructor(engine: Engine, log: EngineLog, onReady: () => void) {
    const { catalogue, clock, table } = engine;
    this.#engine = engine;
    this.universes = new Universes({
      source: engine,
      catalogue,
      clock,
      onReady,
      onFailed: (error, universe) => log.error({ err: error, universe }, 'a universe could not be registered'),
    });
    this.streams = new OpportunityStreams(
      engine.opportunities,
      this.universes,
      new OpportunityPresenter(catalogue, table),
      clock,
    );
    this.links = opportunityLinks(this.universes, catalogue, table);
  }

  /** Settles when the active opportunities of the tiers' books are known. */
  async start(): Promise<void> {
    this.#sweep = setInterval(() => this.universes.sweep(this.#engine.oldestPosition), SWEEP_MS);
    await this.universes.start();
  }

  close(): void {
    clearInterval(this.#sweep);
  }
}

export interface OpportunityLink {
  book: string;
  url: string;
  type: LinkType;
}

export interface OpportunityLinks {
  /**
   * Links of its books, in the order of the legs or sides; none if no active opportunity has the id or none of its
   * books has deep links. The route is public: ids of every universe are known.
   * @param state US state code
   */
  of(id: string, state: string): readonly OpportunityLink[];
}

const OPPORTUNITY_ID = /^[0-9a-f]{16}$/;

/** Odds ids never have 16 characters, so the two kinds of ids cannot be confused. */
export function isOpportunityId(id: string): boolean {
  return OPPORTUNITY_ID.test(id);
}

/**
 * The target of an opportunity's id (GET /deeplink/{id}): the event's page at its books, or the page of its row if that has
 * a link of its own.
 */
export function opportunityLinks(
  universes: Universes,
  catalogue: Catalogue,
  table: Pick<OddsTable, 'events'>,
): OpportunityLinks {
  return {
    of: (id, state) => {
      if (!isOpportunityId(id)) return [];
      const opportunity = universes.find(id);
      if (opportunity === undefined) return [];
      const event = table.events.get(opportunity.eventId);
      const links: OpportunityLink[] = [];
      for (const id of new Set(opportunity.books)) {
        const book = catalogue.book(id);
        const own = KINDS[opportunity.kind].linkAt(opportunity.item, id);
        const page = book === undefined ? null : deepLink(book, { state, eventExternalId: event?.externalIds[id] });
        // A link made by us for the selection is replaced by the page of the event; one from the book's feed is not.
        const made = own === null || (page?.type === 'event' && templateOf(book, own) === 'outcome');
        if (!made) links.push({ book: id, url: linkForState(book, own, state), type: linkType(book, own) });
        else if (page !== null) links.push({ book: id, url: page.url, type: page.type });
      }
      return links;
    },
  };
}

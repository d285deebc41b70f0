// An opportunity as a caller receives it: detection's item with what is only known when it is served (ages, scores at
// that age, the score of the game) and links for the caller's state.
import type { Catalogue } from '../catalogue/catalogue.js';
import { linkForState } from '../catalogue/state-link.js';
import type { ArbitrageItem, MiddleItemSide, Opportunity } from '../delta/opportunity.js';
import type { GameState } from '../model/game-state.js';
import { formatMs, formatUs } from '../model/time.js';
import type { Move } from '../schema/moves.js';
import type * as shapes from '../schema/opportunities-items.js';
import type { OddsTable } from '../table/table.js';
import { ageSeconds, isStale, scoreOf } from './freshness.js';

/** As callers receive it. */
export type ServedOpportunity =
  | shapes.EvOpportunity
  | shapes.ArbitrageOpportunity
  | shapes.MiddleOpportunity
  | shapes.LowHoldOpportunity
  | Move;

export class OpportunityServer {
  readonly #catalogue: Catalogue;
  readonly #table: Pick<OddsTable, 'events'>;

  constructor(catalogue: Catalogue, table: Pick<OddsTable, 'events'>) {
    this.#catalogue = catalogue;
    this.#table = table;
  }

  /** @param state US state code of the links, lower case. */
  item(opportunity: Opportunity, nowMs: number, state: string): ServedOpportunity {
    const { kind, item, detectedUs, oldestSeenMs } = opportunity;
    const age = ageSeconds(oldestSeenMs, nowMs);
    const possibly_stale = isStale(opportunity, nowMs);
    const detected_at = formatUs(detectedUs);
    // Fields that the item already has keep their order.
    switch (kind) {
      case 'low_hold':
        return {
          ...item,
          confidence: scoreOf(opportunity, nowMs),
          side1: this.#priced(item.side1, state),
          side2: this.#priced(item.side2, state),
          side3: item.side3 === null ? null : this.#priced(item.side3, state),
          game_state: this.#gameState(opportunity.eventId, item.game_state),
          odds_age_seconds: age,
          possibly_stale,
          detected_at,
        };
      case 'ev':
        return {
          ...item,
          confidence_score: scoreOf(opportunity, nowMs),
          deep_link: this.#link(item.sportsbook, item.deep_link, state),
          oldest_odds_age_seconds: age,
          possibly_stale,
          detected_at,
        };
      case 'arbitrage':
        return {
          ...item,
          legs: this.#legs(item.legs, opportunity.seenMs, state),
          game_state: this.#gameState(opportunity.eventId, item.game_state),
          oldest_odds_age_seconds: age,
          possibly_stale,
          detected_at,
        };
      case 'move':
        return { ...item, detected_at };
      case 'middle': {
        const [first = oldestSeenMs, second = oldestSeenMs] = opportunity.seenMs;
        return {
          ...item,
          quality_score: scoreOf(opportunity, nowMs),
          side1: this.#side(item.side1, ageSeconds(first, nowMs), state),
          side2: this.#side(item.side2, ageSeconds(second, nowMs), state),
          oldest_odds_age_seconds: age,
          possibly_stale,
          detected_at,
        };
      }
    }
  }

  #legs(legs: ArbitrageItem['legs'], seenMs: readonly number[], state: string): shapes.ArbitrageOpportunity['legs'] {
    return legs.map((leg, i) => ({
      ...leg,
      last_seen_at: seenMs[i] === undefined ? leg.last_seen_at : formatMs(seenMs[i]),
      deep_link: this.#link(leg.sportsbook, leg.deep_link, state),
    }));
  }

  #side(side: MiddleItemSide, odds_age_seconds: number, state: string): shapes.MiddleSide {
    return { ...side, odds_age_seconds, deep_link: this.#link(side.book, side.deep_link, state) };
  }

  /** A side of a low hold, with the links of all books that have its price. */
  #priced(side: shapes.LowHoldSide, state: string): shapes.LowHoldSide {
    const links: Record<string, string | null> = {};
    for (const book in side.deep_links) links[book] = this.#link(book, side.deep_links[book] ?? null, state);
    return { ...side, deep_links: links };
  }

  #link(book: string, link: string | null, state: string): string | null {
    return link === null ? null : linkForState(this.#catalogue.book(book), link, state);
  }

  #gameState(eventId: string, known: GameState | null): GameState | null {
    const event = this.#table.events.get(eventId);
    return event === undefined ? known : event.state;
  }
}

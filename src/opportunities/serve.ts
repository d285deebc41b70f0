// An opportunity as a caller gets it: the item detection made, with what only the moment of serving knows (ages, scores
// of that age, the score of the game) and links for the caller's state.
import type { Catalogue } from '../catalogue/catalogue.js';
import { linkForState } from '../catalogue/state-link.js';
import type { GameState } from '../model/game-state.js';
import type { Opportunity } from '../model/opportunity.js';
import { formatMs, formatUs } from '../model/time.js';
import type { OddsTable } from '../table/table.js';
import { ageSeconds, isStale, scoreOf } from './freshness.js';

export type Item = Record<string, unknown>;

export class OpportunityServer {
  readonly #catalogue: Catalogue;
  readonly #table: Pick<OddsTable, 'events'>;

  constructor(catalogue: Catalogue, table: Pick<OddsTable, 'events'>) {
    this.#catalogue = catalogue;
    this.#table = table;
  }

  /** @param state US state code of the links, lower case. */
  item(opportunity: Opportunity, nowMs: number, state: string): Item {
    const { kind, id, item, detectedUs, oldestSeenMs } = opportunity;
    const served: Item = { id, hash_id: id, ...item };
    const age = ageSeconds(oldestSeenMs, nowMs);
    // Each kind sets its own fields by name: set by a name that varies they cost more than all the rest.
    switch (kind) {
      case 'low_hold':
        served['confidence'] = scoreOf(opportunity, nowMs);
        served['side1'] = this.#priced(item['side1'] as Item | null, state);
        served['side2'] = this.#priced(item['side2'] as Item | null, state);
        served['side3'] = this.#priced(item['side3'] as Item | null, state);
        served['game_state'] = this.#gameState(opportunity);
        served['odds_age_seconds'] = age;
        break;
      case 'ev':
        served['confidence_score'] = scoreOf(opportunity, nowMs);
        served['deep_link'] = this.#link(item['sportsbook'], item['deep_link'], state);
        served['oldest_odds_age_seconds'] = age;
        break;
      case 'arbitrage':
        served['legs'] = this.#legs(opportunity, state);
        served['game_state'] = this.#gameState(opportunity);
        served['oldest_odds_age_seconds'] = age;
        break;
      case 'middle':
        served['quality_score'] = scoreOf(opportunity, nowMs);
        served['side1'] = this.#side(opportunity, 0, nowMs, state);
        served['side2'] = this.#side(opportunity, 1, nowMs, state);
        served['oldest_odds_age_seconds'] = age;
    }
    served['possibly_stale'] = isStale(opportunity, nowMs);
    served['detected_at'] = formatUs(detectedUs);
    return served;
  }

  #legs({ item, seenMs }: Opportunity, state: string): Item[] {
    return (item['legs'] as Item[]).map((leg, i) => ({
      ...leg,
      last_seen_at: seenMs[i] === undefined ? leg['last_seen_at'] : formatMs(seenMs[i]),
      deep_link: this.#link(leg['sportsbook'], leg['deep_link'], state),
    }));
  }

  #side({ item, seenMs, oldestSeenMs }: Opportunity, at: number, nowMs: number, state: string): Item {
    const side = item[`side${at + 1}`] as Item;
    return {
      ...side,
      odds_age_seconds: ageSeconds(seenMs[at] ?? oldestSeenMs, nowMs),
      deep_link: this.#link(side['book'], side['deep_link'], state),
    };
  }

  /** A side of a low hold, with the links of all books that have its price. */
  #priced(side: Item | null | undefined, state: string): Item | null {
    if (side == null) return null;
    const links: Record<string, string | null> = {};
    const made = side['deep_links'] as Item;
    for (const book in made) links[book] = this.#link(book, made[book], state);
    return { ...side, deep_links: links };
  }

  #link(book: unknown, link: unknown, state: string): string | null {
    return typeof link === 'string' ? linkForState(this.#catalogue.book(book as string), link, state) : null;
  }

  #gameState({ eventId, item }: Opportunity): GameState | null {
    const event = this.#table.events.get(eventId);
    return event === undefined ? ((item['game_state'] as GameState | undefined) ?? null) : event.state;
  }
}

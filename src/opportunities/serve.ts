// An opportunity as a caller gets it: the item detection made, with what only the moment of serving knows (ages, scores
// of that age, the score of the game) and links for the caller's state.
import type { Catalogue } from '../catalogue/catalogue.js';
import { type Opportunity, SCORE_FIELD } from '../detect/opportunity.js';
import type { GameState } from '../ingest/message.js';
import { formatMs, formatUs } from '../ingest/time.js';
import type { OddsTable } from '../table/table.js';
import { ageSeconds, isStale, scoreOf } from './freshness.js';
import { linkForState } from './state-link.js';

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
    const { kind, item, detectedUs, oldestSeenMs } = opportunity;
    const served: Item = { ...item };
    const score = SCORE_FIELD[kind];
    if (score !== null) served[score] = scoreOf(opportunity, nowMs);
    if (kind === 'ev') served['deep_link'] = this.#link(item['sportsbook'], item['deep_link'], state);
    if (kind === 'arbitrage') served['legs'] = this.#legs(opportunity, state);
    if (kind === 'middle') for (const at of [0, 1]) served[`side${at + 1}`] = this.#side(opportunity, at, nowMs, state);
    if (kind === 'low_hold')
      for (const side of ['side1', 'side2', 'side3']) served[side] = this.#priced(item[side] as Item | null, state);
    if (kind === 'arbitrage' || kind === 'low_hold') served['game_state'] = this.#gameState(opportunity);
    served[kind === 'low_hold' ? 'odds_age_seconds' : 'oldest_odds_age_seconds'] = ageSeconds(oldestSeenMs, nowMs);
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

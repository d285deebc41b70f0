// An opportunity as a caller receives it: detection's item with what is only known when it is served (ages, scores at
// that age, the score of the game) and links for the caller's state; and as a line of CSV.

import { isOffered } from '../../base/model/activity.js';
import { freshMs } from '../../base/model/freshness.js';
import { DEFAULT_CURRENCY, type Rates } from '../../base/model/money.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import { formatUs } from '../../base/model/time.js';
import { KINDS } from '../../detection/kinds/kinds.js';
import { CURRENCIES_DIFFER, totalStake } from '../../detection/kinds/money.js';
import { ageSeconds, isStale, scoreNow } from '../../detection/kinds/parts.js';
import type { EventDelta } from '../../log/delta/delta.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { linkForState } from '../../rules/catalogue/deep-link.js';
import type { Move } from '../../schema/moves.js';
import type * as shapes from '../../schema/opportunities-items.js';
import type { Universe } from '../../tables/filter/universe.js';
import type { OddsTable } from '../../tables/table.js';

/** As callers receive it. */
export type ServedOpportunity =
  | shapes.EvOpportunity
  | shapes.ArbitrageOpportunity
  | shapes.MiddleOpportunity
  | shapes.LowHoldOpportunity
  | Move;

/** What is served of an opportunity's game as it is at that time. */
export interface ServedEvents {
  get(id: string): Pick<EventDelta, 'state' | 'externalIds'> | undefined;
}

export class OpportunityPresenter {
  readonly #catalogue: Catalogue;
  readonly #table: OddsTable;
  readonly #events: ServedEvents;
  readonly rates: Rates;

  /** @param events by id: where the games stand */
  constructor(catalogue: Catalogue, table: OddsTable, events: ServedEvents = table.events) {
    this.#catalogue = catalogue;
    this.#table = table;
    this.#events = events;
    this.rates = catalogue.rates;
  }

  /**
   * @param state US state code of the links, lower case
   * @param currency of the total stake
   * @param universe the caller's books, of which a middle names the others at its lines; none by default
   */
  item(
    opportunity: Opportunity,
    nowMs: number,
    state: string,
    currency = DEFAULT_CURRENCY,
    universe?: Pick<Universe, 'allows'>,
  ): ServedOpportunity {
    const served = this.#item(opportunity, nowMs, state);
    if (opportunity.kind === 'middle' && universe !== undefined) {
      const { side1, side2 } = opportunity.item;
      const others = (id: string) => otherBooks(this.#table, id, universe, nowMs);
      Object.assign(served, { alt_side1: others(side1.odds_id), alt_side2: others(side2.odds_id) });
    }
    if (currency === DEFAULT_CURRENCY || opportunity.kind === 'move') return served;
    return { ...served, ...stakeFields(opportunity, currency, this.rates) } as ServedOpportunity;
  }

  #item(opportunity: Opportunity, nowMs: number, state: string): ServedOpportunity {
    const { kind, item, eventId, detectedUs, oldestSeenMs, seenMs } = opportunity;
    const event = this.#events.get(eventId);
    return KINDS[kind].serve(item, {
      nowMs,
      age: ageSeconds(oldestSeenMs, nowMs),
      possibly_stale: isStale(opportunity, nowMs),
      detected_at: formatUs(detectedUs),
      score: scoreNow(opportunity, nowMs),
      seenMs,
      link: (book, link) => (link === null ? null : linkForState(this.#catalogue.book(book), link, state)),
      gameState: (known) => (event === undefined ? known : event.state),
      externalEventId: (book) => event?.externalIds[book] ?? null,
    }) as ServedOpportunity;
  }
}

/** Total stake and warnings where detection stated them in another currency. */
function stakeFields({ item, terms }: Opportunity, currency: string, rates: Rates) {
  const { amount, warnings } = totalStake(terms.caps, currency, rates);
  const others = 'warnings' in item ? item.warnings.filter((warning) => warning !== CURRENCIES_DIFFER) : [];
  return { max_stake: amount, warnings: [...others, ...warnings] };
}

// Who else offers a side of a middle at its line: the caller's other books with a fresh price that can be bet, best
// first, as of serving.

interface OtherBook {
  book: string;
  /** American. */
  odds: number;
}

/** @param oddsId of the side's own price */
function otherBooks(
  table: OddsTable,
  oddsId: string,
  { allows }: Pick<Universe, 'allows'>,
  nowMs: number,
): OtherBook[] {
  const own = table.slotOf(oddsId);
  if (own === undefined) return [];
  const c = table.columns;
  const event = table.eventOf(own);
  const since = nowMs - freshMs(event.live);
  const best = new Map<number, number>();
  for (const [book, slots] of event.byBook) {
    if (book === c.book[own]! || !allows(table.books.name(book))) continue;
    for (const slot of slots) {
      if (c.market[slot] !== c.market[own] || c.line[slot] !== c.line[own]) continue;
      if (c.seenMs[slot]! < since || !isOffered(c.activity[slot]!) || !isSameSelection(table, slot, own)) continue;
      const known = best.get(book);
      if (known === undefined || c.net[slot]! > c.net[known]!) best.set(book, slot);
    }
  }
  return [...best]
    .sort(([, a], [, b]) => c.net[b]! - c.net[a]!)
    .map(([book, slot]) => ({ book: table.books.name(book), odds: c.american[slot]! }));
}

function isSameSelection({ columns: c }: OddsTable, a: number, b: number): boolean {
  return (
    c.selectionType.at(a) === c.selectionType.at(b) &&
    c.player.at(a) === c.player.at(b) &&
    c.stat.at(a) === c.stat.at(b) &&
    c.team.at(a) === c.team.at(b)
  );
}

/** Names of the columns of a kind in CSV: legs and sides have their own. */
export function csvColumns(kind: OpportunityKind): string[] {
  return KINDS[kind].csv.map(columnName);
}

/** An item as a line: lists are joined by semicolons. */
export function csvRow(kind: OpportunityKind, item: ServedOpportunity): Record<string, unknown> {
  return Object.fromEntries(KINDS[kind].csv.map((path) => [columnName(path), flat(valueAt(item, path))]));
}

function columnName(path: string): string {
  return path
    .replace(/^(leg|book|laggard)s\.(\d)/, (_, name, place) => `${name}${Number(place) + 1}`)
    .replaceAll('.', '_');
}

function valueAt(item: ServedOpportunity, path: string): unknown {
  let value: unknown = item;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

function flat(value: unknown): unknown {
  return Array.isArray(value) ? value.join(';') : value;
}

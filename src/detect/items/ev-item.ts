// A price better than fair, as served.

import type { EvItem } from '../../delta/opportunity.js';
import type { DevigMethod } from '../../model/devig-method.js';
import { roundProbability } from '../../model/price.js';
import type { Market } from '../market-line.js';
import { confidenceScore, kellyFraction, noVigAmerican } from '../maths/ev.js';
import {
  commissionWarning,
  eventFields,
  eventName,
  type Leg,
  legStakeMax,
  percent,
  priceFields,
  propFields,
  score,
} from './parts.js';

export interface EvNumbers {
  /** Percent. */
  ev: number;
  /** Fair probability, 0-1. */
  p: number;
  /** Books with a fresh price of the selection. */
  books: number;
  /** Books (owners) behind a consensus. */
  opinions: number;
  /** Null means the consensus. */
  sharpBook: string | null;
  method: DevigMethod;
  /** Percent. */
  referenceHold: number;
  /** Profit in percent of the line's arbitrage in the universe; 0 if there is none. */
  arbProfit: number;
}

/**
 * An item has a warning if its edge is beyond `ev` (percent; `propEv` for player props), which is nearly always a stale
 * or wrong line, if it has fewer opinions than these, or a reference with a larger hold (percent).
 */
const WARN_AT = { ev: 15, propEv: 25, opinions: 5, hold: 10 } as const;

export function evItem(market: Market, leg: Leg, id: string, numbers: EvNumbers): EvItem {
  const { event, marketType } = market;
  const { row } = leg;
  const { p, ev } = numbers;
  const kelly = kellyFraction(p, leg.net);
  const trusted = numbers.sharpBook !== null;
  const confidence = confidenceScore(
    trusted,
    trusted ? numbers.books : numbers.opinions,
    0,
    event.live,
    numbers.referenceHold / 100,
    ev,
  );
  return {
    id,
    hash_id: id,
    game_id: event.id,
    ...eventFields(event, marketType),
    game: eventName(event),
    market: marketType,
    selection: row.selection,
    line: row.line,
    sportsbook: leg.book,
    ...priceFields(leg),
    ev_percentage: percent(ev),
    fair_probability: roundProbability(p),
    no_vig_odds: noVigAmerican(p),
    kelly_percent: percent(100 * kelly),
    kelly_fraction: roundProbability(kelly),
    max_stake: legStakeMax(leg),
    confidence_score: score(confidence),
    book_count: numbers.books,
    market_width: percent(numbers.referenceHold),
    devig_method: numbers.method,
    sharp_book: numbers.sharpBook ?? 'consensus',
    odds_id: row.id,
    deep_link: leg.deepLink,
    arb_available: numbers.arbProfit > 0,
    arb_profit: numbers.arbProfit > 0 ? percent(numbers.arbProfit) : null,
    ...propFields(market, row),
    is_alternate_line: row.alternate,
    warnings: [...warningsOf(market, numbers), ...commissionWarning([leg])],
  };
}

function warningsOf(market: Market, { ev, sharpBook, opinions, referenceHold }: EvNumbers): string[] {
  const warnings: string[] = [];
  if (ev > (market.player === null ? WARN_AT.ev : WARN_AT.propEv)) warnings.push('IMPLAUSIBLE_EV');
  if (sharpBook === null && opinions < WARN_AT.opinions) warnings.push('FEW_BOOKS');
  if (referenceHold > WARN_AT.hold) warnings.push('WIDE_REFERENCE');
  return warnings;
}

// A price better than fair, as served.

import { slug } from '../catalogue/team-name.js';
import type { EvItem } from '../delta/opportunity.js';
import { kellyFraction, noVigAmerican } from '../detect/maths/ev.js';
import type { DevigMethod } from '../model/devig-method.js';
import { DEFAULT_CURRENCY } from '../model/money.js';
import { EV_NUMBER, RECORD_FLAG } from '../model/opportunity-record.js';
import { roundProbability } from '../model/price.js';
import type { EvOpportunity } from '../schema/opportunities-items.js';
import type { OpportunitySort } from '../schema/sorts.js';
import { EVENT_COLUMNS, edge, type Kind, PRICE_SORTS, PROP_COLUMNS, type SortKey, score as scoreNow } from './kind.js';
import { legCaps, type MoneyFacts, settlementWarnings, totalStake } from './money.js';
import {
  commissionWarning,
  eventFields,
  eventName,
  type Leg,
  type Market,
  PUSH_POSSIBLE,
  percent,
  priceFields,
  propFields,
  score,
} from './parts.js';

interface EvNumbers {
  /** Percent. */
  ev: number;
  /** Fair probability, 0-1. */
  p: number;
  /** Books with a fresh price of the selection. */
  books: number;
  /** Owners behind a consensus; with a sharp book, those with an opinion about the line. */
  opinions: number;
  /** Null means the consensus. */
  sharpBook: string | null;
  method: DevigMethod;
  /** Percent. */
  referenceHold: number;
  /** Profit in percent of the line's arbitrage in the universe; 0 if there is none. */
  arbProfit: number;
  /** A result returns the stake, which `ev` takes into account. */
  push: boolean;
  /** 0-100, of quotes just seen. */
  score: number;
  money: MoneyFacts;
}

/**
 * An item has a warning if its edge is beyond `ev` (percent; `propEv` for player props), which is nearly always a stale
 * or wrong line, if it has fewer opinions than these, or a reference with a larger hold (percent).
 */
const WARN_AT = { ev: 15, propEv: 25, opinions: 5, hold: 10 } as const;

function evItem(market: Market, leg: Leg, id: string, numbers: EvNumbers): EvItem {
  const { event, marketType } = market;
  const { row } = leg;
  const { p, ev } = numbers;
  const kelly = kellyFraction(p, leg.net);
  const total = totalStake(legCaps([leg], [1]), DEFAULT_CURRENCY, numbers.money.rates);
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
    max_stake: total.amount,
    confidence_score: score(numbers.score),
    book_count: numbers.books,
    market_width: percent(numbers.referenceHold),
    devig_method: numbers.method,
    sharp_book: numbers.sharpBook ?? 'consensus',
    odds_id: row.id,
    selection_id: row.details.exchange?.[3] ?? null,
    deep_link: leg.deepLink,
    arb_available: numbers.arbProfit > 0,
    arb_profit: numbers.arbProfit > 0 ? percent(numbers.arbProfit) : null,
    ...propFields(market, row),
    is_alternate_line: row.alternate,
    warnings: [
      ...warningsOf(market, numbers),
      ...settlementWarnings([leg], numbers.money),
      ...commissionWarning([leg]),
      ...total.warnings,
    ],
  };
}

function warningsOf(market: Market, { ev, sharpBook, opinions, referenceHold, push }: EvNumbers): string[] {
  const warnings: string[] = [];
  if (push) warnings.push(PUSH_POSSIBLE);
  if (ev > (market.player === null ? WARN_AT.ev : WARN_AT.propEv)) warnings.push('IMPLAUSIBLE_EV');
  if (sharpBook === null && opinions < WARN_AT.opinions) warnings.push('FEW_BOOKS');
  if (referenceHold > WARN_AT.hold) warnings.push('WIDE_REFERENCE');
  return warnings;
}

export const EV: Kind<EvItem> = {
  // The other rows are those behind the fair price.
  legSides: 1,
  compose: ({ id, market, sides, record, score, method, money, has, bookOf }) =>
    evItem(market, sides[0]![0]!, id, {
      ev: record.numbers[EV_NUMBER.edge]!,
      p: record.numbers[EV_NUMBER.p]!,
      books: record.numbers[EV_NUMBER.books]!,
      opinions: record.numbers[EV_NUMBER.opinions]!,
      sharpBook: has(RECORD_FLAG.consensus) ? null : bookOf(record.rows[1]!),
      method,
      referenceHold: record.numbers[EV_NUMBER.hold]!,
      arbProfit: record.numbers[EV_NUMBER.arbProfit]!,
      push: has(RECORD_FLAG.push),
      score,
      money,
    }),
  isSure: (has) => !has(RECORD_FLAG.halfOnTie),
  caps: ([legs]) => legCaps([legs![0]!], [1]),
  servedFields: {
    external_event_id: null,
    player_id: null,
    oldest_odds_age_seconds: 0,
    possibly_stale: false,
    detected_at: '',
  },
  serve: (item, { age, possibly_stale, detected_at, score, link, externalEventId }): EvOpportunity => ({
    ...item,
    confidence_score: score,
    external_event_id: externalEventId(item.sportsbook),
    selection_id: item.selection_id ?? null,
    player_id: item.player_name === null ? null : slug(item.player_name),
    deep_link: link(item.sportsbook, item.deep_link),
    oldest_odds_age_seconds: age,
    possibly_stale,
    detected_at,
  }),
  meets: (_one, edge, { minEv, maxEv }) => !(edge < minEv) && !(edge > maxEv),
  mayMeet: (least, most, { minEv, maxEv }) => most >= minEv && least <= maxEv,
  sorts: {
    ...PRICE_SORTS,
    ev: edge,
    profit: edge,
    confidence: scoreNow,
    quality: scoreNow,
    kelly: ({ item }) => (item as EvItem).kelly_fraction,
    book_count: ({ item }) => (item as EvItem).book_count,
  } satisfies Record<OpportunitySort['ev'], SortKey>,
  bestFirst: [],
  defaultSort: '-ev',
  better: { key: edge, descending: true },
  csv: `${EVENT_COLUMNS} selection line sportsbook odds_american odds_decimal odds_decimal_net ev_percentage fair_probability no_vig_odds kelly_percent confidence_score book_count market_width devig_method sharp_book odds_id deep_link arb_available arb_profit ${PROP_COLUMNS} oldest_odds_age_seconds warnings detected_at`.split(
    ' ',
  ),
  // It is its own leg.
  linkAt: ({ sportsbook, deep_link }, book) => (sportsbook === book ? deep_link : null),
};

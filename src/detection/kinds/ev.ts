// A price better than fair, as served.

import { DEFAULT_CURRENCY } from '../../base/model/money.js';
import { EV_NUMBER, RECORD_FLAG } from '../../base/model/opportunity-record.js';
import { roundProbability } from '../../base/model/price.js';
import type { Warning } from '../../base/model/warnings.js';
import type { EvItem } from '../../log/delta/opportunity.js';
import { ownName } from '../../rules/catalogue/private-book.js';
import { slug } from '../../rules/catalogue/team-name.js';
import type { EvOpportunity } from '../../schema/opportunities-items.js';
import type { OpportunitySort } from '../../schema/parameters.js';
import { EDGE_NOISE } from '../detection-limits.js';
import { kellyFraction, noVigAmerican } from '../maths/ev.js';
import { type Composing, EVENT_COLUMNS, edge, type Kind, PRICE_SORTS, PROP_COLUMNS, type SortKey } from './kind.js';
import { legCaps, settlementWarnings, totalStake } from './money.js';
import {
  commissionWarning,
  eventFields,
  eventName,
  type Market,
  PUSH_POSSIBLE,
  percent,
  priceFields,
  propFields,
  scoreNow,
} from './parts.js';

/**
 * An item has a warning if its edge is beyond `ev` (percent; `propEv` for player props), which is nearly always a stale
 * or wrong line, if it has fewer opinions than these, or a reference with a larger hold (percent).
 */
const WARN_AT = { ev: 15, propEv: 25, opinions: 5, hold: 10 } as const;

/** Its other rows are those behind the fair price. */
function evItem({ id, market, sides, record, score, method, money, has, bookOf }: Composing): EvItem {
  const { event, marketType } = market;
  const { numbers, rows } = record;
  const leg = sides[0]![0]!;
  const { row } = leg;
  const p = numbers[EV_NUMBER.p]!;
  const arbProfit = numbers[EV_NUMBER.arbProfit]!;
  const kelly = kellyFraction(p, leg.net);
  const total = totalStake(legCaps([leg], [1]), DEFAULT_CURRENCY, money.rates);
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
    ev_percentage: percent(numbers[EV_NUMBER.edge]!),
    fair_probability: roundProbability(p),
    no_vig_odds: noVigAmerican(p),
    kelly_percent: percent(100 * kelly),
    kelly_fraction: roundProbability(kelly),
    max_stake: total.amount,
    confidence_score: score,
    book_count: numbers[EV_NUMBER.books]!,
    market_width: percent(numbers[EV_NUMBER.hold]!),
    devig_method: method,
    sharp_book: ownName((has(RECORD_FLAG.consensus) ? null : bookOf(rows[1]!)) ?? 'consensus'),
    odds_id: row.id,
    market_id: leg.ids?.market ?? null,
    selection_id: leg.ids?.selection ?? row.details.exchange?.[3] ?? null,
    deep_link: leg.deepLink,
    arb_available: arbProfit > 0,
    arb_profit: arbProfit > 0 ? percent(arbProfit) : null,
    ...propFields(market, row),
    is_alternate_line: row.alternate,
    warnings: [
      ...warningsOf(market, numbers, has),
      ...settlementWarnings([leg], money),
      ...commissionWarning([leg]),
      ...total.warnings,
    ],
  };
}

function warningsOf(market: Market, numbers: readonly number[], has: Composing['has']): Warning[] {
  const warnings: Warning[] = [];
  if (has(RECORD_FLAG.push)) warnings.push(PUSH_POSSIBLE);
  // The probability of the push is that of no measured distribution.
  if (has(RECORD_FLAG.assumed)) warnings.push('ASSUMED_DISTRIBUTION');
  if (numbers[EV_NUMBER.edge]! > (market.player === null ? WARN_AT.ev : WARN_AT.propEv) + EDGE_NOISE)
    warnings.push('IMPLAUSIBLE_EV');
  if (has(RECORD_FLAG.consensus) && numbers[EV_NUMBER.opinions]! < WARN_AT.opinions) warnings.push('FEW_BOOKS');
  if (numbers[EV_NUMBER.hold]! > WARN_AT.hold) warnings.push('WIDE_REFERENCE');
  return warnings;
}

export const EV: Kind<EvItem> = {
  legSides: 1,
  compose: evItem,
  isSure: (has) => !has(RECORD_FLAG.breaks),
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
    market_id: item.market_id ?? null,
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

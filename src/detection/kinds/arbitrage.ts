// An arbitrage, as served: prices of every result that profit together, whatever happens.

import { feedIdFields } from '../../base/model/feed-ids.js';
import { DEFAULT_CURRENCY } from '../../base/model/money.js';
import { RECORD_FLAG } from '../../base/model/opportunity-record.js';
import { formatMs } from '../../base/model/time.js';
import type { Warning } from '../../base/model/warnings.js';
import type { ArbitrageItem } from '../../log/delta/opportunity.js';
import type { ArbitrageOpportunity } from '../../schema/opportunities-items.js';
import type { OpportunitySort } from '../../schema/parameters.js';
import {
  impliedTotalPercent,
  inverseSum,
  isSuspiciousProfit,
  profitPercent,
  stakePercents,
} from '../maths/arbitrage.js';
import type { Measured } from './caller-thresholds.js';
import {
  type Composing,
  columnsOfEach,
  EVENT_COLUMNS,
  edge,
  type Kind,
  PRICE_SORTS,
  PROP_COLUMNS,
  type SortKey,
} from './kind.js';
import { arbitrageExceptions, evenCaps, legCaps, settlementWarnings, totalStake } from './money.js';
import {
  commissionWarning,
  eventFields,
  type Leg,
  legStakeMax,
  PUSH_POSSIBLE,
  percent,
  priceFields,
  propFields,
  sameOwner,
} from './parts.js';

function arbitrageItem({ id, market, sides, money, has }: Composing): ArbitrageItem {
  const legs = sides.flat();
  const decimals = legs.map((leg) => leg.net);
  const sum = inverseSum(decimals, legs.length);
  const stakes = decimals.map(() => 0);
  stakePercents(decimals, legs.length, sum, stakes);
  const total = totalStake(legCaps(legs, stakes), DEFAULT_CURRENCY, money.rates);
  const first = legs[0]!.row;
  return {
    id,
    hash_id: id,
    ...eventFields(market.event, market.marketType),
    line: first.line,
    profit_percent: percent(profitPercent(sum)),
    implied_total: percent(impliedTotalPercent(sum)),
    max_stake: total.amount,
    exceptions: arbitrageExceptions(legs, stakes, money.ruled),
    legs: legs.map((leg, i) => ({
      sportsbook: leg.book,
      selection: leg.row.selection,
      selection_type: leg.row.selectionType,
      line: leg.row.line,
      ...priceFields(leg),
      stake_percent: stakes[i]!,
      ...layFields(leg, stakes[i]!),
      max_stake: legStakeMax(leg),
      odds_id: leg.row.id,
      ...feedIdFields(leg.ids),
      last_seen_at: formatMs(leg.seenMs),
      deep_link: leg.deepLink,
    })),
    game_state: market.event.state,
    ...propFields(market, first),
    is_alternate_line: legs.some(({ row }) => row.alternate),
    warnings: [
      ...arbitrageWarnings(legs, has),
      ...settlementWarnings(legs, money),
      ...commissionWarning(legs),
      ...total.warnings,
    ],
  };
}

/** The stake of a lay is its liability; an exchange needs the backer's stake, which is this share of the total. */
function layFields({ lay, row }: Leg, liabilityPercent: number): { is_lay?: true; lay_stake_percent?: number } {
  if (!lay) return {};
  return { is_lay: true, lay_stake_percent: percent(liabilityPercent / (row.decimal - 1)) };
}

function arbitrageWarnings(legs: readonly Leg[], has: Composing['has']): Warning[] {
  const warnings: Warning[] = [];
  if (has(RECORD_FLAG.suspicious)) warnings.push('SUSPICIOUS_PROFIT');
  if (legs.some(({ lay }) => lay)) warnings.push('LAY_LEG');
  if (sameOwner(legs)) warnings.push('SAME_OWNER');
  // A result returns the stakes: no loss, and no profit either.
  if (has(RECORD_FLAG.push)) warnings.push(PUSH_POSSIBLE);
  return warnings;
}

const LEG_COLUMNS =
  'sportsbook selection selection_type line odds_american odds_decimal odds_decimal_net stake_percent odds_id external_event_id market_id selection_id last_seen_at deep_link';

export const ARBITRAGE: Kind<ArbitrageItem> = {
  compose: arbitrageItem,
  isSure: (has) => !has(RECORD_FLAG.breaks),
  caps: evenCaps,
  servedFields: { oldest_odds_age_seconds: 0, possibly_stale: false, detected_at: '' },
  serve: (item, { age, possibly_stale, detected_at, seenMs, link, gameState }): ArbitrageOpportunity => ({
    ...item,
    legs: item.legs.map((leg, i) => ({
      ...leg,
      last_seen_at: seenMs[i] === undefined ? leg.last_seen_at : formatMs(seenMs[i]),
      deep_link: link(leg.sportsbook, leg.deep_link),
    })),
    game_state: gameState(item.game_state),
    oldest_odds_age_seconds: age,
    possibly_stale,
    detected_at,
  }),
  meets: (one, edge, { minProfit, suspicious }) => !(edge < minProfit) && (suspicious || !isSuspicious(one, edge)),
  mayMeet: (_least, most, { minProfit }) => most >= minProfit,
  sorts: { ...PRICE_SORTS, profit: edge, ev: edge } satisfies Record<OpportunitySort['arbitrage'], SortKey>,
  bestFirst: ['profit', 'ev'],
  defaultSort: 'profit',
  better: { key: edge, descending: true },
  csv: `${EVENT_COLUMNS} line profit_percent implied_total ${columnsOfEach(['legs.0', 'legs.1', 'legs.2'], LEG_COLUMNS)} ${PROP_COLUMNS} oldest_odds_age_seconds warnings detected_at`.split(
    ' ',
  ),
  linkAt: ({ legs }, book) => legs.find((leg) => leg.sportsbook === book && leg.deep_link !== null)?.deep_link ?? null,
};

function isSuspicious(one: Measured, edge: number): boolean {
  return edge === one.edge ? one.suspicious : isSuspiciousProfit(edge);
}

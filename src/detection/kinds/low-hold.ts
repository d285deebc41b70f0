// A low hold, as served: the best price of every side of one line, with almost no margin.

import { DEFAULT_CURRENCY, exchangeRate, type Rates } from '../../base/model/money.js';
import { LOW_HOLD_NUMBER, RECORD_FLAG } from '../../base/model/opportunity-record.js';
import { roundDecimal, roundProbability, roundTo } from '../../base/model/price.js';
import type { Cap } from '../../base/model/stake-terms.js';
import { formatMs } from '../../base/model/time.js';
import type { LowHoldItem } from '../../log/delta/opportunity.js';
import type { LowHoldOpportunity, LowHoldSide } from '../../schema/opportunities-items.js';
import type { OpportunitySort } from '../../schema/parameters.js';
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
import { capsOf, ruleExceptions, settlementWarnings, totalStake } from './money.js';
import {
  eventName,
  impliedProbability,
  type Leg,
  legStakeMax,
  NET_OF_COMMISSION,
  percent,
  scoreNow,
  teamField,
} from './parts.js';

/** Its sides contain every book tied at the side's best price, the first listed book first. */
function lowHoldItem({ id, market, sides, record, score, money }: Composing): LowHoldItem {
  const hold = record.numbers[LOW_HOLD_NUMBER.edge]!;
  const sum = 1 + hold / 100;
  const { event } = market;
  const first = sides[0]![0]!.row;
  const third = sides[2];
  const most = sides.map((legs) => sideStakeMax(legs, money.rates));
  const shares = sides.map(shareOf);
  const firsts = sides.map((legs) => legs[0]!);
  const total = totalStake(sideCaps(sides, money.rates), DEFAULT_CURRENCY, money.rates);
  let alternate = false;
  let commission = false;
  for (const legs of sides) {
    if (legs[0]!.row.alternate) alternate = true;
    for (const leg of legs) if (leg.commission !== null) commission = true;
  }
  // Written out instead of composed of parts: most published opportunities are low holds.
  return {
    id,
    hash_id: id,
    event_id: event.id,
    event_name: eventName(event),
    sport: event.sport,
    league: event.league,
    home_team: event.home,
    away_team: event.away,
    start_time: formatMs(event.startMs),
    is_live: event.live,
    market_type: market.marketType,
    line: first.line,
    hold_percentage: percent(hold),
    max_stake: total.amount,
    exceptions: ruleExceptions(firsts, shares, money.ruled),
    side1: sideOf(sides[0]!, sum, most[0]!),
    side2: sideOf(sides[1]!, sum, most[1]!),
    side3: third === undefined ? null : sideOf(third, sum, most[2]!),
    all_books: [...new Set(sides.flatMap((legs) => legs.map(({ book }) => book)))],
    confidence: score,
    game_state: event.state,
    is_player_prop: market.player !== null,
    player_name: first.player,
    stat_category: first.stat,
    ...teamField(market, first),
    is_alternate_line: alternate,
    warnings: [
      ...settlementWarnings(sides.flat(), money),
      ...(commission ? [NET_OF_COMMISSION] : []),
      ...total.warnings,
    ],
  };
}

const shareOf = (legs: readonly Leg[]): number => 1 / legs[0]!.net;

/** For each currency of the sides' first books the greatest total stake there. */
function sideCaps(sides: readonly (readonly Leg[])[], rates: Rates): Cap[] {
  return capsOf(
    sides.map((legs) => legs[0]!.rules.currency),
    sides.map((legs) => sideStakeMax(legs, rates)),
    sides.map(shareOf),
  );
}

/**
 * Sum over all books tied at the price, in the first one's currency; null if one of them states none. Without a rate a
 * book in another currency adds nothing.
 */
function sideStakeMax(legs: readonly Leg[], rates: Rates): number | null {
  let sum = 0;
  for (const leg of legs) {
    const most = legStakeMax(leg);
    if (most === null) return null;
    sum += most * (exchangeRate(leg.rules.currency, legs[0]!.rules.currency, rates) || 0);
  }
  return roundTo(sum, 2);
}

function sideOf(legs: readonly Leg[], sum: number, most: number | null): LowHoldItem['side1'] {
  const { row, net, commission, rules } = legs[0]!;
  const links: Record<string, string> = {};
  for (const leg of legs) if (leg.deepLink !== null) links[leg.book] = leg.deepLink;
  const probability = impliedProbability(row);
  return {
    selection: row.selection,
    books: legs.map(({ book }) => book),
    line: row.line,
    odds: {
      american: row.american,
      decimal: roundDecimal(row.decimal),
      decimal_net: roundDecimal(net),
      implied_probability: probability,
      probability,
      // Multiplicative devig of the best prices themselves.
      fair_probability: roundProbability(1 / net / sum),
    },
    commission,
    currency: rules.currency,
    max_stake: most,
    deep_links: links,
  };
}

const SIDE_COLUMNS = 'selection line books odds.american odds.decimal odds.decimal_net odds.fair_probability';

export const LOW_HOLD: Kind<LowHoldItem> = {
  compose: lowHoldItem,
  isSure: (has) => !has(RECORD_FLAG.breaks),
  caps: sideCaps,
  servedFields: { odds_age_seconds: 0, possibly_stale: false, detected_at: '' },
  serve: (item, { age, possibly_stale, detected_at, score, link, gameState }): LowHoldOpportunity => {
    /** With the links of all books that have its price. */
    const priced = (side: LowHoldSide): LowHoldSide => {
      const links: Record<string, string> = {};
      for (const book in side.deep_links) {
        const own = link(book, side.deep_links[book] ?? null);
        if (own !== null) links[book] = own;
      }
      return { ...side, deep_links: links };
    };
    return {
      ...item,
      confidence: score,
      side1: priced(item.side1),
      side2: priced(item.side2),
      side3: item.side3 === null ? null : priced(item.side3),
      game_state: gameState(item.game_state),
      odds_age_seconds: age,
      possibly_stale,
      detected_at,
    };
  },
  meets: (_one, edge, { maxHold }) => !(edge <= 0) && !(edge > maxHold),
  mayMeet: (least, most, { maxHold }) => most > 0 && least <= maxHold,
  sorts: { ...PRICE_SORTS, hold: edge, confidence: scoreNow, quality: scoreNow } satisfies Record<
    OpportunitySort['low_hold'],
    SortKey
  >,
  bestFirst: ['confidence', 'quality'],
  defaultSort: 'hold',
  better: { key: edge, descending: false },
  csv: `${EVENT_COLUMNS} line hold_percentage ${columnsOfEach(['side1', 'side2', 'side3'], SIDE_COLUMNS)} all_books confidence ${PROP_COLUMNS} odds_age_seconds warnings detected_at`.split(
    ' ',
  ),
  linkAt: ({ side1, side2, side3 }, book) =>
    side1.deep_links[book] ?? side2.deep_links[book] ?? side3?.deep_links[book] ?? null,
};

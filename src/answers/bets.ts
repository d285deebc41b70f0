// An account's bet as it is shown.
import { type Bet, counts, idOfBet, riskOf } from '../accounts/bets/bet.js';
import { amountOf, halfEven } from '../accounts/bets/cents.js';
import { chargeOf } from '../base/model/commission.js';
import { roundTo } from '../base/model/price.js';
import { formatMs } from '../base/model/time.js';
import type { AccountBet } from '../schema/bets.js';

export function betItem(bet: Bet): AccountBet {
  const { subject, grading } = bet;
  return {
    id: idOfBet(bet.no),
    client_id: bet.clientId,
    mode: bet.mode,
    status: bet.status,
    reason: bet.reason,
    fills: bet.fills.map(({ decimal, cents, atMs }) => ({
      odds_decimal: roundTo(decimal, 6),
      stake: amountOf(cents),
      at: formatMs(atMs),
    })),
    stake: amountOf(bet.cents),
    is_lay: subject?.lay === true,
    stake_filled: amountOf(bet.fills.reduce((sum, { cents }) => sum + cents, 0)),
    exposure: counts(bet) ? amountOf(riskOf(bet)) : 0,
    currency: subject?.currency ?? null,
    limited_by: bet.bound,
    odds_id: bet.oddsId,
    odds_american: roundTo(bet.american, 2),
    odds_decimal: roundTo(bet.decimal, 6),
    event_id: subject?.event ?? null,
    event_name: subject?.eventName ?? null,
    sport: subject?.sport ?? null,
    league: subject?.league ?? null,
    sportsbook: subject?.sportsbook ?? null,
    market_type: subject?.market ?? null,
    selection: subject?.selection ?? null,
    selection_type: subject?.selectionType ?? null,
    player_name: subject?.player ?? null,
    ...(subject?.stat === undefined ? {} : { stat_category: subject.stat }),
    team_name: subject?.teamName ?? null,
    line: subject?.line ?? null,
    ...(subject?.threeWay === true ? { three_way: true } : {}),
    ...(subject?.commission === undefined ? {} : { commission: chargeOf(subject.commission, null) }),
    is_live: bet.live,
    recorded_at: formatMs(bet.recordedMs),
    judged_at: bet.judgeMs === null ? null : formatMs(bet.judgeMs),
    tag: bet.tag,
    note: bet.note,
    result: grading?.result ?? null,
    result_reason: grading?.reason ?? (subject?.noRule === true ? 'no_rule' : null),
    profit: grading?.profit == null ? null : amountOf(halfEven(grading.profit)),
    clv_percent: grading?.clv == null ? null : roundTo(grading.clv, 4),
    revision: grading?.revision ?? 0,
    graded_at: grading === null ? null : formatMs(grading.atMs),
  };
}

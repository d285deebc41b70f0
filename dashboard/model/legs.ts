// The bets of an opportunity: the same form for all four kinds.

import { type Commission, netDecimal } from '../../src/base/model/commission.js';
import type { OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { outcomeText } from './outcome.js';

export interface Leg {
  /** The outcome with its line, and the player if there is one. */
  outcome: string;
  selection: string;
  line: number | null;
  /** Book ids; the first is the one to bet at. */
  books: string[];
  american: number;
  decimal: number;
  net: number;
  commission: Commission | null;
  /** Book id → its page of the bet. */
  links: Readonly<Record<string, string | null>>;
  oddsId: string | null;
  /** Share of the stakes as the server states it, percent; null if it states none. */
  stakePercent: number | null;
  /** Fair probability, 0-1; null if none is stated. */
  fair: number | null;
  /** The selection is laid at `decimal`: the stake is the liability, and `net` is its payout. */
  isLay: boolean;
  /** ISO 4217 code of the book's stakes and limits. */
  currency: string;
  /** Maximum stake for this leg according to the server, in its currency; null if it states none. */
  stakeMax: number | null;
  /** It stands already, with this stake: only the others are bet. */
  placed?: number;
}

/**
 * What a unit at risk brings back at a stated price, before commission: who lays at L risks L - 1 to win 1, so that a
 * liability is staked at L / (L - 1).
 */
export function riskedDecimal(isLay: boolean, stated: number): number {
  return isLay ? stated / (stated - 1) : stated;
}

/** The leg at another price of its book. */
export function legAt(leg: Leg, price: Pick<Leg, 'american' | 'decimal'>): Leg {
  const { isLay, stakeMax, commission } = leg;
  // Backers can be laid as much as before, which is another liability at another price.
  const most = isLay && stakeMax !== null ? (stakeMax * (price.decimal - 1)) / (leg.decimal - 1) : stakeMax;
  return { ...leg, ...price, net: netDecimal(riskedDecimal(isLay, price.decimal), commission), stakeMax: most };
}

/** What an account keeps of a leg on which `staked` is risked: of a lay the stake of its backer. */
export function backedStake({ isLay, decimal }: Pick<Leg, 'isLay' | 'decimal'>, staked: number): number {
  return isLay ? staked / (decimal - 1) : staked;
}

export function legsOf(kind: OpportunityChannel, item: OpportunityItem): Leg[] {
  switch (kind) {
    case 'ev':
      return [evLeg(item as OpportunityItems['ev'])];
    case 'arbitrage':
      return (item as OpportunityItems['arbitrage']).legs.map((leg) => ({
        outcome: `${leg.is_lay ? 'lay ' : ''}${outcomeText({ ...item, ...lined(leg) })}`,
        books: [leg.sportsbook],
        american: leg.odds_american,
        decimal: leg.odds_decimal,
        net: leg.odds_decimal_net,
        commission: leg.commission,
        ...lined(leg),
        links: { [leg.sportsbook]: leg.deep_link },
        oddsId: leg.odds_id,
        stakePercent: leg.stake_percent,
        fair: null,
        isLay: leg.is_lay === true,
        currency: leg.currency,
        stakeMax: leg.max_stake,
      }));
    case 'middles': {
      const { side1, side2 } = item as OpportunityItems['middles'];
      return [side1, side2].map((side) => ({
        outcome: outcomeText({ ...item, ...lined(side) }),
        books: [side.book],
        american: side.odds.american,
        decimal: side.odds.decimal,
        net: side.odds.decimal_net,
        commission: side.commission,
        ...lined(side),
        links: { [side.book]: side.deep_link },
        oddsId: side.odds_id,
        stakePercent: side.stake_percent,
        fair: side.odds.fair_probability,
        isLay: false,
        currency: side.currency,
        stakeMax: side.max_stake,
      }));
    }
    case 'low_hold': {
      const { side1, side2, side3 } = item as OpportunityItems['low_hold'];
      return [side1, side2, ...(side3 === null ? [] : [side3])].map((side) => ({
        outcome: outcomeText({ ...item, ...lined(side) }),
        books: side.books,
        american: side.odds.american,
        decimal: side.odds.decimal,
        net: side.odds.decimal_net,
        commission: side.commission,
        ...lined(side),
        links: side.deep_links,
        oddsId: null,
        stakePercent: null,
        fair: side.odds.fair_probability,
        isLay: false,
        currency: side.currency,
        stakeMax: side.max_stake,
      }));
    }
  }
}

function evLeg(item: OpportunityItems['ev']): Leg {
  return {
    outcome: outcomeText(item),
    books: [item.sportsbook],
    american: item.odds_american,
    decimal: item.odds_decimal,
    net: item.odds_decimal_net,
    commission: item.commission,
    ...lined(item),
    links: { [item.sportsbook]: item.deep_link },
    oddsId: item.odds_id,
    stakePercent: null,
    fair: item.fair_probability,
    isLay: false,
    currency: item.currency,
    stakeMax: item.max_stake,
  };
}

function lined({ selection, line }: { selection: string; line: number | null }) {
  return { selection, line };
}

/** Probability that a bet with positive EV is not refunded: what the server's EV, which counts refunds, implies. */
export function decidedChance(item: OpportunityItems['ev']): number {
  const unrefunded = (item.fair_probability * item.odds_decimal_net - 1) * 100;
  const chance = item.ev_percentage / unrefunded;
  return Math.abs(unrefunded) > 0.01 && chance > 0 && chance < 1 ? chance : 1;
}

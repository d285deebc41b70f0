// An opportunity as the viewer's profile reckons it: edge, fair price, largest stake, and what to stake on each bet.
import type { OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { edgeOf } from './alert-rules.js';
import { decidedChance, type Leg, legsOf } from './legs.js';
import { capAt, commissionAt, hasAccount, type Profile } from './profile.js';
import { type PlayedResult, playedResults } from './results.js';
import { type Bet, effectiveDecimal, equalReturns, kellyBet, type Plan, planOf } from './stakes.js';

/** A single price, or the bets of an opportunity: what is staked together. */
export interface Play {
  kind: OpportunityChannel | 'single';
  legs: Leg[];
  played: PlayedResult[] | undefined;
  /** Probability that a single bet is not refunded, 0-1. */
  decided: number;
}

/** The viewer's settings for one bet; the profile's and the server's values, or none, by default. */
export interface Terms {
  cap?: number | undefined;
  /** In place of what is reckoned; of a single bet. */
  stake?: number | undefined;
  isFree?: boolean;
  boostPercent?: number;
}

export interface Reckoning {
  /** Percent; of a low hold its negative hold; null for a single price without a fair one. */
  edge: number | null;
  plan: Plan;
  bets: Bet[];
}

export function playOf(kind: OpportunityChannel, item: OpportunityItem): Play {
  const legs = legsOf(kind, item);
  const decided = kind === 'ev' ? decidedChance(item as OpportunityItems['ev']) : 1;
  return { kind, legs, played: playedResults(legs, item), decided };
}

/** The book of a leg to bet at: the first that the viewer has an account at. */
export function bookOf(leg: Leg, profile: Profile): string {
  return leg.books.find((book) => hasAccount(profile, book)) ?? leg.books[0]!;
}

/** Whether every leg has a book that the viewer has an account at. */
export function isPlayable({ legs }: Play, profile: Profile): boolean {
  return legs.every(({ books }) => books.some((book) => hasAccount(profile, book)));
}

export function betOf(leg: Leg, profile: Profile, terms: Terms = {}): Bet {
  const book = bookOf(leg, profile);
  // A lay's net price applies to its liability, which is what is staked.
  const { decimal, commission } = leg.isLay
    ? { decimal: leg.net, commission: null }
    : { decimal: leg.decimal, commission: commissionAt(profile, book, leg.commission) };
  return {
    decimal,
    commission,
    cap: terms.cap ?? capAt(profile, book, leg.stakeMax),
    isFree: terms.isFree ?? false,
    boostPercent: terms.boostPercent ?? 0,
  };
}

export function reckon(play: Play, profile: Profile, terms: readonly (Terms | undefined)[] = []): Reckoning {
  const bets = play.legs.map((leg, i) => betOf(leg, profile, terms[i]));
  const options = { bankroll: profile.bankroll, rounding: profile.rounding };
  if (bets.length === 1) {
    const { fair } = play.legs[0]!;
    const chances = { fair: fair ?? 0, decided: play.decided };
    const single = kellyBet(bets[0]!, chances, profile.kelly / 100, options, play.played);
    const stake = terms[0]?.stake;
    const plan = stake === undefined ? single.plan : planOf(bets, [stake], single.plan.results);
    return { edge: fair === null ? null : single.edgePercent, plan, bets };
  }
  const plan = equalReturns(bets, options, play.played);
  const sum = bets.reduce((all, bet) => all + 1 / effectiveDecimal(bet), 0);
  return { edge: (1 / sum - 1) * 100, plan, bets };
}

/** What an opportunity is ranked by, percent: of a middle the server's expected value, which knows its chances. */
export function edgeFor(kind: OpportunityChannel, item: OpportunityItem, { edge }: Reckoning): number {
  if (kind === 'middles' || edge === null) return edgeOf(kind, item);
  return kind === 'low_hold' ? -(1 / (1 + edge / 100) - 1) * 100 : edge;
}

// An opportunity as the viewer's profile evaluates it: edge, fair price, largest stake, and what to stake on each bet.
import type { OpportunityChannel, OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import { edgeOf } from './alert-rules.js';
import { decidedChance, type Leg, legsOf, riskedDecimal } from './legs.js';
import { capAt, commissionAt, hasAccount, type Profile, rateAt } from './profile.js';
import { type Reservations, reservationsOf } from './reservations.js';
import { type PlayedResult, playedResults } from './results.js';
import {
  type Bet,
  effectiveDecimal,
  equalReturns,
  isComparable,
  kellyBet,
  type Plan,
  planOf,
  splitRest,
} from './stakes.js';

/** A single price, or the bets of an opportunity: what is staked together. */
export interface Play {
  kind: OpportunityChannel | 'single';
  legs: Leg[];
  played: PlayedResult[] | undefined;
  /** Probability that a single bet is not refunded, 0-1. */
  decided: number;
  /** What the server holds against it. */
  reservations: Reservations;
}

/** The viewer's settings for one bet; the profile's and the server's values, or none, by default. */
export interface Terms {
  /** Most that can be staked, in the book's currency. */
  cap?: number | undefined;
  /** In place of what is computed, in the book's currency: of several bets the others follow it. */
  stake?: number | undefined;
  /** The price that the viewer got, in place of the one that stands. */
  decimal?: number | undefined;
  isFree?: boolean;
  boostPercent?: number;
}

/** The viewer's settings for what is staked together. */
export interface PlayTerms {
  /** What all bets cost together, in the viewer's currency. */
  total?: number | undefined;
  /** One per leg; those that are missing have none. */
  legs: readonly (Terms | null | undefined)[];
}

/** A result that does not end as the bets do by their lines alone, with what it makes of the plan's cost. */
export interface ExceptionalResult {
  result: string;
  profit: number;
}

export interface Evaluation {
  /** Percent; of a low hold its negative hold; null for a single price without a fair one. */
  edge: number | null;
  plan: Plan;
  bets: Bet[];
  /** As the server states them of its own stakes, for the cost of these. */
  exceptions: ExceptionalResult[];
  /** Profit on the worst result, exceptions included. */
  worst: number;
  /** Of the cost, percent; null without stakes. */
  worstPercent: number | null;
  /** Currencies without a rate to the viewer's: nothing can be added up, nor split. */
  lacking: string[];
}

export function playOf(kind: OpportunityChannel, item: OpportunityItem): Play {
  const legs = legsOf(kind, item);
  const decided = kind === 'ev' ? decidedChance(item as OpportunityItems['ev']) : 1;
  return { kind, legs, played: playedResults(legs, item), decided, reservations: reservationsOf(kind, item) };
}

/** The book of a leg to bet at: the first that the viewer has an account at. */
export function bookOf(leg: Leg, profile: Profile): string {
  return leg.books.find((book) => hasAccount(profile, book)) ?? leg.books[0]!;
}

/** Whether every leg has one of these books: of several with the same price one is enough. */
export function isPlayable({ legs }: Pick<Play, 'legs'>, own: readonly string[]): boolean {
  return legs.every(({ books }) => books.some((book) => own.includes(book)));
}

export function betOf(leg: Leg, profile: Profile, terms: Terms = {}): Bet {
  const book = bookOf(leg, profile);
  return {
    // Of a lay the liability is what is staked.
    decimal: riskedDecimal(leg.isLay, terms.decimal ?? leg.decimal),
    commission: commissionAt(profile, book, leg.commission),
    cap: terms.cap ?? capAt(profile, book, leg, terms.isFree),
    isFree: terms.isFree ?? false,
    boostPercent: terms.boostPercent ?? 0,
    rate: rateAt(profile, leg.currency),
  };
}

export function evaluate(play: Play, profile: Profile, terms: PlayTerms = { legs: [] }): Evaluation {
  const bets = play.legs.map((leg, i) => betOf(leg, profile, terms.legs[i] ?? {}));
  const { edge, plan } = bets.length === 1 ? single(play, bets, profile, terms) : several(play, bets, profile, terms);
  const exceptions = play.reservations.exceptions.map(({ result, profitPercent }) => ({
    result,
    profit: (plan.cost * profitPercent) / 100,
  }));
  const worst = Math.min(plan.worst, ...exceptions.map(({ profit }) => profit));
  const lacking = play.legs.flatMap(({ currency }, i) => (Number.isFinite(bets[i]!.rate) ? [] : currency));
  return {
    edge,
    plan,
    bets,
    exceptions,
    worst,
    worstPercent: plan.cost > 0 ? (worst / plan.cost) * 100 : plan.worstPercent,
    lacking: [...new Set(lacking)],
  };
}

type Split = Pick<Evaluation, 'edge' | 'plan'>;

function single(play: Play, bets: readonly Bet[], profile: Profile, terms: PlayTerms): Split {
  const { fair } = play.legs[0]!;
  const chances = { fair: fair ?? 0, decided: play.decided };
  const by = kellyBet(bets[0]!, chances, profile.kelly / 100, profile, play.played);
  const stake = terms.legs[0]?.stake ?? (terms.total === undefined ? undefined : terms.total / bets[0]!.rate);
  const plan = stake === undefined || !isComparable(bets) ? by.plan : planOf(bets, [stake], by.plan.results);
  return { edge: fair === null ? null : by.edgePercent, plan };
}

function several(play: Play, bets: readonly Bet[], profile: Profile, { legs, total }: PlayTerms): Split {
  const sum = bets.reduce((all, bet) => all + 1 / effectiveDecimal(bet), 0);
  const edge = (1 / sum - 1) * 100;
  const fixed = bets.map((_, i) => legs[i]?.stake ?? play.legs[i]!.placed);
  if (fixed.some((stake) => stake !== undefined)) return { edge, plan: splitRest(bets, fixed, profile, play.played) };
  // Nothing is proposed that costs money whatever happens: how much turnover is wanted, the viewer says.
  const bankroll = total ?? (play.kind === 'low_hold' ? 0 : profile.bankroll);
  return { edge, plan: equalReturns(bets, { bankroll, rounding: profile.rounding }, play.played) };
}

/**
 * What an opportunity is ranked by, percent. A middle's expected value is the server's, which knows its chances, less what
 * the viewer's own commissions take of its wins.
 */
export function edgeFor(kind: OpportunityChannel, item: OpportunityItem, { edge, bets }: Evaluation): number {
  if (kind === 'middles') {
    const { side1, side2, expected_value } = item as OpportunityItems['middles'];
    const less = [side1, side2].reduce((sum, { odds, stake_percent }, i) => {
      const own = effectiveDecimal(bets[i]!);
      return sum + (stake_percent / 100) * odds.fair_probability * (own - odds.decimal_net);
    }, 0);
    return expected_value + less * 100;
  }
  if (edge === null) return edgeOf(kind, item);
  return kind === 'low_hold' ? -(1 / (1 + edge / 100) - 1) * 100 : edge;
}

// What to stake, and the profit on every result: bets of which one wins (an arbitrage, a low hold), of which one or
// both win (a middle), and a single bet with positive EV (by Kelly). A stake is in its book's currency, every sum in the
// viewer's.

import { type Commission, netDecimal } from '../../src/base/model/commission.js';
import { refundedFraction, wonFraction } from '../../src/rules/grading/settle.js';
import { oneWins, type PlayedResult } from './results.js';

export interface Bet {
  /** Decimal odds as the book states them. */
  decimal: number;
  commission: Commission | null;
  /** Units of the viewer's currency for one of the book's; NaN if there is no rate, and then nothing can be split. */
  rate: number;
  /** Maximum stake, or the value of the free bet, in the book's currency; null means no limit. */
  cap: number | null;
  /** Placed with a free bet: it costs nothing, and its stake is not returned. */
  isFree: boolean;
  /** Profit boost, percent: 50 adds half of the winnings. */
  boostPercent: number;
}

export interface Plan {
  /** One per bet, in the order given and the currency of its book. */
  stakes: number[];
  /** Taken from the bankroll, in the viewer's currency: free bets cost nothing. */
  cost: number;
  results: Result[];
  /** Profit on the worst result. */
  worst: number;
  /** The worst result in percent of the cost; of the free bets if nothing else is staked; null without stakes. */
  worstPercent: number | null;
}

export interface Result extends PlayedResult {
  profit: number;
}

export interface PlanOptions {
  /** Maximum cost of all bets together. */
  bankroll: number;
  /** Stakes are multiples of it, in the book's currency: 0.01, 1, 5. */
  rounding: number;
}

/** Decimal odds after boost and commission. */
export function effectiveDecimal({ decimal, commission, boostPercent }: Bet): number {
  return netDecimal(1 + (decimal - 1) * (1 + boostPercent / 100), commission);
}

/** Return per unit staked when the bet wins, in the viewer's currency. */
function returnOf(bet: Bet): number {
  return (effectiveDecimal(bet) - (bet.isFree ? 1 : 0)) * bet.rate;
}

/** Whether sums can be made at all. */
export function isComparable(bets: readonly Bet[]): boolean {
  return bets.every(({ rate }) => Number.isFinite(rate));
}

/** Return per unit staked with this grade. What a free bet is refunded is worth nothing here. */
function returnAt(bet: Bet, grade: number): number {
  return wonFraction(grade) * returnOf(bet) + (bet.isFree ? 0 : refundedFraction(grade) * bet.rate);
}

/**
 * Stakes with the same return whichever bet wins, as large as bankroll and caps allow, rounded so that the worst result
 * is as good as possible.
 * @param played the results that can happen; by default that exactly one of the bets wins
 */
export function equalReturns(
  bets: readonly Bet[],
  options: PlanOptions,
  played: readonly PlayedResult[] = oneWins(bets.length),
): Plan {
  const none = bets.map(() => 0);
  if (!isComparable(bets)) return planOf(bets, none, []);
  const returns = bets.map(returnOf);
  const costOfOne = bets.reduce((sum, bet, i) => sum + (bet.isFree ? 0 : bet.rate / returns[i]!), 0);
  let back = costOfOne > 0 ? options.bankroll / costOfOne : Number.POSITIVE_INFINITY;
  for (const [i, { cap, isFree }] of bets.entries()) {
    // A free bet without a given value is as large as a bankroll.
    const most = cap ?? (isFree && costOfOne === 0 ? options.bankroll : null);
    if (most !== null) back = Math.min(back, most * returns[i]!);
  }
  const exact = returns.map((of) => back / of);
  let best: Plan | undefined;
  for (const stakes of roundings(exact, options.rounding)) {
    if (bets.some(({ cap }, i) => cap !== null && stakes[i]! > cap + 1e-9)) continue;
    const plan = planOf(bets, stakes, played);
    if (plan.cost > options.bankroll + 1e-9) continue;
    if (best === undefined || better(plan, best)) best = plan;
  }
  return best ?? planOf(bets, none, played);
}

/**
 * Some of the bets are placed already: the others such that their wins return what the first of those does, within their
 * caps. The bankroll is no bound, as what is placed is placed.
 * @param fixed one per bet: its stake, or undefined where it is to be found
 */
export function splitRest(
  bets: readonly Bet[],
  fixed: readonly (number | undefined)[],
  { rounding }: Pick<PlanOptions, 'rounding'>,
  played: readonly PlayedResult[] = oneWins(bets.length),
): Plan {
  const first = fixed.findIndex((stake) => stake !== undefined);
  if (first < 0 || !isComparable(bets))
    return planOf(
      bets,
      bets.map(() => 0),
      [],
    );
  const back = fixed[first]! * returnOf(bets[first]!);
  const exact = bets.map((bet, i) => fixed[i] ?? Math.min(back / returnOf(bet), bet.cap ?? Number.POSITIVE_INFINITY));
  let best: Plan | undefined;
  for (const ways of roundings(exact, rounding)) {
    const stakes = ways.map((stake, i) => fixed[i] ?? stake);
    if (bets.some(({ cap }, i) => fixed[i] === undefined && cap !== null && stakes[i]! > cap + 1e-9)) continue;
    const plan = planOf(bets, stakes, played);
    if (best === undefined || better(plan, best)) best = plan;
  }
  return best!;
}

/** Empty bets lose nothing: plans that stake everything are preferred to them. */
function better(plan: Plan, than: Plan): boolean {
  const whole = (of: Plan): boolean => of.stakes.every((stake) => stake > 0);
  if (whole(plan) !== whole(than)) return whole(plan);
  return plan.worst > than.worst + 1e-9;
}

/** Every stake rounded down and up: at most 2³ combinations. */
function roundings(exact: readonly number[], unit: number): number[][] {
  let ways: number[][] = [[]];
  for (const stake of exact) {
    const down = tidy(Math.floor(stake / unit + 1e-9) * unit);
    const up = tidy(Math.ceil(stake / unit - 1e-9) * unit);
    ways = ways.flatMap((way) =>
      down === up
        ? [[...way, down]]
        : [
            [...way, down],
            [...way, up],
          ],
    );
  }
  return ways;
}

/** Without float noise. */
function tidy(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

/** The profit of given stakes on each of the results. */
export function planOf(bets: readonly Bet[], stakes: readonly number[], played: readonly PlayedResult[]): Plan {
  const cost = bets.reduce(
    (sum, { isFree }, i) => sum + (isFree || stakes[i] === 0 ? 0 : stakes[i]! * bets[i]!.rate),
    0,
  );
  const results = played.map(({ name, grades }) => ({
    name,
    grades,
    profit: tidy(grades.reduce((sum, grade, i) => sum + stakes[i]! * returnAt(bets[i]!, grade), 0) - cost),
  }));
  const worst = results.length === 0 ? 0 : Math.min(...results.map(({ profit }) => profit));
  const staked = cost > 0 ? cost : stakes.reduce((sum, stake, i) => sum + (stake === 0 ? 0 : stake * bets[i]!.rate), 0);
  return {
    stakes: [...stakes],
    cost: tidy(cost),
    results,
    worst,
    worstPercent: staked > 0 ? (worst / staked) * 100 : null,
  };
}

export interface SingleBet {
  /** Full Kelly stake as a fraction of the bankroll; 0 if the bet has no positive EV. */
  kelly: number;
  stake: number;
  /** Expected profit of the stake. */
  expected: number;
  /** The same in percent of the stake. */
  edgePercent: number;
  plan: Plan;
}

export interface Chances {
  /** Probability that it wins, given that it is not refunded, 0-1. */
  fair: number;
  /** Probability that it is not refunded, 0-1. */
  decided: number;
}

/**
 * One bet by a fraction of Kelly.
 * @param share of the full Kelly stake, 0-1
 * @param played the results that can happen; by default that it wins or loses
 */
export function kellyBet(
  bet: Bet,
  { fair, decided }: Chances,
  share: number,
  { bankroll, rounding }: PlanOptions,
  played: readonly PlayedResult[] = [...oneWins(1), { name: '', grades: [-1] }],
): SingleBet {
  const winnings = effectiveDecimal(bet) - 1;
  const whole = bet.isFree ? fair * winnings : fair * (winnings + 1) - 1;
  const kelly = whole <= 0 ? 0 : bet.isFree ? 1 : whole / winnings;
  const edge = whole * decided;
  // The bankroll in the book's currency.
  const own = bankroll / bet.rate;
  const wanted = bet.isFree ? (bet.cap ?? own) : Math.min(kelly * share * own, bet.cap ?? Number.POSITIVE_INFINITY);
  // Never above the Kelly stake, the cap or the bankroll; nothing where the bankroll cannot be compared with it.
  const stake = Number.isFinite(own) ? tidy(Math.floor(wanted / rounding + 1e-9) * rounding) : 0;
  const plan = planOf([bet], [stake], played);
  return { kelly, stake, expected: edge * stake * bet.rate, edgePercent: edge * 100, plan };
}

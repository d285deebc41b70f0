// What to stake, and the profit on every result: bets of which one wins (an arbitrage, a low hold), of which one or
// both win (a middle), and a single bet with positive EV (by Kelly). Money is in the viewer's own currency.
import { type Commission, netDecimal } from '../../src/model/commission.js';

export interface Bet {
  /** Decimal odds as the book states them. */
  decimal: number;
  commission: Commission | null;
  /** Maximum stake, or the value of the free bet; null means no limit. */
  cap: number | null;
  /** Placed with a free bet: it costs nothing, and its stake is not returned. */
  isFree: boolean;
  /** Profit boost, percent: 50 adds half of the winnings. */
  boostPercent: number;
}

export interface Plan {
  /** One per bet, in the order given. */
  stakes: number[];
  /** Taken from the bankroll: free bets cost nothing. */
  cost: number;
  results: Result[];
  /** Profit on the worst result. */
  worst: number;
  /** The worst result in percent of the cost; of the free bets if nothing else is staked; null without stakes. */
  worstPercent: number | null;
}

export interface Result {
  /** Which bets win, by index. */
  winners: number[];
  profit: number;
}

export interface PlanOptions {
  /** Maximum cost of all bets together. */
  bankroll: number;
  /** Stakes are multiples of it: 0.01, 1, 5. */
  rounding: number;
}

/** Decimal odds after boost and commission. */
export function effectiveDecimal({ decimal, commission, boostPercent }: Bet): number {
  return netDecimal(1 + (decimal - 1) * (1 + boostPercent / 100), commission);
}

/** Return per unit staked when the bet wins. */
function returnOf(bet: Bet): number {
  return effectiveDecimal(bet) - (bet.isFree ? 1 : 0);
}

/**
 * Stakes with the same return whichever bet wins, as large as bankroll and caps allow, rounded so that the worst result
 * is as good as possible.
 * @param both true if both of two bets can win, as in a middle
 */
export function equalReturns(bets: readonly Bet[], options: PlanOptions, both = false): Plan {
  const returns = bets.map(returnOf);
  const costOfOne = bets.reduce((sum, bet, i) => sum + (bet.isFree ? 0 : 1 / returns[i]!), 0);
  let back = costOfOne > 0 ? options.bankroll / costOfOne : Number.POSITIVE_INFINITY;
  for (const [i, { cap, isFree }] of bets.entries()) {
    // A free bet without a given value is as large as a bankroll.
    const most = cap ?? (isFree && costOfOne === 0 ? options.bankroll : null);
    if (most !== null) back = Math.min(back, most * returns[i]!);
  }
  const exact = returns.map((of) => back / of);
  const sets = bets.map((_, i) => [i]);
  if (both) sets.push(bets.map((_, i) => i));
  let best: Plan | undefined;
  for (const stakes of roundings(exact, options.rounding)) {
    if (bets.some(({ cap }, i) => cap !== null && stakes[i]! > cap + 1e-9)) continue;
    const plan = planOf(bets, stakes, sets);
    if (plan.cost > options.bankroll + 1e-9) continue;
    if (best === undefined || better(plan, best)) best = plan;
  }
  return (
    best ??
    planOf(
      bets,
      bets.map(() => 0),
      sets,
    )
  );
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
export function planOf(bets: readonly Bet[], stakes: readonly number[], sets: readonly (readonly number[])[]): Plan {
  const cost = bets.reduce((sum, { isFree }, i) => sum + (isFree ? 0 : stakes[i]!), 0);
  const results = sets.map((winners) => ({
    winners: [...winners],
    profit: tidy(winners.reduce((sum, i) => sum + stakes[i]! * returnOf(bets[i]!), 0) - cost),
  }));
  const worst = Math.min(...results.map(({ profit }) => profit));
  const staked = cost > 0 ? cost : stakes.reduce((sum, stake) => sum + stake, 0);
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

/**
 * One bet by a fraction of Kelly.
 * @param fair probability that it wins, 0-1
 * @param share of the full Kelly stake, 0-1
 */
export function kellyBet(bet: Bet, fair: number, share: number, { bankroll, rounding }: PlanOptions): SingleBet {
  const winnings = effectiveDecimal(bet) - 1;
  const edge = bet.isFree ? fair * winnings : fair * (winnings + 1) - 1;
  const kelly = edge <= 0 ? 0 : bet.isFree ? 1 : edge / winnings;
  const wanted = bet.isFree
    ? (bet.cap ?? bankroll)
    : Math.min(kelly * share * bankroll, bet.cap ?? Number.POSITIVE_INFINITY);
  // Never above the Kelly stake, the cap or the bankroll.
  const stake = tidy(Math.floor(wanted / rounding + 1e-9) * rounding);
  const plan = planOf([bet], [stake], [[0], []]);
  return { kelly, stake, expected: edge * stake, edgePercent: edge * 100, plan };
}

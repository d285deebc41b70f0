// What an opportunity's legs say of the money: total stakes over currencies, results that legs settle differently, and the
// warnings about both. Pure functions of the legs.

import { keptOf } from '../../base/model/commission.js';
import type { Rates } from '../../base/model/money.js';
import { roundTo } from '../../base/model/price.js';
import { ownCommission } from '../../base/model/row-details.js';
import { type Cap, maxStakeIn } from '../../base/model/stake-terms.js';
import type { Warning } from '../../base/model/warnings.js';
import { houseExceptions, type Ruled } from '../../rules/grading/house-exceptions.js';
import { payout, settleTotal } from '../../rules/grading/settle.js';
import { inverseSum, stakePercents, sureDecimal } from '../maths/arbitrage.js';
import { percentBelow } from '../maths/middle.js';
import { type Leg, legStakeMax } from './parts.js';

export const CURRENCIES_DIFFER: Warning = 'CURRENCIES_DIFFER';
const TIE_SETTLES_HALF: Warning = 'TIE_SETTLES_HALF';
const VOID_DIFFERS: Warning = 'VOID_DIFFERS';
const FEE_ASSUMED: Warning = 'FEE_ASSUMED';
export const RULES_DIFFER: Warning = 'RULES_DIFFER';
const UNKNOWN_COMMISSION: Warning = 'UNKNOWN_COMMISSION';

/** A result on which the printed stakes do not make the printed profit. */
export interface SettledException {
  result: string;
  /** Of the total stake. */
  profit_percent: number;
}

/**
 * For each currency of the legs the greatest total stake there. `most` and `shares` (in any unit, of value) are those of
 * the legs, or of sides of several legs in one currency.
 */
export function capsOf(
  currencies: readonly string[],
  most: readonly (number | null)[],
  shares: readonly number[],
): Cap[] {
  let whole = 0;
  for (const share of shares) whole += share;
  const caps: [string, number | null][] = [];
  for (const [i, currency] of currencies.entries()) {
    const limit = most[i]!;
    const total = limit === null || shares[i] === 0 ? null : roundTo((limit * whole) / shares[i]!, 6);
    const known = caps.find(([of]) => of === currency);
    if (known === undefined) caps.push([currency, total]);
    else if (total !== null && (known[1] === null || total < known[1])) known[1] = total;
  }
  return caps;
}

/** The total stake in a currency; null, with a warning, if a rate is missing. */
export function totalStake(
  caps: readonly Cap[],
  currency: string,
  rates: Rates,
): { amount: number | null; warnings: Warning[] } {
  const amount = maxStakeIn(caps, currency, rates);
  if (amount !== undefined) return { amount, warnings: [] };
  // Where no leg states a limit there is nothing to compare.
  const limited = caps.some(([, total]) => total !== null);
  return { amount: null, warnings: limited ? [CURRENCIES_DIFFER] : [] };
}

/** A leg's own maximum, rounded down to the cent, and its currency. */
export function legCaps(legs: readonly Leg[], shares: readonly number[]): Cap[] {
  return capsOf(
    legs.map(({ rules }) => rules.currency),
    legs.map(legStakeMax),
    shares,
  );
}

/** As legCaps(), of sides that pay out the same whichever wins. */
export function evenCaps(sides: readonly (readonly Leg[])[]): Cap[] {
  const legs = sides.map(([leg]) => leg!);
  const nets = legs.map(({ net }) => net);
  const shares = nets.map(() => 0);
  stakePercents(nets, nets.length, inverseSum(nets, nets.length), shares);
  return legCaps(legs, shares);
}

/** What detection found about the money of an opportunity (RECORD_FLAG). */
export interface MoneyFacts {
  /** Set if house rules make exceptions. */
  ruled: Ruled | null;
  mayCharge: boolean;
  voidDiffers: boolean;
  rates: Rates;
}

/** Warnings about what books settle differently, and about charges that nobody knows. */
export function settlementWarnings(legs: readonly Leg[], { ruled, mayCharge, voidDiffers }: MoneyFacts): Warning[] {
  const warnings = ruled === null ? [] : ruleWarnings(ruled);
  const [first, ...others] = legs;
  if (voidDiffers || others.some(({ rules }) => rules.settles.void !== first!.rules.settles.void))
    warnings.push(VOID_DIFFERS);
  if (mayCharge) warnings.push(UNKNOWN_COMMISSION);
  if (legs.some(({ rules, row }) => rules.feesVary && ownCommission(row.details) === undefined))
    warnings.push(FEE_ASSUMED);
  return warnings;
}

function ruleWarnings({ market, legs }: Ruled): Warning[] {
  const even = legs.map((leg) => ({ ...leg, net: legs.length, kept: 1, stake: 1 }));
  const differing = houseExceptions(market, even).filter(({ differs }) => differs);
  const half = differing.some(({ result }) => result === 'tie') && legs.some(({ house }) => house.tie === 'half');
  return [...(half ? [TIE_SETTLES_HALF] : []), ...(differing.length > 0 ? [RULES_DIFFER] : [])];
}

/** Results that house rules settle otherwise, with these prices and stakes (in any unit). */
export function ruleExceptions(
  legs: readonly Pick<Leg, 'net' | 'commission'>[],
  stakes: readonly number[],
  ruled: Ruled | null,
): SettledException[] {
  if (ruled === null) return [];
  const priced = ruled.legs.map((leg, i) => {
    const { net, commission } = legs[i]!;
    return { ...leg, net: sureDecimal(net), kept: keptOf(commission), stake: stakes[i]! };
  });
  return houseExceptions(ruled.market, priced).map(({ result, profit }) => {
    return { result, profit_percent: percentBelow(100 * profit) };
  });
}

/**
 * Results on which an arbitrage makes something else than it prints: those that house rules settle differently, and the
 * number beside a quarter line, where half of each bet is refunded.
 */
export function arbitrageExceptions(
  legs: readonly Leg[],
  stakes: readonly number[],
  ruled: Ruled | null,
): SettledException[] {
  return [...ruleExceptions(legs, stakes, ruled), ...quarterException(legs, stakes)];
}

function quarterException(legs: readonly Leg[], stakes: readonly number[]): SettledException[] {
  const { line, selectionType } = legs[0]!.row;
  const isTotal = selectionType === 'over' || selectionType === 'under';
  if (legs.length !== 2 || line === null || !(isTotal || selectionType === 'home' || selectionType === 'away'))
    return [];
  // In terms of the counted result: a handicap's is the home margin.
  const at = selectionType === 'home' ? 0 - line : line;
  const number = Math.round(at);
  if (number === at || Math.abs(number - at) === 0.5) return [];
  const over = settleTotal('over', at, number);
  const firstIsOver = selectionType === 'over' || selectionType === 'home';
  const grades = firstIsOver ? [over, -over] : [-over, over];
  const back = legs.map((leg, i) => stakes[i]! * payout(grades[i]!, sureDecimal(leg.net)));
  const result = isTotal ? String(number) : marginText(number);
  return [{ result, profit_percent: profitOf(back, stakes) }];
}

function marginText(margin: number): string {
  if (margin === 0) return 'draw';
  return margin > 0 ? `home by ${margin}` : `away by ${-margin}`;
}

/** Rounded down: the stakes as printed make at least this. */
function profitOf(back: readonly number[], stakes: readonly number[]): number {
  const staked = stakes.reduce((sum, stake) => sum + stake, 0);
  return percentBelow(100 * (back.reduce((sum, paid) => sum + paid, 0) / staked - 1));
}

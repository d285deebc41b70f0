// Where a bet stops being worth it: the price below which it loses on average, and the stake beyond which there is no money
// or no more is taken.
import type { OpportunityItem, OpportunityItems } from '../../src/client/client.js';
import type { Leg } from './legs.js';
import { americanOf, americanText, fractionText, moneyText, type OddsFormat } from './odds-format.js';
import { bookOf, type Evaluation, edgeFor, type Play, type PlayTerms } from './play.js';
import { balanceAt, type Profile } from './profile.js';
import { type Bet, effectiveDecimal } from './stakes.js';

const DECIMAL_MAX = 100_000;
const STEPS = 100;

/** The stated price that is worth this much after boost and commission; null where none is. */
function statedFor(bet: Bet, effective: number): number | null {
  if (!(effective > 1)) return null;
  let [low, high] = [1 + 1e-9, DECIMAL_MAX];
  if (effectiveDecimal({ ...bet, decimal: high }) < effective) return null;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (effectiveDecimal({ ...bet, decimal: middle }) < effective) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Of each leg the least price, as its book states it, at which the bet as a whole still makes nothing or more: of one bet
 * its expected profit, of bets that cover every result what is left, of a middle its expected value. Null where it has no
 * such price: a turnover that costs, a free bet, a middle whose chances nobody states.
 * @param standing the opportunity as the server states it
 */
export function leastPrices(
  { kind, legs }: Play,
  { bets, edge }: Evaluation,
  standing: OpportunityItem | null | undefined,
  isHedge = false,
): (number | null)[] {
  if (bets.some(({ isFree }) => isFree)) return bets.map(() => null);
  if (kind === 'middles')
    return standing == null ? bets.map(() => null) : ofMiddle(standing as OpportunityItems['middles'], bets, edge);
  if (bets.length === 1) {
    const { fair, isLay } = legs[0]!;
    return [fair === null || fair <= 0 || isLay ? null : statedFor(bets[0]!, 1 / fair)];
  }
  if (kind === 'low_hold' && !isHedge) return bets.map(() => null);
  const parts = bets.map((bet) => 1 / effectiveDecimal(bet));
  const all = parts.reduce((sum, part) => sum + part, 0);
  return bets.map((bet, i) =>
    legs[i]!.isLay || legs[i]!.placed !== undefined ? null : statedFor(bet, 1 / (1 - all + parts[i]!)),
  );
}

/** With the stakes as they are, a price adds to the expected value by its stake's share and the chance that it wins. */
function ofMiddle(item: OpportunityItems['middles'], bets: Bet[], edge: number | null): (number | null)[] {
  const expected = edgeFor('middles', item, { bets, edge } as Evaluation) / 100;
  return [item.side1, item.side2].map(({ stake_percent, odds }, i) => {
    const weight = (stake_percent / 100) * odds.fair_probability;
    return weight <= 0 ? null : statedFor(bets[i]!, effectiveDecimal(bets[i]!) - expected / weight);
  });
}

/** Rounded so that it is never less. */
export function leastText(decimal: number, format: OddsFormat): string {
  const up = (value: number): number => Math.ceil(value - 1e-6);
  switch (format) {
    case 'american': {
      const american = up(decimal >= 2 ? (decimal - 1) * 100 : -100 / (decimal - 1));
      return americanText(american >= -100 && american < 100 ? americanOf(2) : american);
    }
    case 'decimal':
      return (up(decimal * 100) / 100).toFixed(2);
    case 'fractional':
      return fractionText(decimal - 1, up);
    case 'probability':
      return `${(Math.floor(1_000 / decimal + 1e-6) / 10).toFixed(1)}%`;
  }
}

/** What a stake is above: the money at its book, over all legs there, or what the book takes. */
export function beyondText(
  legs: readonly Leg[],
  i: number,
  { plan, bets }: Evaluation,
  profile: Profile,
  terms: PlayTerms,
  nameOf: (book: string) => string,
): string {
  const { currency, placed } = legs[i]!;
  const stake = plan.stakes[i]!;
  if (placed !== undefined || stake <= 0) return '';
  const book = bookOf(legs[i]!, profile);
  const balance = bets[i]!.isFree ? null : balanceAt(profile, book, currency);
  const there = legs.reduce((sum, leg, at) => {
    const isThere = leg.placed === undefined && bookOf(leg, profile) === book && !bets[at]!.isFree;
    return isThere && leg.currency === currency ? sum + plan.stakes[at]! : sum;
  }, 0);
  if (balance !== null && there > balance + 0.005)
    return `above your balance at ${nameOf(book)}: ${moneyText(balance, currency)}`;
  const cap = terms.legs[i]?.cap ?? legs[i]!.stakeMax ?? profile.accounts[book]?.limit ?? null;
  return cap !== null && stake > cap + 0.005 ? `above what ${nameOf(book)} takes: ${moneyText(cap, currency)}` : '';
}

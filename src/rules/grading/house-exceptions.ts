// Results on which books of different house rules settle an opportunity's legs otherwise than by who wins: what its stakes
// make of them at worst. Each result is played through with every way in which it may come.

import { words } from '../../base/model/words.js';
import type { HouseRules, Shortened } from '../markets/house-rules.js';
import { GAME, REGULATION } from '../markets/parts.js';
import type { MarketRules } from '../markets/rules.js';
import type { Pairing } from '../markets/sides.js';
import { overcharged } from './returns.js';
import { refundedFraction, settleTotal, wonFraction } from './settle.js';
import { type Grade, HALF, LOST, PUSH, WON } from './verdict.js';

export interface RuledLeg {
  /** 0 home, over, yes, odd; 1 the other one; 2 the draw. */
  readonly side: number;
  /** In terms of the counted result; NaN without a line. */
  readonly x: number;
  readonly lay: boolean;
  /** Price after commission; of a lay, per unit of liability. */
  readonly net: number;
  /** keptOf() its commission. */
  readonly kept: number;
  /** Share of the money, in any unit. */
  readonly stake: number;
  readonly house: HouseRules;
}

/** The market of the legs. */
export interface RuledMarket {
  readonly sport: string;
  readonly pairing: Pairing;
  /** A winner of the game whose tie may stand. */
  readonly ties: boolean;
  /** Its sides, of which a pair of back and lay has only one. */
  readonly sides: number;
  readonly rules: Pick<MarketRules, 'sides' | 'part' | 'subject' | 'tie'>;
}

/** What of an opportunity does not depend on its prices. */
export interface Ruled {
  readonly market: RuledMarket;
  readonly legs: readonly Pick<RuledLeg, 'side' | 'x' | 'lay' | 'house'>[];
}

export const HOUSE_RESULTS = ['tie', 'retirement', 'shortened', 'overtime_draw', 'super_over'] as const;

export interface HouseException {
  readonly result: (typeof HOUSE_RESULTS)[number];
  /** The least that it may make, as a share of the total stake. */
  readonly profit: number;
  /** Otherwise all books have the same rule, by which everything loses. */
  readonly differs: boolean;
}

/** Sports of single players or pairs, who may give up. Books differ in nothing else that ends a match early. */
const RETIRING: ReadonlySet<string> = new Set(
  words('tennis table_tennis badminton squash padel pickleball darts snooker'),
);
const CRICKET = 'cricket';

/** What a leg's selection gets: the share of the stake that wins, and the share that is returned. */
type Settled = Pick<Grade, 'won' | 'refunded'>;

const winsFor = (leg: RuledLeg, winner: number): Settled => (leg.side === winner ? WON : LOST);

function paid({ lay, net, kept }: RuledLeg, { won, refunded }: Settled): number {
  const lost = 1 - won - refunded;
  const [winning, losing] = lay ? [lost, won] : [won, lost];
  return winning * net + refunded + overcharged(winning * (net - 1), losing, kept);
}

/** The least over all ways of a result. */
class Least {
  readonly #legs: readonly RuledLeg[];
  #back = Number.POSITIVE_INFINITY;
  readonly #staked: number;

  constructor(legs: readonly RuledLeg[]) {
    this.#legs = legs;
    this.#staked = legs.reduce((sum, { stake }) => sum + stake, 0);
  }

  way(settle: (leg: RuledLeg) => Settled): void {
    let back = 0;
    for (const leg of this.#legs) back += leg.stake * paid(leg, settle(leg));
    this.#back = Math.min(this.#back, back);
  }

  exception(result: HouseException['result'], differs = true): HouseException {
    return { result, profit: this.#back / this.#staked - 1, differs };
  }
}

/** Nothing where all legs' books have the same rules, except for a tie on which all of them lose. */
export function houseExceptions(market: RuledMarket, legs: readonly RuledLeg[]): HouseException[] {
  const found: HouseException[] = [];
  if (isWinnerOfGame(market)) {
    if (market.sides === 2 && market.ties) addTie(legs, found);
    if (market.sides === 2 && market.sport === CRICKET) addSuperOver(legs, found);
    if (RETIRING.has(market.sport)) addRetirement(legs, found);
  }
  if (maySettleAtDraw(market)) addOvertimeDraw(market, legs, found);
  if (endsWithGame(market)) addShortened(market, legs, found);
  return found;
}

/** Whether these rules may settle a market of this kind differently at all, or lose a tie altogether. */
export function mayDiffer(a: HouseRules, b: HouseRules): boolean {
  if (a === b) return a.tie === 'loses';
  return (
    a.tie !== b.tie ||
    a.tie === 'loses' ||
    a.retirement !== b.retirement ||
    a.overtime !== b.overtime ||
    a.super_over !== b.super_over ||
    !sameShortened(a.shortened, b.shortened)
  );
}

function differ(legs: readonly RuledLeg[], name: keyof HouseRules): boolean {
  return legs.some(({ house }) => house[name] !== legs[0]!.house[name]);
}

function isWinnerOfGame({ rules, pairing }: RuledMarket): boolean {
  return pairing === 'winner' && rules.part === GAME;
}

/** A winner of the game without a draw that ends level. */
function addTie(legs: readonly RuledLeg[], found: HouseException[]): void {
  const differs = differ(legs, 'tie');
  if (!differs && legs[0]!.house.tie !== 'loses') return;
  const least = new Least(legs);
  least.way(onTie);
  found.push(least.exception('tie', differs));
}

/** Half of what a win pays, or half of the stake at the full price: the same. */
function onTie({ house: { tie } }: RuledLeg): Settled {
  if (tie === 'push') return PUSH;
  return tie === 'loses' ? LOST : HALF;
}

/** A match that is level and then decided by something else. */
function addSuperOver(legs: readonly RuledLeg[], found: HouseException[]): void {
  if (!differ(legs, 'super_over')) return;
  const least = new Least(legs);
  for (const winner of [0, 1])
    least.way((leg) => (leg.house.super_over === 'counts' ? winsFor(leg, winner) : onTie(leg)));
  found.push(least.exception('super_over'));
}

/** A side gives up, before a set is complete or after: the other one goes on. */
function addRetirement(legs: readonly RuledLeg[], found: HouseException[]): void {
  if (!differ(legs, 'retirement')) return;
  const least = new Least(legs);
  for (const afterSet of [false, true])
    for (const winner of [0, 1])
      least.way((leg) => {
        const { retirement } = leg.house;
        const stands = retirement === 'started' || (afterSet && retirement === 'first_set');
        return stands ? winsFor(leg, winner) : PUSH;
      });
  found.push(least.exception('retirement'));
}

/** A winner with a draw by what the book shows, or a draw no bet; not one whose own name says regulation. */
function maySettleAtDraw({ rules, pairing, sides }: RuledMarket): boolean {
  if (pairing !== 'winner') return false;
  if (rules.sides === 'two') return rules.part === REGULATION && rules.tie === 'push';
  return sides === 3 && (rules.sides === 'by_book' || rules.part !== REGULATION);
}

/** Level after regular time, and then won by one. */
function addOvertimeDraw({ sides }: RuledMarket, legs: readonly RuledLeg[], found: HouseException[]): void {
  if (!differ(legs, 'overtime')) return;
  const least = new Least(legs);
  for (const winner of [0, 1])
    least.way((leg) => {
      if (leg.house.overtime === 'counts') return winsFor(leg, winner);
      return sides === 3 ? winsFor(leg, 2) : PUSH;
    });
  found.push(least.exception('overtime_draw'));
}

function endsWithGame({ rules, pairing }: RuledMarket): boolean {
  return rules.part === GAME && rules.subject !== 'player' && pairing !== 'opposite';
}

/** A game that ended early: enough was played for some books, and not for others. */
function addShortened(market: RuledMarket, legs: readonly RuledLeg[], found: HouseException[]): void {
  if (legs.every(({ house }) => sameShortened(house.shortened, legs[0]!.house.shortened))) return;
  const least = new Least(legs);
  for (const played of legs) {
    for (const other of [false, true]) {
      // Just enough for this leg's book; whether for another measure too is not known.
      const isEnough = ({ house: { shortened } }: RuledLeg): boolean => {
        const order = compareShortened(shortened, played.house.shortened);
        return Number.isNaN(order) ? other : order <= 0;
      };
      if (!legs.every(isEnough)) playShortened(market, legs, isEnough, least);
    }
  }
  found.push(least.exception('shortened'));
}

function playShortened(
  { pairing, sides }: RuledMarket,
  legs: readonly RuledLeg[],
  isEnough: (leg: RuledLeg) => boolean,
  least: Least,
): void {
  if (pairing === 'winner') {
    for (let winner = 0; winner < sides; winner++) least.way((leg) => (isEnough(leg) ? winsFor(leg, winner) : PUSH));
    return;
  }
  // Numbers further from a line are graded as those next to it: lines may be thousands apart.
  const counts = new Set(legs.flatMap(({ x }) => [Math.floor(x) - 1, Math.floor(x), Math.ceil(x), Math.ceil(x) + 1]));
  for (const count of counts)
    least.way((leg) => {
      // A total that was passed is decided.
      const decided = pairing === 'total' && settleTotal('over', leg.x, count) === 1;
      if (!decided && !isEnough(leg)) return PUSH;
      const grade = settleTotal(leg.side === 0 ? 'over' : 'under', leg.x, count);
      return { won: wonFraction(grade), refunded: refundedFraction(grade) };
    });
}

function sameShortened(a: Shortened | null, b: Shortened | null): boolean {
  return a === b || compareShortened(a, b) === 0;
}

/** Which of two asks for less; the whole game is more than any. NaN for measures that cannot be compared. */
function compareShortened(a: Shortened | null, b: Shortened | null): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const [[unit, least]] = Object.entries(a) as [[string, number]];
  const [[otherUnit, otherLeast]] = Object.entries(b) as [[string, number]];
  return unit === otherUnit ? least - otherLeast : Number.NaN;
}

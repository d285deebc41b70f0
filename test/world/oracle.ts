// Arbitrages, low holds and sure middles of a world by brute force over its books' prices: every complete set of every
// market, written from the contract without any code of the engine.
import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import type { Commission } from '../../src/base/model/commission.js';
import type { Game } from './games.js';
import type { Player } from './quote.js';
import { backed, marketOf, type Price, type Visible } from './visible.js';

/** A book's commission: a share of net winnings, or a fee per contract that pays 1. */
export type Charge = { model: 'winnings'; rate: number } | { model: 'contract'; rate: number; centUp: boolean };

/** Fees that are rounded up to the cent are calculated for an order of this many contracts. */
const ORDER_CONTRACTS = 100;

export function chargesOf(books: Iterable<{ id: string; commission?: Commission }>): Map<string, Charge> {
  const charges = new Map<string, Charge>();
  for (const { id, commission } of books) if (commission !== undefined) charges.set(id, chargeBy(commission));
  return charges;
}

function chargeBy(commission: Commission): Charge {
  return commission.model === 'winnings' ? commission : { ...commission, centUp: commission.rounding === 'cent_up' };
}

/** The commission on a bet at a price. */
export function chargeOf({ book, commission }: Price, charges: ReadonlyMap<string, Charge>): Charge | undefined {
  if (commission === undefined) return charges.get(book);
  if (commission.rate === 0) return undefined;
  return chargeBy(commission);
}

export function netOf(decimal: number, charge: Charge | undefined): number {
  if (charge === undefined) return decimal;
  if (charge.model === 'winnings') return 1 + (decimal - 1) * (1 - charge.rate);
  const price = 1 / decimal;
  let fee = charge.rate * price * (1 - price);
  if (charge.centUp) fee = Math.ceil(fee * ORDER_CONTRACTS * 100 - 1e-9) / 100 / ORDER_CONTRACTS;
  return 1 / (price + fee);
}

/** What a stake of 1 pays where the venue pays half of a win: a share is kept of what is won by it, if anything is. */
export function halfOf(decimal: number, charge: Charge | undefined): number {
  if (charge?.model === 'contract') return netOf(decimal, charge) / 2;
  return decimal > 2 ? netOf(decimal / 2, charge) : decimal / 2;
}

interface LineName {
  game: number;
  market: string;
  /** Home's handicap, or the number; null for a moneyline. */
  line: number | null;
  player: Player | null;
  /** Outcomes: a moneyline's may be two or, with the draw, three. */
  ways: number;
}

export const rungKey = ({ game, market, line, player, ways }: LineName): string =>
  `${game} ${market} ${line === null ? `${ways}-way` : line + 0} ${player ?? ''}`;

export interface Question {
  game: Game;
  visible: Visible;
  /** Maximum age of a price (ms): it is lower for live games. */
  ageMaxMs: number;
  nowMs: number;
  charges: ReadonlyMap<string, Charge>;
  /** Null is every book. */
  books: ReadonlySet<string> | null;
}

/** What is found at a line, in percent; whether it must be listed. */
export interface Found {
  edge: number;
  due: boolean;
}

/** So close to zero that rounding of the stakes decides: such an opportunity may be listed or not. */
const NEAR_PERCENT = 0.15;
const PERCENT_MAX = { profit: 10, hold: 5 };
/** Percent. */
const FLOAT_NOISE = 1e-6;

/** Arbitrages, low holds and sure middles of a game, each by its kind and its line's name. */
export function foundIn(question: Question): Map<string, Found> {
  const found = new Map<string, Found>();
  const arbitrage = (name: string, { sum, roomy }: Best): void => {
    const edge = 100 * (1 / sum - 1);
    const due = roomy && edge > NEAR_PERCENT && edge < PERCENT_MAX.profit - FLOAT_NOISE;
    found.set(`arbitrage ${name}`, { edge, due });
  };
  for (const [name, sides] of offersOf(question)) {
    const [lists, ways] = [[...sides.offers.values()], sides.ways];
    if (lists.length === ways) {
      arbitrage(name, bestOf(lists, { apart: true, wins: true }));
      const { sum, roomy } = bestOf(lists, { apart: false, wins: false });
      const edge = 100 * (sum - 1);
      const due = roomy && edge > FLOAT_NOISE && edge < PERCENT_MAX.hold - FLOAT_NOISE;
      found.set(`low_hold ${name}`, { edge, due });
    }
    // A selection backed at its best and laid at its best.
    for (const [type, laid] of sides.lays) {
      const backed = sides.offers.get(type);
      if (backed !== undefined) arbitrage(`${name} lay ${type}`, bestOf([backed, laid], { apart: false, wins: true }));
    }
  }
  for (const name of sureMiddlesOf(question)) found.set(`middle ${name}`, { edge: Number.NaN, due: true });
  return found;
}

/** A price, and the bets that its book takes at it. */
interface Offer {
  book: string;
  net: number;
  /** The most and the least that can be staked; of a lay it is the liability. */
  most: number;
  least: number;
  /** Its stakes are multiples of this; so are the payouts of contracts. */
  step: number;
  unit: number;
}

interface Sides {
  ways: number;
  offers: Map<string, Offer[]>;
  lays: Map<string, Offer[]>;
}

/** Of every line, by side, the prices to back and to lay. */
function offersOf(question: Question): Map<string, Sides> {
  const lines = new Map<string, Sides>();
  for (const price of usable(question)) {
    const ways = price.contract === 'winner3' ? 3 : 2;
    const line = price.contract === 'handicap2' && price.type === 'away' ? 0 - price.line! : price.line;
    const market = marketOf({ market: backed(price.market), team: price.team });
    const name = rungKey({ game: question.game.no, market, line, player: price.man, ways });
    const sides = getOrInsert(lines, name, (): Sides => ({ ways, offers: new Map(), lays: new Map() }));
    const offers = isLaid(price) ? sides.lays : sides.offers;
    getOrInsert(offers, price.type, (): Offer[] => []).push(offerOf(price, question.charges));
  }
  return lines;
}

function offerOf(price: Price, charges: ReadonlyMap<string, Charge>): Offer {
  const { book, decimal, size = Number.POSITIVE_INFINITY } = price;
  const charge = chargeOf(price, charges);
  const laid = isLaid(price);
  // The stakes of an exchange are those of backers.
  const liability = laid ? decimal - 1 : 1;
  return {
    book,
    net: (laid ? layNetOf : netOf)(decimal, charge),
    most: size * liability,
    least: (LEAST_STAKE[book] ?? 0) * liability,
    step: STAKE_STEP * liability,
    unit: LEAST_PAYOUT[book] ?? 0,
  };
}

const isLaid = ({ market }: Price): boolean => backed(market) !== market;

/** Laid at L, a liability of 1 wins 1 / (L - 1), less the exchange's commission. */
export function layNetOf(decimal: number, charge: Charge | undefined): number {
  return netOf(1 + 1 / (decimal - 1), charge);
}

/** The least sum of 1 / price of a set; whether every set that has it can be bet for certain. */
interface Best {
  sum: number;
  roomy: boolean;
}

const NO_SET: Best = { sum: Number.POSITIVE_INFINITY, roomy: false };
/** Sums that differ by less are equal. */
const SUM_NOISE = 1e-9;

/** Of the sets of one offer of each list: `apart` at different books; `wins` whatever happens, with rounded stakes too. */
function bestOf(lists: readonly Offer[][], how: { apart: boolean; wins: boolean }): Best {
  const tops = lists.map((list) => topsOf(list, how.apart ? lists.length : 1));
  let best = NO_SET;
  const extend = (set: readonly Offer[], sum: number): void => {
    if (set.length === tops.length) {
      if (sum > best.sum + SUM_NOISE) return;
      const roomy = isRoomy(set, sum, how.wins);
      best = sum < best.sum - SUM_NOISE ? { sum, roomy } : { sum: best.sum, roomy: roomy && best.roomy };
      return;
    }
    for (const offer of tops[set.length]!)
      if (!how.apart || set.every(({ book }) => book !== offer.book)) extend([...set, offer], sum + 1 / offer.net);
  };
  extend([], 0);
  return best;
}

/** The best offers of so many books, and those that tie with the last: with as many as there are sides, the best set is among them. */
function topsOf(list: Offer[], books: number): Offer[] {
  list.sort((a, b) => b.net - a.net);
  const met = new Set<string>();
  let last = Number.POSITIVE_INFINITY;
  return list.filter(({ book, net }) => {
    if (met.size >= books && net < last - SUM_NOISE) return false;
    if (met.size < books) last = net;
    met.add(book);
    return true;
  });
}

/** Whether what can be staked is so much that minimum and rounded stakes do not matter. */
function isRoomy(set: readonly Offer[], sum: number, wins: boolean): boolean {
  const most = Math.min(...set.map((offer) => offer.most * offer.net));
  if (most === Number.POSITIVE_INFINITY) return true;
  const rounding = set.reduce((all, { step }) => all + 2 * step, 0);
  const payout = most - Math.max(...set.map(({ step, net, unit }) => Math.max(unit, step * net)));
  return set.every(({ net, least }) => payout / net > least + rounding) && (!wins || payout * (1 - sum) > rounding);
}

/**
 * Prices that may be in a set: active, fresh, of the requested books; two-way prices with two-way, three-way with
 * three-way.
 */
function* usable(question: Question): Iterable<Price> {
  const { game, visible, nowMs, ageMaxMs, books } = question;
  const all = [...visible.of(game.no)];
  const byBook = new Map<string, Price[]>();
  for (const price of all) getOrInsert(byBook, price.book, (): Price[] => []).push(price);
  for (const price of all) {
    if (!price.active || nowMs - price.seenMs > ageMaxMs || (books !== null && !books.has(price.book))) continue;
    if (price.contract === 'handicap3' || price.fair) continue;
    // If the draw was never shown, only the sport shows that there is one.
    const known = game.sport === 'soccer' || visible.everShowedDraw(price.book, game.no, price.market);
    if (price.contract === 'winner3' && !known) continue;
    if (!canBeHad(price, question.charges) || lacksThird(price, byBook.get(price.book)!)) continue;
    yield price;
  }
}

/** Whether one of the book's own prices against it, whatever its age, is so good that the two leave a side out. */
function lacksThird(price: Price, own: readonly Price[]): boolean {
  if (isLaid(price) || price.contract === 'winner3') return false;
  const same = ['market', 'man', 'team', 'contract'] as const;
  return own.some(
    (other) =>
      other.type !== price.type &&
      same.every((field) => other[field] === price[field]) &&
      (price.line === null || other.line === (price.contract === 'handicap2' ? 0 - price.line : price.line)) &&
      1 / price.decimal + 1 / other.decimal < 0.97,
  );
}

/** The smallest bets of exchanges: money, or whole contracts that pay 1. */
const LEAST_STAKE: Readonly<Record<string, number>> = {
  betfair: 1,
  matchbook: 0.1,
  prophetx: 1,
  polymarket: 1,
  smarkets: 0.05,
};
/** Where there is one, it is a cent. */
const STAKE_STEP = 0.01;
const LEAST_PAYOUT: Readonly<Record<string, number>> = { kalshi: 1, polymarket: 0.01 };

/** Whether at least the book's smallest bet can be had. */
function canBeHad(price: Price, charges: ReadonlyMap<string, Charge>): boolean {
  if (price.size === undefined) return true;
  const net = (isLaid(price) ? layNetOf : netOf)(price.decimal, chargeOf(price, charges));
  return price.size >= (LEAST_STAKE[price.book] ?? 0) && price.size * net >= (LEAST_PAYOUT[price.book] ?? 0);
}

/**
 * The fair probability of a price by those of others: the sharp book's, else the median over at least three owners of the
 * means of their books, each devigged by powers; NaN if there is none. Prices count if their book means them. Undefined
 * if a book has it as its main line and as another one: the contract does not say which of the two it means.
 */
export function fairOf(
  question: Question,
  judged: Price,
  ownerOf: (book: string) => string,
  sharp: string,
): number | undefined {
  const sets = new Map<string, Map<string, number>>();
  const alternates = new Map<string, boolean>();
  const thin = new Set<string>();
  const line = (price: Price): number | null =>
    price.contract === 'handicap2' && price.type === 'away' ? 0 - price.line! : price.line;
  const same = ['market', 'man', 'team', 'contract'] as const;
  for (const price of usable({ ...question, books: null })) {
    if (isLaid(price) || line(price) !== line(judged) || same.some((field) => price[field] !== judged[field])) continue;
    const set = sets.get(price.book) ?? new Map<string, number>();
    sets.set(price.book, set);
    if ((alternates.get(price.book) ?? price.alternate) !== price.alternate) return undefined;
    alternates.set(price.book, price.alternate);
    set.set(price.type, 1 / netOf(price.decimal, chargeOf(price, question.charges)));
    if (price.size !== undefined && price.size < 20) thin.add(price.book);
  }
  const sides = judged.contract === 'winner3' ? 3 : 2;
  const fair = new Map<string, Map<string, number>>();
  for (const [book, set] of sets) {
    const hold = [...set.values()].reduce((sum, implied) => sum + implied, 0) - 1;
    if (set.size < sides || thin.has(book) || hold < -0.03 - 1e-9 || hold > (judged.player ? 0.25 : 0.15) + 1e-9)
      continue;
    fair.set(book, deviggedByPower(set));
  }
  const reference = fair.get(sharp);
  if (reference !== undefined)
    return ownerOf(sharp) === ownerOf(judged.book) ? Number.NaN : reference.get(judged.type)!;
  const owners = new Map<string, Map<string, number>[]>();
  for (const [book, probabilities] of fair) {
    const owner = ownerOf(book);
    if (owner !== ownerOf(judged.book)) owners.set(owner, [...(owners.get(owner) ?? []), probabilities]);
  }
  if (owners.size < 3) return Number.NaN;
  const types = [...fair.values().next().value!.keys()];
  const medians = types.map((type) =>
    medianOf([...owners.values()].map((all) => all.reduce((sum, one) => sum + one.get(type)!, 0) / all.length)),
  );
  return medians[types.indexOf(judged.type)]! / medians.reduce((sum, median) => sum + median, 0);
}

function medianOf(values: number[]): number {
  values.sort((a, b) => a - b);
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

function deviggedByPower(implied: ReadonlyMap<string, number>): Map<string, number> {
  const all = [...implied.values()];
  const sumAt = (power: number) => all.reduce((sum, one) => sum + one ** power, 0);
  // Without a margin there is nothing to take out but the excess.
  if (sumAt(1) <= 1) return new Map([...implied].map(([type, one]) => [type, one / sumAt(1)]));
  let [low, high] = [1, 100];
  for (let i = 0; i < 40; i++) {
    const power = (low + high) / 2;
    if (sumAt(power) > 1) low = power;
    else high = power;
  }
  return new Map([...implied].map(([type, one]) => [type, one ** low]));
}

/** Middles that cannot lose: `game market line player` of the first side and the second side's line. */
function sureMiddlesOf(question: Question): string[] {
  const groups = new Map<string, { first: Price[]; second: Price[]; spread: boolean }>();
  for (const price of usable(question)) {
    if (price.line === null || isLaid(price) || price.size !== undefined) continue;
    const { man: player, contract, type } = price;
    const market = marketOf(price);
    const key = `${market} ${player}`;
    const group = groups.get(key) ?? { first: [], second: [], spread: contract === 'handicap2' };
    groups.set(key, group);
    (type === 'home' || type === 'over' ? group.first : group.second).push(price);
  }
  const sure = new Set<string>();
  for (const { first, second, spread } of groups.values())
    for (const a of first)
      for (const b of second) {
        const size = spread ? a.line! + b.line! : b.line! - a.line!;
        if (size < 0.5 || a.book === b.book) continue;
        const { charges, game } = question;
        const sum = 1 / netOf(a.decimal, chargeOf(a, charges)) + 1 / netOf(b.decimal, chargeOf(b, charges));
        if (sum < 1 - NEAR_PERCENT / 100)
          sure.add(`${rungKey({ ...a, player: a.man, market: marketOf(a), game: game.no, ways: 2 })} ${b.line! + 0}`);
      }
  return [...sure];
}

// Arbitrages, low holds and sure middles of a world by brute force over its books' prices: every complete set of every
// market, written from the contract without any code of the engine.
import type { Game } from './games.js';
import { backed, marketOf, type Price, type Visible } from './visible.js';

/** A book's commission: a share of net winnings, or a fee per contract that pays 1. */
export type Charge = { model: 'winnings'; rate: number } | { model: 'contract'; rate: number; centUp: boolean };

/** Fees that are rounded up to the cent are calculated for an order of this many contracts. */
const ORDER_CONTRACTS = 100;

/** The commission on a bet at a price. */
export function chargeOf({ book, commission }: Price, charges: ReadonlyMap<string, Charge>): Charge | undefined {
  if (commission === undefined) return charges.get(book);
  if (commission.rate === 0) return undefined;
  return commission.model === 'winnings' ? commission : { ...commission, centUp: commission.rounding === 'cent_up' };
}

export function netOf(decimal: number, charge: Charge | undefined): number {
  if (charge === undefined) return decimal;
  if (charge.model === 'winnings') return 1 + (decimal - 1) * (1 - charge.rate);
  const price = 1 / decimal;
  let fee = charge.rate * price * (1 - price);
  if (charge.centUp) fee = Math.ceil(fee * ORDER_CONTRACTS * 100 - 1e-9) / 100 / ORDER_CONTRACTS;
  return 1 / (price + fee);
}

/** The best prices of one market line: with every side at a different book, and without that rule. */
export interface MarketLine {
  game: number;
  market: string;
  /** Home's handicap, or the number; null for a moneyline. */
  line: number | null;
  player: boolean;
  /** Outcomes: a moneyline's may be two or, with the draw, three. */
  ways: number;
  /** Lowest sum of 1 / net price over the sides, each at a different book; Infinity if there is none. */
  distinct: number;
  /** The same with any books. */
  any: number;
  /** Some of its prices can be had for a stated stake only: its best ones may be of no use together. */
  limited: boolean;
}

export type RungName = Pick<MarketLine, 'game' | 'market' | 'line' | 'player' | 'ways'>;

export const rungKey = ({ game, market, line, player, ways }: RungName): string =>
  `${game} ${market} ${line === null ? `${ways}-way` : line + 0} ${player ? 'player' : ''}`;

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

interface Offer {
  book: string;
  net: number;
}

export function rungsOf(question: Question): MarketLine[] {
  const sides = new Map<string, { rung: MarketLine; offers: Map<string, Offer[]> }>();
  for (const price of usable(question)) {
    if (isLaid(price)) continue;
    const ways = price.contract === 'winner3' ? 3 : 2;
    const line = price.contract === 'handicap2' && price.type === 'away' ? 0 - price.line! : price.line;
    const { player } = price;
    const market = marketOf(price);
    const rung: MarketLine = {
      game: question.game.no,
      market,
      line,
      player,
      ways,
      distinct: 0,
      any: 0,
      limited: false,
    };
    const key = rungKey(rung);
    let group = sides.get(key);
    if (group === undefined) {
      group = { rung, offers: new Map() };
      sides.set(key, group);
    }
    group.rung.limited ||= price.size !== undefined;
    const offers = group.offers.get(price.type) ?? [];
    offers.push({ book: price.book, net: netOf(price.decimal, chargeOf(price, question.charges)) });
    group.offers.set(price.type, offers);
  }
  const rungs: MarketLine[] = [];
  for (const { rung, offers } of sides.values()) {
    if (offers.size !== rung.ways) continue;
    const lists = [...offers.values()].map((list) => list.sort((a, b) => b.net - a.net));
    rung.any = lists.reduce((sum, list) => sum + 1 / list[0]!.net, 0);
    rung.distinct = leastOf(lists, [], 0);
    rungs.push(rung);
  }
  return rungs;
}

const isLaid = ({ market }: Price): boolean => backed(market) !== market;

/** Laid at L, a liability of 1 wins 1 / (L - 1), less the exchange's commission. */
export function layNetOf(decimal: number, charge: Charge | undefined): number {
  return netOf(1 + 1 / (decimal - 1), charge);
}

/** Profit (percent) of every selection backed at its best and laid at its best, by `rungKey lay side`. */
export function layPairsOf(question: Question): Map<string, { profit: number; limited: boolean }> {
  const best = new Map<string, { back: number; lay: number; limited: boolean }>();
  for (const price of usable(question)) {
    const ways = price.contract === 'winner3' ? 3 : 2;
    const line = price.contract === 'handicap2' && price.type === 'away' ? 0 - price.line! : price.line;
    const { player, type } = price;
    const name = `${rungKey({ game: question.game.no, market: backed(price.market), line, player, ways })} lay ${type}`;
    const pair = best.get(name) ?? { back: 0, lay: 0, limited: false };
    pair.limited ||= price.size !== undefined;
    best.set(name, pair);
    const charge = chargeOf(price, question.charges);
    if (isLaid(price)) pair.lay = Math.max(pair.lay, layNetOf(price.decimal, charge));
    else pair.back = Math.max(pair.back, netOf(price.decimal, charge));
  }
  const profits = new Map<string, { profit: number; limited: boolean }>();
  for (const [name, { back, lay, limited }] of best)
    if (back > 0 && lay > 0) profits.set(name, { profit: 100 * (1 / (1 / back + 1 / lay) - 1), limited });
  return profits;
}

/** The lowest sum of 1 / price with one offer of each list and no book twice. */
function leastOf(lists: readonly (readonly Offer[])[], taken: readonly string[], sum: number): number {
  if (taken.length === lists.length) return sum;
  let least = Number.POSITIVE_INFINITY;
  const seen = new Set<string>();
  for (const { book, net } of lists[taken.length]!) {
    if (taken.includes(book) || seen.has(book)) continue;
    seen.add(book);
    least = Math.min(least, leastOf(lists, [...taken, book], sum + 1 / net));
    // With as many of the best books as there are sides, the optimum is among them.
    if (seen.size === lists.length) break;
  }
  return least;
}

/**
 * Prices that may be in a set: active, fresh, of the requested books; two-way prices with two-way, three-way with
 * three-way.
 */
function* usable(question: Question): Iterable<Price> {
  const { game, visible, nowMs, ageMaxMs, books } = question;
  for (const price of visible.of(game.no)) {
    if (!price.active || nowMs - price.seenMs > ageMaxMs || (books !== null && !books.has(price.book))) continue;
    if (price.contract === 'handicap3') continue;
    // If the draw was never shown, only the sport shows that there is one.
    const known = game.sport === 'soccer' || visible.everShowedDraw(price.book, game.no, price.market);
    if (price.contract === 'winner3' && !known) continue;
    if (!canBeHad(price, question.charges)) continue;
    yield price;
  }
}

/** The smallest bets of exchanges: money, or whole contracts that pay 1. */
const LEAST_STAKE: Readonly<Record<string, number>> = {
  betfair: 1,
  matchbook: 0.1,
  prophetx: 1,
  polymarket: 1,
  smarkets: 0.05,
};
const LEAST_PAYOUT: Readonly<Record<string, number>> = { kalshi: 1, polymarket: 0.01 };

/** Whether at least the book's smallest bet can be had. */
function canBeHad(price: Price, charges: ReadonlyMap<string, Charge>): boolean {
  if (price.size === undefined) return true;
  const net = (isLaid(price) ? layNetOf : netOf)(price.decimal, chargeOf(price, charges));
  return price.size >= (LEAST_STAKE[price.book] ?? 0) && price.size * net >= (LEAST_PAYOUT[price.book] ?? 0);
}

/**
 * The fair probability of a price by those of others: the sharp book's, else the median over at least three owners of the
 * means of their books, each devigged by powers; NaN if there is none. Prices count if their book means them.
 */
export function fairOf(question: Question, judged: Price, ownerOf: (book: string) => string, sharp: string): number {
  const sets = new Map<string, Map<string, number>>();
  const thin = new Set<string>();
  const line = (price: Price): number | null =>
    price.contract === 'handicap2' && price.type === 'away' ? 0 - price.line! : price.line;
  const same = ['market', 'player', 'team', 'contract'] as const;
  for (const price of usable({ ...question, books: null })) {
    if (isLaid(price) || line(price) !== line(judged) || same.some((field) => price[field] !== judged[field])) continue;
    const set = sets.get(price.book) ?? new Map<string, number>();
    sets.set(price.book, set);
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
export function sureMiddlesOf(question: Question, near: number): string[] {
  const groups = new Map<string, { first: Price[]; second: Price[]; spread: boolean }>();
  for (const price of usable(question)) {
    if (price.line === null || isLaid(price) || price.size !== undefined) continue;
    const { player, contract, type } = price;
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
        if (sum < 1 - near)
          sure.add(`${rungKey({ ...a, market: marketOf(a), game: game.no, ways: 2 })} ${b.line! + 0}`);
      }
  return [...sure];
}

// Stakes for many open bets together: the greatest expected growth of the bankroll (Kelly 1956), where bets on one game
// are not independent of each other. Plain numbers in and out.
//
// Each bet's chances are known, but not how bets on one game hang together. Bets on one counted result (the margin, a
// total, a player's yards) win from one end of its distribution, which their own chances determine. Different results of
// a game are taken to fall together in the worse way, all good or all bad: true dependence is weaker, so the stakes are on
// the safe side. Games are independent.

export interface PortfolioBet {
  /** Bets with the same one depend on each other. */
  event: string;
  /** The counted result on which it depends, within its event. */
  result: string;
  /** It wins from this end of the result: over and home high, under and away low. */
  end: 'high' | 'low';
  /** Chance that it wins, 0-1, pushes not taken out of the whole. */
  win: number;
  /** Chance that the stake is returned, 0-1. */
  push: number;
  /** Net decimal price. */
  decimal: number;
  /** Staked already, as a fraction of the bankroll; all together below 1. */
  least: number;
  /** The greatest stake, what is staked already included. */
  most: number;
  /** Bets of a group share the group's cap. */
  groups: readonly string[];
}

export interface PortfolioCaps {
  /** The greatest sum of stakes of a group, as a fraction of the bankroll; groups without one have no cap. */
  groups: ReadonlyMap<string, number>;
  /** Of all stakes together, as a fraction of the bankroll, at most 1. */
  total: number;
}

/** So many joint results are gone through one by one; beyond, all other games are summed up by three moments. */
const JOINT_RESULTS = 2_048;
/** Stakes are settled once none changes by more than this fraction of the bankroll. */
const SETTLED = 1e-7;
const ROUNDS_AT_MOST = 400;
/** Of looking once at a bet, in results of games. */
const OVERHEAD = 20;
/** Of the search for one stake. */
const STEPS_AT_MOST = 40;
/** Weight of what exceeds a cap, beside the curvature of the growth, which is about one. */
const PENALTY = 6;
/** What is left of the bankroll in the worst case, so that its logarithm exists. */
const LEAST = 1e-6;

/** Bets that depend on each other, over the results that tell them apart. */
interface Block {
  bets: readonly number[];
  chances: Float64Array;
  /** By bet, then by result: profit per unit staked. */
  profits: readonly Float64Array[];
  /** By result: profit of all stakes. */
  sums: Float64Array;
  mean: number;
  variance: number;
  third: number;
}

interface Cap {
  most: number;
  sum: number;
  /** Of the sum: staked already. */
  least: number;
  /** Multiplier of the cap (method of multipliers). */
  price: number;
}

/** More on one bet, or more and less on several bets of a block at once. */
interface Direction {
  /** By result of the block: profit per unit of step. */
  profit: Float64Array;
  /** How much each cap's sum grows per unit of step. */
  caps: readonly (readonly [cap: Cap, part: number])[];
}

/** Where a step begins to leave what is allowed, backwards and forwards. */
type Bracket = readonly [low: number, high: number];

/** Stakes as fractions of the bankroll that together make its logarithm grow most, within the caps. */
export class Portfolio {
  readonly stakes: Float64Array;
  readonly #bets: readonly PortfolioBet[];
  readonly #blocks: Block[];
  readonly #capsOf: Cap[][];
  /** More on each bet alone. */
  readonly #alone: Direction[] = [];
  readonly #caps: Cap[];
  readonly #total: Cap;
  /** The stakes at the start of their last pass. */
  readonly #earlier: Float64Array;
  #mean = 0;
  #variance = 0;
  #third = 0;

  constructor(bets: readonly PortfolioBet[], caps: PortfolioCaps) {
    this.#bets = bets;
    this.stakes = Float64Array.from(bets, ({ least }) => least);
    this.#earlier = this.stakes.slice();
    const capOf = (most: number): Cap => ({ most: Math.max(0, most), sum: 0, least: 0, price: 0 });
    const named = new Map([...caps.groups].map(([group, most]) => [group, capOf(most)]));
    this.#total = capOf(Math.min(1 - LEAST, caps.total));
    this.#caps = [...named.values(), this.#total];
    this.#capsOf = bets.map(({ groups }) => [...groups.flatMap((group) => named.get(group) ?? []), this.#total]);
    for (const [bet, { least }] of bets.entries()) for (const cap of this.#capsOf[bet]!) cap.least += least;
    for (const cap of this.#caps) {
      cap.sum = cap.least;
      // What is staked already stays, though it be too much.
      cap.most = Math.max(cap.most, cap.least);
    }
    this.#blocks = joined(eventBlocks(bets), bets.length);
    for (const block of this.#blocks) {
      for (const [i, bet] of block.bets.entries()) {
        addTo(block, i, this.stakes[bet]!);
        this.#alone[bet] = { profit: block.profits[i]!, caps: this.#capsOf[bet]!.map((cap) => [cap, 1] as const) };
      }
      momentsOf(block);
      this.#add(block, 1);
    }
  }

  /** Settles the stakes in small pieces of work: yields how much each was, in results of games that were looked at. */
  *settle(): Generator<number, void> {
    for (let round = 0; round < ROUNDS_AT_MOST; round++) {
      let changed = 0;
      for (const block of this.#blocks) changed = Math.max(changed, yield* this.#improve(block));
      for (const cap of this.#caps) {
        const price = Math.max(0, cap.price + PENALTY * (cap.sum - cap.most));
        changed = Math.max(changed, cap.sum - cap.most, Math.abs(price - cap.price) / PENALTY);
        cap.price = price;
      }
      if (changed <= SETTLED) break;
    }
    this.#keepToCaps();
  }

  /** Expected growth of the bankroll's logarithm with this share of the stakes. */
  growth(share = 1): number {
    if (this.#blocks.length === 1) {
      const { chances, sums } = this.#blocks[0]!;
      return chances.reduce((growth, chance, k) => growth + chance * Math.log(1 + share * sums[k]!), 0);
    }
    const nodes = twoPoints(1 + share * this.#mean, share ** 2 * this.#variance, share ** 3 * this.#third, LEAST);
    return nodes.weights[0] * Math.log(nodes.values[0]) + nodes.weights[1] * Math.log(nodes.values[1]);
  }

  /**
   * The best stake for each bet of the block, the others standing, then the best step of all of them on the way they went
   * in two passes: where bets share a cap or hedge each other, bet by bet alone goes to and fro for hundreds of rounds.
   * Returns the largest change.
   */
  *#improve(block: Block): Generator<number, number> {
    const { bets, sums } = block;
    let staked = this.#total.sum;
    for (const bet of bets) staked -= this.stakes[bet]!;
    this.#add(block, -1);
    const { values, weights } = twoPoints(1 + this.#mean, this.#variance, this.#third, Math.max(LEAST, 1 - staked));
    let looks = 0;
    const lookAlong = (direction: Direction) => (step: number) => {
      looks++;
      return slopeAlong(block, direction, step, values, weights);
    };
    const begun = bets.map((bet) => this.stakes[bet]!);
    let changed = 0;
    for (const [i, bet] of bets.entries()) {
      const { least, most } = this.#bets[bet]!;
      const stake = this.stakes[bet]!;
      const bracket = [least - stake, Math.max(least, most) - stake] as const;
      const direction = this.#alone[bet]!;
      const step = bestStep(solvent(block, direction, bracket, values[0]), lookAlong(direction));
      this.#move(block, i, bet, step);
      changed = Math.max(changed, Math.abs(step));
    }
    const way = bets.map((bet) => this.stakes[bet]! - this.#earlier[bet]!);
    for (const [i, bet] of bets.entries()) this.#earlier[bet] = begun[i]!;
    const far = way.reduce((most, move) => Math.max(most, Math.abs(move)), 0);
    if (far > SETTLED) {
      const parts = way.map((move) => move / far);
      const direction = this.#direction(block, parts);
      const bracket = solvent(block, direction, this.#bracketAlong(bets, parts), values[0]);
      const step = bestStep(bracket, lookAlong(direction));
      for (const [i, bet] of bets.entries()) this.#move(block, i, bet, step * parts[i]!);
      changed = Math.max(changed, step);
    }
    yield (looks + bets.length) * (sums.length + OVERHEAD);
    momentsOf(block);
    this.#add(block, 1);
    return changed;
  }

  #add({ mean, variance, third }: Block, sign: 1 | -1): void {
    this.#mean += sign * mean;
    this.#variance += sign * variance;
    this.#third += sign * third;
  }

  /** These parts of a step on the bets of a block. */
  #direction({ bets, profits, sums }: Block, parts: readonly number[]): Direction {
    const profit = new Float64Array(sums.length);
    const caps = new Map<Cap, number>();
    for (const [i, part] of parts.entries()) {
      if (part === 0) continue;
      for (let k = 0; k < profit.length; k++) profit[k]! += part * profits[i]![k]!;
      for (const cap of this.#capsOf[bets[i]!]!) caps.set(cap, (caps.get(cap) ?? 0) + part);
    }
    return { profit, caps: [...caps] };
  }

  /** So far forwards does each of the bets stay between its least and its greatest stake. */
  #bracketAlong(bets: readonly number[], parts: readonly number[]): Bracket {
    let high = 1;
    for (const [i, bet] of bets.entries()) {
      const { least, most } = this.#bets[bet]!;
      const room = parts[i]! > 0 ? Math.max(least, most) - this.stakes[bet]! : least - this.stakes[bet]!;
      if (parts[i] !== 0) high = Math.min(high, room / parts[i]!);
    }
    return [0, Math.max(0, high)];
  }

  #move(block: Block, i: number, bet: number, step: number): void {
    if (step === 0) return;
    this.stakes[bet]! += step;
    addTo(block, i, step);
    for (const cap of this.#capsOf[bet]!) cap.sum += step;
  }

  /** What a cap is exceeded by at the end is a rounding error: it is taken off all its bets alike. */
  #keepToCaps(): void {
    for (const cap of this.#caps) {
      if (cap.sum <= cap.most) continue;
      const share = (cap.most - cap.least) / (cap.sum - cap.least);
      for (const [bet, caps] of this.#capsOf.entries()) {
        if (!caps.includes(cap)) continue;
        const less = (this.stakes[bet]! - this.#bets[bet]!.least) * (1 - share);
        this.stakes[bet]! -= less;
        for (const one of caps) one.sum -= less;
      }
    }
  }
}

/** First and second derivative of what is maximised, after a step. */
function slopeAlong(
  { chances, sums }: Block,
  { profit, caps }: Direction,
  step: number,
  values: readonly [number, number],
  weights: readonly [number, number],
): [slope: number, bend: number] {
  let slope = 0;
  let bend = 0;
  for (let m = 0; m < 2; m++)
    for (let k = 0; k < chances.length; k++) {
      const part = profit[k]! / Math.max(LEAST, values[m]! + sums[k]! + step * profit[k]!);
      const chance = weights[m]! * chances[k]!;
      slope += chance * part;
      bend -= chance * part * part;
    }
  for (const [cap, part] of caps) {
    const over = cap.price + PENALTY * (cap.sum + step * part - cap.most);
    if (over <= 0) continue;
    slope -= part * over;
    bend -= part * part * PENALTY;
  }
  return [slope, bend];
}

/** The part of a bracket in which every result leaves something, with no less than `others` outside the block. */
function solvent({ sums }: Block, { profit }: Direction, [least, most]: Bracket, others: number): Bracket {
  let [low, high] = [least, most];
  for (let k = 0; k < profit.length; k++) {
    const room = Math.max(0, others + sums[k]! - LEAST);
    if (profit[k]! < 0) high = Math.min(high, room / -profit[k]!);
    else if (profit[k]! > 0) low = Math.max(low, -room / profit[k]!);
  }
  return [low, high];
}

/** Newton's method within a bracket: the slope falls. */
function bestStep([least, most]: Bracket, slopeAt: (step: number) => [slope: number, bend: number]): number {
  let [low, high] = [least, most];
  let step = 0;
  for (let tried = 0; tried < STEPS_AT_MOST && high - low > SETTLED / 10; tried++) {
    const [slope, bend] = slopeAt(step);
    if (slope > 0) low = step;
    else high = step;
    const next = bend === 0 ? Number.NaN : step - slope / bend;
    // Beyond the bracket: its end the first time, as the best stake often is one, else its middle.
    const within = next > low && next < high ? next : tried === 0 ? (slope > 0 ? high : low) : (low + high) / 2;
    if (Math.abs(within - step) < SETTLED / 10) return within;
    step = within;
  }
  return step;
}

/**
 * Two values with the same mean, variance and third central moment as what they stand for: Gauss's rule of two points.
 * @param least no value is below it
 */
function twoPoints(mean: number, variance: number, third: number, least: number) {
  if (variance <= 1e-18) return { values: [Math.max(least, mean), mean] as const, weights: [1, 0] as const };
  const deviation = Math.sqrt(variance);
  const half = third / (variance * deviation) / 2;
  const width = Math.sqrt(1 + half * half);
  const [low, high] = [half - width, half + width];
  const values = [Math.max(least, mean + deviation * low), mean + deviation * high] as const;
  return { values, weights: [high / (high - low), -low / (high - low)] as const };
}

/** A further stake on its bet. */
function addTo({ profits, sums }: Block, i: number, stake: number): void {
  if (stake === 0) return;
  const profit = profits[i]!;
  for (let k = 0; k < sums.length; k++) sums[k]! += stake * profit[k]!;
}

function momentsOf(block: Block): void {
  const { chances, sums } = block;
  let mean = 0;
  for (let k = 0; k < sums.length; k++) mean += chances[k]! * sums[k]!;
  let variance = 0;
  let third = 0;
  for (let k = 0; k < sums.length; k++) {
    const off = sums[k]! - mean;
    variance += chances[k]! * off * off;
    third += chances[k]! * off * off * off;
  }
  block.mean = mean;
  block.variance = variance;
  block.third = third;
}

/** By event: the unit interval, cut where one of its bets changes from won to returned or lost. */
function eventBlocks(bets: readonly PortfolioBet[]): Block[] {
  const byEvent = new Map<string, number[]>();
  for (const [i, { event }] of bets.entries()) {
    const known = byEvent.get(event);
    if (known === undefined) byEvent.set(event, [i]);
    else known.push(i);
  }
  return [...byEvent.values()].map((members) => {
    const ends = firstEnds(bets, members);
    const ranges = members.map((i) => {
      const { result, end, win, push } = bets[i]!;
      return { win, back: Math.min(1, win + push), near: ends.get(result) === end };
    });
    const cuts = ranges.flatMap(({ win, back, near }) => (near ? [win, back] : [1 - win, 1 - back]));
    const edges = [...new Set([0, ...cuts, 1])].sort((a, b) => a - b);
    const chances = Float64Array.from(edges.slice(1), (to, k) => to - edges[k]!);
    const profits = ranges.map(({ win, back, near }, j) => {
      const { decimal } = bets[members[j]!]!;
      const profit = new Float64Array(chances.length);
      for (let k = 0; k < profit.length; k++) {
        const middle = edges[k]! + chances[k]! / 2;
        const at = near ? middle : 1 - middle;
        profit[k] = at < win ? decimal - 1 : at < back ? 0 : -1;
      }
      return profit;
    });
    return { bets: members, chances, profits, sums: new Float64Array(chances.length), mean: 0, variance: 0, third: 0 };
  });
}

/** By counted result: the end of its best bet. These ends fall together. */
function firstEnds(bets: readonly PortfolioBet[], members: readonly number[]): Map<string, 'high' | 'low'> {
  const edge = ({ win, push, decimal }: PortfolioBet): number => win * decimal + push;
  const ends = new Map<string, 'high' | 'low'>();
  for (const i of [...members].sort((a, b) => edge(bets[b]!) - edge(bets[a]!))) {
    const { result, end } = bets[i]!;
    if (!ends.has(result)) ends.set(result, end);
  }
  return ends;
}

/** One block over all joint results, if they are few. */
function joined(blocks: readonly Block[], bets: number): Block[] {
  const results = blocks.reduce((product, { chances }) => product * chances.length, 1);
  if (blocks.length < 2 || results * bets > JOINT_RESULTS * 16 || results > JOINT_RESULTS) return [...blocks];
  return [
    blocks.reduce((all, block) => {
      const size = block.chances.length;
      const length = all.chances.length * size;
      const outer = (values: Float64Array) => Float64Array.from({ length }, (_, k) => values[Math.floor(k / size)]!);
      const inner = (values: Float64Array) => Float64Array.from({ length }, (_, k) => values[k % size]!);
      return {
        bets: [...all.bets, ...block.bets],
        chances: outer(all.chances).map((chance, k) => chance * block.chances[k % size]!),
        profits: [...all.profits.map(outer), ...block.profits.map(inner)],
        sums: new Float64Array(length),
        mean: 0,
        variance: 0,
        third: 0,
      };
    }),
  ];
}

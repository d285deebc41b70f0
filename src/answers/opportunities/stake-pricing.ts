// What opportunities are worth for a stake of the caller's: their prices, profits and stakes if the levels of the ladders
// are taken for it. Computed for the page that is served, from the rows as they are now.

import { exchangeRate, type Rates } from '../../base/model/money.js';
import { americanFromDecimal, roundDecimal, roundProbability, roundTo } from '../../base/model/price.js';
import { centsBelow } from '../../base/model/stake-terms.js';
import type { Warning } from '../../base/model/warnings.js';
import type { Limits } from '../../detection/kinds/caller-thresholds.js';
import { arbitrageExceptions, CURRENCIES_DIFFER, ruleExceptions } from '../../detection/kinds/money.js';
import { type Leg, PUSH_POSSIBLE, percent } from '../../detection/kinds/parts.js';
import { impliedTotalPercent, profitPercent, stakePercents } from '../../detection/maths/arbitrage.js';
import { kellyFraction } from '../../detection/maths/ev.js';
import {
  evenPayout,
  greatestTotal,
  type StakeLevel,
  type Taken,
  takePayout,
  takeStake,
} from '../../detection/maths/ladder-stakes.js';
import { BEST, breakEvenPercent, percentBelow, printedReturns, WORST } from '../../detection/maths/middle.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import type { Ruled } from '../../rules/grading/house-exceptions.js';
import type {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  LowHoldSide,
  MiddleOpportunity,
  MiddleSide,
} from '../../schema/opportunities-items.js';
import { RecordedRows } from '../../tables/recorded-rows.js';
import { stakeLevels } from '../../tables/stake-levels.js';
import type { OddsTable } from '../../tables/table.js';
import type { ServedOpportunity } from './presenter.js';

const STAKE_TOO_LARGE: Warning = 'STAKE_TOO_LARGE';

export interface Stake {
  total: number;
  currency: string;
}

/** A bet of an opportunity: its levels in the caller's currency, and the currency of its book. */
interface Bet {
  leg: Leg;
  levels: StakeLevel[];
  /** Units of the caller's currency for one of the book's. */
  rate: number;
}

interface Side extends Bet {
  taken: Taken;
}

interface Even {
  sides: readonly Side[];
  /** Sum of 1 / average price. */
  sum: number;
  stakePercents: number[];
}

export class StakePricing {
  readonly #table: OddsTable;
  readonly #rates: Rates;
  readonly #stake: Stake;
  readonly #limits: Limits;

  constructor(table: OddsTable, rates: Rates, stake: Stake, limits: Limits) {
    this.#table = table;
    this.#rates = rates;
    this.#stake = stake;
    this.#limits = limits;
  }

  /** @param served of the opportunity */
  item(opportunity: Opportunity, served: ServedOpportunity): object {
    switch (opportunity.kind) {
      case 'ev':
        return this.#ev(served as EvOpportunity);
      case 'arbitrage':
        return this.#arbitrage(served as ArbitrageOpportunity, opportunity.ruled ?? null);
      case 'middle':
        return this.#middle(served as MiddleOpportunity, opportunity.ruled ?? null);
      case 'low_hold':
        return this.#lowHold(served as LowHoldOpportunity, opportunity.ruled ?? null);
      case 'move':
        return served;
    }
  }

  #ev(item: EvOpportunity): object {
    const bet = this.#bet(item.odds_id, false);
    if (bet === undefined) return unpriced(item, { ev_percentage: null });
    const p = item.fair_probability;
    const net = item.odds_decimal_net;
    // A push returns the stake whatever the price is: it makes the edge smaller in the same proportion.
    const edge = p * net - 1;
    const weight = item.warnings.includes(PUSH_POSSIBLE) && edge !== 0 ? item.ev_percentage / (100 * edge) : 1;
    const least = net + (this.#limits.minEv - item.ev_percentage) / (100 * weight * p);
    const max_stake = this.#greatest([bet.levels], least);
    const taken = takeStake(bet.levels, this.#stake.total);
    if (!this.#filled(taken.stake)) return tooLarge({ ...item, max_stake }, { ev_percentage: null });
    const kelly = kellyFraction(p, taken.net);
    return {
      ...item,
      ...prices(taken, false),
      ev_percentage: percent(item.ev_percentage + 100 * weight * p * (taken.net - net)),
      kelly_percent: percent(100 * kelly),
      kelly_fraction: roundProbability(kelly),
      max_stake,
    };
  }

  #arbitrage(item: ArbitrageOpportunity, ruled: Ruled | null): object {
    const nothing = { profit_percent: null };
    const bets = this.#bets(item.legs.map((leg) => this.#bet(leg.odds_id, leg.is_lay === true)));
    if (bets === undefined) return unpriced(item, nothing);
    const max_stake = this.#greatest(levelsOf(bets), 1 + this.#limits.minProfit / 100);
    const even = this.#even(bets);
    if (even === null) return tooLarge({ ...item, max_stake }, nothing);
    const { sides, sum, stakePercents: shares } = even;
    const legs = sides.map(({ leg, taken }) => ({ ...leg, net: taken.net }));
    return {
      ...item,
      profit_percent: percent(profitPercent(sum)),
      implied_total: percent(impliedTotalPercent(sum)),
      max_stake,
      exceptions: arbitrageExceptions(legs, shares, ruled),
      legs: item.legs.map((leg, i) => ({
        ...leg,
        ...prices(sides[i]!.taken, leg.is_lay === true),
        stake_percent: shares[i]!,
        ...(leg.is_lay === true ? { lay_stake_percent: percent(shares[i]! * (sides[i]!.taken.decimal - 1)) } : {}),
        stake: stakeOf(sides[i]!),
      })),
    };
  }

  #middle(item: MiddleOpportunity, ruled: Ruled | null): object {
    const { side1, side2 } = item;
    const nothing = { expected_value: null, roi_percentage: null, worst_case_loss: null, best_case_profit: null };
    const bets = this.#bets([this.#bet(side1.odds_id, false), this.#bet(side2.odds_id, false)]);
    if (bets === undefined) return unpriced(item, nothing);
    // With even payouts the expected value grows with what a unit of the total stake pays.
    const fair = side1.odds.fair_probability + side2.odds.fair_probability;
    const pays = 1 / item.market_overround;
    const least = pays + (this.#limits.minMiddleEv - item.expected_value) / (100 * fair);
    const max_stake = this.#greatest(levelsOf(bets), least);
    const even = this.#even(bets);
    if (even === null) return tooLarge({ ...item, max_stake }, { ...nothing, guaranteed_roi: null });
    const { sides, sum, stakePercents: shares } = even;
    const returns = new Float64Array(3);
    const low = sides[0]!.leg.row.selectionType === 'home' ? 0 - side1.line : side1.line;
    printedReturns(low, side2.line, sides.map(({ taken }) => taken.net), shares, returns); // biome-ignore format: one call
    const expected = percent(item.expected_value + 100 * fair * (1 / sum - pays));
    const worst = percentBelow(returns[WORST]!);
    const legs = sides.map(({ leg, taken }) => ({ ...leg, net: taken.net }));
    const exceptions = ruleExceptions(legs, shares, ruled);
    const sure = worst > 0 && exceptions.every(({ profit_percent }) => profit_percent >= 0);
    const served = (side: MiddleSide, i: number) => {
      const { odds_american: american, odds_decimal: decimal, odds_decimal_net: decimal_net, ...chance } = prices(sides[i]!.taken, false); // biome-ignore format: one object
      const odds = { ...side.odds, american, decimal, decimal_net, ...chance };
      const flat = { odds_american: american, odds_decimal: decimal, odds_probability: chance.probability };
      return { ...side, ...flat, odds, stake_percent: shares[i]!, stake: stakeOf(sides[i]!) };
    };
    return {
      ...item,
      side1: served(side1, 0),
      side2: served(side2, 1),
      max_stake,
      expected_value: expected,
      roi_percentage: expected,
      worst_case_loss: worst,
      best_case_profit: percent(returns[BEST]!),
      break_even_percent: percent(breakEvenPercent(sum)),
      exceptions,
      is_guaranteed_profit: sure,
      guaranteed_roi: sure ? worst : null,
      market_overround: roundProbability(sum),
    };
  }

  #lowHold(item: LowHoldOpportunity, ruled: Ruled | null): object {
    const nothing = { hold_percentage: null };
    const shown = [item.side1, item.side2, ...(item.side3 === null ? [] : [item.side3])];
    const bets = this.#bets(shown.map((side) => this.#tied(item, side)));
    if (bets === undefined) return unpriced(item, nothing);
    const max_stake = this.#greatest(levelsOf(bets), 1 / (1 + this.#limits.maxHold / 100));
    const even = this.#even(bets);
    if (even === null) return tooLarge({ ...item, max_stake }, nothing);
    const { sides, sum, stakePercents: shares } = even;
    const served = shown.map((side, i) => {
      const { odds_american: american, odds_decimal: decimal, odds_decimal_net: decimal_net, ...chance } = prices(sides[i]!.taken, false); // biome-ignore format: one object
      const fair_probability = roundProbability(1 / sides[i]!.taken.net / sum);
      return { ...side, odds: { american, decimal, decimal_net, ...chance, fair_probability }, stake: stakeOf(sides[i]!) }; // biome-ignore format: one object
    });
    const legs = sides.map(({ leg, taken }) => ({ ...leg, net: taken.net }));
    return {
      ...item,
      hold_percentage: percent((sum - 1) * 100),
      max_stake,
      exceptions: ruleExceptions(legs, shares, ruled),
      side1: served[0],
      side2: served[1],
      side3: served[2] ?? null,
    };
  }

  /** Undefined if the row is gone, or a rate is missing. */
  #bet(oddsId: string, lay: boolean): Bet | undefined {
    const slot = this.#table.slotOf(oddsId);
    return slot === undefined ? undefined : this.#betAt(slot, lay);
  }

  #betAt(slot: number, lay: boolean): Bet | undefined {
    const table = this.#table;
    const { shard } = table.eventOf(slot);
    const leg = new RecordedRows(table, shard).leg(table.columns.no[slot]!, lay);
    if (leg === undefined) return undefined;
    const rate = exchangeRate(leg.rules.currency, this.#stake.currency, this.#rates);
    if (Number.isNaN(rate)) return undefined;
    const levels = stakeLevels(table, slot, lay).map(({ fee, ...level }) => ({
      ...level,
      most: level.most * rate,
      ...(fee === undefined ? {} : { fee: { ...fee, step: fee.step * rate } }),
    }));
    return { leg, levels, rate };
  }

  /** The bets of all books tied at a side's price, as one: the best levels first. */
  #tied({ event_id, market_type, player_name }: LowHoldOpportunity, side: LowHoldSide): Bet | undefined {
    const { columns: c, books, markets, events } = this.#table;
    const event = events.get(event_id);
    const bets: Bet[] = [];
    for (const book of side.books)
      for (const slot of event?.byBook.get(books.find(book)) ?? []) {
        const line = c.line[slot]!;
        if (markets.name(c.market[slot]!) !== market_type || c.selection.at(slot) !== side.selection) continue;
        if ((Number.isNaN(line) ? null : line) !== side.line || c.player.at(slot) !== player_name) continue;
        const bet = this.#betAt(slot, false);
        if (bet !== undefined) bets.push(bet);
      }
    const [first] = bets;
    if (first === undefined) return undefined;
    return { ...first, levels: bets.flatMap(({ levels }) => levels).sort((a, b) => b.net - a.net) };
  }

  #bets(bets: readonly (Bet | undefined)[]): readonly Bet[] | undefined {
    return bets.every((bet) => bet !== undefined) ? bets : undefined;
  }

  /** The bets that all pay the same, for the whole stake; null if it cannot be had. */
  #even(bets: readonly Bet[]): Even | null {
    const payout = evenPayout(levelsOf(bets), this.#stake.total);
    if (payout === null) return null;
    const sides = bets.map((bet) => ({ ...bet, taken: takePayout(bet.levels, payout) }));
    const nets = sides.map(({ taken }) => taken.net);
    const sum = nets.reduce((inverse, net) => inverse + 1 / net, 0);
    const shares = nets.map(() => 0);
    stakePercents(nets, nets.length, sum, shares);
    return { sides, sum, stakePercents: shares };
  }

  #greatest(levels: readonly (readonly StakeLevel[])[], worth: number): number | null {
    const most = greatestTotal(levels, worth);
    return most === null ? null : centsBelow(most);
  }

  #filled(stake: number): boolean {
    return stake >= this.#stake.total * (1 - 1e-9);
  }
}

const levelsOf = (bets: readonly Bet[]): StakeLevel[][] => bets.map(({ levels }) => levels);

/** In the currency of the book. */
function stakeOf({ taken, rate }: Side): number {
  return roundTo(taken.stake / rate, 2);
}

/** The average price; of a lay the odds at which the selection is laid. */
function prices({ decimal: paid, net }: Taken, lay: boolean) {
  const decimal = lay ? paid / (paid - 1) : paid;
  const probability = roundProbability(1 / decimal);
  return {
    odds_american: americanFromDecimal(decimal),
    odds_decimal: roundDecimal(decimal),
    odds_decimal_net: roundDecimal(net),
    implied_probability: probability,
    probability,
  };
}

function tooLarge<Item extends { warnings: Warning[] }>(item: Item, nothing: object): object {
  return { ...item, ...nothing, warnings: [...item.warnings, STAKE_TOO_LARGE] };
}

/** Its stakes cannot be compared, or a row of it has just gone. */
function unpriced<Item extends { warnings: Warning[] }>(item: Item, nothing: object): object {
  const warnings = [...new Set([...item.warnings, CURRENCIES_DIFFER])];
  return { ...item, ...nothing, max_stake: null, warnings };
}

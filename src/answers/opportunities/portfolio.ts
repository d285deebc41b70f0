// Stakes for all open prices above fair together: opportunities as bets of a portfolio, within what their books take and
// what the caller puts on one game and at one book.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Bet, type BetSubject, counts, riskOf } from '../../accounts/bets/bet.js';
import { circumstancesOf } from '../../accounts/bets/judged-row.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { chargeOf, netDecimal } from '../../base/model/commission.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { exchangeRate } from '../../base/model/money.js';
import { roundTo } from '../../base/model/price.js';
import { centsBelow, maxStakeIn } from '../../base/model/stake-terms.js';
import { PUSH_POSSIBLE } from '../../detection/kinds/parts.js';
import { Portfolio, type PortfolioBet } from '../../detection/maths/portfolio.js';
import type { Opportunity, OpportunityOf } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { playerKey } from '../../rules/catalogue/player-name.js';
import { selectionName } from '../../rules/catalogue/selection-name.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import { openStatistic, sideOf } from '../../rules/markets/sides.js';
import type { OddsTable } from '../../tables/table.js';

/** Below this confidence a stake is at most this share of the bankroll: the edge is not sure enough for more. */
const TRUSTED = 80;
const UNTRUSTED_MOST = 0.02;
/** Results of games looked at between two pauses: about a millisecond. */
const WORK_AT_ONCE = 200_000;
/** What is staked already cannot be all there is: the growth of nothing has no logarithm. */
const HELD_MOST = 0.98;

export interface PortfolioTerms {
  /** In `currency`, what is staked already included. */
  bankroll: number;
  currency: string;
  /** Share of the full Kelly stakes, 0-1. */
  kelly: number;
  /** Percent of the bankroll. */
  maxEvent: number;
  maxBook: number;
}

export interface Proposal {
  /** By opportunity id, in the currency; what is not in it has no stake. */
  stakes: ReadonlyMap<string, number>;
  summary: {
    bankroll: number;
    currency: string;
    kelly: number;
    considered: number;
    left_out: number;
    open_stakes: number;
    stake: number;
    expected_profit: number;
    expected_growth_percent: number;
  };
}

type Ev = OpportunityOf<'ev'>;

export class Portfolios {
  readonly #catalogue: Catalogue;
  readonly #table: OddsTable;

  constructor(catalogue: Catalogue, table: OddsTable) {
    this.#catalogue = catalogue;
    this.#table = table;
  }

  /** With pauses; of more than `portfolioBets` those with the greatest growth of their own. */
  async propose(
    opportunities: readonly Opportunity[],
    terms: PortfolioTerms,
    open: OpenStakes,
    end: AbortSignal,
  ): Promise<Proposal> {
    const { bankroll, currency, kelly } = terms;
    const found = opportunities.filter((one): one is Ev => one.kind === 'ev');
    const taken = found.sort((a, b) => ownGrowth(b) - ownGrowth(a)).slice(0, LIMITS.portfolioBets.max);
    const unit = bankroll * kelly;
    const bets = taken.map((one) => this.#bet(one, terms, open));
    const groups = new Map<string, number>();
    for (const {
      groups: [event, book],
    } of bets) {
      groups.set(event!, ((terms.maxEvent / 100) * bankroll - open.of(event!)) / unit);
      groups.set(book!, ((terms.maxBook / 100) * bankroll - open.of(book!)) / unit);
    }
    const share = Math.min(1, HELD_MOST / (open.total / unit));
    const chances = this.#chances(taken, bets);
    for (const held of open.outcomes.slice(0, LIMITS.portfolioBets.max))
      bets.push(this.#held(held, (share * held.stake) / unit, chances.get(held.key)));
    const weighed = bets.reduce((sum, { least }) => sum + least, 0);
    const portfolio = new Portfolio(bets, { groups, total: weighed + Math.max(0, 1 - open.total / unit) });
    const before = portfolio.growth(kelly);
    let work = 0;
    for (const piece of portfolio.settle()) {
      work += piece;
      if (work < WORK_AT_ONCE) continue;
      await nextTurn();
      end.throwIfAborted();
      work = 0;
    }
    const stakes = new Map<string, number>();
    let stake = 0;
    let profit = 0;
    for (const [i, { id, edge }] of taken.entries()) {
      const amount = centsBelow(unit * portfolio.stakes[i]!);
      if (amount <= 0) continue;
      stakes.set(id, amount);
      stake += amount;
      profit += (amount * edge) / 100;
    }
    return {
      stakes,
      summary: {
        bankroll,
        currency,
        kelly,
        considered: taken.length,
        left_out: found.length - taken.length,
        open_stakes: roundTo(open.total, 2),
        stake: roundTo(stake, 2),
        expected_profit: roundTo(profit, 2),
        expected_growth_percent: roundTo(100 * Math.expm1(portfolio.growth(kelly) - before), 4) + 0,
      },
    };
  }

  #bet(
    { item, terms: { caps }, eventId, market, sport, edge }: Ev,
    terms: PortfolioTerms,
    open: OpenStakes,
  ): PortfolioBet {
    const { bankroll, currency, kelly } = terms;
    const decimal = item.odds_decimal_net;
    const push = item.warnings.includes(PUSH_POSSIBLE) ? pushOf(item.fair_probability, decimal, edge) : 0;
    // Undefined: in a currency without a rate.
    const limit = maxStakeIn(caps, currency, this.#catalogue.rates);
    const most = limit === undefined ? 0 : limit === null ? 1 : limit / bankroll;
    const trusted = item.confidence_score < TRUSTED ? UNTRUSTED_MOST : 1;
    const staked = open.of(`row ${item.odds_id}`) / bankroll;
    return {
      event: eventId,
      ...this.#counted(item.odds_id, market, sport),
      win: (1 - push) * item.fair_probability,
      push,
      decimal,
      least: 0,
      most: Math.max(0, Math.min(most, trusted) - staked) / kelly,
      groups: [`event ${eventId}`, `book ${item.sportsbook}`],
    };
  }

  /** Chances of the outcomes that are open, by outcomeKey(). */
  #chances(taken: readonly Ev[], bets: readonly PortfolioBet[]): Map<string, PortfolioBet> {
    const chances = new Map<string, PortfolioBet>();
    for (const [i, { item, eventId: event, market }] of taken.entries()) {
      const slot = this.#table.slotOf(item.odds_id);
      if (slot === undefined) continue;
      const { selection, selectionType, player, stat: stats, team } = this.#table.columns;
      const stat = stats.at(slot);
      const of = { player: player.at(slot), team: team.at(slot), ...(stat === null ? {} : { stat }) };
      const subject = { event, market, line: item.line, ...of };
      const named = { selection: selection.at(slot)!, selectionType: selectionType.at(slot)! };
      const outcome = { ...subject, ...named, ...circumstancesOf(this.#table, slot) };
      chances.set(outcomeKey(outcome, this.#catalogue.types, this.#table.eventOf(slot).namesakes), bets[i]!);
    }
    return chances;
  }

  /** Bets already made: their chance is known while a price on their outcome is open, else they count as fair. */
  #held({ subject, stake, returns }: HeldOutcome, least: number, known: PortfolioBet | undefined): PortfolioBet {
    const { oddsId, event, market, sport } = subject;
    const decimal = returns / stake;
    const chance = known ?? { ...this.#counted(oddsId, market, sport), win: 1 / decimal, push: 0 };
    const { result, end, win, push } = chance;
    return { event, result, end, win, push, decimal, least, most: least, groups: [] };
  }

  /** The counted result of a bet, and the end of it that wins. */
  #counted(oddsId: string, market: string, sport: string): Pick<PortfolioBet, 'result' | 'end'> {
    const slot = this.#table.slotOf(oddsId);
    if (slot === undefined) return { result: oddsId, end: 'high' };
    const { selectionType, line, team, player, stat } = this.#table.columns;
    const rules = this.#catalogue.types.of(market, sport);
    const side = sideOf(rules, selectionType.at(slot) ?? '', !Number.isNaN(line[slot]!));
    // A draw is no end of the margin, and what a selection of another kind hangs together with is not known.
    if (side === undefined || side.side > 1) return { result: oddsId, end: 'high' };
    const counted = side.pairing === 'winner' || side.pairing === 'handicap' ? 'margin' : rules.backed;
    const name = player.at(slot);
    const who = team.at(slot) ?? (name && playerKey(name, this.#table.eventOf(slot).namesakes));
    return {
      result: JSON.stringify([counted, rules.part, who, openStatistic(rules, stat.at(slot))]),
      end: (side.side === 0) !== rules.lay ? 'high' : 'low',
    };
  }
}

/** What a bet adds to the bankroll's growth by itself, about. */
function ownGrowth({ item, edge }: Ev): number {
  return (Math.max(0, edge) * Math.abs(edge)) / (item.odds_decimal_net - 1);
}

/** The chance of a push from the expected value (percent), which pushes make smaller. */
function pushOf(p: number, decimal: number, edge: number): number {
  const without = p * decimal - 1;
  return without <= 0 ? 0 : Math.min(0.99, Math.max(0, 1 - edge / 100 / without));
}

// What an account has at stake already, as a portfolio of further bets must know it: by game and by book for the caps,
// and by outcome for how it hangs together with what is open.

/** What decides whether a bet wins. */
type Outcome = Pick<
  BetSubject,
  'event' | 'market' | 'selection' | 'selectionType' | 'line' | 'player' | 'stat' | 'team' | 'threeWay' | 'scored'
>;

/** Bets on one outcome, at whatever prices and books. */
interface HeldOutcome {
  subject: BetSubject;
  key: string;
  stake: number;
  /** What is returned if it wins, net of commission. */
  returns: number;
}

/**
 * A handicap on the rest of the game is another one at every score.
 * @param namesakes canonical names that two players of the game have
 */
function outcomeKey(outcome: Outcome, types: MarketTypes, namesakes: readonly string[] | undefined): string {
  const { event, market, selection, selectionType, line, player, team, threeWay = false, scored = null } = outcome;
  const rules = types.usual(market);
  const from = rules.rest ? scored : null;
  const canonical = (name: string): string => playerKey(name, namesakes);
  const who = player === null ? '' : canonical(player);
  const name = selectionName(selectionType, selection, who, canonical);
  const stat = openStatistic(rules, outcome.stat ?? null);
  return JSON.stringify([event, market, selectionType, name, line, who, stat, team, threeWay, from]);
}

export class OpenStakes {
  total = 0;
  /** By event id, sportsbook id and row id, as `event …`. */
  readonly #sums = new Map<string, number>();
  readonly #outcomes = new Map<string, HeldOutcome>();

  /**
   * @param bets filled or waiting ones, which count with what they ask for
   * @param home the currency of the account's bankroll
   * @param currency of the amounts
   * @param namesakesOf by event id
   * Throws ApiError `invalid_request` if a rate between them is missing.
   */
  constructor(
    bets: readonly Bet[],
    home: string,
    currency: string,
    catalogue: Catalogue,
    namesakesOf: (event: string) => readonly string[] | undefined,
  ) {
    const { rates } = catalogue;
    for (const bet of bets) {
      const { subject } = bet;
      if (subject === null) continue;
      const [from, cents, decimal] = counts(bet)
        ? [home, riskOf(bet), priceOf(bet)]
        : [subject.currency, subject.lay ? bet.cents * (bet.decimal - 1) : bet.cents, bet.decimal];
      // What a lay may lose is the backer's winnings, and what it wins his stake.
      const stated = subject.lay ? decimal / (decimal - 1) : decimal;
      const stake = (cents / 100) * exchangeRate(from, currency, rates);
      if (Number.isNaN(stake))
        throw new ApiError('invalid_request', `currency: no rate from ${from}, in which bets are open`);
      const net = netDecimal(stated, chargeOf(subject.commission, catalogue.commissionOf(subject.sportsbook)));
      this.total += stake;
      for (const group of [`event ${subject.event}`, `book ${subject.sportsbook}`, `row ${bet.oddsId}`])
        this.#sums.set(group, this.of(group) + stake);
      const key = outcomeKey(subject, catalogue.types, namesakesOf(subject.event));
      const outcome = getOrInsert(this.#outcomes, key, () => ({ subject, key, stake: 0, returns: 0 }));
      outcome.stake += stake;
      outcome.returns += stake * net;
    }
  }

  of(group: string): number {
    return this.#sums.get(group) ?? 0;
  }

  /** The largest stakes first. */
  get outcomes(): HeldOutcome[] {
    return [...this.#outcomes.values()].sort((a, b) => b.stake - a.stake);
  }
}

/** Of all fills together. */
function priceOf(bet: Bet): number {
  const cents = bet.fills.reduce((sum, fill) => sum + fill.cents, 0);
  return bet.fills.reduce((sum, fill) => sum + fill.cents * fill.decimal, 0) / cents;
}

// What an account has at stake already, as a portfolio of further bets must know it: by game and by book for the caps,
// and by outcome for how it hangs together with what is open.
import { type Bet, type BetSubject, counts, riskOf } from '../../accounts/bets/bet.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { chargeOf, netDecimal } from '../../base/model/commission.js';
import { ApiError } from '../../base/model/errors.js';
import { exchangeRate } from '../../base/model/money.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { playerKey } from '../../rules/catalogue/player-name.js';
import { selectionName } from '../../rules/catalogue/selection-name.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import { openStatistic } from '../../rules/markets/sides.js';

/** What decides whether a bet wins. */
type Outcome = Pick<
  BetSubject,
  'event' | 'market' | 'selection' | 'selectionType' | 'line' | 'player' | 'stat' | 'team' | 'threeWay' | 'scored'
>;

/** Bets on one outcome, at whatever prices and books. */
export interface HeldOutcome {
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
export function outcomeKey(outcome: Outcome, types: MarketTypes, namesakes: readonly string[] | undefined): string {
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

// Stakes for all open prices above fair together: opportunities as bets of a portfolio, within what their books take and
// what the caller puts on one game and at one book.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Opportunity, OpportunityOf } from '../delta/opportunity.js';
import { Portfolio, type PortfolioBet } from '../detect/maths/portfolio.js';
import { PUSH_POSSIBLE } from '../kinds/parts.js';
import { sideOf } from '../markets/sides.js';
import { LIMITS } from '../model/limits.js';
import { roundTo } from '../model/price.js';
import { centsBelow, maxStakeIn } from '../model/stake-terms.js';
import type { OddsTable } from '../table/table.js';

/** Below this confidence a stake is at most this share of the bankroll: the edge is not sure enough for more. */
const TRUSTED = 80;
const UNTRUSTED_MOST = 0.02;

export interface PortfolioTerms {
  /** In `currency`. */
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
    stake: number;
    expected_profit: number;
    expected_growth_percent: number;
  };
}

type Ev = OpportunityOf<'ev'>;

export class Portfolios {
  readonly #catalogue: Catalogue;
  readonly #table: Pick<OddsTable, 'slotOf' | 'columns'>;

  constructor(catalogue: Catalogue, table: Pick<OddsTable, 'slotOf' | 'columns'>) {
    this.#catalogue = catalogue;
    this.#table = table;
  }

  /** With pauses; of more than `portfolioBets` those with the greatest growth of their own. */
  async propose(opportunities: readonly Opportunity[], terms: PortfolioTerms, end: AbortSignal): Promise<Proposal> {
    const { bankroll, currency, kelly } = terms;
    const open = opportunities.filter((one): one is Ev => one.kind === 'ev');
    const taken = open.sort((a, b) => ownGrowth(b) - ownGrowth(a)).slice(0, LIMITS.portfolioBets.max);
    const bets = taken.map((one) => this.#bet(one, terms));
    const groups = new Map<string, number>();
    for (const {
      groups: [event, book],
    } of bets) {
      groups.set(event!, terms.maxEvent / 100 / kelly);
      groups.set(book!, terms.maxBook / 100 / kelly);
    }
    const portfolio = new Portfolio(bets, { groups, total: 1 });
    // A round takes up to two milliseconds.
    while (!portfolio.round()) {
      await nextTurn();
      end.throwIfAborted();
    }
    const stakes = new Map<string, number>();
    let stake = 0;
    let profit = 0;
    for (const [i, { id, edge }] of taken.entries()) {
      const amount = centsBelow(bankroll * kelly * portfolio.stakes[i]!);
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
        left_out: open.length - taken.length,
        stake: roundTo(stake, 2),
        expected_profit: roundTo(profit, 2),
        expected_growth_percent: roundTo(100 * Math.expm1(portfolio.growth(kelly)), 4) + 0,
      },
    };
  }

  #bet({ item, terms: { caps }, eventId, market, sport, edge }: Ev, terms: PortfolioTerms): PortfolioBet {
    const { bankroll, currency, kelly } = terms;
    const decimal = item.odds_decimal_net;
    const push = item.warnings.includes(PUSH_POSSIBLE) ? pushOf(item.fair_probability, decimal, edge) : 0;
    // Undefined: in a currency without a rate.
    const limit = maxStakeIn(caps, currency, this.#catalogue.rates);
    const most = limit === undefined ? 0 : limit === null ? 1 : limit / bankroll;
    const trusted = item.confidence_score < TRUSTED ? UNTRUSTED_MOST : 1;
    return {
      event: eventId,
      ...this.#counted(item, market, sport),
      win: (1 - push) * item.fair_probability,
      push,
      decimal,
      most: Math.min(most, trusted) / kelly,
      groups: [`event ${eventId}`, `book ${item.sportsbook}`],
    };
  }

  /** The counted result of a bet, and the end of it that wins. */
  #counted(item: Ev['item'], market: string, sport: string): Pick<PortfolioBet, 'result' | 'end'> {
    const slot = this.#table.slotOf(item.odds_id);
    const rules = this.#catalogue.types.of(market, sport);
    const selection = slot === undefined ? null : this.#table.columns.selectionType.at(slot);
    const side = selection === null ? undefined : sideOf(rules, selection, item.line !== null);
    // A draw is no end of the margin, and what a selection of another kind hangs together with is not known.
    if (side === undefined || side.side > 1) return { result: item.odds_id, end: 'high' };
    const counted = side.pairing === 'winner' || side.pairing === 'handicap' ? 'margin' : rules.type;
    const whose = slot === undefined ? null : (this.#table.columns.team.at(slot) ?? item.player_name);
    return {
      result: JSON.stringify([counted, rules.part, whose, item.stat_category]),
      end: side.side === 0 ? 'high' : 'low',
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

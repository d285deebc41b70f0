// Which opportunities a REST request is about: the filters shared with the odds endpoints, and its own.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { DAY_MS } from '../../base/model/time.js';
import { pricesOf } from '../../detection/kinds/kind.js';
import type { Narrowing } from '../../detection/question.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { searchedTeams, standsIn, wordsOf } from '../../tables/filter/event-search.js';
import { decimalBounds, RowFilter } from '../../tables/filter/filter.js';
import { requestedMarkets } from '../../tables/filter/requested-names.js';
import type { Universe } from '../../tables/filter/universe.js';
import type { OddsTable } from '../../tables/table.js';

export interface OpportunityFilterParams {
  sport?: string | undefined;
  league?: string | undefined;
  market?: string | undefined;
  event?: string | undefined;
  live?: boolean | undefined;
  team?: string | undefined;
  /** Seconds. */
  max_odds_age?: number | undefined;
  date_range?: 'today' | 'tomorrow' | 'week' | undefined;
  /** American; of every price of the item. */
  min_odds?: number | undefined;
  max_odds?: number | undefined;
  /** Percent; of items that have a market width. */
  min_market_width?: number | undefined;
  max_market_width?: number | undefined;
}

/** Items have decimal odds with six decimals: -145 is 1.6896551… and 1.689655 there. */
const ROUNDED = 5e-7;

export class OpportunityFilter {
  /** Values of sport, league and sportsbook without a match. */
  readonly unknown: readonly string[];
  readonly #rows: RowFilter;
  readonly #tests: ((opportunity: Opportunity) => boolean)[] = [];

  constructor(
    table: OddsTable,
    catalogue: Catalogue,
    universe: Universe,
    params: OpportunityFilterParams,
    nowMs: number,
  ) {
    const { sport, league, event, live } = params;
    this.#rows = new RowFilter(table, catalogue, universe, { sport, league, event, live });
    this.unknown = this.#rows.unknown;
    if (params.market !== undefined) {
      const { has, unknown } = requestedMarkets(catalogue, table, params.market);
      this.unknown = [...this.unknown, ...unknown];
      this.#tests.push(({ market }) => has(market));
    }
    if (params.team !== undefined) this.#tests.push(teamTest(catalogue, params.team));
    if (params.date_range !== undefined) this.#tests.push(dayTest(catalogue, params.date_range, nowMs));
    if (params.max_odds_age !== undefined) {
      const seenFromMs = nowMs - params.max_odds_age * 1000;
      this.#tests.push((opportunity) => opportunity.oldestSeenMs >= seenFromMs);
    }
    if (params.min_odds !== undefined || params.max_odds !== undefined) {
      const [min, max] = decimalBounds(params.min_odds, params.max_odds);
      this.#tests.push((opportunity) =>
        pricesOf(opportunity).every((decimal) => decimal >= min - ROUNDED && decimal <= max + ROUNDED),
      );
    }
    const { min_market_width: narrowest, max_market_width: widest } = params;
    if (narrowest !== undefined || widest !== undefined) this.#tests.push(widthTest(narrowest, widest));
  }

  /** The filter's sports, leagues and events, for questions evaluated market by market. */
  get narrowing(): Narrowing {
    const { sports, leagues, events } = this.#rows;
    return {
      ...(sports === null ? {} : { sports: [...sports] }),
      ...(leagues === null ? {} : { leagues: [...leagues] }),
      ...(events === null ? {} : { events }),
    };
  }

  matches(opportunity: Opportunity): boolean {
    const { eventId: id, sport, league, live } = opportunity;
    return this.#rows.hasEvent({ id, sport, league, live }) && this.#tests.every((test) => test(opportunity));
  }
}

/** An item without a width passes no bound on it. */
function widthTest(
  narrowest = Number.NEGATIVE_INFINITY,
  widest = Number.POSITIVE_INFINITY,
): (opportunity: Opportunity) => boolean {
  return ({ kind, item }) => {
    const width = kind === 'ev' ? item.market_width : null;
    return width !== null && width >= narrowest && width <= widest;
  };
}

function teamTest(catalogue: Catalogue, team: string): (opportunity: Opportunity) => boolean {
  const names = searchedTeams(team);
  return ({ league, item }) => {
    const { home_team: home, away_team: away } = item;
    const text = wordsOf(home, away);
    const tokens = [catalogue.resolveTeam(league, home).token, catalogue.resolveTeam(league, away).token];
    return names.some(
      ({ name, words }) => standsIn(words, text) || tokens.includes(catalogue.resolveTeam(league, name).token),
    );
  };
}

/** Days are the league's own: a game at 22:00 in New York is today's there, and tomorrow's in UTC. */
function dayTest(
  catalogue: Catalogue,
  range: NonNullable<OpportunityFilterParams['date_range']>,
  nowMs: number,
): (opportunity: Opportunity) => boolean {
  const [first, last] = range === 'today' ? [0, 0] : range === 'tomorrow' ? [1, 1] : [0, 6];
  const bounds = new Map<string, [first: string, last: string]>();
  return ({ league, startMs }) => {
    const [from, to] = getOrInsert(bounds, league, () => {
      const today = catalogue.localDate(league, nowMs);
      return [dayAfter(today, first), dayAfter(today, last)];
    });
    const day = catalogue.localDate(league, startMs);
    return day >= from && day <= to;
  };
}

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

// The common part of the lists of opportunities and moves: the caller's universe, the filters, the page, and its
// envelope or CSV.

import type { AccountQueue } from '../../accounts/account-queue.js';
import type { Bets } from '../../accounts/bets/bets.js';
import { callerOf } from '../../accounts/key-record.js';
import { OpportunityFilter, type OpportunityFilterParams } from '../../answers/opportunities/filter.js';
import { type ListAnswer, list, listInPieces } from '../../answers/opportunities/list.js';
import { OpenStakes, Portfolios, type PortfolioTerms } from '../../answers/opportunities/portfolio.js';
import {
  csvColumns,
  csvRow,
  OpportunityPresenter,
  type ServedOpportunity,
} from '../../answers/opportunities/presenter.js';
import { StakePricing } from '../../answers/opportunities/stake-pricing.js';
import type { DetectionPort, Universes } from '../../answers/opportunities/universes.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { OpportunityKind } from '../../base/model/opportunity.js';
import { formatMs } from '../../base/model/time.js';
import { DEFAULT_LIMITS, type Limits, stakedOf } from '../../detection/kinds/caller-thresholds.js';
import type { EvaluationQuestion, Narrowing } from '../../detection/question.js';
import type { Engine } from '../../engine/engine.js';
import type { Evaluated } from '../../engine/engine-options.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import { DEFAULT_STATE } from '../../rules/catalogue/deep-link.js';
import type { Universe } from '../../tables/filter/universe.js';
import type { RequestContext } from '../http/context.js';
import { asksWhole, sendCsv, sendLines, sendList, sendWhole } from './answer.js';
import { COST } from './cost.js';
import { callersUniverse, timeUsOf } from './view.js';

export interface OpportunityDeps {
  engine: Pick<Engine, 'catalogue' | 'table' | 'clock'>;
  universes: Universes;
  source: DetectionPort;
  bets: Pick<Bets, 'open' | 'bankroll'>;
  /** The recording that is served, if one is. */
  replay?: object;
}

export interface ListParams extends OpportunityFilterParams {
  sportsbook?: string | undefined;
  /** For deep links; the default's if the list has none. */
  state?: string;
  min_stake?: number | undefined;
  currency?: string | undefined;
  guaranteed?: boolean | undefined;
  include_assumed?: boolean | undefined;
  stake?: number | undefined;
  sort?: string | undefined;
  /** The instant that the answer must be of. */
  at?: string | undefined;
  format?: 'json' | 'csv' | 'ndjson' | undefined;
  limit: number;
  offset: number;
}

export interface ListRequest {
  kind: OpportunityKind;
  limits: Partial<Limits>;
  bestOfEvent?: boolean;
  /** Names of its own filters without a match. */
  unknown?: readonly string[];
  /** Conditions that the common filters do not cover. */
  matches?: (opportunity: Opportunity) => boolean;
  /** Evaluated once for this request, in place of the universe's active opportunities. */
  evaluate?: Omit<EvaluationQuestion, 'kind' | 'books' | keyof Narrowing>;
  /** Stakes for all that match together, as `proposed_stake` of the items and `portfolio` of the meta. */
  stakes?: Omit<PortfolioTerms, 'currency'>;
  /** Meta in addition to that of every list. */
  meta?: (matching: readonly Opportunity[]) => object;
}

interface Origin {
  source: string;
  books: readonly string[] | null;
  position: number;
  /** If evaluated for this request: changes up to here may be included, those up to `position` are. */
  evaluated_to?: number;
  /** If it was asked for an instant. */
  as_of?: string;
}

interface Selected extends ListAnswer {
  nowMs: number;
  unknown: readonly string[];
  source: Origin;
}

type Caller = Pick<RequestContext, 'requireKey' | 'spend'>;

export class OpportunityAnswers {
  readonly #engine: OpportunityDeps['engine'];
  readonly #universes: Universes;
  readonly #source: DetectionPort;
  readonly #server: OpportunityPresenter;
  readonly #portfolios: Portfolios;
  readonly #bets: OpportunityDeps['bets'];
  readonly #costly: AccountQueue;
  readonly #recorded: boolean;

  constructor({ engine, universes, source, bets, replay }: OpportunityDeps, costly: AccountQueue) {
    this.#engine = engine;
    this.#universes = universes;
    this.#source = source;
    this.#server = new OpportunityPresenter(engine.catalogue, engine.table);
    this.#bets = bets;
    this.#portfolios = new Portfolios(engine.catalogue, engine.table);
    this.#costly = costly;
    this.#recorded = replay !== undefined;
  }

  universe(caller: Pick<RequestContext, 'tier' | 'key'>, sportsbook: string | undefined): Universe {
    return callersUniverse(this.#engine, caller, sportsbook);
  }

  /** The active opportunities of the caller's universe, of every kind. */
  async active(universe: Universe, caller: Caller): Promise<Iterable<Opportunity>> {
    return (await this.#universes.use(universe, callerOf(caller.requireKey()))).opportunities();
  }

  /** The items that pass the filters and limits, in order, and the page of them. */
  async select(
    universe: Universe,
    caller: Caller,
    params: Omit<ListParams, 'state' | 'format'>,
    request: ListRequest,
  ): Promise<Selected> {
    const { catalogue, table, clock } = this.#engine;
    const asOf = this.asOf(params.at);
    const filterAt = (nowMs: number) => new OpportunityFilter(table, catalogue, universe, params, nowMs);
    const evaluated =
      request.evaluate === undefined || request.kind === 'move'
        ? undefined
        : await this.#evaluated(caller, {
            ...request.evaluate,
            includeAssumed: params.include_assumed ?? false,
            ...filterAt(clock.now()).narrowing,
            kind: request.kind,
            books: this.#universes.specOf(universe).books,
          });
    const active = evaluated === undefined ? await this.active(universe, caller) : [];
    const nowMs = clock.now();
    const filter = filterAt(nowMs);
    const question = {
      kind: request.kind,
      matches: (opportunity: Opportunity) => filter.matches(opportunity) && (request.matches?.(opportunity) ?? true),
      limits: { ...DEFAULT_LIMITS, ...request.limits, ...stakedOf(params), rates: catalogue.rates },
      sort: params.sort,
      bestOfEvent: request.bestOfEvent ?? false,
      limit: params.limit,
      offset: params.offset,
      nowMs,
    };
    const source = { ...this.source(universe), ...asOf };
    const unknown = [...filter.unknown, ...(request.unknown ?? [])];
    if (evaluated === undefined) {
      const answer = list({ ...question, opportunities: active });
      caller.spend(answer.matching.length * COST.opportunity);
      return { ...answer, nowMs, unknown, source };
    }
    const answer = await listInPieces(question, evaluated.opportunities);
    const { from: position, to: evaluated_to } = evaluated;
    return { ...answer, nowMs, unknown, source: { ...source, position, evaluated_to } };
  }

  async #evaluated(caller: Caller, question: EvaluationQuestion): Promise<Evaluated> {
    try {
      const evaluated = await this.#source.evaluate(question, callerOf(caller.requireKey()));
      caller.spend(evaluated.prices * COST.evaluated);
      return evaluated;
    } catch (error) {
      // It had its time, and would have cost more.
      if (error instanceof ApiError && error.code === 'unavailable') caller.spend(COST.report);
      throw error;
    }
  }

  async send(context: RequestContext<ListParams, unknown>, request: ListRequest): Promise<void> {
    const { limit, offset, format, ...params } = context.query;
    const universe = this.universe(context, params.sportsbook);
    const { page, matching, nowMs, unknown, source } = await this.select(universe, context, context.query, request);
    const state = (params.state ?? DEFAULT_STATE).toLowerCase();
    const { currency } = stakedOf(params);
    const proposal = await this.#proposal(context, matching, request, currency);
    const pricing = this.#stakePricing(params.stake, currency, request.limits);
    const itemOf = (opportunity: Opportunity): ServedOpportunity => {
      const served = this.#server.item(opportunity, nowMs, state, currency, universe);
      const item = (pricing?.item(opportunity, served) ?? served) as ServedOpportunity;
      return proposal === undefined ? item : { ...item, proposed_stake: proposal.stakes.get(opportunity.id) ?? 0 };
    };
    const { kind } = request;
    if (asksWhole(context)) {
      const rows = (from: number, to: number) => matching.slice(from, to).map(itemOf);
      const one = (item: ServedOpportunity) => csvRow(kind, item);
      await sendWhole(context, { name: kind, total: matching.length, rows, columns: csvColumns(kind), csvRow: one });
      return;
    }
    const items = page.map(itemOf);
    if (format === 'ndjson') {
      sendLines(context, items, { total: matching.length });
      return;
    }
    if (format === 'csv') {
      const rows = items.map((item) => csvRow(request.kind, item));
      sendCsv(context, request.kind, csvColumns(request.kind), rows, { total: matching.length });
      return;
    }
    const portfolio = proposal && { portfolio: proposal.summary };
    const meta = { ...source, filters: context.asked.echo, ...request.meta?.(matching), ...portfolio, unknown };
    sendList(context, this.#engine.clock, items, { limit, offset, total: matching.length }, meta);
  }

  /** What the items are worth for a stake; undefined if none is stated. */
  #stakePricing(stake: number | undefined, currency: string, limits: Partial<Limits>): StakePricing | undefined {
    if (stake === undefined) return undefined;
    const { catalogue, table } = this.#engine;
    return new StakePricing(table, catalogue.rates, { total: stake, currency }, { ...DEFAULT_LIMITS, ...limits });
  }

  async #proposal(caller: Caller, matching: readonly Opportunity[], { stakes }: ListRequest, currency: string) {
    if (stakes === undefined) return undefined;
    const key = caller.requireKey();
    const propose = async ({ signal }: AbortController) => {
      // A page with a viewer token must not learn what the account has bet.
      const bets = key.viewer === undefined ? await this.#bets.open(key.account, signal) : [];
      const home = this.#bets.bankroll(key.account).currency;
      const { catalogue, table } = this.#engine;
      const open = new OpenStakes(bets, home, currency, catalogue, (id) => table.events.get(id)?.namesakes);
      return this.#portfolios.propose(matching, { ...stakes, currency }, open, signal);
    };
    caller.spend(Math.min(matching.length, LIMITS.portfolioBets.max) * COST.evaluated);
    return this.#costly.run(callerOf(key), propose);
  }

  one(
    opportunity: Opportunity,
    universe: Universe,
    state: string,
    stated: { currency?: string | undefined; stake?: number | undefined },
  ): object {
    const { currency } = stakedOf(stated);
    const nowMs = this.#engine.clock.now();
    const served = this.#server.item(opportunity, nowMs, state.toLowerCase(), currency, universe);
    return this.#stakePricing(stated.stake, currency, {})?.item(opportunity, served) ?? served;
  }

  /**
   * Of `at=`. Opportunities follow from all that was seen before them, so that a recording is sought to an instant, and
   * history, which has prices alone, has none. Throws for any other instant than the one that the recording stands at.
   */
  asOf(at: string | undefined): { as_of?: string } {
    const atUs = timeUsOf('at', at);
    if (atUs === undefined) return {};
    if (!this.#recorded)
      throw new ApiError(
        'invalid_request',
        'at: opportunities have it only where a recording is served (--replay FILE)',
      );
    const now = formatMs(this.#engine.clock.now());
    const as_of = formatMs(Math.floor(atUs / 1000));
    if (as_of !== now)
      throw new ApiError(
        'invalid_request',
        `at: the recording stands at ${now}, and only of then are there opportunities: move it first (POST /api/v1/replay, seek or step)`,
      );
    return { as_of };
  }

  /** The inputs of an answer. */
  source(universe: Universe): Origin {
    const { key, books } = this.#universes.specOf(universe);
    return { source: `live/${key}`, books, position: this.#engine.table.position };
  }
}

// GET /results: what became of games. POST /grade: how a caller's bets ended.

import { listResults, RESULT_COLUMNS, wholeResults } from '../../answers/results.js';
import { isOddsId } from '../../base/model/identity.js';
import { LIMITS } from '../../base/model/limits.js';
import { decimalFromAmerican, parseAmerican } from '../../base/model/price.js';
import type { PairOfScores } from '../../base/model/result.js';
import { round6 } from '../../base/model/row-json.js';
import { parseTimeUs } from '../../base/model/time.js';
import { listBody } from '../../schema/envelope.js';
import { GradeBody, GradeItem } from '../../schema/grade.js';
import { ResultsBody, ResultsQuery } from '../../schema/results.js';
import type { StatedBet } from '../../store/clv/settler.js';
import type { ResultsBoard } from '../../tables/results.js';
import { type Route, route } from '../http/context.js';
import { asksWhole, CONDITIONAL, LISTED, sendItems, sendList, sendWhole } from './answer.js';
import { type AskFor, COST } from './cost.js';
import type { RouteDeps } from './deps.js';

export interface ResultDeps extends RouteDeps {
  results: ResultsBoard;
}

export function resultRoutes({ engine, results }: ResultDeps): Route[] {
  const { catalogue, clock } = engine;

  return [
    route({
      method: 'GET',
      path: '/api/v1/results',
      auth: 'required',
      viewers: 'results',
      // Nothing of it is a price.
      undelayed: true,
      query: ResultsQuery,
      headers: CONDITIONAL,
      response: ResultsBody,
      ...LISTED,
      summary: 'Results of games: final scores, parts, players; corrections have a higher revision',
      tags: ['results'],
      handler: (context) => {
        const { limit } = context.query;
        const { asked, query } = context;
        if (asksWhole(context)) return sendWhole(context, wholeResults({ board: results, catalogue }, query));
        const { items, total, unknown, nextCursor } = listResults({ board: results, catalogue }, query, asked);
        const forms = { name: 'results', columns: RESULT_COLUMNS, tagged: true } as const;
        return sendItems(context, clock, forms, items, { limit, total, nextCursor }, { unknown });
      },
    }),
  ];
}

type Item = GradeItem;

const MALFORMED: Item = {
  result: 'ungradeable',
  reason: 'malformed',
  profit_units: null,
  return_units: null,
  revision: 0,
};
const TEXT_MAX = LIMITS.text.max;

export function gradeRoutes({ engine }: RouteDeps, askFor: AskFor): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/grade',
      auth: 'required',
      right: 'grading',
      body: GradeBody,
      response: listBody(GradeItem),
      errors: ['not_found'],
      summary: 'How bets of your own ended, by the results of their games',
      tags: ['results'],
      handler: async (context) => {
        const bets = context.body.bets.map(statedBet);
        const readable = bets.flatMap((bet) => bet ?? []);
        const ask = askFor(context);
        context.spend(readable.length * COST.bet);
        const settled = await ask('settle', { bets: readable, nowMs: engine.clock.now() });
        let next = 0;
        const items = bets.map((bet): Item => {
          if (bet === undefined) return MALFORMED;
          const { result, reason, profit_units, return_units, revision } = settled[next++]!;
          return { result, reason, profit_units: rounded(profit_units), return_units: rounded(return_units), revision };
        });
        sendList(context, engine.clock, items);
      },
    }),
  ];
}

function rounded(units: number | null): number | null {
  return units === null ? null : round6(units);
}

/** Undefined if it cannot be read. */
function statedBet(bet: unknown): StatedBet | undefined {
  if (typeof bet !== 'object' || bet === null || Array.isArray(bet)) return undefined;
  const fields = bet as Record<string, unknown>;
  let readable = true;
  const text = (name: string): string | null => {
    const value = fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value === 'string' && value.length <= TEXT_MAX) return value;
    readable = false;
    return null;
  };
  const { line } = fields;
  const team = text('team');
  const decimal = decimalOf(fields);
  const oddsId = text('odds_id');
  const scored = scoredOf(fields['scored']);
  const stated: StatedBet = {
    // An id that cannot be one is unknown, not unreadable.
    oddsId: oddsId === null ? null : isOddsId(oddsId) ? oddsId : '0',
    event: text('event_id') ?? text('event'),
    market: text('market_type') ?? text('market'),
    selection: text('selection_type') ?? text('selection'),
    sportsbook: text('sportsbook') ?? text('book'),
    line: (line as number | null | undefined) ?? undefined,
    player: text('player_name'),
    team: team as StatedBet['team'],
    scored: scored ?? null,
    atUs: parseTimeUs(fields['at']),
    decimal: decimal ?? null,
  };
  const lineIsRead = line === undefined || line === null || (typeof line === 'number' && Number.isFinite(line));
  const teamIsRead = team === null || team === 'home' || team === 'away';
  const named =
    stated.oddsId !== null || (stated.event !== null && stated.market !== null && stated.selection !== null);
  return readable && lineIsRead && teamIsRead && named && decimal !== undefined && scored !== undefined
    ? stated
    : undefined;
}

/** Null if it is not stated, undefined if it is no score. */
function scoredOf(value: unknown): PairOfScores | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') return undefined;
  const { home, away } = value as Record<string, unknown>;
  return isScore(home) && isScore(away) ? { home, away } : undefined;
}

const isScore = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= LIMITS.score.max;

/** Null if no price is stated, undefined if it is none. */
function decimalOf({ odds_american, odds_decimal }: Record<string, unknown>): number | null | undefined {
  if (odds_american !== undefined && odds_american !== null) {
    const american = parseAmerican(odds_american);
    return american === undefined ? undefined : decimalFromAmerican(american);
  }
  if (odds_decimal === undefined || odds_decimal === null) return null;
  return typeof odds_decimal === 'number' && odds_decimal > 1 && Number.isFinite(odds_decimal)
    ? odds_decimal
    : undefined;
}

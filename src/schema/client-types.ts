// The schemas of response and parameter types in the typed client, by name.

import type { TSchema } from 'typebox';
import * as bets from './bets.js';
import * as clv from './clv.js';
import * as events from './events.js';
import * as futures from './futures.js';
import * as gameState from './game-state.js';
import * as history from './history.js';
import * as moves from './moves.js';
import * as executable from './odds.js';
import * as odds from './odds.js';
import * as opportunities from './opportunities.js';
import * as reference from './reference.js';
import * as results from './results.js';
import * as splits from './splits.js';
import * as stream from './stream.js';
import * as unmatched from './unmatched.js';

/** Name → shape. */
export * as CLIENT_TYPES from './client-shapes.js';

/**
 * Name → parameters of a GET request. None is required: what an endpoint requires is an argument of the client's
 * method.
 */
export const CLIENT_PARAMS = {
  OddsParams: odds.OddsQuery,
  EventOddsParams: odds.EventOddsQuery,
  BestOddsParams: odds.BestQuery,
  ComparisonParams: odds.ComparisonQuery,
  OddsDeltaParams: odds.DeltaQuery,
  EventsParams: events.EventsQuery,
  EventParams: events.EventQuery,
  EventMarketsParams: events.EventMarketsQuery,
  EvParams: opportunities.EvQuery,
  ArbitrageParams: opportunities.ArbitrageQuery,
  MiddlesParams: opportunities.MiddlesQuery,
  MiddleParams: opportunities.MiddleQuery,
  MiddlesSummaryParams: opportunities.MiddlesSummaryQuery,
  LowHoldParams: opportunities.LowHoldQuery,
  MovesParams: moves.MovesQuery,
  HistoryParams: history.HistoryQuery,
  LinesParams: history.LinesQuery,
  ClosingDayParams: history.ClosingDayQuery,
  ClvParams: clv.ClvQuery,
  PredictionsParams: clv.PredictionsQuery,
  GameStateParams: gameState.GameStateQuery,
  FuturesParams: futures.FuturesQuery,
  FutureOddsParams: futures.FutureOddsQuery,
  SplitsParams: splits.SplitsQuery,
  SplitsHistoryParams: splits.SplitsHistoryQuery,
  ExecutableParams: executable.ExecutableQuery,
  ResultsParams: results.ResultsQuery,
  AccountBetsParams: bets.AccountBetsQuery,
  BetsSummaryParams: bets.BetsSummaryQuery,
  UnmatchedParams: unmatched.UnmatchedQuery,
  SportsParams: reference.SportsQuery,
  LeaguesParams: reference.LeaguesQuery,
  SportsbooksParams: reference.SportsbooksQuery,
  TeamsParams: reference.TeamsQuery,
  StreamParams: stream.StreamQuery,
} as const satisfies Readonly<Record<string, TSchema>>;

// The names of response and parameter types in the typed client: its own types are these (src/client/types.ts), and the
// declarations that the package ships are generated from them (build/client-types.ts).
import type { TSchema } from 'typebox';
import * as account from './account.js';
import * as accountTokens from './account-tokens.js';
import * as alerts from './alerts.js';
import * as bets from './bets.js';
import * as clv from './clv.js';
import * as envelope from './envelope.js';
import * as events from './events.js';
import * as executable from './executable.js';
import * as frames from './frames.js';
import * as futures from './futures.js';
import * as gameState from './game-state.js';
import * as grade from './grade.js';
import * as history from './history.js';
import * as ingest from './ingest.js';
import * as moves from './moves.js';
import * as odds from './odds.js';
import * as oddsItems from './odds-items.js';
import * as opportunities from './opportunities.js';
import * as opportunitiesItems from './opportunities-items.js';
import * as reference from './reference.js';
import * as replay from './replay.js';
import * as results from './results.js';
import * as splits from './splits.js';
import * as stream from './stream.js';
import * as unmatched from './unmatched.js';

/** Name → shape. */
export const CLIENT_TYPES = {
  GameState: events.GameState,
  OddsRow: oddsItems.Odds,
  OddsDelta: frames.OddsDelta,
  OddsGroup: oddsItems.OddsGroup,
  EventOdds: oddsItems.EventOdds,
  BestOdds: oddsItems.BestOdds,
  Comparison: oddsItems.Comparison,
  BatchEvent: oddsItems.BatchEvent,
  Event: events.Event,
  EventDetail: events.EventDetail,
  EventMarket: events.EventMarket,
  EvOpportunity: opportunitiesItems.EvOpportunity,
  ArbitrageLeg: opportunitiesItems.ArbitrageLeg,
  ArbitrageOpportunity: opportunitiesItems.ArbitrageOpportunity,
  MiddleSide: opportunitiesItems.MiddleSide,
  MiddleOpportunity: opportunitiesItems.MiddleOpportunity,
  MiddlesSummary: opportunities.MiddlesSummary,
  LowHoldSide: opportunitiesItems.LowHoldSide,
  LowHoldOpportunity: opportunitiesItems.LowHoldOpportunity,
  Move: moves.Move,
  Executable: executable.Executable,
  HistoryRow: history.HistoryRow,
  EventLines: history.EventLines,
  ClosingDay: history.ClosingDay,
  Clv: clv.Clv,
  Prediction: clv.Prediction,
  Bet: clv.BetsBody.properties.bets.items,
  BetGrade: clv.BetGrade,
  NewBet: bets.NewBet,
  ChangedBet: bets.ChangedBet,
  AccountBet: bets.AccountBet,
  BetsSummary: bets.BetsSummary,
  Bankroll: bets.BankrollItem,
  GameStateItem: frames.GameStateNews,
  GameStateEntry: gameState.GameStateItem,
  GameStateSports: gameState.GameStateSportsBody.properties.data,
  Future: futures.Future,
  FutureOdds: futures.FutureOdds,
  SplitsGame: splits.SplitsGame,
  SplitsHistoryEntry: splits.SplitsHistoryEntry,
  ReplayAction: replay.ReplayAction,
  ReplayStatus: replay.ReplayStatus,
  Result: results.Result,
  UnmatchedItem: unmatched.UnmatchedItem,
  SettledBet: grade.GradedBetInput,
  Settled: grade.GradeItem,
  Sport: reference.Sport,
  League: reference.League,
  Sportsbook: reference.Sportsbook,
  MarketType: reference.MarketType,
  Team: reference.Team,
  TierRights: reference.TierRights,
  WarningMeaning: reference.WarningMeaning,
  Health: reference.Health,
  Pagination: envelope.CursorPagination,
  Account: account.AccountBody.properties.data,
  Usage: account.UsageBody.properties.data,
  AccountKey: account.AccountKey,
  NewKey: account.NewKeyAnswer.properties.data,
  RotatedKey: account.RotateAnswer.properties.data,
  Alert: alerts.Alert,
  NewAlert: alerts.NewAlertBody,
  ChangedAlert: alerts.ChangedAlertBody,
  CreatedAlert: alerts.NewAlertAnswer.properties.data,
  NewToken: accountTokens.NewTokenBody,
  ViewerToken: accountTokens.NewTokenAnswer.properties.data,
  IngestMessage: ingest.IngestMessage,
  IngestReceipt: ingest.IngestAnswer,
} as const satisfies Readonly<Record<string, TSchema>>;

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

// The names of response and parameter types in the typed client: its own types are these (src/client/types.ts), and the
// declarations that the package ships are generated from them (build/client-types.ts).
import type { TSchema } from 'typebox';
import { AccountBody, AccountKey, NewKeyAnswer, RotateAnswer, UsageBody } from './account.js';
import { NewTokenAnswer, NewTokenBody } from './account-tokens.js';
import { Alert, ChangedAlertBody, NewAlertAnswer, NewAlertBody } from './alerts.js';
import {
  AccountBet,
  AccountBetsQuery,
  BankrollItem,
  BetsSummary,
  BetsSummaryQuery,
  ChangedBet,
  NewBet,
} from './bets.js';
import { BetGrade, BetsBody, Clv, ClvQuery, Prediction, PredictionsQuery } from './clv.js';
import { CursorPagination } from './envelope.js';
import { Event, EventDetail, EventMarket, EventMarketsQuery, EventQuery, EventsQuery, GameState } from './events.js';
import { Executable, ExecutableQuery } from './executable.js';
import { GameStateNews, OddsDelta } from './frames.js';
import { Future, FutureOdds, FutureOddsQuery, FuturesQuery } from './futures.js';
import { GameStateItem, GameStateQuery, GameStateSportsBody } from './game-state.js';
import { GradedBetInput, GradeItem } from './grade.js';
import { ClosingDay, ClosingDayQuery, EventLines, HistoryQuery, HistoryRow, LinesQuery } from './history.js';
import { IngestAnswer, IngestMessage } from './ingest.js';
import { Move, MovesQuery } from './moves.js';
import { BestQuery, ComparisonQuery, DeltaQuery, EventOddsQuery, OddsQuery } from './odds.js';
import { BatchEvent, BestOdds, Comparison, EventOdds, Odds, OddsGroup } from './odds-items.js';
import {
  ArbitrageQuery,
  EvQuery,
  LowHoldQuery,
  MiddleQuery,
  MiddlesQuery,
  MiddlesSummary,
  MiddlesSummaryQuery,
} from './opportunities.js';
import {
  ArbitrageLeg,
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  LowHoldSide,
  MiddleOpportunity,
  MiddleSide,
} from './opportunities-items.js';
import {
  Health,
  League,
  LeaguesQuery,
  MarketType,
  Sport,
  Sportsbook,
  SportsbooksQuery,
  SportsQuery,
  Team,
  TeamsQuery,
  TierRights,
  WarningMeaning,
} from './reference.js';
import { ReplayAction, ReplayStatus } from './replay.js';
import { Result, ResultsQuery } from './results.js';
import { SplitsGame, SplitsHistoryEntry, SplitsHistoryQuery, SplitsQuery } from './splits.js';
import { StreamQuery } from './stream.js';
import { UnmatchedItem, UnmatchedQuery } from './unmatched.js';

/** Name → shape. */
export const CLIENT_TYPES = {
  GameState,
  OddsRow: Odds,
  OddsDelta,
  OddsGroup,
  EventOdds,
  BestOdds,
  Comparison,
  BatchEvent,
  Event,
  EventDetail,
  EventMarket,
  EvOpportunity,
  ArbitrageLeg,
  ArbitrageOpportunity,
  MiddleSide,
  MiddleOpportunity,
  MiddlesSummary,
  LowHoldSide,
  LowHoldOpportunity,
  Move,
  Executable,
  HistoryRow,
  EventLines,
  ClosingDay,
  Clv,
  Prediction,
  Bet: BetsBody.properties.bets.items,
  BetGrade,
  NewBet,
  ChangedBet,
  AccountBet,
  BetsSummary,
  Bankroll: BankrollItem,
  GameStateItem: GameStateNews,
  GameStateEntry: GameStateItem,
  GameStateSports: GameStateSportsBody.properties.data,
  Future,
  FutureOdds,
  SplitsGame,
  SplitsHistoryEntry,
  ReplayAction,
  ReplayStatus,
  Result,
  UnmatchedItem,
  SettledBet: GradedBetInput,
  Settled: GradeItem,
  Sport,
  League,
  Sportsbook,
  MarketType,
  Team,
  TierRights,
  WarningMeaning,
  Health,
  Pagination: CursorPagination,
  Account: AccountBody.properties.data,
  Usage: UsageBody.properties.data,
  AccountKey,
  NewKey: NewKeyAnswer.properties.data,
  RotatedKey: RotateAnswer.properties.data,
  Alert,
  NewAlert: NewAlertBody,
  ChangedAlert: ChangedAlertBody,
  CreatedAlert: NewAlertAnswer.properties.data,
  NewToken: NewTokenBody,
  ViewerToken: NewTokenAnswer.properties.data,
  IngestMessage,
  IngestReceipt: IngestAnswer,
} as const satisfies Readonly<Record<string, TSchema>>;

/**
 * Name → parameters of a GET request. None is required: what an endpoint requires is an argument of the client's
 * method.
 */
export const CLIENT_PARAMS = {
  OddsParams: OddsQuery,
  EventOddsParams: EventOddsQuery,
  BestOddsParams: BestQuery,
  ComparisonParams: ComparisonQuery,
  OddsDeltaParams: DeltaQuery,
  EventsParams: EventsQuery,
  EventParams: EventQuery,
  EventMarketsParams: EventMarketsQuery,
  EvParams: EvQuery,
  ArbitrageParams: ArbitrageQuery,
  MiddlesParams: MiddlesQuery,
  MiddleParams: MiddleQuery,
  MiddlesSummaryParams: MiddlesSummaryQuery,
  LowHoldParams: LowHoldQuery,
  MovesParams: MovesQuery,
  HistoryParams: HistoryQuery,
  LinesParams: LinesQuery,
  ClosingDayParams: ClosingDayQuery,
  ClvParams: ClvQuery,
  PredictionsParams: PredictionsQuery,
  GameStateParams: GameStateQuery,
  FuturesParams: FuturesQuery,
  FutureOddsParams: FutureOddsQuery,
  SplitsParams: SplitsQuery,
  SplitsHistoryParams: SplitsHistoryQuery,
  ExecutableParams: ExecutableQuery,
  ResultsParams: ResultsQuery,
  AccountBetsParams: AccountBetsQuery,
  BetsSummaryParams: BetsSummaryQuery,
  UnmatchedParams: UnmatchedQuery,
  SportsParams: SportsQuery,
  LeaguesParams: LeaguesQuery,
  SportsbooksParams: SportsbooksQuery,
  TeamsParams: TeamsQuery,
  StreamParams: StreamQuery,
} as const satisfies Readonly<Record<string, TSchema>>;

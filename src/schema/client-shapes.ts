// The shapes of the typed client by the names of its types, as schemas and as types: its own are these (src/client/types.ts),
// and the declarations that the package ships are generated from them (build/client-types.ts).
import type { Static } from 'typebox';
import { AccountBody, NewKeyAnswer, NewTokenAnswer, RotateAnswer, UsageBody } from './account.js';
import { NewAlertAnswer } from './alerts.js';
import { BetsBody } from './clv.js';
import { GameStateSportsBody } from './game-state.js';

export { AccountKey, NewTokenBody as NewToken } from './account.js';
export { Alert, ChangedAlertBody as ChangedAlert, NewAlertBody as NewAlert } from './alerts.js';
export { AccountBet, BankrollItem as Bankroll, BetsSummary, ChangedBet, NewBet } from './bets.js';
export { BetGrade, Clv, Prediction } from './clv.js';
export { CursorPagination as Pagination } from './envelope.js';
export { Event, EventDetail, EventMarket, GameState } from './events.js';
export { GameStateNews as GameStateItem, OddsDelta } from './frames.js';
export { Future, FutureOdds } from './futures.js';
export { GameStateItem as GameStateEntry } from './game-state.js';
export { GradedBetInput as SettledBet, GradeItem as Settled } from './grade.js';
export { ClosingDay, EventLines, HistoryRow } from './history.js';
export { IngestAnswer as IngestReceipt, IngestMessage } from './ingest.js';
export { Move } from './moves.js';
export { Executable } from './odds.js';
export { BatchEvent, BestOdds, Comparison, EventOdds, Odds as OddsRow, OddsGroup } from './odds-items.js';
export { MiddlesSummary } from './opportunities.js';
export {
  ArbitrageLeg,
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  LowHoldSide,
  MiddleOpportunity,
  MiddleSide,
} from './opportunities-items.js';
export { Health, League, MarketType, Sport, Sportsbook, Team, TierRights, WarningMeaning } from './reference.js';
export { ReplayAction, ReplayStatus } from './replay.js';
export { Result } from './results.js';
export { SplitsGame, SplitsHistoryEntry } from './splits.js';
export { UnmatchedItem } from './unmatched.js';

export const Bet = BetsBody.properties.bets.items;
export type Bet = Static<typeof Bet>;
export const GameStateSports = GameStateSportsBody.properties.data;
export type GameStateSports = Static<typeof GameStateSports>;
export const Account = AccountBody.properties.data;
export type Account = Static<typeof Account>;
export const Usage = UsageBody.properties.data;
export type Usage = Static<typeof Usage>;
export const NewKey = NewKeyAnswer.properties.data;
export type NewKey = Static<typeof NewKey>;
export const RotatedKey = RotateAnswer.properties.data;
export type RotatedKey = Static<typeof RotatedKey>;
export const CreatedAlert = NewAlertAnswer.properties.data;
export type CreatedAlert = Static<typeof CreatedAlert>;
export const ViewerToken = NewTokenAnswer.properties.data;
export type ViewerToken = Static<typeof ViewerToken>;

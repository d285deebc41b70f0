// The client's types: the server's own schemas. The package ships them as generated declarations
// (build/client-types.ts), so that a program using the client needs neither the schemas nor TypeBox.
import type { Static } from 'typebox';
import type { CLIENT_PARAMS } from '../schema/client-types.js';

/** Lists may be given as such; undefined values are not sent. */
type Parameter<Value> = string extends Value ? string | readonly string[] : Value;
type Values<Query> = { [Name in keyof Query]?: Parameter<Exclude<Query[Name], undefined>> | undefined };
type Params<Name extends keyof typeof CLIENT_PARAMS> = Values<Static<(typeof CLIENT_PARAMS)[Name]>>;

export type * from '../schema/client-shapes.js';

export type OddsParams = Params<'OddsParams'>;
export type EventOddsParams = Params<'EventOddsParams'>;
export type BestOddsParams = Params<'BestOddsParams'>;
export type ComparisonParams = Params<'ComparisonParams'>;
export type OddsDeltaParams = Params<'OddsDeltaParams'>;
export type EventsParams = Params<'EventsParams'>;
export type EventParams = Params<'EventParams'>;
export type EventMarketsParams = Params<'EventMarketsParams'>;
export type EvParams = Params<'EvParams'>;
export type ArbitrageParams = Params<'ArbitrageParams'>;
export type MiddlesParams = Params<'MiddlesParams'>;
export type MiddleParams = Params<'MiddleParams'>;
export type MiddlesSummaryParams = Params<'MiddlesSummaryParams'>;
export type LowHoldParams = Params<'LowHoldParams'>;
export type MovesParams = Params<'MovesParams'>;
export type HistoryParams = Params<'HistoryParams'>;
export type LinesParams = Params<'LinesParams'>;
export type ClosingDayParams = Params<'ClosingDayParams'>;
export type ClvParams = Params<'ClvParams'>;
export type PredictionsParams = Params<'PredictionsParams'>;
export type GameStateParams = Params<'GameStateParams'>;
export type FuturesParams = Params<'FuturesParams'>;
export type FutureOddsParams = Params<'FutureOddsParams'>;
export type SplitsParams = Params<'SplitsParams'>;
export type SplitsHistoryParams = Params<'SplitsHistoryParams'>;
export type AccountBetsParams = Params<'AccountBetsParams'>;
export type BetsSummaryParams = Params<'BetsSummaryParams'>;
export type ExecutableParams = Params<'ExecutableParams'>;
export type ResultsParams = Params<'ResultsParams'>;
export type UnmatchedParams = Params<'UnmatchedParams'>;
export type SportsParams = Params<'SportsParams'>;
export type LeaguesParams = Params<'LeaguesParams'>;
export type SportsbooksParams = Params<'SportsbooksParams'>;
export type TeamsParams = Params<'TeamsParams'>;
export type StreamParams = Params<'StreamParams'>;

// The exports of `import … from 'overround'`: a server inside another program, its settings, feeds and catalogue, and
// the backtest. docs/guides/embedding.md shows how they fit together. The typed client is `overround/client`.
export { type BacktestOptions, type BacktestResult, runBacktest } from './backtest/backtest.js';
export type { Catalogue } from './catalogue/catalogue.js';
export { CatalogueError } from './catalogue/cross-check.js';
export { loadCatalogue } from './catalogue/load.js';
export { type Config, ConfigError, parseConfig } from './config/config.js';
export {
  type DiagnosticChannel,
  diagnosticChannels,
  type HttpRequestDone,
  type IngestRead,
  type Published,
  type ShardBatch,
  type ShardTimes,
  type StreamsTick,
  subscribeTo,
  type TableDelta,
} from './diagnostics/channels.js';
export type { Feed, FeedContext, FeedLog, IngestReceipt, IngestSink } from './feeds/feed.js';
export type { FeedKind } from './feeds/feed-kind.js';
export { Connection, type ConnectionOptions } from './feeds/kit/connection.js';
export { type VenueGame, VenueGames, type VenueMarket } from './feeds/kit/games.js';
export { Publisher, type PublisherOptions } from './feeds/kit/publisher.js';
export { Rest, type RestOptions, VenueRefusal } from './feeds/kit/rest.js';
export { Sequence } from './feeds/kit/sequence.js';
export type { Dial, Transport, TransportEvents } from './feeds/kit/transport.js';
export { type WebSocketTarget, webSocket } from './feeds/kit/web-socket.js';
export type { IngestEvent, IngestMarket, IngestMessage, IngestSelection } from './ingest/message.js';
export { DEFAULT_LIMITS, type Limits } from './kinds/limits.js';
export { type Clock, ManualClock, systemClock } from './model/clock.js';
export { ApiError } from './model/errors.js';
export type { GameState } from './model/game-state.js';
export { createLog, type Log } from './observe/log.js';
export { type RunningServer, type StartOptions, startServer } from './server/start.js';

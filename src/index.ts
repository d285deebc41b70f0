// The exports of `import … from 'overround'`: a server inside another program, its settings, feeds and catalogue, and
// the backtest. docs/guides/embedding.md shows how they fit together. The typed client is `overround/client`.

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
} from './base/diagnostics/diagnostic-channels.js';
export { type Clock, ManualClock, systemClock } from './base/model/clock.js';
export { ApiError } from './base/model/errors.js';
export type { GameState } from './base/model/game-state.js';
export { type BacktestOptions, type BacktestResult, runBacktest } from './cli/backtest/backtest.js';
export { type Config, ConfigError, parseConfig } from './config/config.js';
export { DEFAULT_LIMITS, type Limits } from './detection/kinds/caller-thresholds.js';
export type { Feed, FeedContext, FeedLog, IngestReceipt, IngestSink } from './intake/feeds/feed.js';
export type { FeedKind } from './intake/feeds/feed-kind.js';
export { Sequence } from './intake/feeds/kalshi/channel.js';
export type { Dial, Transport, TransportEvents } from './intake/feeds/kit/connection.js';
export { Connection, type ConnectionOptions } from './intake/feeds/kit/connection.js';
export { type VenueGame, VenueGames, type VenueMarket } from './intake/feeds/kit/games.js';
export { Publisher, type PublisherOptions } from './intake/feeds/kit/publisher.js';
export { Rest, type RestOptions, VenueRefusal } from './intake/feeds/kit/rest.js';
export { type WebSocketTarget, webSocket } from './intake/feeds/kit/web-socket.js';
export type { IngestEvent, IngestMarket, IngestMessage, IngestSelection } from './intake/ingest/message.js';
export type { Catalogue } from './rules/catalogue/catalogue.js';
export { CatalogueError } from './rules/catalogue/cross-check.js';
export { loadCatalogue } from './rules/catalogue/load.js';
export { createLog, type Log } from './server/observe/log.js';
export { type RunningServer, type StartOptions, startServer } from './server/start.js';

// Every bound on what is accepted, sent and retained, with its unit and what happens beyond it; docs/guarantees.md
// shows them. Limits that can be configured are in src/config; those of a venue's protocol are with its feed. The
// client and the dashboard run elsewhere and have their own.

export interface Limit {
  readonly max: number;
  readonly unit: string;
  /** What it bounds, and what happens beyond it. */
  readonly of: string;
}

const limit = (max: number, unit: string, of: string): Limit => ({ max, unit, of });

/** What callers send. */
const SENT = {
  requestHead: limit(32 * 1024, 'bytes', 'of request line and headers; 431'),
  requestHeaders: limit(98, 'headers', 'of a request; 431'),
  requestPath: limit(8 * 1024, 'characters', 'of a path; 414'),
  requestQuery: limit(16 * 1024, 'characters', 'of a query; 414'),
  bodiesTogether: limit(32, 'bodies', 'as large as one may be, in all that are being read; 503'),
  ignoredParameters: limit(20, 'names', 'of unknown parameters told in meta; the rest are not told'),
  http10Requests: limit(256, 'requests', 'of HTTP/1.0 under way; further ones wait'),
  http10Request: limit(60_000, 'ms', 'from the head of an HTTP/1.0 request to the end of its body; closed'),
  listOffset: limit(5_000, 'rows', 'before the first of a page of opportunities; 400'),
  messageId: limit(200, 'characters', 'of the id a message of a client is answered with; longer ones are not'),
  messageBytes: limit(64 * 1024, 'bytes', 'of a WebSocket message; closed'),
  messagesPerSecond: limit(100, 'messages', 'a second on a WebSocket, five seconds long; closed'),
  malformedMessages: limit(20, 'messages', 'on a WebSocket that cannot be read; closed'),
  messagePackDepth: limit(32, 'levels', 'of nesting in a MessagePack message; refused'),
  rejections: limit(1_000, 'rejections', 'listed in one answer; the rest are not listed'),
  text: limit(200, 'characters', 'of a text in an ingest message; the part is rejected'),
  link: limit(2_048, 'characters', 'of a link in an ingest message; the part is rejected'),
  line: limit(10_000, 'points', 'of a line either way; the selection is rejected'),
  aheadMs: limit(
    30_000,
    'ms',
    'that a source may be ahead of the clock of the server; what it dates later is rejected',
  ),
  periodName: limit(80, 'characters', 'of the name of a period; a longer one is not understood'),
  teamToken: limit(64, 'characters', 'of a team in an event id; longer names end in a hash'),
  gamesOfTeams: limit(100, 'games', 'of the same two teams in one message; the rest are rejected'),
  books: limit(4_000, 'books', 'in a data directory; further ones are rejected'),
  tokenLife: limit(86_400, 's', 'that a viewer token lives; 400'),
  tokenChars: limit(4_096, 'characters', 'of a viewer token; 401'),
  activeKeys: limit(100, 'keys', 'of an account that are active; 400'),
  selfMadeKeys: limit(10, 'keys', 'that an account makes itself; 400'),
  inactiveKeys: limit(100, 'keys', 'of an account that are over; the oldest are forgotten'),
  trialHours: limit(8_760, 'hours', 'of a trial; 400'),
  shards: limit(1_024, 'shards', 'of a data directory; refused at the start'),
  mcpBody: limit(256 * 1024, 'bytes', 'of a request to /mcp; 413'),
  mcpBatch: limit(20, 'messages', 'in a batch to /mcp; refused'),
  mcpSessions: limit(10_000, 'sessions', 'of MCP; the one unused for longest makes room'),
  mcpSessionsOfKey: limit(100, 'sessions', 'of MCP of one key; its own oldest makes room'),
  mcpSessionsEnded: limit(10_000, 'sessions', 'of MCP that fronts remember as ended; the one begun first makes room'),
  mcpMessages: limit(120, 'messages', 'a minute to /mcp, or as many as the tier has requests; 429'),
};

/** What alerts send to accounts. */
const ALERTED = {
  alertQuiet: limit(86_400, 's', 'between two messages of an alert, at its wish; 400'),
  alertRows: limit(100, 'rows', 'in a message of an alert; the rest come in further ones'),
  alertRowsPerLook: limit(1_000, 'rows', 'told at once by an alert; the rest are counted'),
  alertCharacters: limit(500_000, 'characters', 'of rows in a message of an alert; the rest come in further ones'),
  alertQueue: limit(100, 'messages', 'that wait for a target; until it takes them the alert does not look further'),
  alertReported: limit(10_000, 'opportunities', 'known as told by an alert; those told first are forgotten'),
  alertAttempts: limit(256, 'attempts', 'to send a message at once; the others wait'),
  alertAttemptsOfAccount: limit(16, 'attempts', 'of those of one account; the others wait'),
  alertConnections: limit(8, 'connections', 'to one target; the others wait'),
  alertOrigins: limit(1_000, 'targets', 'that connections are kept to; those of the oldest are closed'),
  alertAnswer: limit(64 * 1024, 'bytes', 'of an answer of a target; the connection is closed'),
  alertAskedWait: limit(3_600_000, 'ms', 'that a target may ask to be left alone before the next attempt'),
};

/** What answers contain. */
const ANSWERED = {
  deltaRows: limit(10_000, 'rows', 'in the pages of one /odds/delta; overflow says that a snapshot is smaller'),
  askedOpportunities: limit(10_000, 'opportunities', 'found by a question of its own; the best of them'),
  middleLines: limit(256, 'lines', 'of a market looked at for middles; the nearest to its centre'),
  middlesOfMarket: limit(1_000, 'middles', 'alive in a market and universe; the best of them'),
  mcpText: limit(24_000, 'characters', 'of text in one answer of a tool; it says what is left off'),
  mcpLine: limit(1_000, 'characters', 'of a line in an answer of a tool; cut'),
  socketBytes: limit(
    64 * 1024,
    'bytes',
    'that a WebSocket holds for a client that does not read; the rest waits in its group',
  ),
  socketBuffered: limit(64 * 1024 * 1024, 'bytes', 'buffered in a WebSocket; closed'),
  tickWait: limit(10, 'ms', 'that a costly tick puts the next one off'),
};

/** What is retained of the past. */
const REMEMBERED = {
  priceChanges: limit(1_048_576, 'changes', 'of prices in a shard that moves are found in; the oldest are forgotten'),
  betsEvents: limit(20_000, 'events', 'whose splits moves are held against; those stated longest ago are forgotten'),
  removals: limit(1_000_000, 'rows', 'that are gone; a reader further behind needs a snapshot'),
  endedOpportunities: limit(
    50_000,
    'opportunities',
    'of a universe that ended; a reader further behind needs all anew',
  ),
  edgeMoves: limit(128, 'moves', 'of the edge of an opportunity; the oldest are forgotten'),
  letGoUniverses: limit(1_000, 'universes', 'of which it is known when they were let go; the oldest are forgotten'),
  asleepUniverses: limit(
    256,
    'universes',
    'nobody watches, with what was alive in them; the one let go first is forgotten',
  ),
  asleepOpportunities: limit(
    200_000,
    'opportunities',
    'of universes nobody watches; those of the one let go first are forgotten',
  ),
};

/** What one computation may look at. */
const COMPUTED = {
  filteredUniverses: limit(64, 'universes', 'of sportsbook filters; 503'),
  filteredUniversesOfKey: limit(16, 'universes', 'of those that one key was the first to ask for; 429'),
  movesAlive: limit(2_000, 'moves', 'told of in a universe of a shard; the one that changed longest ago ends'),
  laggards: limit(50, 'books', 'named that have not followed a move; those with the best edge'),
  widenedUniverses: limit(8, 'universes', 'with limits wider than usual; 503'),
  widenedOpportunities: limit(
    10_000,
    'opportunities',
    'alive in one of these in a shard; what is beyond the usual limits waits',
  ),
  batchQuotes: limit(20_000, 'quotes', 'committed together; the rest is the next batch'),
};

/** What is cached. */
const CACHES = {
  cachedAnswers: limit(64 * 1024 * 1024, 'bytes', 'of answers; those not asked for since go first'),
  cachedAnswer: limit(512 * 1024, 'bytes', 'of an answer; a larger one is not kept'),
  askedQuestions: limit(1_000, 'questions', 'a generation, to know which are asked again'),
  sortedRows: limit(4_000_000, 'rows', 'of sorted lists; forgotten together'),
  deltaLists: limit(512, 'lists', 'of /odds/delta with pages still to come; the oldest go first'),
  deltaListRows: limit(2_000_000, 'rows', 'of those lists; the oldest go first'),
  deltaPlaces: limit(50_000, 'clients', 'whose place in /odds/delta is known; the oldest are forgotten'),
  bookLists: limit(2_000, 'lists', 'of the books of a universe that have rows; forgotten together'),
  totals: limit(2_000, 'totals', 'of questions; forgotten together'),
  selectionKeys: limit(100_000, 'texts', 'of players and selections; forgotten together'),
  passingMemory: limit(512 * 1024, 'bytes', 'of an answer made in memory that is used again; a larger one has its own'),
  readQueries: limit(500, 'texts', 'of queries a route and generation; the older generation is forgotten'),
  readQuery: limit(1024, 'characters', 'of a query that is remembered'),
  answerHeads: limit(1_000, 'heads', 'of answers; forgotten together'),
  rememberedKeys: limit(100_000, 'keys', 'looked up lately; forgotten together'),
  knownEvents: limit(2_000, 'events', 'as sources name them; forgotten together'),
  resolvedNames: limit(50_000, 'names', 'of teams; forgotten together'),
  localDates: limit(4_096, 'quarters', 'of an hour, with their date; forgotten together'),
  readTimes: limit(2_000, 'texts', 'of times; forgotten together'),
  periodNames: limit(10_000, 'names', 'of periods; forgotten together'),
  priceTexts: limit(20_000, 'prices', 'as text; forgotten together'),
  liveModels: limit(4_096, 'models', 'of games in play; forgotten together'),
  marketTypes: limit(10_000, 'types', 'of markets; forgotten together'),
  pushChances: limit(50_000, 'chances', 'of a push; forgotten together'),
  resultTables: limit(1_000_000, 'results', 'in tables of chances; forgotten together'),
  spareOpportunities: limit(4_096, 'objects', 'of ended opportunities used again in a shard'),
  spareEntries: limit(4_096, 'objects', 'of the opportunities in the store, used again'),
  spareLinks: limit(2_000, 'objects', 'of ended opportunities used again in a universe'),
  sharedTexts: limit(200_000, 'texts', 'of rows that are kept once; forgotten together'),
  words: limit(20_000, 'texts', 'that opportunities share; forgotten together'),
};

/** What feeds accept from venues and recordings. */
const FED = {
  venueGames: limit(5_000, 'games', 'of a venue; further ones are left out'),
  venuePages: limit(
    100,
    'pages',
    "of a venue's list of games; Kalshi's is refused then, of Polymarket's the rest is left out",
  ),
  pricePages: limit(20, 'pages', "of prices of a venue's series; the rest are asked for with the next ones"),
  gameStarts: limit(20_000, 'starts', 'of games of a venue; forgotten together'),
  bookLevels: limit(10_000, 'prices', 'on a side of an order book; it is no book then, and fetched anew'),
  bookChanges: limit(2_000, 'changes', 'kept while an order book is fetched; the next fetch begins anew'),
  staleBooks: limit(3, 'answers', 'in a row that are older than what is known; the next one is taken'),
  missingBooks: limit(2, 'times', 'that a book asked for may fail to come; it is not waited for then'),
  ladderLevels: limit(1_000, 'prices', "in a runner's ladder; further ones are left out"),
  marketRunners: limit(
    2_000,
    'runners',
    'of a market of an exchange; the market is refused, or further ones are left out',
  ),
  streamedMarkets: limit(1_000, 'markets', "in the cache of an exchange's stream; further ones are left out"),
  recordedMarkets: limit(10_000, 'markets', "in an exchange's recording; further ones are left out"),
  doubtfulMessages: limit(5, 'messages', 'in a row that cannot be read; the connection is made anew'),
  handicap: limit(1_000, 'points', 'of a handicap of a venue; the selection is left out'),
  venueText: limit(300, 'characters', "of a field of a venue's answer; taken as not there"),
  venueError: limit(300, 'characters', "of a venue's error message; cut"),
  feedError: limit(200, 'characters', 'of the error of a feed in /health; cut'),
  feedParts: limit(1_000, 'parts', 'of a feed that fail by themselves; further ones are not shown'),
  selectionType: limit(32, 'characters', "of a selection's type made of a venue's words; cut"),
  leagueId: limit(40, 'characters', "of a league made of a venue's words; cut"),
  priceDepth: limit(8, 'levels', 'down in an answer at which a price is looked for to know its format; not deeper'),
  pollSources: limit(64, 'sources', 'of polls whose last answer is remembered; forgotten together'),
  timeText: limit(60, 'characters', 'of a time that is remembered; a longer one is read anew'),
  venueUnsent: limit(4 * 1024 * 1024, 'bytes', 'that wait to be sent to a venue; what comes on top is not sent'),
  venueLine: limit(
    32 * 1024 * 1024,
    'bytes',
    'of a line of a stream or recording; the connection is closed, the line is skipped',
  ),
  exchangeLine: limit(64 * 1024 * 1024, 'bytes', "of a line of an exchange's recording; skipped"),
  venueAnswer: limit(32 * 1024 * 1024, 'bytes', 'of an answer of a venue; an error'),
  loginAnswer: limit(64 * 1024, 'bytes', 'of the answer to a login; an error'),
  venueAskedWait: limit(30_000, 'ms', 'that a venue may ask to be left alone; it is asked again after that'),
  venueSlowdown: limit(16, 'times', 'more seldom that a venue is asked that says 429'),
  feedBatch: limit(2_000, 'quotes', 'of a feed in one batch; the rest is the next batch'),
  restatedBatch: limit(500, 'quotes', 'in one batch of rows only said again; the rest wait'),
  pollMessages: limit(256, 'messages', 'of one instant of a recording handed in together; the rest follow'),
  recordingFiles: limit(100_000, 'files', 'of a recording by their numbers; refused'),
  replaySpeed: limit(1_000_000, 'times', 'as fast as it was recorded, of a replay; refused'),
  money: limit(1e12, 'units', 'of the currency of a size, volume or open interest; the part is rejected'),
};

/** What passes between processes of one server, and between nodes of a cluster. */
const FOLLOWED = {
  fronts: limit(64, 'processes', 'of fronts beside an engine; refused'),
  pendingMessages: limit(
    256 * 1024 * 1024,
    'bytes',
    'of messages of the log while the table is asked for; the front starts anew',
  ),
  frontUnsent: limit(256 * 1024 * 1024, 'bytes', 'that wait for a front that does not read; it is let go'),
  frame: limit(1024 * 1024 * 1024, 'bytes', 'of a frame between processes; the connection is closed'),
  countProbes: limit(64, 'places', 'looked at for a shared count; the callers without one are counted together'),
  countedCallers: limit(100_000, 'callers', 'whose place among shared counts is known; forgotten together'),
  clusterCallers: limit(
    200_000,
    'callers',
    'of a window told to other nodes, and known of each; further ones are counted where they are',
  ),
  unackedFrames: limit(64, 'frames', 'sent whose acknowledgement has not come; the rest wait'),
  replicaWaiting: limit(64 * 1024 * 1024, 'bytes', 'of batches that wait for the shards of a node; no more are read'),
  followerWaiting: limit(64 * 1024 * 1024, 'bytes', 'told while older messages are read; read again'),
  partialRequests: limit(256, 'requests', 'of other nodes that came in part; the oldest are forgotten'),
  keyReads: limit(20, 'times', 'that a change of keys is read from a copy that lags; the watch tells it then'),
};

/** What history stores and returns. */
const RECORDED = {
  historyPoints: limit(10_000, 'points', 'of history in a page; 400'),
  betsJudged: limit(1_000, 'bets', 'judged by the close in one request; 400'),
  openingsAsked: limit(1_000, 'rows', 'whose openings streams ask history for at once; the next are asked then'),
  historyUnwritten: limit(50_000, 'changes', 'of history that are not packed; then they are'),
  inflatedHistoryPages: limit(4_096, 'pages', 'of history in memory as they were before deflating; forgotten together'),
  loadedHistoryRows: limit(600_000, 'rows', 'of history in memory; the events untouched for longest go first'),
  historyGaps: limit(100, 'gaps', 'in history; the oldest two become one'),
  historyQuestions: limit(1_000, 'questions', 'of history that wait; refused'),
  newPredictions: limit(50_000, 'prices above fair', 'a second that are judged by the close; further ones are counted'),
  eventPredictions: limit(
    20_000,
    'prices above fair',
    'of an event that are judged by the close; further ones are not',
  ),
  loadedPredictions: limit(2_000, 'events', 'whose prices above fair are in memory; read again'),
  closingPrices: limit(500, 'events', 'whose closing prices are in memory; the oldest are read again'),
};

/** What operators are shown. */
const OPERATIONS = {
  metricSamples: limit(181, 'samples', 'of metrics kept for /status; the oldest are forgotten'),
  metricSeries: limit(200, 'series', 'of metrics shown at /status; the rest are not'),
  alertReason: limit(200, 'characters', "of a target's refusal; cut"),
  terminalUnsent: limit(1024 * 1024, 'bytes', 'of text for a terminal that stands still; what comes on top is dropped'),
  backtestUnsent: limit(
    1024 * 1024,
    'bytes',
    'of findings of a backtest that wait for the disk; the engine waits then',
  ),
  serverAnswer: limit(64 * 1024 * 1024, 'bytes', 'of an answer to a command that hands messages in; an error'),
  ingestFailures: limit(12, 'failures', 'in a row of a command that hands messages in; it gives up'),
};

/** Grouped by what they bound, for the page that shows them. */
export const LIMIT_GROUPS: Readonly<Record<string, Readonly<Record<string, Limit>>>> = {
  'What callers send': SENT,
  'What is answered': ANSWERED,
  'What alerts tell': ALERTED,
  'What is remembered of the past': REMEMBERED,
  'What is computed at once': COMPUTED,
  'What is kept to be faster': CACHES,
  'What feeds take': FED,
  'What passes between processes': FOLLOWED,
  'What history keeps': RECORDED,
  'What operators are shown': OPERATIONS,
};

export const LIMITS = {
  ...SENT,
  ...ANSWERED,
  ...ALERTED,
  ...REMEMBERED,
  ...COMPUTED,
  ...CACHES,
  ...FED,
  ...FOLLOWED,
  ...RECORDED,
  ...OPERATIONS,
};

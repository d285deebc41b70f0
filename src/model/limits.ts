// Every bound on what is accepted, sent and retained, with its unit and what happens beyond it; docs/project/limits.md
// shows them. Limits that can be configured are in src/config; those of a venue's protocol are with its feed. The
// client and the dashboard run elsewhere and have their own.

import { FEEDS } from './feed-limits.js';
import { type Limit, limit } from './limit.js';

/** What callers send. */
const REQUESTS = {
  requestHead: limit(128 * 1024, 'bytes', 'in request line and headers; 431'),
  requestPath: limit(8 * 1024, 'characters', 'in a path; 414'),
  requestQuery: limit(16 * 1024, 'characters', 'in a query; 414'),
  statedLevels: limit(1_000, 'levels', 'of a side of a `depth`; the depth is refused'),
  depthLevels: limit(10, 'levels', 'kept of a side of a `depth`; those behind them are left out'),
  bodiesTogether: limit(32, 'bodies', 'of maximum size, in total for all being read or answered; 503'),
  bodiesOfAccount: limit(8, 'bodies', 'of these for one account; 429'),
  unreadBody: limit(
    64 * 1024 * 1024,
    'bytes',
    'of a refused body whose client wants the connection closed, read before the answer; reset after that',
  ),
  unreadBodyWait: limit(10_000, 'ms', 'for the end of such a body; reset after that'),
  unknownNames: limit(10, 'names', 'of a kind listed as unknown in an ingest answer; the rest are only counted'),
  nearestNames: limit(3, 'names', 'suggested for an unknown one'),
  comparedName: limit(64, 'characters', 'in a name that is compared with known ones; a longer one gets no suggestion'),
  acceptEncoding: limit(200, 'characters', 'in Accept-Encoding; a longer one accepts nothing'),
  ignoredParameters: limit(20, 'names', 'of unknown parameters listed in meta; the rest are omitted'),
  listOffset: limit(5_000, 'rows', 'before the first row of a page of opportunities; 400'),
  searchedTeams: limit(50, 'names', 'in `team`, each of which is looked for in every event; 400'),
  messageId: limit(200, 'characters', "in the id of a client's message; a longer one is not repeated in the answer"),
  messageBytes: limit(64 * 1024, 'bytes', 'in a WebSocket message; refused'),
  messageCut: limit(256 * 1024, 'bytes', 'in a WebSocket message that is refused with an answer; closed without one'),
  messagesPerSecond: limit(100, 'messages', 'a second on a WebSocket, over five seconds; closed'),
  malformedMessages: limit(20, 'messages', 'on a WebSocket that cannot be parsed; closed'),
  requestBody: limit(256 * 1024, 'bytes', 'in a body, unpacked too, of any request but ingest; 413'),
  bodyDepth: limit(32, 'levels', 'of nesting in a body or message; refused'),
  bodyValues: limit(20_000, 'values', 'in a body or message; refused'),
  bodyNames: limit(1_000, 'names', 'of members that differ, in a body or message; refused'),
  ingestValues: limit(12, 'bytes', 'for each value, on average, in an ingest body of more than 20,000 values; refused'),
  ingestItems: limit(8, 'bytes', 'the same in MessagePack; refused'),
  ingestNames: limit(10_000, 'names', 'of members that differ, in an ingest body; refused'),
  ingestParts: limit(20_000, 'parts', 'in an ingest body: messages, events, game states, splits, futures; refused'),
  innings: limit(100, 'innings', 'of a game'),
  resultParts: limit(60, 'parts', 'of a game in a result; the result is rejected'),
  resultPlayers: limit(250, 'players', 'in a result; the result is rejected'),
  resultStatistics: limit(100, 'statistics', 'of a game or player in a result; the result is rejected'),
  score: limit(10_000, 'points', 'of a team in a game or a part of it; the result is rejected'),
  statistic: limit(1_000_000, 'units', 'above or below zero of a statistic in a result; the result is rejected'),
  resultSources: limit(16, 'sources', 'of the result of one game; further ones are rejected'),
  settlementsOfEvent: limit(20_000, 'selections', 'of an event settled by their venues; further ones are rejected'),
  betsAtOnce: limit(100, 'bets', 'in a request to record them; 400'),
  betsPage: limit(1_000, 'bets', 'of a page of their list; 400'),
  betLines: limit(500, 'bets', 'in a table of them; 400'),
  unseenLevels: limit(10, 'levels', 'of a ladder kept for paper bets though they are no more shown; the best'),
  betStake: limit(1e9, 'units', 'of currency as stake of a bet or as deposits; 400'),
  gradedBets: limit(1_000, 'bets', 'graded with one change of the control store; the rest follow'),
  accountBets: limit(100_000, 'bets', 'recorded by an account; 400'),
  linesNotJson: limit(1_000, 'lines', 'that are not JSON in an ingest body; refused'),
  unzipping: limit(4, 'bodies', 'being unpacked at the same time; the others wait'),
  bodyTime: limit(60_000, 'ms', 'from the first byte of a body to its last; 400'),
  meteredRequests: limit(120, 'requests', 'a minute for /metrics and deep links from one other address; 429'),
  positionWaiters: limit(1_000, 'requests', 'waiting for a position (min_position); 503'),
  positionWaitersOfAccount: limit(100, 'requests', 'of these of one account; 503'),
  ingestWaiting: limit(64, 'bodies', 'of an account waiting because those before took the main thread for long; 429'),
  rejections: limit(1_000, 'rejections', 'listed in one answer; the rest are omitted'),
  text: limit(200, 'characters', 'in a text of an ingest message; the part is rejected'),
  link: limit(2_048, 'characters', 'in a link of an ingest message; the part is rejected'),
  line: limit(10_000, 'points', 'above or below zero for a line; the selection is rejected'),
  aheadMs: limit(30_000, 'ms', "that a source may be ahead of the server's clock; messages dated later are rejected"),
  periodName: limit(80, 'characters', 'in the name of a period; a longer one counts as unknown'),
  teamToken: limit(64, 'characters', 'for a team in an event id; longer names end in a hash'),
  gamesOfTeams: limit(100, 'games', 'of the same two teams in one message; the rest are rejected'),
  books: limit(4_000, 'books', 'in a data directory; further ones are rejected'),
  tokenLife: limit(86_400, 's', 'of validity of a viewer token; 400'),
  tokenChars: limit(4_096, 'characters', 'in a viewer token; 401'),
  activeKeys: limit(100, 'keys', 'active in an account; 400'),
  selfMadeKeys: limit(10, 'keys', 'that an account creates itself; 400'),
  inactiveKeys: limit(100, 'keys', 'revoked or expired in an account; the oldest are removed'),
  trialHours: limit(8_760, 'hours', 'of a trial; 400'),
  shards: limit(1_024, 'shards', 'in a data directory; refused at the start'),
  mcpBatch: limit(20, 'messages', 'in a batch to /mcp; refused'),
  mcpSessions: limit(10_000, 'sessions', 'of MCP; the least recently used one is removed'),
  mcpSessionsOfKey: limit(100, 'sessions', 'of MCP per key; its oldest is removed'),
  mcpSessionsEnded: limit(10_000, 'sessions', 'of MCP remembered as ended; the one begun first is removed'),
  chargedRows: limit(
    100_000,
    'rows',
    'looked at for one answer; each further as many count as a request more against the limit of the minute',
  ),
  mcpMessages: limit(120, 'messages', "a minute to /mcp, or the tier's requests if these are more; 429"),
};

/** What alerts send to accounts. */
const ALERTS = {
  alertQuiet: limit(86_400, 's', 'between two messages of a rule, as configured in the rule; 400'),
  alertRows: limit(100, 'rows', 'in a message of an alert; the rest are sent in further ones'),
  alertRowsPerReport: limit(1_000, 'rows', 'reported by a rule at once; the rest are only counted'),
  alertCharacters: limit(500_000, 'characters', 'of rows in a message of an alert; the rest are sent in further ones'),
  alertQueue: limit(100, 'messages', 'waiting for a target; until it accepts them the rule is not evaluated further'),
  alertReported: limit(10_000, 'opportunities', 'remembered as reported by a rule; the oldest are dropped'),
  alertAttempts: limit(256, 'attempts', 'to send a message at the same time; the others wait'),
  alertAttemptsOfAccount: limit(16, 'attempts', 'of these for one account; the others wait'),
  alertConnections: limit(8, 'connections', 'to one target; the others wait'),
  alertOrigins: limit(1_000, 'targets', 'with open connections; those to the oldest are closed'),
  alertAnswer: limit(64 * 1024, 'bytes', "in a target's answer; the connection is closed"),
  alertRetryAfter: limit(3_600_000, 'ms', 'of delay that a target may request before the next attempt'),
};

/** What answers contain. */
const ANSWERS = {
  deltaRows: limit(10_000, 'rows', 'in the pages of one /odds/delta; overflow says that a snapshot is smaller'),
  queriedOpportunities: limit(
    10_000,
    'opportunities',
    'found for a request with its own method or thresholds; the best are returned',
  ),
  middleLines: limit(256, 'lines', 'of a market evaluated for middles; those nearest to its centre'),
  middlesOfMarket: limit(1_000, 'middles', 'active in a market and universe; the best are kept'),
  compressing: limit(2, 'answers', 'being compressed at the same time; the others wait'),
  compressingBytes: limit(16 * 1024 * 1024, 'bytes', 'of answers compressed or waiting for it; others are sent plain'),
  mcpText: limit(24_000, 'characters', 'of text in one answer of a tool; it says what is omitted'),
  mcpLine: limit(1_000, 'characters', "in a line of a tool's answer; cut"),
  socketBytes: limit(
    64 * 1024,
    'bytes',
    'buffered in a WebSocket for a client that does not read; the rest waits in its group',
  ),
  socketBuffered: limit(64 * 1024 * 1024, 'bytes', 'buffered in a WebSocket in any case; closed'),
  tickWait: limit(10, 'ms', 'by which a costly tick delays the next one'),
};

/** What is retained of the past. */
const RETAINED = {
  priceChanges: limit(1_048_576, 'changes', 'of prices per shard in which moves are found; the oldest are dropped'),
  betsEvents: limit(
    20_000,
    'events',
    'whose betting splits moves are compared with; the least recently stated are dropped',
  ),
  removals: limit(1_000_000, 'rows', 'removed; a reader further behind needs a snapshot'),
  endedOpportunities: limit(
    50_000,
    'opportunities',
    'of a universe that ended; a reader further behind needs the complete list',
  ),
  edgeMoves: limit(128, 'moves', "of an opportunity's edge; the oldest are dropped"),
  dormantUniverses: limit(
    256,
    'universes',
    'not watched, with their active opportunities; the one released first is dropped',
  ),
  dormantOpportunities: limit(
    200_000,
    'opportunities',
    'of universes that are not watched; those of the one released first are dropped',
  ),
};

/** What one computation may look at. */
const COMPUTATIONS = {
  filteredUniverses: limit(64, 'universes', 'of sportsbook filters; 503'),
  filteredUniversesOfAccount: limit(
    16,
    'universes',
    'of these for the requests, streams and alerts of one account, three quarters for its viewer tokens; 429',
  ),
  activeMoves: limit(2_000, 'moves', 'active in a universe and shard; the one that changed longest ago ends'),
  laggards: limit(50, 'books', 'listed that have not followed a move; those with the best edge'),
  widenedUniverses: limit(8, 'universes', 'with limits wider than the default; 503'),
  widenedUniversesOfAccount: limit(2, 'universes', 'of these for one account, one of them for its viewer tokens; 429'),
  widenedOpportunities: limit(
    10_000,
    'opportunities',
    'active in one of these per shard; further ones beyond the default limits wait',
  ),
  evaluationSlice: limit(
    4,
    'ms',
    'of a shard for a request with its own method or thresholds, and one market; batches go first',
  ),
  evaluationPiece: limit(250, 'opportunities', 'read at once from a shard that evaluated; the next ones follow'),
  joinPrices: limit(
    1_000,
    'prices',
    'evaluated with one batch for a universe that is new; its list waits for the rest',
  ),
  evaluations: limit(4, 'requests', 'evaluated at the same time; the others wait'),
  evaluationsOfAccount: limit(2, 'requests', 'of these for one account; the others wait'),
  evaluationsWaiting: limit(64, 'requests', 'waiting to be evaluated; 429'),
  evaluationsWaitingOfAccount: limit(4, 'requests', 'of these for one account; 429'),
  evaluationTime: limit(8_000, 'ms', 'from such a request to its last market; 503'),
  costlyRequests: limit(
    8,
    'requests',
    'for history, closing lines or a batch answered at the same time; the others wait',
  ),
  costlyRequestsOfAccount: limit(2, 'requests', 'of these for one account; the others wait'),
  costlyRequestsWaiting: limit(256, 'requests', 'waiting for that; 429'),
  costlyRequestsWaitingOfAccount: limit(32, 'requests', 'of these for one account; 429'),
  costlyRequestTime: limit(30_000, 'ms', 'from such a request to its answer; 503'),
  pastEvents: limit(1_000, 'events', 'of an answer with at=; a request for more is refused'),
  pastBytes: limit(32 * 1024 * 1024, 'bytes', 'of what was logged of these; a request for more is refused'),
  pastTables: limit(8, 'tables', 'of instants that were asked for; the least recently used are dropped'),
  portfolioBets: limit(
    300,
    'opportunities',
    'that stakes are proposed for together; the others get none. Beside as many outcomes of open bets; the others count in the caps alone',
  ),
  rowsAtOnce: limit(
    2_000,
    'rows',
    'and one event of a batch composed at once; the next ones after others were answered',
  ),
  runQuotes: limit(
    2_000,
    'quotes',
    'of a recording sent to the shards at once, where it is played as fast as possible',
  ),
  runInstants: limit(256, 'instants', 'of them'),
  batchQuotes: limit(20_000, 'quotes', 'committed together; the rest go into the next batch'),
};

/** What is cached. */
const CACHES = {
  cachedAnswers: limit(
    64 * 1024 * 1024,
    'bytes',
    'of answers; the least recently used are dropped, and what they were compressed to',
  ),
  cachedAnswer: limit(512 * 1024, 'bytes', 'in an answer; a larger one is not cached'),
  seenRequests: limit(1_000, 'questions', 'per generation, to recognise repeated ones'),
  sortedRows: limit(4_000_000, 'rows', 'in sorted lists; dropped together'),
  deltaLists: limit(512, 'lists', 'of /odds/delta with pages still to come; the oldest are dropped'),
  deltaListRows: limit(2_000_000, 'rows', 'in those lists; the oldest are dropped'),
  deltaPlaces: limit(50_000, 'clients', 'whose place in /odds/delta is known; the oldest are dropped'),
  bookLists: limit(2_000, 'lists', "of a universe's books that have rows; dropped together"),
  totals: limit(2_000, 'totals', 'of requests; dropped together'),
  selectionKeys: limit(100_000, 'texts', 'of players and selections; dropped together'),
  reusableMemory: limit(512 * 1024, 'bytes', 'for an answer in reusable memory; a larger one gets its own'),
  cachedQueries: limit(500, 'texts', 'of queries per route and generation; the older generation is dropped'),
  cachedQuery: limit(1024, 'characters', 'in a cached query'),
  answerHeads: limit(1_000, 'heads', 'of answers; dropped together'),
  acceptEncodings: limit(200, 'texts', 'of Accept-Encoding; dropped together'),
  cachedKeys: limit(100_000, 'keys', 'looked up recently; dropped together'),
  knownEvents: limit(2_000, 'events', 'by the names of sources; dropped together'),
  resolvedNames: limit(50_000, 'names', 'of teams; dropped together'),
  localDates: limit(4_096, 'quarters', 'of an hour, with their date; dropped together'),
  cachedTimes: limit(2_000, 'texts', 'of times; dropped together'),
  periodNames: limit(10_000, 'names', 'of periods; dropped together'),
  priceTexts: limit(20_000, 'prices', 'as text; dropped together'),
  liveModels: limit(4_096, 'models', 'of games in play; dropped together'),
  marketTypes: limit(10_000, 'types', 'of markets; dropped together'),
  houseRules: limit(10_000, 'books', 'with their house rules by league; dropped together'),
  pushProbabilities: limit(50_000, 'chances', 'of a push; dropped together'),
  resultTables: limit(1_000_000, 'results', 'in tables of probabilities; dropped together'),
  lineIds: limit(16, 'ids', 'of opportunities by line of a market; dropped together'),
  logAfterSlabs: limit(
    16 * 1024 * 1024,
    'bytes',
    'of the log with opportunities that the slabs lack; they are written then',
  ),
  spareOpportunities: limit(4_096, 'objects', 'of ended opportunities for reuse in a shard'),
  spareLinks: limit(2_000, 'objects', 'of ended opportunities for reuse in a universe'),
  sharedTexts: limit(200_000, 'texts', 'shared by rows; dropped together'),
};

/** What passes between processes of one server, and between nodes of a cluster. */
const PROCESSES = {
  fronts: limit(64, 'processes', 'as fronts beside an engine; refused'),
  frontUnsent: limit(256 * 1024 * 1024, 'bytes', 'waiting for a front that does not read; it is disconnected'),
  frame: limit(1024 * 1024 * 1024, 'bytes', 'in a frame between processes; the connection is closed'),
  countedCallers: limit(
    200_000,
    'callers',
    'per window told to other processes, and remembered of each; further ones are counted locally',
  ),
  controlQueue: limit(10_000, 'changes', 'of keys, alerts and the like waiting to be stored; further ones: 503'),
  controlBatch: limit(1_000, 'changes', 'of these stored together; the others follow'),
  controlChanges: limit(10_000, 'entries', 'changed that a reader is told one by one; beyond, it reads all anew'),
  usageReporters: limit(1_000, 'processes', 'whose last report of usage is remembered; the oldest is forgotten'),
  heartbeatCallers: limit(5_000, 'callers', 'in one heartbeat; the rest are in the next'),
  unackedFrames: limit(64, 'frames', 'sent and not acknowledged yet; the rest wait'),
  replicaWaiting: limit(64 * 1024 * 1024, 'bytes', "of batches waiting for a node's shards; no more are read"),
  followerWaiting: limit(64 * 1024 * 1024, 'bytes', 'received while older messages are read; read again'),
  followerReads: limit(64, 'messages', 'of the log read at once; the next ones follow'),
  partialRequests: limit(256, 'requests', 'from other nodes of which only a part has arrived; the oldest are dropped'),
};

/** What history stores and returns. */
const HISTORY = {
  historyPoints: limit(10_000, 'points', 'of history in a page; 400'),
  betsGraded: limit(1_000, 'bets', 'graded by the close in one request; 400'),
  openingsRequested: limit(1_000, 'rows', 'whose openings streams request from history at once; the next follow'),
  historyUnwritten: limit(50_000, 'changes', 'of history in memory before they are written'),
  inflatedHistoryPages: limit(4_096, 'pages', 'of history in memory in inflated form; dropped together'),
  loadedHistoryRows: limit(600_000, 'rows', 'of history in memory; the least recently used events are released'),
  historyGaps: limit(100, 'gaps', 'in history; the oldest two are merged'),
  historyRequests: limit(1_000, 'questions', 'to history waiting; refused'),
  newPredictions: limit(
    50_000,
    'prices above fair',
    'recorded per second for grading by the close; further ones are only counted',
  ),
  eventPredictions: limit(
    20_000,
    'prices above fair',
    'recorded per event for grading by the close; further ones are not',
  ),
  predictedEvents: limit(50, 'events', 'whose prices above fair are asked for at once; 400'),
  loadedPredictions: limit(2_000, 'events', 'whose prices above fair are in memory; others are read again'),
  closingPrices: limit(500, 'events', 'whose closing prices are in memory; others are read again'),
};

/** What operators are shown. */
const OPERATIONS = {
  unmatchedEntries: limit(1_000, 'entries', 'of what met nothing; the one not seen for the longest time is dropped'),
  unmatchedBooks: limit(5, 'books', 'named for each of these; the rest are omitted'),
  unmatchedText: limit(100, 'characters', 'in a name that met nothing; cut'),
  unmatchedRows: limit(200_000, 'rows', 'looked at for players and starts that only one book has; the rest are not'),
  metricSamples: limit(181, 'samples', 'of metrics for /status; the oldest are dropped'),
  metricSeries: limit(200, 'series', 'of metrics shown at /status; the rest are omitted'),
  alertReason: limit(200, 'characters', "in a target's error; cut"),
  terminalUnsent: limit(1024 * 1024, 'bytes', 'of text for a terminal that does not read; further text is dropped'),
  backtestUnsent: limit(1024 * 1024, 'bytes', "of a backtest's results waiting for the disk; the engine waits then"),
  serverAnswer: limit(64 * 1024 * 1024, 'bytes', 'in an answer to a command that posts messages; an error'),
  ingestFailures: limit(12, 'failures', 'in a row of a command that posts messages; it gives up'),
};

/** Grouped by what they bound, for the page that shows them. */
export const LIMIT_GROUPS: Readonly<Record<string, Readonly<Record<string, Limit>>>> = {
  'What callers send': REQUESTS,
  'What answers contain': ANSWERS,
  'What alerts send': ALERTS,
  'What is retained of the past': RETAINED,
  'What one computation may look at': COMPUTATIONS,
  'What is cached': CACHES,
  'What feeds accept': FEEDS,
  'What passes between processes': PROCESSES,
  'What history stores and returns': HISTORY,
  'What operators are shown': OPERATIONS,
};

export const LIMITS = {
  ...REQUESTS,
  ...ANSWERS,
  ...ALERTS,
  ...RETAINED,
  ...COMPUTATIONS,
  ...CACHES,
  ...FEEDS,
  ...PROCESSES,
  ...HISTORY,
  ...OPERATIONS,
};

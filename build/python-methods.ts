// How the Python client's methods are called: operations of the OpenAPI document by resource. What is not listed here gets
// its name from its path, so that a new endpoint has a method as soon as the files are made again.

export interface Method {
  resource: string;
  name: string;
  operation: string;
  /** The type of its rows, or of its one answer, where the document has no name for it. */
  row?: string;
  /** Other names of the same. */
  also?: readonly string[];
  /** Arguments by place, and what they are called in the request. */
  places?: Readonly<Record<string, string>>;
  /** The last segment of the path may be left out. */
  optional?: true;
  /** A filter in the examples of its pages and its table, where none at all is refused. */
  filter?: string;
  example: string;
}

const EVENT = '"nba_lakers_celtics_2026-11-20"';

/** The first of a resource is what calling the resource itself does. */
export const METHODS: readonly Method[] = [
  {
    resource: 'odds',
    name: 'get',
    operation: 'getOdds',
    row: 'OddsRow',
    also: ['list'],
    example: 'client.odds.get(league="nba", market="main", limit=3)[0].odds_american',
  },
  {
    resource: 'odds',
    name: 'best',
    operation: 'getOddsBest',
    example: 'client.odds.best(league="nba", market="moneyline")[0].best_book',
  },
  {
    resource: 'odds',
    name: 'comparison',
    operation: 'getOddsComparison',
    places: { event_id: 'event' },
    example: `client.odds.comparison(${EVENT}).markets[0].hold.best_available`,
  },
  {
    resource: 'odds',
    name: 'delta',
    operation: 'getOddsDelta',
    row: 'OddsRow',
    example: 'client.odds.delta(since).removed',
  },
  {
    resource: 'odds',
    name: 'batch',
    operation: 'postOddsBatch',
    row: 'Batch',
    example: `client.odds.batch([${EVENT}]).events[0].odds`,
  },
  {
    resource: 'odds',
    name: 'executable',
    operation: 'getOddsExecutable',
    row: 'Executable',
    example: 'client.odds.executable("4611686018427387904", 250).odds_decimal_average',
  },
  {
    resource: 'ev',
    name: 'get',
    operation: 'getOpportunitiesEv',
    also: ['list'],
    example: 'client.ev.get(min_ev=3, sport="basketball")[0].ev_percentage',
  },
  {
    resource: 'arbitrage',
    name: 'get',
    operation: 'getOpportunitiesArbitrage',
    also: ['list'],
    example: 'client.arbitrage.get(min_profit=1)[0].legs[0].stake_percent',
  },
  {
    resource: 'middles',
    name: 'get',
    operation: 'getOpportunitiesMiddles',
    also: ['list'],
    example: 'client.middles.get(min_size=3)[0].middle_numbers',
  },
  {
    resource: 'middles',
    name: 'one',
    operation: 'getOpportunitiesMiddlesId',
    example: 'client.middles.one("0f3a5c7e9b1d2468").expected_value',
  },
  {
    resource: 'middles',
    name: 'summary',
    operation: 'getOpportunitiesMiddlesSummary',
    example: 'client.middles.summary().positive_ev_count',
  },
  {
    resource: 'low_hold',
    name: 'get',
    operation: 'getOpportunitiesLowHold',
    also: ['list'],
    example: 'client.low_hold.get(max_hold=2)[0].hold_percentage',
  },
  {
    resource: 'events',
    name: 'list',
    operation: 'getEvents',
    example: 'client.events.list(league="nba", live=True)[0].event_name',
  },
  { resource: 'events', name: 'get', operation: 'getEventsEventId', example: `client.events.get(${EVENT}).books` },
  {
    resource: 'events',
    name: 'markets',
    operation: 'getEventsEventIdMarkets',
    example: `client.events.markets(${EVENT})[0].market_type`,
  },
  {
    resource: 'events',
    name: 'odds',
    operation: 'getEventsEventIdOdds',
    example: `client.events.odds(${EVENT})[0].odds.american`,
  },
  { resource: 'sports', name: 'list', operation: 'getSports', example: 'client.sports.list()[0].event_count' },
  {
    resource: 'sports',
    name: 'get',
    operation: 'getSportsSportId',
    example: 'client.sports.get("basketball").leagues',
  },
  {
    resource: 'leagues',
    name: 'list',
    operation: 'getLeagues',
    example: 'client.leagues.list(sport="basketball")[0].name',
  },
  {
    resource: 'leagues',
    name: 'get',
    operation: 'getLeaguesLeagueId',
    example: 'client.leagues.get("nba").live_count',
  },
  {
    resource: 'sportsbooks',
    name: 'list',
    operation: 'getSportsbooks',
    example: 'client.sportsbooks.list(sharp=True)[0].id',
  },
  {
    resource: 'sportsbooks',
    name: 'get',
    operation: 'getSportsbooksBookId',
    example: 'client.sportsbooks.get("pinnacle").commission',
  },
  { resource: 'markets', name: 'list', operation: 'getMarkets', example: 'client.markets.list()[0].examples' },
  { resource: 'teams', name: 'list', operation: 'getTeams', example: 'client.teams.list(league="nba")[0].aliases' },
  { resource: 'tiers', name: 'list', operation: 'getTiers', example: 'client.tiers.list()[0].requests_per_minute' },
  {
    resource: 'warnings',
    name: 'list',
    operation: 'getWarnings',
    row: 'WarningMeaning',
    example: 'client.warnings.list()[0].description',
  },
  {
    resource: 'futures',
    name: 'list',
    operation: 'getFutures',
    also: ['get'],
    example: 'client.futures.list(league="nba")[0].market_id',
  },
  {
    resource: 'futures',
    name: 'odds',
    operation: 'getFuturesOdds',
    example: 'client.futures.odds("nba_championship_winner")[0].odds_american',
  },
  {
    resource: 'splits',
    name: 'get',
    operation: 'getSplits',
    also: ['list'],
    example: 'client.splits.get(league="nba")[0].moneyline.handle_pct.home',
  },
  {
    resource: 'splits',
    name: 'history',
    operation: 'getSplitsHistory',
    example: `client.splits.history(${EVENT})[-1].ts`,
  },
  {
    resource: 'account',
    name: 'me',
    operation: 'getAccount',
    row: 'Account',
    also: ['get'],
    example: 'client.account.me().limits.requests_per_minute',
  },
  {
    resource: 'account',
    name: 'usage',
    operation: 'getAccountUsage',
    row: 'Usage',
    example: 'client.account.usage().requests.today',
  },
  {
    resource: 'account',
    name: 'create_token',
    operation: 'postAccountTokens',
    row: 'ViewerToken',
    example: 'client.account.create_token(ttl_s=3600).token',
  },
  {
    resource: 'account',
    name: 'bankroll',
    operation: 'getAccountBankroll',
    row: 'Bankroll',
    example: 'client.account.bankroll().cash',
  },
  {
    resource: 'account',
    name: 'set_bankroll',
    operation: 'putAccountBankroll',
    row: 'Bankroll',
    example: 'client.account.set_bankroll(1000, currency="USD").cash',
  },
  { resource: 'keys', name: 'list', operation: 'getAccountKeys', example: 'client.keys.list()[0].id_masked' },
  {
    resource: 'keys',
    name: 'create',
    operation: 'postAccountKeys',
    row: 'NewKey',
    example: 'client.keys.create("my bot").key',
  },
  {
    resource: 'keys',
    name: 'revoke',
    operation: 'deleteAccountKeysKeyId',
    also: ['delete'],
    places: { key_id: 'keyId' },
    example: 'client.keys.revoke("key_…")',
  },
  {
    resource: 'keys',
    name: 'rotate',
    operation: 'postAccountKeysKeyIdRotate',
    row: 'RotatedKey',
    places: { key_id: 'keyId' },
    example: 'client.keys.rotate("key_…", gracePeriodHours=24).new_key',
  },
  {
    resource: 'history',
    name: 'get',
    operation: 'getOddsHistory',
    row: 'HistoryRow',
    also: ['list'],
    filter: `event=${EVENT}`,
    example: `client.history.get(event=${EVENT}, market="moneyline", interval="5m")[0].points`,
  },
  {
    resource: 'opening',
    name: 'get',
    operation: 'getOddsOpening',
    row: 'EventLines',
    example: `client.opening.get(${EVENT}).books["pinnacle"][0].odds_american`,
  },
  {
    resource: 'closing',
    name: 'get',
    operation: 'getOddsClosing',
    row: 'EventLines',
    example: `client.closing.get(${EVENT}).books["pinnacle"][0].odds_american`,
  },
  {
    resource: 'closing',
    name: 'day',
    operation: 'getHistoricalOddsClosing',
    row: 'ClosingDay',
    example: 'client.closing.day("2026-11-20", "basketball", "nba").events[0].books[0].lines[0].no_vig_probability',
  },
  {
    resource: 'clv',
    name: 'get',
    operation: 'getHistoricalClv',
    row: 'Clv',
    example: 'client.clv.get(group_by="sportsbook").groups[0].avg_clv_percent',
  },
  {
    resource: 'clv',
    name: 'predictions',
    operation: 'getHistoricalPredictions',
    row: 'Prediction',
    example: `client.clv.predictions(${EVENT})[0].clv_percent`,
  },
  {
    resource: 'clv',
    name: 'grade',
    operation: 'postClv',
    row: 'BetGrade',
    example:
      'client.clv.grade([{"odds_id": "4611686018427387904", "odds_american": 104, "at": "2026-11-20T18:00:00Z"}])[0].clv_percent',
  },
  {
    resource: 'grade',
    name: 'bets',
    operation: 'postGrade',
    row: 'Settled',
    also: ['get'],
    example: 'client.grade([{"odds_id": "4611686018427387904", "odds_american": 104}])[0].result',
  },
  {
    resource: 'results',
    name: 'get',
    operation: 'getResults',
    row: 'Result',
    also: ['list'],
    example: 'client.results.get(league="nba", status="final")[0].home_score',
  },
  {
    resource: 'moves',
    name: 'get',
    operation: 'getMoves',
    also: ['list'],
    example: 'client.moves.get(kind="steam")[0].laggards',
  },
  {
    resource: 'bets',
    name: 'list',
    operation: 'getAccountBets',
    row: 'AccountBet',
    example: 'client.bets.list(status="filled")[0].profit',
  },
  {
    resource: 'bets',
    name: 'get',
    operation: 'getAccountBetsId',
    row: 'AccountBet',
    example: 'client.bets.get("bet_…").result',
  },
  {
    resource: 'bets',
    name: 'place',
    operation: 'postAccountBets',
    row: 'AccountBet',
    example:
      'client.bets.place([{"client_id": "a1", "odds_id": "4611686018427387904", "odds_american": 104, "stake": 20, "mode": "paper"}])[0].status',
  },
  {
    resource: 'bets',
    name: 'place_table',
    operation: 'postAccountBetsCsv',
    row: 'AccountBet',
    example: 'client.bets.place_table(open("bets.csv").read())[0].status',
  },
  {
    resource: 'bets',
    name: 'strike',
    operation: 'deleteAccountBetsId',
    row: 'AccountBet',
    also: ['delete'],
    example: 'client.bets.strike("bet_…").status',
  },
  {
    resource: 'bets',
    name: 'update',
    operation: 'patchAccountBetsId',
    row: 'AccountBet',
    example: 'client.bets.update("bet_…", result="won").profit',
  },
  {
    resource: 'bets',
    name: 'summary',
    operation: 'getAccountBetsSummary',
    row: 'BetsSummary',
    example: 'client.bets.summary(group_by="sportsbook").groups[0].roi_percent',
  },
  { resource: 'alerts', name: 'list', operation: 'getAccountAlerts', example: 'client.alerts.list()[0].status' },
  {
    resource: 'alerts',
    name: 'create',
    operation: 'postAccountAlerts',
    row: 'CreatedAlert',
    example:
      'client.alerts.create("arbs", "arbitrage", {"type": "webhook", "url": "https://example.com/hook"}, min_profit=1).secret',
  },
  {
    resource: 'alerts',
    name: 'update',
    operation: 'patchAccountAlertsId',
    example: 'client.alerts.update("alr_…", paused=True).status',
  },
  {
    resource: 'alerts',
    name: 'test',
    operation: 'postAccountAlertsIdTest',
    row: 'AlertTest',
    example: 'client.alerts.test("alr_…")',
  },
  {
    resource: 'alerts',
    name: 'delete',
    operation: 'deleteAccountAlertsId',
    example: 'client.alerts.delete("alr_…")',
  },
  {
    resource: 'ingest',
    name: 'unmatched',
    operation: 'getIngestUnmatched',
    row: 'UnmatchedItem',
    example: 'client.ingest.unmatched()[0].name',
  },
  {
    resource: 'gamestate',
    name: 'get',
    operation: 'getGamestateSport',
    optional: true,
    example: 'client.gamestate.get("basketball")["nba_lakers_celtics_2026-11-20"].home_score',
  },
  {
    resource: 'deep_links',
    name: 'batch',
    operation: 'postDeeplinksBatch',
    row: 'Row',
    example: 'client.deep_links.batch(["4611686018427387904"], state="nj")',
  },
  { resource: 'health', name: 'get', operation: 'getHealth', example: 'client.health.get().status' },
  {
    resource: 'replay',
    name: 'act',
    operation: 'postReplay',
    row: 'ReplayStatus',
    example: 'client.replay.act("step", messages=20).state',
  },
];

/** Parts of the document that are no calls, or are made by hand: streams, redirects, documents, and `ingest.push`. */
export const LEFT_OUT: RegExp =
  /^(?:getStream|getDeeplinkId|getOpenapiJson|getAsyncapiJson|postIngest|getGamestate)$|^getStream/;

/** Streams by method: what they ask for, and an example of their use. */
export const STREAMS: Readonly<Record<string, { channel: string; about: string; example: string }>> = {
  odds: {
    channel: 'odds',
    about: 'Prices as they change.',
    example: 'for event in client.stream.odds(league="nba", market="moneyline"): print(event.type, len(event.items))',
  },
  opportunities: {
    channel: 'opportunities',
    about: '+EV, arbitrage, middles and low holds as they begin and end: of them what the key may see.',
    example: 'for event in client.stream.opportunities(min_profit=1): print(event.kind, event.items, event.ids)',
  },
  all: {
    channel: 'all',
    about: 'Prices and opportunities.',
    example: 'for event in client.stream.all(league="nba"): print(event.type)',
  },
  moves: {
    channel: 'moves',
    about: 'Steam, drops, moved lines.',
    example: 'for event in client.stream.moves(): print(event.items, event.ids)',
  },
  gamestate: {
    channel: 'gamestate',
    about: 'Scores and clocks of games in play.',
    example: 'for event in client.stream.gamestate(sport="basketball"): print(event.items)',
  },
  results: {
    channel: 'results',
    about: 'What became of games, and corrections of it.',
    example: 'for event in client.stream.results(): print(event.items)',
  },
  bets: {
    channel: 'bets',
    about: "The account's own bets, as they are judged and graded.",
    example: 'for event in client.stream.bets(): print(event.type, event.items)',
  },
};

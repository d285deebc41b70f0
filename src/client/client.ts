// The client of overround, for browsers and Node: REST calls, and streams that merge into a live table and resume by
// themselves. It needs nothing but the platform's fetch (and WebSocket, or one passed in).

import { AccountClient } from './account-client.js';
import type { List } from './calls.js';
import { OverroundError } from './error.js';
import type { ChannelWord, OpportunityChannel, OpportunityItems } from './events.js';
import { type Answer, addressOf, type CallOptions, type ListAnswer, type Params } from './rest.js';
import { sseConnect } from './sse-connect.js';
import { LiveStream, type StreamOptions } from './stream.js';
import type * as shapes from './types.js';
import { type SocketFilters, SocketStream, type WebSocketConstructor } from './ws-connect.js';

export type { ClientOptions } from './calls.js';
export { OverroundError } from './error.js';
export type * from './events.js';
export { LiveTable } from './live-table.js';
export type { Answer, CallOptions, ListAnswer, Meta, Params, RateLimit } from './rest.js';
export { LiveStream, type StreamOptions } from './stream.js';
export type * from './types.js';
export type { WebSocketConstructor } from './ws-connect.js';
export { type SocketFilters, SocketStream } from './ws-connect.js';

interface OpportunityParams {
  ev: shapes.EvParams;
  arbitrage: shapes.ArbitrageParams;
  middles: shapes.MiddlesParams;
  low_hold: shapes.LowHoldParams;
}

/** Every call throws OverroundError, and nothing else. */
export class OverroundClient extends AccountClient {
  odds(params?: shapes.OddsParams, options?: CallOptions): List<shapes.OddsRow> {
    return this.list('/odds', params, options);
  }

  /** Every page of `/odds`, one row at a time. */
  async *allOdds(params: shapes.OddsParams = {}, options?: CallOptions): AsyncGenerator<shapes.OddsRow, void> {
    let cursor: string | undefined;
    do {
      const page = await this.odds({ limit: 200, ...params, cursor }, options);
      yield* page.data;
      cursor = page.pagination.next_cursor;
    } while (cursor !== undefined);
  }

  /** Rows that changed after `since` (`meta.server_time` of the answer before), and ids of removed ones. */
  oddsDelta(
    since: string,
    params?: shapes.OddsDeltaParams,
    options?: CallOptions,
  ): Promise<ListAnswer<shapes.OddsRow> & { removed: string[]; overflow?: true }> {
    return this.get('/odds/delta', { ...params, since }, options);
  }

  /** What a stake on one price would be filled at. */
  executableOdds(oddsId: string, stake: number, options?: CallOptions): Promise<Answer<shapes.Executable>> {
    return this.get('/odds/executable', { odds_id: oddsId, stake }, options);
  }

  /** Price history: of an event, or of one row by `odds_id`. */
  oddsHistory(params: shapes.HistoryParams, options?: CallOptions): List<shapes.HistoryRow> {
    return this.list('/odds/history', params, options);
  }

  openingOdds(event: string, params?: shapes.LinesParams, options?: CallOptions): Promise<Answer<shapes.EventLines>> {
    return this.get('/odds/opening', { ...params, event_id: event }, options);
  }

  closingOdds(event: string, params?: shapes.LinesParams, options?: CallOptions): Promise<Answer<shapes.EventLines>> {
    return this.get('/odds/closing', { ...params, event_id: event }, options);
  }

  /** Closing prices of a league's games of a UTC day, with probabilities without margin. */
  closingDay(params: shapes.ClosingDayParams, options?: CallOptions): Promise<Answer<shapes.ClosingDay>> {
    return this.get('/historical/odds/closing', params, options);
  }

  /** How much of the detected edges the closing line confirmed. */
  clv(params?: shapes.ClvParams, options?: CallOptions): Promise<Answer<shapes.Clv>> {
    return this.get('/historical/clv', params, options);
  }

  /** What was detected above fair in events: as it was, as it closed, how it ended. */
  predictions(params: shapes.PredictionsParams, options?: CallOptions): List<shapes.Prediction> {
    return this.list('/historical/predictions', params, options);
  }

  /** The closing line value of the caller's own bets, in their order. */
  gradeBets(bets: readonly shapes.Bet[], options?: CallOptions): List<shapes.BetGrade> {
    return this.send('POST', '/clv', { bets }, true, options);
  }

  bestOdds(params?: shapes.BestOddsParams, options?: CallOptions): List<shapes.BestOdds> {
    return this.list('/odds/best', params, options);
  }

  comparison(
    event: string,
    params?: shapes.ComparisonParams,
    options?: CallOptions,
  ): Promise<Answer<shapes.Comparison>> {
    return this.get('/odds/comparison', { ...params, event }, options);
  }

  /** The odds of several events at once; at most as many as the tier allows. */
  oddsBatch(
    eventIds: readonly string[],
    filters: { sportsbook?: string; market?: string } = {},
    options?: CallOptions,
  ): Promise<Answer<{ events: shapes.BatchEvent[]; missing_events: string[] }>> {
    return this.send('POST', '/odds/batch', { event_ids: eventIds, ...filters }, true, options);
  }

  events(params?: shapes.EventsParams, options?: CallOptions): List<shapes.Event> {
    return this.list('/events', params, options);
  }

  event(id: string, params?: shapes.EventParams, options?: CallOptions): Promise<Answer<shapes.EventDetail>> {
    return this.get(`/events/${encodeURIComponent(id)}`, params, options);
  }

  eventMarkets(id: string, params?: shapes.EventMarketsParams, options?: CallOptions): List<shapes.EventMarket> {
    return this.list(`/events/${encodeURIComponent(id)}/markets`, params, options);
  }

  eventOdds(id: string, params?: shapes.EventOddsParams, options?: CallOptions): List<shapes.EventOdds> {
    return this.list(`/events/${encodeURIComponent(id)}/odds`, params, options);
  }

  opportunities<Kind extends OpportunityChannel>(
    kind: Kind,
    params?: OpportunityParams[Kind],
    options?: CallOptions,
  ): List<OpportunityItems[Kind]> {
    return this.list(`/opportunities/${kind}`, params, options);
  }

  middle(id: string, params?: shapes.MiddleParams, options?: CallOptions): Promise<Answer<shapes.MiddleOpportunity>> {
    return this.get(`/opportunities/middles/${encodeURIComponent(id)}`, params, options);
  }

  middlesSummary(params?: shapes.MiddlesSummaryParams, options?: CallOptions): Promise<Answer<shapes.MiddlesSummary>> {
    return this.get('/opportunities/middles/summary', params, options);
  }

  moves(params?: shapes.MovesParams, options?: CallOptions): List<shapes.Move> {
    return this.list('/moves', params, options);
  }

  gameStateSports(options?: CallOptions): Promise<Answer<shapes.GameStateSports>> {
    return this.get('/gamestate', {}, options);
  }

  gameStates(
    sport: string,
    params?: shapes.GameStateParams,
    options?: CallOptions,
  ): Promise<Answer<Record<string, shapes.GameStateEntry>>> {
    return this.get(`/gamestate/${encodeURIComponent(sport)}`, params, options);
  }

  /** Id of a price or an opportunity → path of its deep link, null if there is none. `state` is a US state's code. */
  deepLinks(
    ids: readonly string[],
    state?: string,
    options?: CallOptions,
  ): Promise<Answer<Record<string, string | null>>> {
    return this.send('POST', '/deeplinks/batch', { ids, state }, true, options);
  }

  futures(params?: shapes.FuturesParams, options?: CallOptions): List<shapes.Future> {
    return this.list('/futures', params, options);
  }

  futureOdds(id: string, params?: shapes.FutureOddsParams, options?: CallOptions): List<shapes.FutureOdds> {
    return this.list('/futures/odds', { ...params, future_id: id }, options);
  }

  splits(params?: shapes.SplitsParams, options?: CallOptions): List<shapes.SplitsGame> {
    return this.list('/splits', params, options);
  }

  /** What became of games; corrections have a higher revision. */
  results(params?: shapes.ResultsParams, options?: CallOptions): List<shapes.Result> {
    return this.list('/results', params, options);
  }

  /** What arrived and met nothing, for keys that may send odds. */
  unmatched(params?: shapes.UnmatchedParams, options?: CallOptions): List<shapes.UnmatchedItem> {
    return this.list('/ingest/unmatched', params, options);
  }

  /** How the caller's own bets ended, in their order. */
  grade(bets: readonly shapes.SettledBet[], options?: CallOptions): List<shapes.Settled> {
    return this.send('POST', '/grade', { bets }, true, options);
  }

  splitsHistory(
    event: string,
    params?: shapes.SplitsHistoryParams,
    options?: CallOptions,
  ): List<shapes.SplitsHistoryEntry> {
    return this.list('/splits/history', { ...params, event_id: event }, options);
  }

  sports(params?: shapes.SportsParams, options?: CallOptions): List<shapes.Sport> {
    return this.list('/sports', params, options);
  }

  sport(id: string, options?: CallOptions): Promise<Answer<shapes.Sport>> {
    return this.get(`/sports/${encodeURIComponent(id)}`, {}, options);
  }

  leagues(params?: shapes.LeaguesParams, options?: CallOptions): List<shapes.League> {
    return this.list('/leagues', params, options);
  }

  league(id: string, options?: CallOptions): Promise<Answer<shapes.League>> {
    return this.get(`/leagues/${encodeURIComponent(id)}`, {}, options);
  }

  sportsbooks(params?: shapes.SportsbooksParams, options?: CallOptions): List<shapes.Sportsbook> {
    return this.list('/sportsbooks', params, options);
  }

  sportsbook(id: string, options?: CallOptions): Promise<Answer<shapes.Sportsbook>> {
    return this.get(`/sportsbooks/${encodeURIComponent(id)}`, {}, options);
  }

  markets(options?: CallOptions): List<shapes.MarketType> {
    return this.list('/markets', {}, options);
  }

  /** What the warnings of opportunities mean. */
  warnings(options?: CallOptions): List<shapes.WarningMeaning> {
    return this.list('/warnings', {}, options);
  }

  /** What each tier may see, the lowest first. */
  tiers(options?: CallOptions): List<shapes.TierRights> {
    return this.list('/tiers', {}, options);
  }

  teams(params?: shapes.TeamsParams, options?: CallOptions): List<shapes.Team> {
    return this.list('/teams', params, options);
  }

  health(options?: CallOptions): Promise<Answer<shapes.Health>> {
    return this.get('/health', {}, options);
  }

  /** Moves the clock of a server that serves a recording; a step is answered when every stream was sent its changes. */
  replay(action: shapes.ReplayAction, options?: CallOptions): Promise<Answer<shapes.ReplayStatus>> {
    return this.post('/replay', action, options);
  }

  /**
   * Pushes one ingest message or several; settles when they are committed. Sending the same again changes nothing.
   * `strict`: messages with names that the catalogue does not know are rejected.
   */
  async ingest(
    messages: shapes.IngestMessage | readonly shapes.IngestMessage[],
    { strict = false, ...options }: CallOptions & { strict?: boolean } = {},
  ): Promise<shapes.IngestReceipt> {
    const list = Array.isArray(messages) ? (messages as readonly shapes.IngestMessage[]) : [messages];
    const body = list.map((message) => `${JSON.stringify(message)}\n`).join('');
    const init = { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body };
    return await this.rest.call(this.address('/ingest', strict ? { strict } : {}), init, false, options);
  }

  /** A stream over SSE. */
  stream(channel: ChannelWord, params: shapes.StreamParams = {}, options?: StreamOptions): LiveStream {
    const url = this.address('/stream', { ...params, channel } as Params);
    return new LiveStream(sseConnect(url, this.headers, this.fetched), options);
  }

  /** A stream over WebSocket: its subscription can be replaced while it is open. */
  socket(channels: readonly ChannelWord[], filters: SocketFilters = {}, options?: StreamOptions): SocketStream {
    const WebSocketClass = this.options.WebSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
    if (WebSocketClass === undefined)
      throw new OverroundError('no_websocket', 'this platform has no WebSocket: hand one in as the option WebSocket');
    const url = addressOf(this.base, '/ws', { api_key: this.options.apiKey });
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return new SocketStream(url, { channels, filters: { ...filters } }, WebSocketClass, options);
  }
}

// The rows for a key that may not stream: all pages once, then what changed, as often as its rate limit allows. It
// emits the same events as a stream, so that nothing else differs.
import {
  LiveTable,
  type OddsParams,
  type OverroundClient,
  OverroundError,
  type SocketFilters,
  type StreamEvent,
} from '../../src/client/client.js';
import { pause } from '../../src/client/pause.js';

export type OddsFilters = Pick<
  SocketFilters,
  'markets' | 'leagues' | 'sports' | 'eventIds' | 'sportsbooks' | 'include' | 'is_main_line'
>;

export interface PolledOptions {
  everyMs: number;
  onEvent(event: StreamEvent): void;
  onLost(error: OverroundError): void;
  onRefused(error: OverroundError): void;
}

/** After a refusal for too many requests that does not say how long. */
const REFUSED_S = 20;
/** The most that a page may have: each is a request of the minute. */
const PAGE = 500;
const CHANGES_PAGE = 200;

export class PolledOdds {
  readonly table = new LiveTable();
  readonly #client: OverroundClient;
  readonly #params: Pick<OddsParams, 'market' | 'league' | 'sport' | 'event' | 'sportsbook' | 'is_main_line'>;
  readonly #options: PolledOptions;
  readonly #closing = new AbortController();

  constructor(client: OverroundClient, filters: OddsFilters, options: PolledOptions) {
    this.#client = client;
    this.#options = options;
    const { markets, leagues, sports, eventIds, sportsbooks, is_main_line } = filters;
    this.#params = {
      ...(markets === undefined ? {} : { market: markets.join() }),
      ...(leagues === undefined ? {} : { league: leagues.join() }),
      ...(sports === undefined ? {} : { sport: sports.join() }),
      ...(eventIds === undefined ? {} : { event: eventIds.join() }),
      ...(sportsbooks === undefined ? {} : { sportsbook: sportsbooks.join() }),
      ...(is_main_line === undefined ? {} : { is_main_line }),
    };
    void this.#run();
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    const { everyMs } = this.#options;
    let since: { live: string; prematch: string } | undefined;
    while (!this.#closing.signal.aborted) {
      let waitMs = everyMs;
      try {
        if (since === undefined) {
          const time = await this.#readAll();
          since = { live: time, prematch: time };
        } else {
          since = {
            live: await this.#readChanges(since.live, true),
            prematch: await this.#readChanges(since.prematch, false),
          };
          this.#tell({ type: 'heartbeat', timestamp: since.live });
        }
      } catch (thrown) {
        if (this.#closing.signal.aborted) return;
        const error = thrown instanceof OverroundError ? thrown : new OverroundError('error', String(thrown));
        if (error.code === 'overflow') since = undefined;
        else if (error.status >= 400 && error.status < 405) {
          this.#options.onRefused(error);
          return;
          // An exhausted rate limit is not a lost connection.
        } else if (error.status !== 429) this.#options.onLost(error);
        waitMs = Math.max(waitMs, (error.retryAfter ?? 0) * 1_000);
      }
      await pause(waitMs, this.#closing.signal);
    }
  }

  /** Every page; returns the time from which to request changes. */
  async #readAll(): Promise<string> {
    this.#tell({ type: 'started', resumed: false });
    let cursor: string | undefined;
    let time: string | undefined;
    do {
      const page = await this.#page(cursor);
      // The first page's: changes made during the reading are returned again.
      time ??= page.meta.server_time!;
      this.#tell({ type: 'snapshot', rows: page.data });
      cursor = page.pagination.next_cursor;
    } while (cursor !== undefined);
    this.#tell({ type: 'complete', books: [], totalOdds: this.table.odds.size });
    return time;
  }

  /** A minute's requests may be used up between two pages: it goes on with the next minute, where it was. */
  async #page(cursor: string | undefined) {
    for (;;)
      try {
        return await this.#client.odds({ ...this.#params, limit: PAGE, cursor }, this.#call);
      } catch (error) {
        if (!(error instanceof OverroundError) || error.status !== 429) throw error;
        await pause((error.retryAfter ?? REFUSED_S) * 1_000, this.#closing.signal);
      }
  }

  async #readChanges(since: string, live: boolean): Promise<string> {
    let asked = since;
    for (;;) {
      const answer = await this.#client.oddsDelta(asked, { ...this.#params, live, limit: CHANGES_PAGE }, this.#call);
      if (answer.overflow === true) throw new OverroundError('overflow', 'too much has changed');
      if (answer.data.length > 0) this.#tell({ type: 'added', rows: answer.data });
      // A game that begins is removed from those before the game, and is among those in play.
      const ids = answer.removed.filter((id) => this.table.odds.get(id)?.is_live === live);
      if (ids.length > 0) this.#tell({ type: 'removed', ids });
      asked = answer.meta.server_time!;
      if (!answer.pagination.has_more) return asked;
    }
  }

  get #call() {
    return { signal: this.#closing.signal };
  }

  #tell(event: StreamEvent): void {
    if (this.#closing.signal.aborted) return;
    this.table.apply(event);
    this.#options.onEvent(event);
  }
}

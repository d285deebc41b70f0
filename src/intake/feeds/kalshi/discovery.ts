// The games that Kalshi lists: events with their markets, series by series and page by page, and start times, which
// only milestones state.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import type { DocumentedFields } from '../kit/documented-fields.js';
import { type Fields, fieldsOf, listIn, objectsOf, textOf } from '../kit/field-readers.js';
import { type Rest, VenueRefusal } from '../kit/rest.js';
import type { VenueTeams } from '../kit/teams.js';
import { addEvent, type ListedGame, milestoneStart, type SportOf, unstatedStart } from './read-events.js';
import type { Series } from './series.js';

const PAGE = 200;
const PAGES_MAX = LIMITS.venuePages.max;
/** Start times are cached: a game's start is requested occasionally, not at every lookup. */
const STARTS_MAX = LIMITS.gameStarts.max;
const START_CACHED_MS = 10 * 60_000;

interface DiscoveryOptions {
  rest: Rest;
  series: readonly Series[];
  sportOf: SportOf;
  teams: VenueTeams;
  documented: DocumentedFields;
}

export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #starts = new BoundedMap<string, { startMs: number | undefined; requestedMs: number }>(STARTS_MAX);

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** All games of all series. Throws if a page is missing: an incomplete list would remove games. */
  async games(nowMs: number): Promise<ListedGame[]> {
    const games = new Map<string, ListedGame>();
    const milestones: Fields[] = [];
    const markets = new Map<string, Fields[]>();
    // The winner market comes first: it names both teams best.
    const { sportOf, teams, documented } = this.#options;
    const order = [...this.#options.series].sort((a, b) => Number(b.kind === 'winner') - Number(a.kind === 'winner'));
    for (const series of order) {
      const events = await this.#events(series, milestones);
      documented.look('event', events);
      for (const event of events) {
        if (!addEvent(event, series, sportOf, teams, games)) continue;
        const ticker = textOf(event['event_ticker']) ?? textOf(event['ticker'])!;
        markets.set(ticker, objectsOf(event['markets']));
      }
    }
    documented.look('milestone', milestones);
    const listed: ListedGame[] = [];
    for (const game of games.values()) {
      game.startMs ??= milestoneStart(milestones, game.events) ?? (await this.#startOf(game, nowMs));
      if (game.startMs === undefined) {
        const own = game.events.flatMap((ticker) => markets.get(ticker) ?? []);
        Object.assign(game, unstatedStart(game.events[0]!, sportOf(game.league), own));
      }
      if (game.startMs !== undefined) listed.push(game);
    }
    return listed;
  }

  async #events({ ticker }: Series, milestones: Fields[]): Promise<Fields[]> {
    const query = { series_ticker: ticker, status: 'open', limit: PAGE };
    const events = await this.#pages(
      '/events',
      'events',
      { ...query, with_nested_markets: 'true', with_milestones: 'true' },
      milestones,
    );
    if (events.every((event) => Array.isArray(event['markets']))) return events;
    const byEvent = new Map<string, Fields[]>();
    for (const market of await this.#pages('/markets', 'markets', { ...query, limit: 1_000 }, [])) {
      const event = textOf(market['event_ticker']) ?? '';
      byEvent.set(event, [...(byEvent.get(event) ?? []), market]);
    }
    return events.map((event) => ({
      ...event,
      markets: event['markets'] ?? byEvent.get(textOf(event['event_ticker']) ?? ''),
    }));
  }

  async #pages(
    path: string,
    list: string,
    query: Readonly<Record<string, string | number>>,
    milestones: Fields[],
  ): Promise<Fields[]> {
    const found: Fields[] = [];
    for await (const answer of this.#options.rest.pages(path, query, 'cursor', 'cursor', PAGES_MAX)) {
      found.push(...listIn(answer, list));
      milestones.push(...objectsOf(answer['milestones']));
    }
    return found;
  }

  async #startOf({ events }: ListedGame, nowMs: number): Promise<number | undefined> {
    const [ticker] = events;
    const known = this.#starts.get(ticker!);
    if (known !== undefined && nowMs - known.requestedMs < START_CACHED_MS) return known.startMs;
    let startMs: number | undefined;
    try {
      const answer = fieldsOf(await this.#options.rest.get('/milestones', { related_event_ticker: ticker, limit: 10 }));
      const found = objectsOf(answer?.['milestones']);
      startMs =
        milestoneStart(found, events) ??
        milestoneStart(
          found.map((each) => ({ ...each, related_event_tickers: events })),
          events,
        );
    } catch (error) {
      if (!(error instanceof VenueRefusal)) throw error;
    }
    this.#starts.set(ticker!, { startMs, requestedMs: nowMs });
    return startMs;
  }
}

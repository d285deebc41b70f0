// Betfair's catalogue over JSON-RPC: the competitions and markets of games, with the names that the stream omits.
import { parseTimeMs } from '../../../base/model/time.js';
import type { Rest } from '../kit/rest.js';
import type { NamedMarket } from './listing.js';
import { runnerKey } from './market-cache.js';
import { idOf, numberOf, textOf } from './messages.js';
import { MARKET_TYPES } from './questions.js';

/** An error answer of Betfair with its code (INVALID_SESSION_INFORMATION, TOO_MUCH_DATA …). */
export class ApiRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`the API refuses: ${code}`);
    this.code = code;
  }
}

export interface CatalogueQuery {
  eventTypeId: string;
  /** Selects Betfair's competitions; used when there are more markets than an answer can have. */
  wants(competition: string): boolean;
  fromMs: number;
  toMs: number;
}

/** Maximum number of markets in an answer: none of the requested projections has a weight. */
const RESULTS_PER_ANSWER = 1_000;
/** A window with more markets is halved, down to this length (ms). */
const WINDOW_MS_MIN = 60_000;
const PROJECTION = ['COMPETITION', 'EVENT', 'MARKET_START_TIME', 'RUNNER_DESCRIPTION'];

export class CatalogueApi {
  readonly #rest: Rest;
  #calls = 0;

  /** `rest`: at the JSON-RPC address, with the session in its headers. */
  constructor(rest: Rest) {
    this.#rest = rest;
  }

  /** Ids of the wanted competitions; undefined (all) if Betfair lists none. */
  async #competitions({ eventTypeId, wants }: CatalogueQuery): Promise<string[] | undefined> {
    const list = await this.#call('listCompetitions', { filter: { eventTypeIds: [eventTypeId] } });
    const ids: string[] = [];
    for (const each of list) {
      const competition = mapOf(mapOf(each)['competition']);
      const id = idOf(competition['id']);
      if (id !== null && wants(textOf(competition['name']) ?? '')) ids.push(id);
    }
    return list.length === 0 ? undefined : ids;
  }

  /**
   * All markets of the query, whatever their number, each once, possibly with some of other competitions. Throws
   * ApiRefusal, VenueRefusal or an Error if no answer came.
   */
  async markets(query: CatalogueQuery): Promise<NamedMarket[]> {
    const markets = new Map<string, NamedMarket>();
    const windows = [{ fromMs: query.fromMs, toMs: query.toMs }];
    let competitionIds: string[] | undefined;
    for (let window = windows.pop(); window !== undefined; window = windows.pop()) {
      const { fromMs, toMs } = window;
      const list = await this.#page(query.eventTypeId, competitionIds, fromMs, toMs);
      if (list === 'too much' || list.length >= RESULTS_PER_ANSWER) {
        const middleMs = Math.floor((fromMs + toMs) / 2);
        if (competitionIds === undefined) {
          competitionIds = await this.#competitions(query);
          if (competitionIds?.length === 0) return [];
          if (competitionIds !== undefined) {
            windows.push(window);
            continue;
          }
        }
        if (toMs - fromMs > WINDOW_MS_MIN) {
          windows.push({ fromMs: middleMs, toMs }, { fromMs, toMs: middleMs });
          continue;
        }
        if (list === 'too much') throw new ApiRefusal('TOO_MUCH_DATA');
      }
      for (const each of list) {
        const market = readMarket(each, query.eventTypeId);
        if (market !== undefined) markets.set(market.id, market);
      }
    }
    return [...markets.values()];
  }

  async #page(
    eventTypeId: string,
    competitionIds: readonly string[] | undefined,
    fromMs: number,
    toMs: number,
  ): Promise<readonly unknown[] | 'too much'> {
    const filter = {
      eventTypeIds: [eventTypeId],
      ...(competitionIds === undefined ? {} : { competitionIds }),
      marketTypeCodes: MARKET_TYPES,
      marketStartTime: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    };
    try {
      const params = { filter, marketProjection: PROJECTION, maxResults: RESULTS_PER_ANSWER, sort: 'FIRST_TO_START' };
      return await this.#call('listMarketCatalogue', params);
    } catch (error) {
      if (error instanceof ApiRefusal && error.code === 'TOO_MUCH_DATA') return 'too much';
      throw error;
    }
  }

  async #call(method: string, params: object): Promise<readonly unknown[]> {
    const id = ++this.#calls;
    const request = { jsonrpc: '2.0', method: `SportsAPING/v1.0/${method}`, params, id };
    const answer = await this.#rest.post('', request);
    const body = mapOf(Array.isArray(answer) ? answer[0] : answer);
    if (body['error'] !== undefined && body['error'] !== null) throw new ApiRefusal(errorCodeOf(body['error']));
    if (!Array.isArray(body['result'])) throw new Error(`${method}: the answer has no result`);
    return body['result'];
  }
}

function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** `{code, message, data: {APINGException: {errorCode}}}`, or only the first two. */
function errorCodeOf(error: unknown): string {
  const { data, message, code } = mapOf(error);
  const exception = mapOf(mapOf(data)['APINGException']);
  return textOf(exception['errorCode']) ?? textOf(message) ?? String(code ?? 'unknown');
}

/** Undefined if it is not about a game of a competition. `requestedId`: the requested event type. */
function readMarket(raw: unknown, requestedId: string): NamedMarket | undefined {
  const map = mapOf(raw);
  const event = mapOf(map['event']);
  const id = idOf(map['marketId']);
  const eventId = idOf(event['id']);
  const eventName = textOf(event['name']);
  const eventTypeId = idOf(mapOf(map['eventType'])['id']) ?? requestedId;
  const competition = textOf(mapOf(map['competition'])['name']);
  const startMs = parseTimeMs(map['marketStartTime']) ?? parseTimeMs(event['openDate']);
  if (id === null || eventId === null || eventName === null || competition === null) return undefined;
  if (startMs === undefined) return undefined;
  const runnerNames = new Map<string, string>();
  const runners = Array.isArray(map['runners']) ? map['runners'] : [];
  for (const each of runners) {
    const runner = mapOf(each);
    const runnerId = idOf(runner['selectionId']);
    const name = textOf(runner['runnerName']);
    if (runnerId === null || name === null) continue;
    runnerNames.set(runnerKey(runnerId, numberOf(runner['handicap']) ?? 0), name);
    // A runner has the same name at every handicap.
    runnerNames.set(runnerId, name);
  }
  return { id, eventId, eventName, eventTypeId, competition, startMs, runnerNames };
}

/** Markets from a file with an answer of the API: its result, or the whole answer. */
export function readCatalogueFile(text: string): NamedMarket[] {
  const raw: unknown = JSON.parse(text);
  const list = Array.isArray(raw) ? raw : mapOf(raw)['result'];
  if (!Array.isArray(list)) throw new Error('the catalogue is no list of markets');
  return list.flatMap((each) => readMarket(each, '') ?? []);
}

// The stream of a service with SharpAPI's interface (another overround is one) as a feed: its table, row by row. Changes
// come over SSE; what was lost on the way is found by asking for the changes since the last time, which is also the
// sign of life that heartbeats of 30 s are too slow for.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { isId } from '../../../base/model/ids.js';
import { jsonOf } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { present } from '../../../base/model/present.js';
import { decimalFromAmerican, isDecimalPrice } from '../../../base/model/price.js';
import { isSecondWinner, marketAlias, plainName } from '../../../rules/markets/aliases.js';
import { agrees } from '../../ingest/fields.js';
import type { IngestMarket } from '../../ingest/message.js';
import { Connection } from '../kit/connection.js';
import type { Documented } from '../kit/documented-fields.js';
import { eventOfText, eventStream } from '../kit/event-stream.js';
import {
  type Fields,
  fieldsOf,
  linkOf,
  listIn,
  numberOf,
  objectsOf,
  textOf,
  textsOf,
  timeOf,
} from '../kit/field-readers.js';
import type { GameFacts } from '../kit/market-ids.js';
import { type Rest, VenueRefusal } from '../kit/rest.js';
import { type MirroredGame, type MirroredRow, RowMirror } from '../kit/row-mirror.js';
import { SourceFeed } from '../kit/source-feed.js';
import { wait } from '../wait.js';

export interface SharpApiOptions {
  /** Of the service, with the path /api/v1. */
  url: string;
  apiKey: string;
  /** Leagues and books to follow; empty: all that the key sees. */
  leagues: readonly string[];
  books: readonly string[];
  random: () => number;
  /** Interval of the requests for changes; 2 s by default. */
  checkEveryMs?: number;
}

/** Requests that failed in a row before a stream that goes on is taken for dead. */
const DEAD_AFTER_FAILURES = 3;
/** A request that is not answered for this long fails; if the stream says nothing either, the service is taken for dead. */
const ANSWER_WITHIN_MS = 3_000;
/** Of changes in one round: beyond them a snapshot is the smaller answer. */
const PAGES_MAX = LIMITS.venuePages.max;

export class SharpApiFeed extends SourceFeed<MirroredGame, RowMirror> {
  readonly #options: SharpApiOptions;
  #connection!: Connection;
  #rest!: Rest;
  /** Where the service's changes were last read up to; undefined while a snapshot is under way. */
  #since: string | undefined;
  /** When the service last sent anything (Unix ms). */
  #heardMs = 0;
  /** Ids of rows that are no bets: changes do not say so again. */
  readonly #pickem = new BoundedMap<string, true>(LIMITS.removedRows.max);
  /** A row is unknown or cannot be read: the changes are asked for at once. */
  #isLacking = false;
  /** Of the mirror when the last snapshot began. */
  #touchesBefore = 0;

  constructor(options: SharpApiOptions) {
    const { leagues, books, random } = options;
    const name = `sharpapi${leagues.length > 0 ? `:leagues=${leagues.join(',')}` : ''}`;
    super(`${name}${books.length > 0 ? `;${books.join(',')}` : ''}`, {
      ...{ book: 'sharpapi', books, leagues, documented: DOCUMENTED, random },
      games: new RowMirror(),
    });
    this.#options = options;
  }

  protected override async follow(signal: AbortSignal): Promise<void> {
    const { url, apiKey } = this.#options;
    const headers = () => ({ 'x-api-key': apiKey });
    this.#rest = this.rest({ baseUrl: url, perSecond: 5, headers, attempts: 1, timeoutMs: ANSWER_WITHIN_MS });
    this.#connection = new Connection({
      ...this.access,
      name: 'stream',
      dial: eventStream({ url: () => this.#query(new URL(`${url}/stream`), { channel: 'odds' }), headers }),
      // Heartbeats come every 30 s, and a stream without one for 60 s is dead; requests for changes notice it earlier.
      silenceMsMax: 65_000,
      opened: () => {},
      received: (text) => this.#received(text),
      down: () => {
        this.#since = undefined;
        this.games.doubt();
      },
    });
    await Promise.all([this.#connection.run(signal), this.#check(signal)]);
  }

  #query(url: URL, more: Record<string, string>): URL {
    const { leagues, books } = this.#options;
    for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
    if (leagues.length > 0) url.searchParams.set('league', leagues.join(','));
    if (books.length > 0) url.searchParams.set('sportsbook', books.join(','));
    return url;
  }

  #received(text: string): void {
    this.#heardMs = this.context.clock.now();
    const { name, data } = eventOfText(text);
    const body = fieldsOf(jsonOf(data));
    if (body === undefined) {
      this.context.report?.counted?.('bad_messages');
      this.#isLacking = true;
      return;
    }
    if (name === 'connected') this.#begin();
    else if (name === 'snapshot') this.#putAll(objectsOf(body['odds']), this.#touchesBefore);
    else if (name === 'odds:added') this.#putAll(objectsOf(body['odds']));
    else if (name === 'snapshot:complete') this.#complete();
    else if (name === 'odds:update') for (const fields of objectsOf(body['odds'])) this.#change(fields);
    else if (name === 'odds:removed') for (const id of removedIds(body['ids'])) this.#remove(id);
    else if (name === 'error')
      this.context.log.warn({ code: body['code'], reason: body['message'] }, 'sharpapi: the service reports an error');
  }

  /** A snapshot follows. What the service changes while it is sent is asked for afterwards. */
  #begin(): void {
    this.#since = undefined;
    this.#touchesBefore = this.games.touches;
    this.games.begin();
  }

  #complete(): void {
    this.games.complete(
      () => true,
      ({ id }) => this.#remove(id),
    );
    this.#since = new Date(this.context.clock.now() - OVERLAP_MS).toISOString();
    this.#connection.proved();
    this.publisher.ready();
  }

  #putAll(rows: readonly Fields[], before?: number): void {
    this.documented.look('odds', rows);
    for (const fields of rows) {
      // What an app of pick'em pays for a part of an entry: nobody takes a bet at it.
      if (fields['is_pickem'] === true) {
        this.context.report?.counted?.('left_out');
        this.#pickem.set(textOf(fields['id']) ?? '', true);
        continue;
      }
      const read = sharpRow(fields);
      if (read === undefined) {
        this.context.report?.counted?.('bad_messages');
        this.games.lock(textOf(fields['id']) ?? '', before);
      } else {
        this.games.putGame(read.game);
        this.games.put(read.row, before);
      }
    }
  }

  #change(fields: Fields): void {
    if (this.#pickem.has(textOf(fields['id']) ?? '')) return;
    const known = this.games.row(textOf(fields['id']) ?? '');
    if (known === undefined && sharpRow(fields) !== undefined) {
      this.#putAll([fields]);
      return;
    }
    this.documented.look('odds', fields);
    const row = known === undefined ? undefined : changedRow(known, fields);
    if (row === undefined) {
      // Rows that were added and are not stated whole arrive with the changes; whatever changed of a known one, its price may
      // be none by now.
      this.#isLacking = true;
      if (known !== undefined) this.games.lock(known.id);
      return;
    }
    this.games.put(row);
  }

  /** A game of which nothing is listed any more is gone. */
  #remove(id: string, before?: number): void {
    const gameId = this.games.row(id)?.gameId ?? '';
    this.games.remove(id, before);
    if (!this.games.hasRows(gameId)) this.games.removeGame(gameId);
  }

  /** Asks for the changes at intervals, and at once if something is lacking. */
  async #check(signal: AbortSignal): Promise<void> {
    const { checkEveryMs = 2_000 } = this.#options;
    let failures = 0;
    let askedMs = 0;
    while (await wait(Math.min(checkEveryMs, TICK_MS), signal)) {
      const nowMs = this.context.clock.now();
      if (this.#since === undefined || (nowMs - askedMs < checkEveryMs && !this.#isLacking)) continue;
      askedMs = nowMs;
      this.#isLacking = false;
      try {
        await this.#readChanges(this.#since);
        failures = 0;
        this.#heardMs = this.context.clock.now();
        this.context.report?.succeeded('changes');
      } catch (error) {
        if (signal.aborted) return;
        this.context.report?.failed('changes', (error as Error).message);
        const isSilent = this.context.clock.now() - this.#heardMs >= checkEveryMs + ANSWER_WITHIN_MS;
        if (++failures >= DEAD_AFTER_FAILURES || isSilent)
          this.#connection.drop('requests for changes are not answered');
      }
    }
  }

  /**
   * Games before their start and live ones are asked for apart. An answer may call the other's rows removed, as they are
   * none of its kind: a row is removed if the answer of its own kind says so, or both do.
   */
  async #readChanges(since: string): Promise<void> {
    const before = this.games.touches;
    const [ahead, live] = await Promise.all([this.#changesOf(since, 'false'), this.#changesOf(since, 'true')]);
    // The stream has begun anew meanwhile: its snapshot is newer.
    if (this.#since !== since) return;
    if (ahead === undefined || live === undefined) {
      this.#connection.drop('too many changes were missed');
      return;
    }
    this.#putAll([...ahead.rows, ...live.rows], before);
    for (const [own, other, isLive] of [
      [ahead, live, false],
      [live, ahead, true],
    ] as const)
      for (const id of own.removed) if (other.removed.has(id) || this.#isOfKind(id, isLive)) this.#remove(id, before);
    this.#since = [ahead.reached, live.reached].sort()[0]!;
  }

  #isOfKind(id: string, isLive: boolean): boolean {
    const row = this.games.row(id);
    return row !== undefined && (row.live ?? false) === isLive;
  }

  /** Undefined if there are more than a new snapshot has, or the service says that some are not told. */
  async #changesOf(since: string, live: 'true' | 'false'): Promise<Changes | undefined> {
    const changes: Changes = { rows: [], removed: new Set(), reached: since };
    let offset = 0;
    for (let page = 0; page < PAGES_MAX; page++) {
      const body = await this.#changesPage({ since, limit: String(PAGE_ROWS), offset: String(offset), live });
      if (body === undefined) return undefined;
      const meta = fieldsOf(body['meta']) ?? {};
      const stated = (name: string) => body[name] ?? meta[name];
      if (INCOMPLETE.some((name) => stated(name) === true)) return undefined;
      changes.rows.push(...listIn(body, 'data'));
      for (const id of removedIds(stated('removed'))) changes.removed.add(id);
      // What changes while the pages are read is later than the first of them.
      if (page === 0) changes.reached = toldUpTo(textOf(meta['server_time'] ?? body['server_time'])) ?? since;
      const pagination = fieldsOf(stated('pagination')) ?? {};
      if (pagination['has_more'] !== true) return changes;
      offset = numberOf(pagination['next_offset']) ?? offset + PAGE_ROWS;
    }
    return undefined;
  }

  /** Undefined where the service does not page so far. */
  async #changesPage(query: Record<string, string>): Promise<Fields | undefined> {
    const { searchParams } = this.#query(new URL('http://service'), query);
    try {
      return fieldsOf(await this.#rest.get('/odds/delta', Object.fromEntries(searchParams))) ?? {};
    } catch (error) {
      if (error instanceof VenueRefusal && error.status === 400 && query['offset'] !== '0') return undefined;
      throw error;
    }
  }
}

/** Of a time in milliseconds or seconds the one before: what changed in the rest of it, after the answer, is not in it. */
function toldUpTo(serverTime: string | undefined): string | undefined {
  const [text, digits = ''] = /^.+T[\d:]+(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/.exec(serverTime ?? '') ?? [];
  const atMs = Date.parse(text ?? '');
  if (digits.length > 3 || Number.isNaN(atMs)) return serverTime;
  return new Date(atMs - (digits === '' ? 1_000 : 1)).toISOString();
}

/** Ids, or since version 3 objects with one. */
function removedIds(list: unknown): string[] {
  return [...textsOf(list), ...objectsOf(list).flatMap(({ id }) => textOf(id) ?? [])];
}

interface Changes {
  rows: Fields[];
  removed: Set<string>;
  reached: string;
}

/** Rows of a page of changes. */
const PAGE_ROWS = 200;
/** What an answer says if changes are missing from it. */
const INCOMPLETE = ['overflow', 'removed_truncated', 'since_clamped'];
/** The clocks of both may differ by this much. */
const OVERLAP_MS = 30_000;
const TICK_MS = 100;

// Fields of the rows that SharpAPI's documents describe (3.1 and earlier), and of those of overround itself.

export const DOCUMENTED = {
  odds: {
    fields: `id sportsbook sportsbook_name currency event_id sport league home_team away_team market_type selection
      selection_type player_name stat_category team team_name is_alternate_line is_main_line odds_american odds_decimal
      odds_probability odds_fractional implied_probability no_vig_probability probability line is_live is_active
      indicative is_stale_pregame_price odds_changed_at odds_american_previous wire_received_at last_seen_at timestamp
      event_start_time event_name start_time status deep_link public_bet_pct max_bet size volume_24h open_interest
      exchange_token_id commission external_event_id market_id selection_id opening depth team_side numerical_id game_id odds
      warnings limits country region is_player_prop is_pickem is_impossible_scoreline market_segment event_uuid volume home
      away sport_ref league_ref market_ref sportsbook_ref`,
  },
} as const satisfies Record<string, Documented>;

// A row of SharpAPI's odds, as its REST API and its streams send it, as a row of the mirror.

/** Undefined if it lacks what a row needs. */
export function sharpRow(fields: Fields): { game: GameFacts; row: MirroredRow } | undefined {
  const id = textOf(fields['id']);
  const book = textOf(fields['sportsbook']);
  const gameId = textOf(fields['event_id']);
  const league = textOf(fields['league']);
  const home = textOf(fields['home_team']);
  const away = textOf(fields['away_team']);
  const startMs = timeOf(fields['event_start_time']);
  const named = textOf(fields['market_type']);
  const selection = textOf(fields['selection']);
  const price = priceOf(fields);
  if (
    id === undefined ||
    book === undefined ||
    !isId(book.toLowerCase()) ||
    gameId === undefined ||
    league === undefined
  )
    return undefined;
  if (home === undefined || away === undefined || named === undefined || selection === undefined) return undefined;
  if (startMs === undefined || price === undefined) return undefined;
  const name = plainName(named);
  const sport = textOf(fields['sport']) ?? '';
  const type = marketAlias(name, sport)?.type ?? name;
  const stated = textOf(fields['selection_type']) ?? selection.toLowerCase();
  const [, teamsOwn, side] = (type.includes('team_total') && SIDE_OF_TEAM.exec(stated)) || [];
  return {
    game: { id: gameId, league, home, away, startMs },
    row: {
      id,
      book,
      gameId,
      market: present({
        market_type: type,
        player_name: textOf(fields['player_name']),
        stat_category: textOf(fields['stat_category']),
        team: (teamsOwn as 'home' | 'away' | undefined) ?? teamOf(fields, home, away),
        max_bet: numberOf(fields['max_bet']),
        // Of another overround: what only the market charges.
        commission: fields['commission'] as IngestMarket['commission'],
      }),
      selection: present({
        selection,
        selection_type: side ?? stated,
        line: numberOf(fields['line']),
        ...price,
        is_alternate_line: isAlternate(fields) || undefined,
        indicative: fields['indicative'] === true || undefined,
        deep_link: linkOf(fields['deep_link']),
        size: numberOf(fields['size']),
        market_id: textOf(fields['market_id']),
        external_id: textOf(fields['selection_id']),
      }),
      active: fields['is_active'] !== false,
      live: fields['is_live'] === true,
      yields: isSecondWinner(name, sport),
      externalGameId: textOf(fields['external_event_id']),
      changedAt: changedAt(fields),
    },
  };
}

/** Of a team's total the service names the team and the side in one. */
const SIDE_OF_TEAM = /^(home|away)_(over|under)$/;

/** The row with a change of the stream, which names only what may change; undefined if it states no price. */
function changedRow(known: MirroredRow, fields: Fields): MirroredRow | undefined {
  const price = priceOf(fields);
  if (price === undefined) return undefined;
  const { odds_american: _american, odds_decimal: _decimal, line: before, ...others } = known.selection;
  const { is_alternate_line: wasAlternate = false, indicative: _indicative, ...rest } = others;
  return {
    ...known,
    selection: present({
      ...rest,
      is_alternate_line: (isAlternate(fields) ?? wasAlternate) || undefined,
      indicative: fields['indicative'] === true || undefined,
      line: fields['line'] === undefined ? before : numberOf(fields['line']),
      ...price,
    }),
    active: fields['is_active'] !== false,
    live: typeof fields['is_live'] === 'boolean' ? fields['is_live'] : known.live === true,
    changedAt: changedAt(fields) || known.changedAt,
  };
}

/**
 * The American price unless the decimal one says more: then the book states decimals. Undefined if there is none, or they
 * are two.
 */
function priceOf(fields: Fields) {
  const [american, decimal] = [numberOf(fields['odds_american']), numberOf(fields['odds_decimal'])];
  const exact = american === undefined ? Number.NaN : decimalFromAmerican(american);
  if (decimal === undefined) return Number.isNaN(exact) ? undefined : { odds_american: american! };
  if (!isDecimalPrice(decimal)) return undefined;
  if (Number.isNaN(exact)) return { odds_decimal: decimal };
  if (Math.abs(exact - decimal) < ROUNDING) return { odds_american: american! };
  return agrees(decimal, exact) ? { odds_decimal: decimal } : undefined;
}

/** Decimals are sent with at least this precision. */
const ROUNDING = 0.000_6;

/** Undefined if neither name is stated; since version 3 the service says which line is the main one. */
function isAlternate(fields: Fields): boolean | undefined {
  const { is_alternate_line: alternate, is_main_line: main } = fields;
  if (typeof alternate === 'boolean') return alternate;
  return typeof main === 'boolean' ? !main : undefined;
}

/** Microseconds: the changes of a row are in this order. Since version 3 there is one time, before it there were two. */
function changedAt(fields: Fields): number {
  const { odds_changed_at, timestamp, last_seen_at } = fields;
  const stated = textOf(odds_changed_at) ?? textOf(timestamp) ?? textOf(last_seen_at);
  const at = stated === undefined ? Number.NaN : Date.parse(stated);
  if (Number.isNaN(at)) return 0;
  const digits = /\.\d{3}(\d{1,3})/.exec(stated!)?.[1] ?? '';
  return at * 1000 + Number(digits.padEnd(3, '0'));
}

function teamOf(fields: Fields, home: string, away: string): 'home' | 'away' | undefined {
  const team = textOf(fields['team']) ?? textOf(fields['team_side']) ?? textOf(fields['team_name']);
  if (team === 'home' || team === home) return 'home';
  return team === 'away' || team === away ? 'away' : undefined;
}

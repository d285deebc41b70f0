// The stream of a service with SharpAPI's interface (another overround is one) as a feed: its table, row by row. Changes
// come over SSE; what was lost on the way is found by asking for the changes since the last time, which is also the
// sign of life that heartbeats of 30 s are too slow for.
import { LIMITS } from '../../../base/model/limits.js';
import type { Feed, FeedContext } from '../feed.js';
import { Connection } from '../kit/connection.js';
import { DocumentedFields } from '../kit/documented-fields.js';
import { eventOfText, eventStream } from '../kit/event-stream.js';
import { type Fields, fieldsOf, jsonOf, numberOf, objectsOf, textOf, textsOf } from '../kit/field-readers.js';
import { Publisher } from '../kit/publisher.js';
import { Rest, VenueRefusal } from '../kit/rest.js';
import { type MirroredGame, RowMirror } from '../kit/row-mirror.js';
import { wait } from '../wait.js';
import { DOCUMENTED } from './documented.js';
import { changedRow, sharpRow } from './rows.js';

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

export class SharpApiFeed implements Feed {
  readonly name: string;
  readonly simulated = false;
  readonly #options: SharpApiOptions;
  readonly #stopping = new AbortController();
  readonly #mirror = new RowMirror();
  #context!: FeedContext;
  #publisher!: Publisher<MirroredGame>;
  #connection!: Connection;
  #rest!: Rest;
  #documented!: DocumentedFields;
  /** Where the service's changes were last read up to; undefined while a snapshot is under way. */
  #since: string | undefined;
  /** When the service last sent anything (Unix ms). */
  #heardMs = 0;
  /** A row is unknown or cannot be read: the changes are asked for at once. */
  #isLacking = false;

  constructor(options: SharpApiOptions) {
    this.#options = options;
    const { leagues, books } = options;
    this.name = `sharpapi${leagues.length > 0 ? `:leagues=${leagues.join(',')}` : ''}${books.length > 0 ? `;${books.join(',')}` : ''}`;
  }

  async run(context: FeedContext): Promise<void> {
    const { url, apiKey, random, books, leagues } = this.#options;
    const { signal } = this.#stopping;
    const headers = () => ({ 'x-api-key': apiKey });
    this.#context = context;
    this.#documented = new DocumentedFields(DOCUMENTED, context.report);
    const mirror = this.#mirror;
    this.#publisher = new Publisher({ book: 'sharpapi', games: mirror, context, books, leagues });
    this.#rest = new Rest({
      context,
      baseUrl: url,
      perSecond: 5,
      random,
      signal,
      headers,
      attempts: 1,
      timeoutMs: ANSWER_WITHIN_MS,
    });
    this.#connection = new Connection({
      name: 'stream',
      dial: eventStream({ url: () => this.#query(new URL(`${url}/stream`), { channel: 'odds' }), headers }),
      context,
      random,
      // Heartbeats come every 30 s, and a stream without one for 60 s is dead; requests for changes notice it earlier.
      silenceMsMax: 65_000,
      opened: () => {},
      received: (text) => this.#received(text),
      down: () => {
        this.#since = undefined;
        mirror.doubt();
      },
    });
    await Promise.all([this.#connection.run(signal), this.#publisher.run(signal), this.#check(signal)]);
    await this.#publisher.suspendAll();
  }

  stop(): void {
    this.#stopping.abort();
  }

  #query(url: URL, more: Record<string, string>): URL {
    const { leagues, books } = this.#options;
    for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
    if (leagues.length > 0) url.searchParams.set('league', leagues.join(','));
    if (books.length > 0) url.searchParams.set('sportsbook', books.join(','));
    return url;
  }

  #received(text: string): void {
    this.#heardMs = this.#context.clock.now();
    const { name, data } = eventOfText(text);
    const body = fieldsOf(jsonOf(data));
    if (body === undefined) {
      this.#context.report?.counted?.('bad_messages');
      this.#isLacking = true;
      return;
    }
    if (name === 'connected') this.#begin();
    else if (name === 'snapshot' || name === 'odds:added') this.#putAll(objectsOf(body['odds']));
    else if (name === 'snapshot:complete') this.#complete();
    else if (name === 'odds:update') for (const fields of objectsOf(body['odds'])) this.#change(fields);
    else if (name === 'odds:removed') for (const id of textsOf(body['ids'])) this.#mirror.remove(id);
    else if (name === 'error')
      this.#context.log.warn({ code: body['code'], reason: body['message'] }, 'sharpapi: the service reports an error');
  }

  /** A snapshot follows. What the service changes while it is sent is asked for afterwards. */
  #begin(): void {
    this.#since = undefined;
    this.#mirror.begin();
  }

  #complete(): void {
    this.#mirror.complete(
      () => true,
      ({ id }) => this.#mirror.remove(id),
    );
    this.#since = new Date(this.#context.clock.now() - OVERLAP_MS).toISOString();
    this.#connection.proved();
    this.#publisher.ready();
  }

  #putAll(rows: readonly Fields[], before?: number): void {
    this.#documented.look('odds', rows);
    for (const fields of rows) {
      const read = sharpRow(fields);
      if (read === undefined) this.#context.report?.counted?.('bad_messages');
      else {
        this.#mirror.putGame(read.game);
        this.#mirror.put(read.row, before);
      }
    }
  }

  #change(fields: Fields): void {
    const known = this.#mirror.row(textOf(fields['id']) ?? '');
    if (known === undefined && sharpRow(fields) !== undefined) {
      this.#putAll([fields]);
      return;
    }
    this.#documented.look('odds', fields);
    const row = known === undefined ? undefined : changedRow(known, fields);
    if (row === undefined) {
      // Rows that were added and are not stated whole arrive with the changes.
      this.#isLacking = true;
      return;
    }
    this.#mirror.put(row);
    const facts = this.#mirror.facts(row.gameId);
    if (facts !== undefined && typeof fields['is_live'] === 'boolean')
      this.#mirror.putGame({ ...facts, isLive: fields['is_live'] });
  }

  /** Asks for the changes at intervals, and at once if something is lacking. */
  async #check(signal: AbortSignal): Promise<void> {
    const { checkEveryMs = 2_000 } = this.#options;
    let failures = 0;
    let askedMs = 0;
    while (await wait(Math.min(checkEveryMs, TICK_MS), signal)) {
      const nowMs = this.#context.clock.now();
      if (this.#since === undefined || (nowMs - askedMs < checkEveryMs && !this.#isLacking)) continue;
      askedMs = nowMs;
      this.#isLacking = false;
      try {
        await this.#readChanges(this.#since);
        failures = 0;
        this.#heardMs = this.#context.clock.now();
        this.#context.report?.succeeded('changes');
      } catch (error) {
        if (signal.aborted) return;
        this.#context.report?.failed('changes', (error as Error).message);
        const isSilent = this.#context.clock.now() - this.#heardMs >= checkEveryMs + ANSWER_WITHIN_MS;
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
    const before = this.#mirror.touches;
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
      for (const id of own.removed)
        if (other.removed.has(id) || this.#isOfKind(id, isLive)) this.#mirror.remove(id, before);
    this.#since = [ahead.reached, live.reached].sort()[0]!;
  }

  #isOfKind(id: string, isLive: boolean): boolean {
    const row = this.#mirror.row(id);
    return row !== undefined && (this.#mirror.facts(row.gameId)?.isLive ?? false) === isLive;
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
      changes.rows.push(...objectsOf(body['data']));
      for (const id of removedIds(stated('removed'))) changes.removed.add(id);
      // What changes while the pages are read is later than the first of them.
      if (page === 0) changes.reached = textOf(meta['server_time'] ?? body['server_time']) ?? since;
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

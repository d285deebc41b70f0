// Turns what a batch left dirty into one Delta: the changed rows, removals and touches.

import { type FeedIds, feedIds } from '../../base/model/feed-ids.js';
import { type Row, RowChange } from '../../base/model/row.js';
import { depthOfDetails } from '../../base/model/row-details.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import {
  type BookDelta,
  DELTA_VERSION,
  type Delta,
  type DepthDelta,
  type EventDelta,
  type FutureDelta,
  type PollDelta,
  type RowDelta,
  rowDelta,
  type SplitsDelta,
  type StatementDelta,
  type Touch,
} from '../../log/delta/delta.js';
import { NO_NEWS, type PackedNews } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { DEFAULT_STATE, deepLink, linkOfFeed } from '../../rules/catalogue/deep-link.js';
import type { ResultChanges } from './results.js';
import type { ShardState } from './shard-state.js';

export interface BuiltDelta {
  delta: Delta;
  restructured: Set<BookQuotes>;
  /** Row numbers that may be reused once the delta is committed. */
  freed: number[];
}

const NO_RESULTS: ResultChanges = { changed: [], expired: [] };

export class DeltaBuilder {
  readonly #shard: number;
  readonly #catalogue: Catalogue;
  #splits: SplitsDelta[] = [];
  #seenAfter = 0;
  #futures: FutureDelta[] = [];

  constructor(shard: number, catalogue: Catalogue) {
    this.#shard = shard;
    this.#catalogue = catalogue;
  }

  addSplits(splits: SplitsDelta): void {
    this.#splits.push(splits);
  }

  /** Of the current batch. */
  get splits(): readonly SplitsDelta[] {
    return this.#splits;
  }

  addFuture(future: FutureDelta): void {
    this.#futures.push(future);
  }

  reset(): void {
    this.#splits = [];
    this.#futures = [];
  }

  /** Replaces build() if nobody reads deltas: rows end the batch in the same state. Returns the freed numbers. */
  discard(state: ShardState): number[] {
    const freed: number[] = [];
    for (const quotes of state.dirtyBooks) {
      if (quotes.removed !== null)
        for (const row of quotes.removed.values()) {
          freed.push(row.no);
          row.change = RowChange.none;
        }
      for (const row of quotes.rows.values()) row.change = RowChange.none;
    }
    this.reset();
    return freed;
  }

  /**
   * Null if nothing visible to any reader happened. The delta's records are valid until the next build.
   * @param seenAfter rows with a later mark were seen in the batch
   */
  build(
    position: number,
    state: ShardState,
    dropped: readonly EventState[],
    news: PackedNews,
    seenAfter: number,
    results: ResultChanges = NO_RESULTS,
  ): BuiltDelta | null {
    this.#seenAfter = seenAfter;
    const restructured = new Set<BookQuotes>();
    const freed: number[] = [];
    const books: BookDelta[] = [];
    for (const quotes of state.dirtyBooks) {
      const book = this.#buildBook(quotes, position, restructured, freed);
      if (book !== null) books.push(book);
    }
    const depths: DepthDelta[] = [];
    for (const quotes of state.dirtyBooks)
      for (const row of quotes.deepened ?? [])
        if (quotes.rows.get(row.key) === row) depths.push([row.no, depthOfDetails(row.details)]);
    const events: EventDelta[] = [];
    for (const event of state.dirtyEvents) if (event.dirty) events.push(eventDelta(event));
    const statements: StatementDelta[] = [];
    for (const quotes of state.dirtyBooks) if (isRestated(quotes, position)) statements.push(statementDelta(quotes));
    const polls: PollDelta[] = [];
    for (const key of state.dirtyLeaguePolls) polls.push([key, state.leaguePolls.get(key) ?? null]);
    const empty =
      books.length === 0 &&
      events.length === 0 &&
      dropped.length === 0 &&
      // A poll of a whole league that found nothing must be recorded too, so that older polls are recognised.
      state.dirtyLeaguePolls.size === 0 &&
      this.#splits.length === 0 &&
      this.#futures.length === 0 &&
      results.changed.length === 0 &&
      results.expired.length === 0 &&
      news.universes.length === 0 &&
      news.heldUntilNow !== true;
    const delta: Delta = {
      version: DELTA_VERSION,
      position,
      shard: this.#shard,
      events,
      dropped: dropped.map((event) => event.no),
      books,
      ...(depths.length === 0 ? {} : { depths }),
      splits: this.#splits,
      futures: this.#futures,
      ...(results.changed.length === 0 ? {} : { results: results.changed }),
      ...(results.expired.length === 0 ? {} : { expiredResults: results.expired }),
      ...(statements.length === 0 ? {} : { statements }),
      ...(polls.length === 0 ? {} : { polls }),
      ...(restructured.size === 0 ? {} : { rows: state.rowCount }),
      opportunities: news.universes.length === 0 ? NO_NEWS : { records: news.records, universes: news.universes },
    };
    this.#splits = [];
    this.#futures = [];
    return empty ? null : { delta, restructured, freed };
  }

  #buildBook(quotes: BookQuotes, position: number, restructured: Set<BookQuotes>, freed: number[]): BookDelta | null {
    const removed: number[] = [];
    if (quotes.fixedPartsDirty) restructured.add(quotes);
    if (quotes.removed !== null)
      for (const row of quotes.removed.values()) {
        freed.push(row.no);
        restructured.add(quotes);
        // Created and removed within this batch: no reader has ever seen it.
        if (row.change === RowChange.added) continue;
        removed.push(row.no);
        row.change = RowChange.none;
      }
    const rows: RowDelta[] = [];
    for (const row of quotes.rows.values()) {
      if (row.change === RowChange.none) continue;
      if (row.change === RowChange.added) restructured.add(quotes);
      rows.push(
        rowDelta(
          row,
          row.change === RowChange.updated
            ? NOTHING_SHOWN
            : {
                link: rowDeepLink(row, quotes, this.#catalogue),
                ids: rowFeedIds(row, quotes),
              },
        ),
      );
      row.change = RowChange.none;
    }
    const touches = quotes.appliedUs === position ? touchesOf(quotes, this.#seenAfter) : [];
    const polledUs = quotes.appliedUs === position ? quotes.polledUs : 0;
    if (touches.length === 0 && removed.length === 0 && rows.length === 0 && polledUs === 0) return null;
    return [quotes.event.no, quotes.book, polledUs, touches, removed, rows];
  }
}

/** A poll states liveness and status anew, unless it is of something else. */
function isRestated({ restated, appliedUs, statedMs, polledUs }: BookQuotes, position: number): boolean {
  return restated || (appliedUs === position && statedMs !== polledUs / 1000);
}

function statementDelta(quotes: BookQuotes): StatementDelta {
  const { event, book, bookNo, externalId, startMs, live, status, statedMs, swapped, state } = quotes;
  return [event.no, book, bookNo, externalId, startMs, live, status, statedMs, swapped, state];
}

const NOTHING_SHOWN = { link: null, ids: null };

/** The book's own link if its feed states one, else one made from the catalogue's template. */
export function rowDeepLink(row: Row, quotes: BookQuotes, catalogue: Catalogue): string | null {
  const book = catalogue.book(quotes.book);
  if (row.deepLink !== null) return linkOfFeed(book, row.deepLink);
  if (book === undefined) return null;
  const link = deepLink(book, {
    state: DEFAULT_STATE,
    eventExternalId: quotes.externalId,
    outcomeExternalId: row.externalId,
  });
  return link?.url ?? null;
}

export function rowFeedIds({ marketId, externalId }: Row, quotes: BookQuotes): FeedIds | null {
  return feedIds(quotes.externalId, marketId, externalId);
}

/** The event's ids at its books. */
export function externalIdsOf({ books }: Pick<EventState, 'books'>): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const { book, externalId } of books.values()) if (externalId !== null) ids[book] = externalId;
  return ids;
}

export function eventDelta(event: EventState): EventDelta {
  const externalIds = externalIdsOf(event);
  return {
    no: event.no,
    id: event.id,
    league: event.league,
    sport: event.sport,
    homeToken: event.homeToken,
    awayToken: event.awayToken,
    home: event.home,
    away: event.away,
    startMs: event.startMs,
    status: event.status,
    live: event.live,
    state: event.state,
    ...(event.stateBooks === undefined ? {} : { stateBooks: event.stateBooks }),
    externalIds,
    ...(event.draws === undefined ? {} : { draws: event.draws }),
    ...(event.namesakes === undefined ? {} : { namesakes: event.namesakes }),
    ...(event.liveSince === undefined ? {} : { liveSince: event.liveSince }),
    ...(event.calledOffMs === undefined ? {} : { calledOffMs: event.calledOffMs }),
  };
}

/** Last-seen times that moved without any other change: one entry for the whole book if all rows agree. */
function touchesOf({ rows }: BookQuotes, seenAfter: number): Touch[] {
  if (rows.size === 0) return [];
  let common = -1;
  for (const row of rows.values()) {
    if (common === -1) common = row.seenMs;
    else if (common !== row.seenMs) {
      common = -2;
      break;
    }
  }
  if (common >= 0) return [[common, null]];
  const touches = new Map<number, Touch>();
  let last: Touch | undefined;
  for (const row of rows.values()) {
    if (row.lastSeenSerial <= seenAfter) continue;
    // Rows of a market are adjacent and were seen together.
    if (last?.[0] !== row.seenMs) {
      last = touches.get(row.seenMs) ?? [row.seenMs, []];
      touches.set(row.seenMs, last);
    }
    last[1]!.push(row.no);
  }
  return [...touches.values()];
}

// Brings a shard's state to where another process's delta has it, in place of the messages that the delta came of. What
// it leaves dirty is committed as after messages.

import { detachedText } from '../../base/memory/detached-text.js';
import { rowKey } from '../../base/model/identity.js';
import { type Row, RowChange } from '../../base/model/row.js';
import { depthOfDetails, detachedDetails, sameFixedDetails, withDepth } from '../../base/model/row-details.js';
import { ShardRow } from '../../base/model/shard-row.js';
import { type BookQuotes, type EventState, newEventState, newQuotes } from '../../base/model/state.js';
import {
  type BookDelta,
  type Delta,
  type EventDelta,
  originIn,
  type ReadRow,
  type RowDelta,
  RowDeltaReader,
  type StatementDelta,
} from '../../log/delta/delta.js';
import { sameGameState } from './liveness.js';
import type { Results } from './results.js';
import { forget, type ShardState } from './shard-state.js';

/** What a delta did, beside what is dirty in the state. */
export interface Folded {
  dropped: EventState[];
  /** Books whose set of rows or fixed parts changed. */
  restructured: Set<BookQuotes>;
  /** Events whose start, status or liveness changed, and those of whose state nothing else did. */
  moved: EventState[];
  scored: EventState[];
}

export class DeltaFold {
  readonly #state: ShardState;
  readonly #results: Results;
  /** By number. */
  readonly #events = new Map<number, EventState>();
  readonly #rows: (Row | undefined)[] = [];

  /** Of a state that only deltas change from now on. */
  constructor(state: ShardState, results: Results) {
    this.#state = state;
    this.#results = results;
    for (const event of state.events.values()) {
      this.#events.set(event.no, event);
      for (const { rows } of event.books.values()) for (const row of rows.values()) this.#rows[row.no] = row;
    }
  }

  /** Throws if the delta does not follow the state. */
  apply(delta: Delta): Folded {
    const { position } = delta;
    const state = this.#state;
    const folded: Folded = { dropped: [], restructured: new Set(), moved: [], scored: [] };
    for (const event of delta.events) this.#event(event, position, folded);
    const stated = new Set<BookQuotes>();
    for (const statement of delta.statements ?? []) stated.add(this.#statement(statement));
    // Of the whole delta first: a number freed by one book may be another's new row.
    for (const book of delta.books) this.#remove(book, folded);
    const reader = new RowDeltaReader(position);
    for (const book of delta.books) this.#book(book, position, reader, stated, folded);
    for (const [no, depth] of delta.depths ?? []) {
      const row = this.#row(no);
      row.details = withDepth(row.details, detachedText(depth));
    }
    this.#results.fold(delta.results ?? [], delta.expiredResults ?? [], state);
    for (const event of state.dirtyEvents) {
      event.told = this.#results.endOf(event.id);
      // When time alone changes it is computed once this shard goes on by itself.
      event.deadlineMs = 0;
    }
    for (const quotes of state.dirtyBooks) if (quotes.fixedPartsDirty) folded.restructured.add(quotes);
    for (const no of delta.dropped) this.#drop(no, folded);
    for (const [key, us] of delta.polls ?? []) {
      if (us === null) state.leaguePolls.delete(key);
      else state.leaguePolls.set(key, us);
      state.dirtyLeaguePolls.add(key);
    }
    for (const entry of delta.futures) state.futures.take(entry);
    if (delta.rows !== undefined && delta.rows !== state.rowCount)
      throw new Error(`the shard has ${state.rowCount} rows where the delta's has ${delta.rows}`);
    return folded;
  }

  #event(fields: EventDelta, position: number, { moved, scored }: Folded): void {
    const state = this.#state;
    let event = this.#events.get(fields.no);
    if (event === undefined) {
      event = newEventState(fields, position);
      this.#events.set(event.no, event);
      state.events.add(event);
      state.names.countGame(event, 1);
      state.nextEventNo = Math.max(state.nextEventNo, event.no + 1);
    }
    const { startMs, status, live, calledOffMs, stateBooks, draws, namesakes, liveSince } = fields;
    const same =
      startMs === event.startMs &&
      status === event.status &&
      live === event.live &&
      calledOffMs === event.calledOffMs &&
      draws?.length === event.draws?.length;
    if (!same) moved.push(event);
    else if (!sameGameState(event.state, fields.state)) scored.push(event);
    event.startMs = startMs;
    event.status = status;
    event.live = live;
    event.state = fields.state;
    event.calledOffMs = calledOffMs;
    if (stateBooks !== undefined) event.stateBooks = stateBooks;
    if (draws !== undefined) event.draws = draws;
    if (namesakes !== undefined) event.namesakes = namesakes;
    if (liveSince !== undefined) event.liveSince = liveSince;
    event.dirty = true;
    state.dirtyEvents.add(event);
  }

  #statement([no, book, bookNo, externalId, startMs, live, status, statedMs, swapped, stated]: StatementDelta) {
    const state = this.#state;
    const event = this.#eventOf(no);
    let quotes = event.books.get(book);
    if (quotes === undefined) {
      state.books.note(bookNo, book);
      state.books.addGame(bookNo);
      quotes = newQuotes(event, book, bookNo);
      event.books.set(book, quotes);
    }
    if (externalId !== quotes.externalId) {
      if (quotes.externalId !== null) state.events.unlinkExternal(event, book, quotes.externalId);
      if (externalId !== null) state.events.linkExternal(event, book, externalId);
      quotes.externalId = externalId;
      quotes.fixedPartsDirty = true;
    }
    quotes.startMs = startMs;
    quotes.live = live;
    quotes.status = status;
    quotes.statedMs = statedMs;
    quotes.swapped = swapped;
    quotes.state = stated;
    state.dirtyBooks.add(quotes);
    state.dirtyEvents.add(event);
    return quotes;
  }

  #remove([eventNo, book, , , removed]: BookDelta, { restructured }: Folded): void {
    if (removed.length === 0) return;
    const quotes = this.#quotesOf(eventNo, book);
    quotes.removed ??= new Map();
    for (const no of removed) {
      const row = this.#row(no);
      this.#rows[no] = undefined;
      quotes.rows.delete(row.key);
      quotes.removed.set(row.key, row);
      this.#state.names.countRow(row, -1);
      this.#state.rowCount--;
    }
    restructured.add(quotes);
    this.#state.dirtyBooks.add(quotes);
  }

  #book(
    [eventNo, book, polledUs, touches, , rows]: BookDelta,
    position: number,
    reader: RowDeltaReader,
    stated: ReadonlySet<BookQuotes>,
    { restructured }: Folded,
  ): void {
    const quotes = this.#quotesOf(eventNo, book);
    this.#state.dirtyBooks.add(quotes);
    if (polledUs > 0) {
      quotes.polledUs = polledUs;
      quotes.appliedUs = position;
      if (!stated.has(quotes)) quotes.statedMs = polledUs / 1000;
    }
    for (const row of rows) {
      const read = reader.read(row);
      if (read.identity === null) this.#changeRow(row, read, quotes);
      else this.#addRow(row, read, quotes);
      if (read.identity !== null) restructured.add(quotes);
    }
    for (const [seenMs, seen] of touches)
      if (seen === null) for (const row of quotes.rows.values()) row.seenMs = seenMs;
      else for (const no of seen) this.#row(no).seenMs = seenMs;
  }

  #addRow(delta: RowDelta, { identity, rest, ...numbers }: ReadRow, quotes: BookQuotes): void {
    const { texts, names } = this.#state;
    const { id, market, selection, selectionType, player, stat, team, alternate } = identity!;
    const { details, ids } = rest!;
    const { deepLink, key = rowKey({ ...identity!, line: numbers.line }) } = originIn(delta);
    const origin = {
      key: texts.intern(key),
      deepLink: detachedText(deepLink),
      externalId: detachedText(ids?.selection ?? null),
      marketId: ids?.market == null ? null : texts.intern(ids.market),
    };
    const known = {
      id,
      market: texts.intern(market),
      selection: texts.intern(selection),
      selectionType: texts.intern(selectionType),
      player: player === null ? null : texts.intern(player),
      stat: stat === null ? null : texts.intern(stat),
      team,
      alternate,
    };
    const row = new ShardRow(this.#state.numbers, known, numbers, origin, detachedDetails(details));
    row.change = RowChange.added;
    this.#rows[row.no] = row;
    quotes.rows.set(row.key, row);
    this.#state.rowCount++;
    names.countRow(row, 1);
  }

  #changeRow(delta: RowDelta, read: ReadRow, quotes: BookQuotes): void {
    const row = this.#row(read.no);
    row.american = read.american;
    row.decimal = read.decimal;
    row.line = read.line;
    row.seenMs = read.seenMs;
    row.changedUs = read.changedUs;
    row.activity = read.activity;
    row.updatedPosition = read.updatedPosition;
    row.change = read.change;
    if (read.rest === null) return;
    const { ids } = read.rest;
    const { deepLink } = originIn(delta);
    const externalId = ids?.selection ?? null;
    const marketId = ids?.market ?? null;
    const details = withDepth(read.rest.details, depthOfDetails(row.details));
    if (
      row.deepLink !== deepLink ||
      row.externalId !== externalId ||
      row.marketId !== marketId ||
      !sameFixedDetails(row.details, details)
    )
      quotes.fixedPartsDirty = true;
    row.deepLink = detachedText(deepLink);
    row.externalId = detachedText(externalId);
    row.marketId = marketId === null ? null : this.#state.texts.intern(marketId);
    row.details = detachedDetails(details);
  }

  #drop(no: number, { dropped }: Folded): void {
    const event = this.#eventOf(no);
    dropped.push(event);
    this.#events.delete(no);
    forget(this.#state, event);
  }

  #eventOf(no: number): EventState {
    return this.#events.get(no) ?? missing('event', no);
  }

  #quotesOf(eventNo: number, book: string): BookQuotes {
    return this.#eventOf(eventNo).books.get(book) ?? missing(`${book} at event`, eventNo);
  }

  #row(no: number): Row {
    return this.#rows[no] ?? missing('row', no);
  }
}

function missing(what: string, no: number): never {
  throw new Error(`a delta changes ${what} ${no}, which is not in the shard`);
}

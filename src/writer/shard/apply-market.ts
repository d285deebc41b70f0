// Applies the quotes of one sighting to the rows of its book and event: rows are created, changed, suspended or
// reopened, or removed where it says so; apply.ts removes those that are no longer named.

import { detachedText } from '../../base/memory/detached-text.js';
import { INDICATIVE, MODEL, packActivity, packedPrevious } from '../../base/model/activity.js';
import { hasKey, type OddsKey, oddsId, ROW_TWICE, rowKey } from '../../base/model/identity.js';
import type { BatchReceipt, NormalMarket, NormalQuote } from '../../base/model/normal-message.js';
import { markRow, type Row, RowChange } from '../../base/model/row.js';
import {
  depthOfDetails,
  detailsOf,
  sameFixedDetails,
  statedDepth,
  statesDetails,
} from '../../base/model/row-details.js';
import { ShardRow } from '../../base/model/shard-row.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import { noteDraw } from '../../detection/draws.js';
import { addRejection } from '../../intake/ingest/fields.js';
import { mayHaveSuffix, playerKey } from '../../rules/catalogue/player-name.js';
import type { ApplyContext } from './shard-state.js';

/** The quotes of one sighting while they are applied. */
export interface ApplyState {
  readonly quotes: BookQuotes;
  /** For markets that do not state when they were seen (Unix ms). */
  readonly seenMs: number;
  readonly path: string;
  readonly serial: number;
  readonly context: ApplyContext;
  readonly receipt: BatchReceipt;
  /** Index of the next quote in `quotes.order`. */
  place: number;
}

export function applyMarket(market: NormalMarket, state: ApplyState): void {
  const { quotes, serial, receipt } = state;
  const seenMs = market.seenMs ?? state.seenMs;
  const { namesakes } = quotes.event;
  const player = market.player === null ? null : playerKey(market.player, namesakes);
  const { order } = quotes;
  // The row that a name had in the last message may be another man's by now, and is after a restart.
  const asBefore = namesakes === undefined || player === null;
  for (const quote of market.quotes) {
    const { 0: selection, 1: selectionType, 2: line, 4: decimal, 5: alternate, 12: mark } = quote;
    const likely = order[state.place];
    const { type, player: statedPlayer, stat, team } = market;
    const key: OddsKey = { market: type, player: statedPlayer, stat, team, selectionType, selection, alternate, line };
    let row = asBefore && likely !== undefined && hasKey(likely, key) ? quotes.rows.get(likely.key) : undefined;
    if (row === undefined || row !== likely) {
      key.player = player;
      const text = rowKey(key);
      row = quotes.rows.get(text);
      if (row === undefined) {
        if (mark === 'removed') continue;
        // A row removed by this batch returns with the price it had.
        if (decimal === null && quotes.removed?.has(text) !== true) {
          addRejection(receipt.rejected, state.path, `${nameOf(key)}: no price, and none is known`);
          continue;
        }
        const added = addRow(text, market, quote, seenMs, state);
        if (added === undefined) continue;
        order[state.place++] = added;
        receipt.accepted++;
        receipt.changed++;
        continue;
      }
    }
    if (mark === 'removed') {
      removeRow(row, quotes, state.context);
      receipt.removed++;
      continue;
    }
    order[state.place++] = row;
    if (row.lastSeenSerial === serial) {
      addRejection(receipt.rejected, state.path, `${nameOf(key)}: ${ROW_TWICE}`);
    } else {
      receipt.accepted++;
      row.lastSeenSerial = serial;
      row.seenMs = seenMs;
      if (updateRow(row, market, quote, state)) receipt.changed++;
    }
  }
}

export function removeRow(row: Row, quotes: BookQuotes, { state }: ApplyContext): void {
  quotes.rows.delete(row.key);
  quotes.removed ??= new Map();
  quotes.removed.set(row.key, row);
  state.rowCount--;
  state.names.countRow(row, -1);
  state.dirtyBooks.add(quotes);
}

function nameOf({ market, selectionType, line }: OddsKey): string {
  return `${market} ${selectionType}${line === null ? '' : ` ${line}`}`;
}

/**
 * Rows of the event (of one market of it) that the message does not name: unchanged, except that they are suspended.
 */
export function suspendUnlisted(
  { quotes, seenMs, serial, context, receipt }: ApplyState,
  of: NormalMarket | null,
): void {
  const { namesakes } = quotes.event;
  const player = of === null || of.player === null ? null : playerKey(of.player, namesakes);
  for (const row of quotes.rows.values()) {
    if (row.lastSeenSerial === serial) continue;
    if (of !== null) {
      if (row.market !== of.type || row.team !== of.team) continue;
      // A list that names no statistic covers all of the player's: a closed market must not stay open because it is
      // missing.
      if (of.stat !== null && row.stat !== null && row.stat !== of.stat) continue;
      if ((row.player === null ? null : playerKey(row.player, namesakes)) !== player) continue;
    }
    row.lastSeenSerial = serial;
    row.seenMs = of?.seenMs ?? seenMs;
    if (setActive(row, false, context.position)) receipt.changed++;
  }
}

function setActive(row: Row, active: boolean, position: number): boolean {
  if (row.active === active) return false;
  row.active = active;
  row.changedUs = position;
  markRow(row, RowChange.updated, position);
  return true;
}

function updateRow(row: Row, market: NormalMarket, quote: NormalQuote, { quotes, context }: ApplyState): boolean {
  const { position } = context;
  const { 2: line, 3: american, 4: decimal, 6: deepLink, 7: externalId, 9: active } = quote;
  const marketId = marketIdOf(market, quote);
  let changed = setActive(row, market.active && active, position);
  const mark = markOf(quote);
  if (mark !== markIn(row)) {
    row.previous = mark;
    row.changedUs = position;
    markRow(row, RowChange.restated, position);
    changed = true;
  }
  // Without a price the row keeps its price and line.
  if (decimal !== null && (row.decimal !== decimal || row.american !== american || row.line !== line)) {
    if (mark === null) row.previous = row.american;
    row.pregame = false;
    if (mayTurnLive(quotes, position)) noteMoved(row, quotes);
    row.line = line;
    row.american = american!;
    row.decimal = decimal;
    row.changedUs = position;
    markRow(row, RowChange.updated, position);
    changed = true;
  }
  const deepened = statedDepth(quote) !== depthOfDetails(row.details);
  if (deepened) {
    noteDepth(row, quotes);
    changed = true;
  }
  // Deep links depend on the external id.
  const isLinkedElsewhere = row.deepLink !== deepLink || row.externalId !== externalId || row.marketId !== marketId;
  if (isLinkedElsewhere || !statesDetails(market, quote, row.details)) {
    const details = detailsOf(market, quote);
    if (isLinkedElsewhere || !sameFixedDetails(row.details, details)) quotes.fixedPartsDirty = true;
    row.deepLink = detachedText(deepLink);
    row.externalId = detachedText(externalId);
    row.marketId = marketId === null ? null : context.state.texts.intern(marketId);
    row.details = details;
    markRow(row, RowChange.restated, position);
    changed = true;
  } else if (deepened) row.details = detailsOf(market, quote);
  return changed;
}

/** What stands in place of a previous price where nothing is on offer. */
function markOf({ 12: mark }: NormalQuote): number | null {
  if (mark === undefined) return null;
  return mark === 'model' ? MODEL : INDICATIVE;
}

function markIn({ activity }: Row): number | null {
  const previous = activity === 0 ? null : packedPrevious(activity);
  return previous === INDICATIVE || previous === MODEL ? previous : null;
}

function marketIdOf(market: NormalMarket, { 11: own }: NormalQuote): string | null {
  return own ?? market.id ?? null;
}

/** The event may become live once all of the batch is applied: by its book's word, or at a start that has passed. */
function mayTurnLive({ event, live, status, startMs }: BookQuotes, position: number): boolean {
  return (
    !event.live && ((live ?? status === 'live') || Math.min(event.startMs, startMs ?? event.startMs) * 1000 <= position)
  );
}

/** That its price is not from before the game. */
function noteMoved(row: Row, quotes: BookQuotes): void {
  quotes.movedLive ??= new Set();
  quotes.movedLive.add(row);
}

/** A change of depth alone is none of the row: only those who ask for depth receive it. */
function noteDepth(row: Row, quotes: BookQuotes): void {
  quotes.deepened ??= new Set();
  quotes.deepened.add(row);
}

/** Undefined if its names are refused. */
function addRow(
  key: string,
  market: NormalMarket,
  quote: NormalQuote,
  seenMs: number,
  applied: ApplyState,
): Row | undefined {
  const { quotes, serial, context } = applied;
  const { position, state } = context;
  const { event } = quotes;
  const { 0: selection, 1: selectionType, 2: line, 3: american, 4: decimal, 5: alternate } = quote;
  const named = { market: market.type, selection, selectionType, player: market.player };
  const refusal = state.names.rowRefusal(named);
  if (refusal !== undefined) {
    addRejection(applied.receipt.rejected, applied.path, refusal);
    return undefined;
  }
  const back = quotes.removed?.get(key);
  if (back !== undefined) {
    quotes.removed!.delete(key);
    // At another index than before.
    quotes.fixedPartsDirty = true;
    quotes.rows.set(key, back);
    back.lastSeenSerial = serial;
    back.seenMs = seenMs;
    updateRow(back, market, quote, applied);
    state.rowCount++;
    state.names.countRow(back, 1);
    return back;
  }
  context.room--;
  const { texts } = state;
  const { 6: deepLink, 7: externalId, 9: active } = quote;
  const identity = {
    id: oddsId(quotes.book, event.id, key),
    market: texts.intern(market.type),
    selection: texts.intern(selectionName(selectionType, selection, event, market)),
    selectionType: texts.intern(selectionType),
    player: market.player === null ? null : texts.intern(market.player),
    stat: market.stat === null ? null : texts.intern(market.stat),
    team: market.team,
    alternate,
  };
  const numbers = {
    no: state.allocateRowNo(),
    line,
    american: american!,
    decimal: decimal!,
    activity: packActivity(market.active && active, markOf(quote)),
    seenMs,
    changedUs: position,
    createdPosition: position,
    updatedPosition: position,
  };
  const marketId = marketIdOf(market, quote);
  const origin = {
    key: texts.intern(key),
    deepLink: detachedText(deepLink),
    externalId: detachedText(externalId),
    marketId: marketId === null ? null : texts.intern(marketId),
  };
  const row = new ShardRow(state.numbers, identity, numbers, origin, detailsOf(market, quote));
  row.lastSeenSerial = serial;
  row.change = RowChange.added;
  if (statedDepth(quote) !== null) noteDepth(row, quotes);
  quotes.rows.set(row.key, row);
  state.rowCount++;
  state.names.countRow(row, 1);
  if (noteDraw(event, quotes.book, row, context.catalogue.types)) {
    event.dirty = true;
    state.dirtyEvents.add(event);
  }
  return row;
}

/** What has the key of another man by now goes to its own: his price would take its place. */
export function separateNamesakes(quotes: BookQuotes, context: ApplyContext): void {
  const { book, event } = quotes;
  const { position, state } = context;
  for (const row of [...quotes.rows.values(), ...(quotes.removed?.values() ?? [])]) {
    const { market, selection, selectionType, player, stat, team, alternate, line } = row;
    if (player === null || !mayHaveSuffix(player)) continue;
    const named = { market, selection, selectionType, stat, team, alternate, line };
    const key = rowKey({ ...named, player: playerKey(player, event.namesakes) });
    if (key === row.key) continue;
    const isOn = quotes.rows.get(row.key) === row;
    if (isOn) removeRow(row, quotes, context);
    // Not by its key: the row that has it next is no return of this one.
    if (quotes.removed!.get(row.key) === row) quotes.removed!.delete(row.key);
    quotes.removed!.set(`moved ${row.no}`, row);
    // Data of 0.3.0 may have both.
    if (!isOn || quotes.rows.has(key)) continue;
    const { american, decimal, activity, seenMs, changedUs, deepLink, externalId, marketId, details } = row;
    const moved = new ShardRow(
      state.numbers,
      { ...named, id: oddsId(book, event.id, key), player },
      {
        ...{ no: state.allocateRowNo(), line, american, decimal, activity, seenMs, changedUs },
        createdPosition: position,
        updatedPosition: position,
      },
      { key: state.texts.intern(key), deepLink, externalId, marketId },
      details,
    );
    moved.lastSeenSerial = row.lastSeenSerial;
    moved.change = RowChange.added;
    if (depthOfDetails(details) !== null) noteDepth(moved, quotes);
    quotes.fixedPartsDirty = true;
    quotes.rows.set(moved.key, moved);
    state.rowCount++;
    state.names.countRow(moved, 1);
  }
}

/** Home and away have the event's own team names, whatever the book calls them. */
function selectionName(type: string, name: string, event: EventState, market: NormalMarket): string {
  if (market.player === null) {
    if (type === 'home') return event.home;
    if (type === 'away') return event.away;
    if (type === 'draw') return 'Draw';
  }
  if (type === 'over') return 'Over';
  if (type === 'under') return 'Under';
  return name;
}

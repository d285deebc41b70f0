// All that a shard's memory has of its leagues, for comparison.
import type { Row } from '../../../src/base/model/row.js';
import type { BookQuotes, EventState } from '../../../src/base/model/state.js';
import type { Rig } from './rig.js';

/** Without what is found again, or of a batch alone; a missing field of a game state equals null. */
export function stateOf({ writer: { state } }: Rig): object {
  const { events, leaguePolls, books, nextEventNo, rowCount } = state!;
  return {
    events: [...events.values()].sort((a, b) => a.no - b.no).map(eventOf),
    leaguePolls: new Map([...leaguePolls].sort()),
    books: books.names,
    nextEventNo,
    rowCount,
  };
}

function eventOf({ books, deadlineMs: _deadline, dirty: _dirty, dropping: _dropping, state, ...event }: EventState) {
  return {
    ...event,
    // Absent and empty say the same.
    stateBooks: event.stateBooks ?? [],
    liveSince: event.liveSince ?? {},
    draws: event.draws ?? [],
    namesakes: event.namesakes ?? [],
    calledOffMs: event.calledOffMs,
    state: stated(state),
    books: [...books.values()].sort((a, b) => a.bookNo - b.bookNo).map(quotesOf),
  };
}

function quotesOf(quotes: BookQuotes) {
  const { book, bookNo, polledUs, appliedUs, externalId, startMs, live, status, statedMs, swapped, state, rows } =
    quotes;
  return {
    ...{ book, bookNo, polledUs, appliedUs, externalId, startMs, live, status, statedMs, swapped },
    state: stated(state),
    rows: [...rows.values()].sort((a, b) => a.no - b.no).map(rowOf),
  };
}

function rowOf(row: Row) {
  const { no, id, market, selection, selectionType, player, stat, team, alternate } = row;
  const { american, decimal, line, activity, seenMs, changedUs, createdPosition, updatedPosition } = row;
  const { key, deepLink, externalId, marketId, details } = row;
  const { exchange } = details;
  return {
    ...{ no, id, market, selection, selectionType, player, stat, team, alternate },
    ...{ american, decimal, line, activity, seenMs, changedUs, createdPosition, updatedPosition },
    ...{ key, deepLink, externalId, marketId },
    ...details,
    exchange: exchange && Array.from({ length: 6 }, (_, i) => exchange[i] ?? null),
  };
}

function stated(state: object | null): object | null {
  return state && Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null));
}

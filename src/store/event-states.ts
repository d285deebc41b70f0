// A shard's table as its events' states: where the change log does not reach back.

import { RowChange } from '../base/model/row.js';
import { type EventDelta, rowDelta } from '../log/delta/delta.js';
import type { EventPart } from '../log/delta/event-part.js';
import type { ShardEnv } from './shard-env.js';
import { readLogTail, readTable } from './shard-reader.js';

/** Visits each event with the state of its rows, one after the other; returns the position it is as of. */
export function readEventStates(env: ShardEnv, visit: (event: EventDelta, state: EventPart) => void): number {
  const waiting = new Map<number, EventDelta>();
  let event: EventDelta | undefined;
  let books: EventPart['books'] = [];
  const tell = (): void => {
    if (event !== undefined) visit(event, { event, dropped: false, books });
    books = [];
    event = undefined;
  };
  const position = readTable(
    env,
    {
      event: (one) => void waiting.set(one.no, one),
      book: (eventNo, book) => {
        if (event?.no !== eventNo) {
          tell();
          event = waiting.get(eventNo);
          waiting.delete(eventNo);
        }
        books.push([book, [], []]);
      },
      row: (fixed, numbers) => {
        if (event === undefined) return;
        const { no, id, market, selection, selectionType, player, stat, team, alternate, details } = fixed;
        const { american, decimal, line, changedUs, createdPosition, activity } = numbers;
        // Field by field: an object that is spread from two others takes several times as long.
        const row = {
          no,
          change: RowChange.added,
          american,
          decimal,
          line,
          seenMs: 0,
          changedUs,
          activity,
          id,
          market,
          selection,
          selectionType,
          player,
          stat,
          team,
          alternate,
          createdPosition,
          details,
        };
        books.at(-1)![2].push(rowDelta(row, { link: fixed.link, ids: fixed.ids }));
      },
      intern: (text) => text,
    },
    readLogTail(env).numbers,
  );
  tell();
  for (const one of waiting.values()) visit(one, { event: one, dropped: false, books: [] });
  return position;
}

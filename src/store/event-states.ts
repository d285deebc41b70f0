// A shard's table as its events' states: where the change log does not reach back.
import type { EventDelta } from '../delta/delta.js';
import type { EventPart } from '../delta/event-part.js';
import { RowChange } from '../model/row.js';
import { rowDelta } from '../model/row-delta.js';
import { encodeRest } from '../model/row-json.js';
import type { ShardEnv } from './shard-env.js';
import { readTable } from './shard-reader.js';

const NOTHING = new Uint8Array(0);

/** Visits each event with the state of its rows, one after the other; returns the position it is as of. */
export function readEventStates(env: ShardEnv, visit: (event: EventDelta, state: EventPart) => void): number {
  const waiting = new Map<number, EventDelta>();
  let event: EventDelta | undefined;
  let books: EventPart['books'] = [];
  let rests: Buffer[] = [];
  const tell = (): void => {
    if (event !== undefined) visit(event, { event, dropped: false, books, blob: Buffer.concat(rests) });
    books = [];
    rests = [];
    event = undefined;
  };
  const position = readTable(env, {
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
      const rest = Buffer.from(encodeRest(details, event, fixed.link, fixed.ids));
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
      books.at(-1)![2].push(rowDelta(row, { head: 0, price: 0, delta: 0, rest: rest.length }));
      rests.push(rest);
    },
    intern: (text) => text,
  });
  tell();
  for (const one of waiting.values()) visit(one, { event: one, dropped: false, books: [], blob: NOTHING });
  return position;
}

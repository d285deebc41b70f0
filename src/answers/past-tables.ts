// Tables of the past: made of the change log of events, for the same readers as the live one.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BoundedMap } from '../base/memory/bounded-map.js';
import { LIMITS } from '../base/model/limits.js';
import { decodePart, partDelta } from '../log/delta/event-part.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { PastAnswer, PastQuestion } from '../store/history/event-log.js';
import { OddsTable } from '../tables/table.js';

/** The table of one instant, with the events that were asked for. */
export interface PastTable {
  table: OddsTable;
  /** Nothing before it is known (Unix µs). */
  sinceUs: number;
  tooMany: boolean;
}

/** Of a question and who answers it; the pages of one answer are of one table. */
export function pastTables(catalogue: Catalogue) {
  const tables = new BoundedMap<string, Promise<PastTable>>(LIMITS.pastTables.max);
  return (question: PastQuestion, past: (question: PastQuestion) => Promise<PastAnswer>): Promise<PastTable> => {
    const key = JSON.stringify(question);
    let table = tables.get(key);
    if (table === undefined) {
      table = past(question).then((answer) => tableOf(catalogue, answer, question.atUs));
      tables.set(key, table);
      table.catch(() => tables.delete(key));
    }
    return table;
  };
}

/** An event at a time: the same thread serves. */
async function tableOf(
  catalogue: Catalogue,
  { sinceUs, events, tooMany }: PastAnswer,
  atUs: number,
): Promise<PastTable> {
  const table = new OddsTable(catalogue);
  // Row numbers are those of the event's time in its shard: each event has a space of its own.
  for (const [shard, parts] of events.entries()) {
    let no = -1;
    for (const { position, bytes } of parts) {
      const part = decodePart(bytes);
      no = part.event?.no ?? no;
      // Its age is not known: it counts as seen then.
      table.apply(partDelta(part, no, { position, shard, seenMs: atUs / 1000 }));
    }
    await nextTurn();
  }
  table.position = atUs;
  return { table, sinceUs, tooMany };
}

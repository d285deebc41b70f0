// Server-sent events: `event:`, `data:` and, if the client's state is complete, `id:` (last, which the format allows).
import { KIND_WORDS, keyedWords } from '../base/model/stream-channels.js';
import type { FrameEncoder } from './frame-encoder.js';
import type { FrameWriter } from './frame-writer.js';

export const sseEncoder: FrameEncoder = {
  name: 'sse',
  packing: null,
  byBook: false,
  sendsEmptyKinds: false,
  completesResume: false,
  snapshot(writer, rows, { slots, total, offset, hasMore }) {
    open(writer, 'snapshot');
    writer.ascii('{"odds":');
    rows.rows(writer, slots);
    writer.ascii(`,"count":${slots.length},"total":${total},"offset":${offset},"has_more":${hasMore}}`);
    close(writer, null);
  },
  complete(writer, { books, rows }, position) {
    open(writer, 'snapshot:complete');
    writer.utf8(JSON.stringify({ status: 'ready', books, total_odds: rows }));
    close(writer, position);
  },
  snapshotRequired(writer, reason) {
    writer.ascii(snapshotRequiredText(reason));
  },
  removed(writer, ids, book, { complete }) {
    open(writer, 'odds:removed');
    writer.ascii(`{"ids":["${ids.join('","')}"],"count":${ids.length},"book":"${book}"}`);
    close(writer, complete);
  },
  added(writer, rows, slots, book, { complete }) {
    open(writer, 'odds:added');
    writer.ascii('{"odds":');
    rows.rows(writer, slots);
    writer.ascii(`,"count":${slots.length},"book":"${book}"}`);
    close(writer, complete);
  },
  updated(writer, rows, slots, book, partial, { complete }) {
    open(writer, 'odds:update');
    writer.ascii('{"odds":');
    rows.deltas(writer, slots);
    writer.ascii(`,"count":${slots.length},"book":"${book}","partial":${partial}}`);
    close(writer, complete);
  },
  locked(writer, rows, slots, book, { complete }) {
    open(writer, 'odds:locked');
    writer.ascii('{"ids":');
    rows.ids(writer, slots);
    writer.ascii(`,"count":${slots.length},"book":"${book}"}`);
    close(writer, complete);
  },
  detected(writer, kind, items, _initial, { complete }) {
    open(writer, `${KIND_WORDS[kind].prefix}:detected`);
    writer.utf8(`[${items.join(',')}]`);
    close(writer, complete);
  },
  expired(writer, kind, ids, timestamp, { complete }) {
    open(writer, `${KIND_WORDS[kind].prefix}:expired`);
    writer.ascii(`{"expired":["${ids.join('","')}"],"timestamp":"${timestamp}"}`);
    close(writer, complete);
  },
  items(writer, name, items, initial, { complete }) {
    const { event, snapshot = event } = keyedWords(name);
    open(writer, initial ? snapshot : event);
    writer.utf8(`{"data":[${items.join(',')}],"count":${items.length}}`);
    close(writer, complete);
  },
  gone(writer, name, ids, { complete }) {
    open(writer, keyedWords(name).removed!);
    writer.utf8(`{"ids":${JSON.stringify(ids)},"count":${ids.length}}`);
    close(writer, complete);
  },
  heartbeat(writer, timestamp, position) {
    open(writer, 'heartbeat');
    writer.ascii(`{"timestamp":"${timestamp}"}`);
    close(writer, position);
  },
};

/** For clients that accept gzip. */
export const sseGzipEncoder: FrameEncoder = { ...sseEncoder, name: 'sse-gzip', packing: { fromClients: 20 } };

/** At an event's end: the client must forget its last id. An empty one makes browsers send none. */
export const CLEARS_ID = '\nid:';

/** Also outside a group's frames. */
export function snapshotRequiredText(reason: string): string {
  return `event: snapshot_required\ndata: ${JSON.stringify({ reason })}${CLEARS_ID}\n\n`;
}

function open(writer: FrameWriter, type: string): void {
  writer.ascii(`event: ${type}\ndata: `);
}

function close(writer: FrameWriter, position: number | null): void {
  writer.ascii(position === null ? '\n\n' : `\nid: evt_${position}\n\n`);
}

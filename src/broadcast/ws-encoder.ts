// WebSocket frames, as JSON text or the same maps in MessagePack. A group's frames are encoded once; `seq`, which is
// each connection's own, comes first in a field of fixed width and is overwritten just before a frame is sent.

import { KIND_WORDS } from '../model/channels.js';
import { encode } from '../wire/codec.js';
import type { FrameEncoder, Standing } from './frame-encoder.js';
import type { FrameWriter } from './frame-writer.js';

const SEQ_DIGITS = 12;
const JSON_OPEN = '{"seq":';
const JSON_SEQ_END = JSON_OPEN.length + SEQ_DIGITS;
/**
 * Key `seq` and the tag of a uint32: an integer to every reader. After 2^32 frames a connection counts from 0 again.
 */
const MSGPACK_SEQ = Buffer.from([0xa3, 0x73, 0x65, 0x71, 0xce, 0, 0, 0, 0]);
const MSGPACK_SEQ_AT = 6;
const HIGHEST_UINT32 = 0xffff_ffff;

export type WsForm = 'json' | 'msgpack';

/** Writes the connection's number into a frame. */
export function patchSeq(form: WsForm, frame: Buffer, seq: number): void {
  if (form === 'msgpack') {
    frame.writeUInt32BE(seq >>> 0, MSGPACK_SEQ_AT);
    return;
  }
  let at = JSON_SEQ_END - 1;
  for (let rest = seq; ; rest = Math.floor(rest / 10)) {
    frame[at--] = 0x30 + (rest % 10);
    if (rest < 10) break;
  }
  // JSON allows blanks before a number; the rest of a longer number must be cleared.
  while (at >= JSON_OPEN.length) frame[at--] = 0x20;
}

/** A frame outside groups (acknowledgements, errors), with its number. */
export function encodeFrame(form: WsForm, seq: number, type: string, fields: object): Buffer {
  const json = `${JSON_OPEN}${' '.repeat(SEQ_DIGITS)},"type":"${type}"`;
  const rest = JSON.stringify(fields).slice(1);
  const text = rest === '}' ? `${json}}` : `${json},${rest}`;
  const frame = form === 'json' ? Buffer.from(text) : transcode({ type, ...fields });
  patchSeq(form, frame, seq);
  return frame;
}

/** A map of at most 14 fields as MessagePack, with room for `seq` in front. Positions become 64-bit integers in it. */
function transcode(fields: Record<string, unknown>): Buffer {
  for (const name in fields) {
    const value = fields[name];
    // The codec writes numbers beyond 32 bits as float64, which readers in typed languages show as 1795000000.0.
    if (typeof value === 'number' && value > HIGHEST_UINT32 && Number.isSafeInteger(value))
      fields[name] = BigInt(value);
  }
  const map = encode(fields);
  // 0x80 + n is a map of n entries.
  return Buffer.concat([Uint8Array.of(map[0]! + 1), MSGPACK_SEQ, map.subarray(1)]);
}

function wsEncoder(form: WsForm): FrameEncoder {
  const open = (writer: FrameWriter, type: string): number => {
    const start = writer.length;
    if (form === 'json') writer.ascii(`${JSON_OPEN}${' '.repeat(SEQ_DIGITS)},"type":"${type}"`);
    else writer.ascii(`{"type":"${type}"`);
    return start;
  };
  const close = (writer: FrameWriter, start: number): void => {
    writer.ascii('}');
    if (form === 'msgpack') writer.raw(transcode(JSON.parse(writer.takeBack(start)) as Record<string, unknown>));
    writer.endFrame();
  };
  const stand = (writer: FrameWriter, { complete, before, replay }: Standing): void =>
    writer.ascii(`,"global_seq":${complete ?? before}${replay ? ',"replay":true' : ''}`);
  return {
    name: `ws-${form}`,
    byBook: true,
    tellsEmptyKinds: true,
    completesResume: true,
    snapshot(writer, rows, { slots, book }) {
      const start = open(writer, 'initial');
      writer.ascii(`,"global_seq":0,"source":"${book ?? ''}","data":`);
      rows.rows(writer, slots);
      writer.ascii(`,"count":${slots.length}`);
      close(writer, start);
    },
    complete(writer, { books, rows, resumed }, position) {
      const start = open(writer, 'snapshot:complete');
      writer.ascii(`,"global_seq":${position},"books":`);
      writer.utf8(JSON.stringify(books));
      writer.ascii(`,"total_odds":${rows},"resumed":${resumed}`);
      close(writer, start);
    },
    snapshotRequired(writer, reason) {
      const start = open(writer, 'snapshot_required');
      writer.ascii(`,"global_seq":0,"reason":"${reason}"`);
      close(writer, start);
    },
    removed(writer, ids, book, standing) {
      const start = open(writer, 'odds:removed');
      stand(writer, standing);
      writer.ascii(`,"source":"${book}","ids":["${ids.join('","')}"],"count":${ids.length}`);
      close(writer, start);
    },
    added(writer, rows, slots, book, standing) {
      const start = open(writer, 'odds:added');
      stand(writer, standing);
      writer.ascii(`,"source":"${book}","data":`);
      rows.rows(writer, slots);
      writer.ascii(`,"count":${slots.length}`);
      close(writer, start);
    },
    updated(writer, rows, slots, book, _partial, standing) {
      const start = open(writer, 'odds:update');
      stand(writer, standing);
      writer.ascii(`,"source":"${book}","data":`);
      rows.deltas(writer, slots);
      writer.ascii(`,"count":${slots.length}`);
      close(writer, start);
    },
    locked(writer, rows, slots, book, standing) {
      const start = open(writer, 'odds:locked');
      stand(writer, standing);
      writer.ascii(`,"source":"${book}","ids":`);
      rows.ids(writer, slots);
      writer.ascii(`,"count":${slots.length},"book":"${book}"`);
      close(writer, start);
    },
    detected(writer, kind, items, initial, standing) {
      const { channel, prefix } = KIND_WORDS[kind];
      const start = open(writer, initial ? 'opportunities_snapshot' : `${prefix}:detected`);
      stand(writer, standing);
      writer.ascii(initial ? `,"${channel}":[` : ',"data":[');
      writer.utf8(items.join(','));
      writer.ascii(`],"count":${items.length}`);
      close(writer, start);
    },
    expired(writer, kind, ids, timestamp, standing) {
      const start = open(writer, `${KIND_WORDS[kind].prefix}:expired`);
      stand(writer, standing);
      writer.ascii(`,"expired":["${ids.join('","')}"],"count":${ids.length},"timestamp":"${timestamp}"`);
      close(writer, start);
    },
    gameStates(writer, items, standing) {
      const start = open(writer, 'gamestate:update');
      stand(writer, standing);
      writer.utf8(`,"data":[${items.join(',')}],"count":${items.length}`);
      close(writer, start);
    },
    heartbeat(writer, timestamp, position) {
      const start = open(writer, 'heartbeat');
      writer.ascii(`,"timestamp":"${timestamp}"${position === null ? '' : `,"global_seq":${position}`}`);
      close(writer, start);
    },
  };
}

export const wsEncoders: Readonly<Record<WsForm, FrameEncoder>> = {
  json: wsEncoder('json'),
  msgpack: wsEncoder('msgpack'),
};

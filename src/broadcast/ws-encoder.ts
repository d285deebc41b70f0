// WebSocket frames, as JSON text or the same maps in MessagePack. A group's frames are encoded once; `seq`, which is
// each connection's own, comes first in a field of fixed width and is overwritten just before a frame is sent.

import type { OpportunityKind } from '../base/model/opportunity.js';
import { type KeyedName, KIND_WORDS, keyedWords } from '../base/model/stream-channels.js';
import { encode } from '../base/wire/codec.js';
import type { Completion, FrameEncoder, FramePosition, SnapshotPart } from './frame-encoder.js';
import { FrameWriter, type RowWriter } from './frame-writer.js';
import { storedPiece } from './packed-chunks.js';

const SEQ_DIGITS = 12;
const JSON_OPEN = '{"seq":';
const JSON_SEQ_END = JSON_OPEN.length + SEQ_DIGITS;
/**
 * Key `seq` and the tag of a uint32: an integer to every reader. After 2^32 frames a connection counts from 0 again.
 */
const MSGPACK_SEQ = Buffer.from([0xa3, 0x73, 0x65, 0x71, 0xce, 0, 0, 0, 0]);
const MSGPACK_SEQ_AT = 6;
const HIGHEST_UINT32 = 0xffff_ffff;

/** Names in subprotocols are these after `overround.`; compressed frames have no number. */
export type WsForm = 'json' | 'msgpack' | 'deflate' | 'msgpack.deflate';

export const isPacked = (form: WsForm): boolean => form === 'deflate' || form === 'msgpack.deflate';
const isText = (form: WsForm): boolean => form === 'json' || form === 'deflate';
export const isBinary = (form: WsForm): boolean => form !== 'json';

/** Writes the connection's number into a frame. */
export function patchSeq(form: WsForm, frame: Buffer, seq: number): void {
  if (isPacked(form)) return;
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

const ownFrames = new FrameWriter();

/** A frame outside groups (acknowledgements, errors), with its number. */
export function encodeFrame(form: WsForm, seq: number, type: string, fields: object): Buffer {
  const writer = ownFrames;
  writer.reset();
  const start = openFrame(writer, form, type);
  const rest = JSON.stringify(fields).slice(1, -1);
  if (rest !== '') writer.utf8(`,${rest}`);
  closeFrame(writer, form, start);
  const frame = writer.copy().bytes;
  patchSeq(form, frame, seq);
  return isPacked(form) ? storedPiece(frame) : frame;
}

/** A map of at most 14 fields as MessagePack, with room for `seq` in front. Positions become 64-bit integers in it. */
function transcode(fields: Record<string, unknown>, numbered: boolean): Buffer {
  for (const name in fields) {
    const value = fields[name];
    // The codec writes numbers beyond 32 bits as float64, which readers in typed languages show as 1795000000.0.
    if (typeof value === 'number' && value > HIGHEST_UINT32 && Number.isSafeInteger(value))
      fields[name] = BigInt(value);
  }
  const map = encode(fields);
  if (!numbered) return map;
  // 0x80 + n is a map of n entries.
  return Buffer.concat([Uint8Array.of(map[0]! + 1), MSGPACK_SEQ, map.subarray(1)]);
}

class WsEncoder implements FrameEncoder {
  readonly name: string;
  readonly byBook = true;
  readonly sendsEmptyKinds = true;
  readonly completesResume = true;
  readonly packing: FrameEncoder['packing'];
  readonly #form: WsForm;

  constructor(form: WsForm) {
    this.name = `ws-${form}`;
    this.packing = isPacked(form) ? { fromClients: 1 } : null;
    this.#form = form;
  }

  snapshot(writer: FrameWriter, rows: RowWriter, { slots, book }: SnapshotPart): void {
    const start = openFrame(writer, this.#form, 'initial');
    writer.ascii(`,"global_seq":0,"source":"${book ?? ''}","data":`);
    rows.rows(writer, slots);
    writer.ascii(`,"count":${slots.length}`);
    closeFrame(writer, this.#form, start);
  }

  complete(writer: FrameWriter, { books, rows, resumed }: Completion, position: number): void {
    const start = openFrame(writer, this.#form, 'snapshot:complete');
    writer.ascii(`,"global_seq":${position},"books":`);
    writer.utf8(JSON.stringify(books));
    writer.ascii(`,"total_odds":${rows},"resumed":${resumed}`);
    closeFrame(writer, this.#form, start);
  }

  snapshotRequired(writer: FrameWriter, reason: string): void {
    const start = openFrame(writer, this.#form, 'snapshot_required');
    writer.ascii(`,"global_seq":0,"reason":"${reason}"`);
    closeFrame(writer, this.#form, start);
  }

  removed(writer: FrameWriter, ids: readonly string[], book: string, at: FramePosition): void {
    const start = openFrame(writer, this.#form, 'odds:removed');
    writePosition(writer, at);
    writer.ascii(`,"source":"${book}","ids":["${ids.join('","')}"],"count":${ids.length}`);
    closeFrame(writer, this.#form, start);
  }

  added(writer: FrameWriter, rows: RowWriter, slots: readonly number[], book: string, at: FramePosition): void {
    const start = openFrame(writer, this.#form, 'odds:added');
    writePosition(writer, at);
    writer.ascii(`,"source":"${book}","data":`);
    rows.rows(writer, slots);
    writer.ascii(`,"count":${slots.length}`);
    closeFrame(writer, this.#form, start);
  }

  updated(
    writer: FrameWriter,
    rows: RowWriter,
    slots: readonly number[],
    book: string,
    _partial: boolean,
    at: FramePosition,
  ): void {
    const start = openFrame(writer, this.#form, 'odds:update');
    writePosition(writer, at);
    writer.ascii(`,"source":"${book}","data":`);
    rows.deltas(writer, slots);
    writer.ascii(`,"count":${slots.length}`);
    closeFrame(writer, this.#form, start);
  }

  locked(writer: FrameWriter, rows: RowWriter, slots: readonly number[], book: string, at: FramePosition): void {
    const start = openFrame(writer, this.#form, 'odds:locked');
    writePosition(writer, at);
    writer.ascii(`,"source":"${book}","ids":`);
    rows.ids(writer, slots);
    writer.ascii(`,"count":${slots.length},"book":"${book}"`);
    closeFrame(writer, this.#form, start);
  }

  detected(
    writer: FrameWriter,
    kind: OpportunityKind,
    items: readonly string[],
    initial: boolean,
    at: FramePosition,
  ): void {
    const { channel, prefix } = KIND_WORDS[kind];
    const start = openFrame(writer, this.#form, initial ? 'opportunities_snapshot' : `${prefix}:detected`);
    writePosition(writer, at);
    writer.ascii(initial ? `,"${channel}":[` : ',"data":[');
    writer.utf8(items.join(','));
    writer.ascii(`],"count":${items.length}`);
    closeFrame(writer, this.#form, start);
  }

  expired(
    writer: FrameWriter,
    kind: OpportunityKind,
    ids: readonly string[],
    timestamp: string,
    at: FramePosition,
  ): void {
    const start = openFrame(writer, this.#form, `${KIND_WORDS[kind].prefix}:expired`);
    writePosition(writer, at);
    writer.ascii(`,"expired":["${ids.join('","')}"],"count":${ids.length},"timestamp":"${timestamp}"`);
    closeFrame(writer, this.#form, start);
  }

  items(writer: FrameWriter, name: KeyedName, items: readonly string[], initial: boolean, at: FramePosition): void {
    const { event, snapshot = event } = keyedWords(name);
    const start = openFrame(writer, this.#form, initial ? snapshot : event);
    writePosition(writer, at);
    writer.utf8(`,"data":[${items.join(',')}],"count":${items.length}`);
    closeFrame(writer, this.#form, start);
  }

  gone(writer: FrameWriter, name: KeyedName, ids: readonly string[], at: FramePosition): void {
    const start = openFrame(writer, this.#form, keyedWords(name).removed!);
    writePosition(writer, at);
    writer.utf8(`,"ids":${JSON.stringify(ids)},"count":${ids.length}`);
    closeFrame(writer, this.#form, start);
  }

  heartbeat(writer: FrameWriter, timestamp: string, position: number | null): void {
    const start = openFrame(writer, this.#form, 'heartbeat');
    writer.ascii(`,"timestamp":"${timestamp}"${position === null ? '' : `,"global_seq":${position}`}`);
    closeFrame(writer, this.#form, start);
  }
}

/** Begins a frame; returns where. */
function openFrame(writer: FrameWriter, form: WsForm, type: string): number {
  const start = writer.length;
  if (form === 'json') writer.ascii(`${JSON_OPEN}${' '.repeat(SEQ_DIGITS)},"type":"${type}"`);
  else writer.ascii(`{"type":"${type}"`);
  return start;
}

/** Frames of one compressed message are lines, or maps one after the other. */
function closeFrame(writer: FrameWriter, form: WsForm, start: number): void {
  writer.ascii(form === 'deflate' ? '}\n' : '}');
  if (!isText(form)) {
    const fields = JSON.parse(writer.takeBack(start)) as Record<string, unknown>;
    writer.raw(transcode(fields, !isPacked(form)));
  }
  writer.endFrame();
}

function writePosition(writer: FrameWriter, { complete, before, replay }: FramePosition): void {
  writer.ascii(`,"global_seq":${complete ?? before}${replay ? ',"replay":true' : ''}`);
}

export const wsEncoders: Readonly<Record<WsForm, FrameEncoder>> = {
  json: new WsEncoder('json'),
  msgpack: new WsEncoder('msgpack'),
  deflate: new WsEncoder('deflate'),
  'msgpack.deflate': new WsEncoder('msgpack.deflate'),
};

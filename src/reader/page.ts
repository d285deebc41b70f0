// Joins encoded rows into one answer. The two times at its end have a fixed width and a fixed place, so that an answer
// kept between two changes is sent again with the time of its sending and nothing else done.
import { formatMs } from '../ingest/time.js';
import type { OddsTable } from '../table/table.js';

/** `"updated_at":"…"}` inside meta and at the end: 24 characters each. */
const TAIL = `,"updated_at":"${'0'.repeat(24)}"},"updated_at":"${'0'.repeat(24)}"}`;
const END_FROM_END = 2 + 24;
const META_FROM_END = END_FROM_END + '},"updated_at":"'.length + 1 + 24;
const COMMA = 0x2c;

export class Answer {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The bytes with both updated_at set; valid until the next call (a send copies them). */
  stamped(nowMs: number): Buffer {
    const text = formatMs(nowMs);
    this.bytes.write(text, this.bytes.length - END_FROM_END, 'latin1');
    this.bytes.write(text, this.bytes.length - META_FROM_END, 'latin1');
    return this.bytes;
  }
}

/** `{"success":true,"data":[rows],"pagination":…,"meta":{…,"updated_at":…},"updated_at":…}`. */
export function answerOfRows(
  table: OddsTable,
  slots: readonly number[],
  pagination: object,
  meta: object,
  extra: object,
): Answer {
  const head = '{"success":true,"data":[';
  const foot = footOf(pagination, meta, extra);
  let length = head.length + Math.max(0, slots.length - 1) + Buffer.byteLength(foot);
  for (const slot of slots) length += table.bytes.length(slot);
  const bytes = Buffer.allocUnsafe(length);
  let at = bytes.write(head, 0, 'latin1');
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) bytes[at++] = COMMA;
    at = table.bytes.copyRow(slots[i]!, bytes, at);
  }
  bytes.write(foot, at);
  return new Answer(bytes);
}

/** The same envelope round items that are not whole rows. */
export function answerOfItems(items: readonly unknown[], pagination: object, meta: object, extra: object): Answer {
  return new Answer(
    Buffer.from(`{"success":true,"data":${JSON.stringify(items)}${footOf(pagination, meta, extra).slice(1)}`),
  );
}

/** One object instead of a list: no pagination. */
export function answerOfObject(data: unknown, meta: object): Answer {
  return new Answer(
    Buffer.from(`{"success":true,"data":${JSON.stringify(data)},"meta":${openObject(meta)}${fixComma(meta)}`),
  );
}

function footOf(pagination: object, meta: object, extra: object): string {
  const more = Object.entries(extra)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
    .join('');
  const page = JSON.stringify(pagination);
  return `],${more}"pagination":${page},"meta":${openObject({ ...meta, pagination })}${TAIL}`;
}

/** JSON of the object without its closing brace. */
function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

/** After an empty object no comma may come before updated_at. */
function fixComma(meta: object): string {
  return Object.keys(meta).length === 0 ? TAIL.slice(1) : TAIL;
}

export interface Pagination {
  limit: number;
  offset: number;
  count: number;
  total: number;
  has_more: boolean;
  next_offset: number | null;
}

export function paginate(limit: number, offset: number, count: number, total: number): Pagination {
  const hasMore = offset + count < total && count > 0;
  return { limit, offset, count, total, has_more: hasMore, next_offset: hasMore ? offset + count : null };
}

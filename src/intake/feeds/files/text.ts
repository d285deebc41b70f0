// Text files as UTF-8, whatever they were saved in: UTF-8 with or without a mark, UTF-16, or Windows' Latin-1.
import { isUtf8 } from 'node:buffer';
import { peek } from './peek.js';

const NEWLINE = 0x0a;
const SNIFFED_BYTES = 256;
const latin1 = new TextDecoder('windows-1252');

/** The same text in UTF-8 without a mark of its byte order. */
export async function* utf8(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const { head, bytes } = await peek(source, SNIFFED_BYTES);
  const wide = utf16Of(head);
  if (wide !== undefined) {
    const decoder = new TextDecoder(wide);
    for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
    return;
  }
  yield* oneByteText(bytes);
}

/** Bytes without the end of a line that are waited for. */
const HELD_BYTES = 1024 * 1024;

/** Where the last letter begins that may be cut. */
function letterBefore(chunk: Buffer): number {
  let at = chunk.length - 1;
  while (at > 0 && at > chunk.length - 4 && (chunk[at]! & 0xc0) === 0x80) at--;
  return (chunk[at]! & 0xc0) === 0xc0 ? at : chunk.length;
}

/** Whole lines at a time, so that no letter of several bytes is cut. */
async function* oneByteText(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer[] = [];
  let held = 0;
  let isFirst = true;
  for await (const chunk of bytes) {
    let end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      held += chunk.length;
      if (held < HELD_BYTES) {
        rest.push(chunk);
        continue;
      }
      end = letterBefore(chunk);
    }
    held = 0;
    const lines = rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)]);
    yield asUtf8(lines, isFirst);
    isFirst = false;
    rest = end === chunk.length ? [] : [chunk.subarray(end)];
  }
  if (rest.length > 0) yield asUtf8(Buffer.concat(rest), isFirst);
}

function asUtf8(lines: Buffer, isFirst: boolean): Buffer {
  const marked = isFirst && lines[0] === 0xef && lines[1] === 0xbb && lines[2] === 0xbf;
  const text = marked ? lines.subarray(3) : lines;
  if (isUtf8(text)) return text;
  // A line of a file that is otherwise UTF-8 may be damaged, or added by another program.
  const fixed: Buffer[] = [];
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf(NEWLINE, start);
    const end = at === -1 ? text.length : at + 1;
    const line = text.subarray(start, end);
    fixed.push(isUtf8(line) ? line : Buffer.from(latin1.decode(line)));
    start = end;
  }
  return Buffer.concat(fixed);
}

function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Without a mark: every second byte of Latin letters is 0.
  const zeros = [0, 0];
  for (let i = 0; i < head.length; i++) if (head[i] === 0) zeros[i % 2]!++;
  const [even, odd] = zeros as [number, number];
  if (odd * 4 > head.length && even === 0) return 'utf-16le';
  if (even * 4 > head.length && odd === 0) return 'utf-16be';
  return undefined;
}

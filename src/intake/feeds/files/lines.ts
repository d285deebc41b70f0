// Lines of text files, and values of JSON files, one in memory at a time.

import { sourcesOf } from './sources.js';

export interface FileLine {
  /** Counted from 1. */
  number: number;
  /** Undefined if the line was longer than allowed; it was skipped without being buffered. */
  text: string | undefined;
}

export interface LineOptions {
  lineBytesMax: number;
  /** Called with the bytes read from the file so far (compressed ones for gzip): progress. */
  onRead?: (bytes: number) => void;
  /** As of a source. */
  onCutShort?: (name: string) => void;
}

const NEWLINE = 0x0a;

/**
 * Reads the lines of all files of a path. Rejects if a file cannot be opened or its compression is damaged in the middle;
 * a file that is cut short (its writer was killed) yields what it has.
 */
export async function* readLines(path: string, options: LineOptions): AsyncGenerator<FileLine, void> {
  for await (const { bytes } of sourcesOf(path, options)) yield* linesOf(bytes, options.lineBytesMax);
}

/** The lines of one file. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<FileLine, void> {
  let number = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      bytes += end - start;
      if (bytes <= bytesMax) parts.push(chunk.subarray(start, end));
      number++;
      yield { number, text: bytes <= bytesMax ? textOf(parts) : undefined };
      parts = [];
      bytes = 0;
      start = end + 1;
    }
    bytes += chunk.length - start;
    if (bytes > bytesMax) parts = [];
    else if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (bytes > 0) yield { number: number + 1, text: bytes <= bytesMax ? textOf(parts) : undefined };
}

function textOf(parts: Buffer[]): string {
  const text = parts.length === 1 ? parts[0]!.toString('utf8') : Buffer.concat(parts).toString('utf8');
  return text.replace(/^\ufeff/, '').trim();
}

// The values of a JSON file, one in memory at a time: one a line, one after the other, or the elements of one array;
// written in one line or indented.

interface JsonText {
  /** The line on which it begins, from 1. */
  line: number;
  /** Undefined if the value was longer than allowed; it was skipped without being buffered. */
  text: string | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const BRACKET = 0x5b;

/** Objects and arrays alone: other values have no meaning here. The elements of an outermost array are values. */
export async function* jsonValues(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<JsonText, void> {
  let line = 1;
  let depth = 0;
  /** 1 within an array that holds the values. */
  let outside = 0;
  let inText = false;
  let escaped = false;
  let parts: Buffer[] = [];
  let bytes = 0;
  let beganAt = 1;
  for await (const chunk of chunks) {
    let start = depth > outside ? 0 : -1;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (inText) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
        if (byte === NEWLINE) line++;
        continue;
      }
      if (byte === NEWLINE) line++;
      else if (byte === QUOTE) inText = depth > outside;
      else if (OPEN.has(byte)) {
        if (depth === 0 && outside === 0 && byte === BRACKET) {
          outside = 1;
          depth = 1;
          continue;
        }
        if (depth++ === outside) {
          start = i;
          beganAt = line;
        }
      } else if (CLOSE.has(byte) && depth > 0) {
        depth--;
        if (depth < outside) outside = 0;
        else if (depth === outside) {
          bytes += i + 1 - start;
          if (bytes <= bytesMax) parts.push(chunk.subarray(start, i + 1));
          yield { line: beganAt, text: bytes <= bytesMax ? Buffer.concat(parts).toString() : undefined };
          parts = [];
          bytes = 0;
          start = -1;
        }
      }
    }
    if (start >= 0) {
      bytes += chunk.length - start;
      if (bytes > bytesMax) parts = [];
      else parts.push(chunk.subarray(start));
    }
  }
  // What ends in the middle: its writer was killed.
  if (bytes > 0) yield { line: beganAt, text: undefined };
}

// Lines of text files, one in memory at a time.
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

// Lines of a file, plain or gzip (detected by its first bytes, not its name), one in memory at a time.
import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';

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
}

const NEWLINE = 0x0a;
/** Each chunk is a round trip to a thread. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads the lines. Rejects if the file cannot be opened or its compression is damaged in the middle; a file that is cut
 * short (its writer was killed) yields what it has.
 */
export async function* readLines(path: string, options: LineOptions): AsyncIterable<FileLine> {
  const { file, bytes } = await openBytes(path);
  try {
    yield* splitLines(bytes, options.lineBytesMax, () => options.onRead?.(file.bytesRead));
  } finally {
    file.destroy();
    bytes.destroy();
  }
}

/** A file and what it contains, unpacked. */
export async function openBytes(path: string): Promise<{ file: ReadStream; bytes: Readable }> {
  const gzip = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const bytes = gzip ? file.pipe(createGunzip({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH })) : file;
  // pipe() does not pass an error of the file on to the reader of the pipe's end.
  if (bytes !== file) file.on('error', (error) => bytes.destroy(error));
  return { file, bytes };
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(2);
    await file.read(head, 0, 2, 0);
    return head[0] === 0x1f && head[1] === 0x8b;
  } finally {
    await file.close();
  }
}

async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
  onChunk: () => void,
): AsyncIterable<FileLine> {
  let number = 0;
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    onChunk();
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

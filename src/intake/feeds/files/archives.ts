// Archives and compressed files as streams: what each package is given and gives back, one entry at a time.
import { Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import { Unzip, UnzipInflate } from 'fflate';
import { extract } from 'tar-stream';
import unbzip2 from 'unbzip2-stream';
import { LIMITS } from '../../../base/model/limits.js';

/** A file in an archive. Its bytes are gone once the next entry is asked for. */
export interface Entry {
  name: string;
  bytes: AsyncIterable<Buffer>;
}

/** What zlib says of an end before that of what is packed. */
const ENDS_EARLY = 'Z_BUF_ERROR';

/** A file that is cut short (its writer was killed) yields what it has, after `onCutShort`. */
export function gunzip(bytes: AsyncIterable<Buffer>, chunkSize: number, onCutShort: () => void): AsyncIterable<Buffer> {
  const source = Readable.from(bytes);
  const unpacked = createGunzip({ chunkSize });
  const destroy = unpacked.destroy.bind(unpacked);
  // It would take with it what has not been read yet.
  unpacked.destroy = (error) => {
    if ((error as NodeJS.ErrnoException | undefined)?.code !== ENDS_EARLY) return destroy(error);
    onCutShort();
    unpacked.push(null);
    return unpacked;
  };
  // pipe() does not pass an error on to the reader of the pipe's end.
  source.on('error', (error) => unpacked.destroy(error));
  return closing(source.pipe(unpacked), source);
}

const AT_ONCE_MAX = LIMITS.unpackedAtOnce.max;
class TooMuch extends Error {}

/** What the package throws where it reads on behind the last byte. */
function isEnd(failure: unknown): boolean {
  return failure instanceof TypeError || (failure as Error).message === 'input stream ended prematurely';
}

/** A file that is cut short yields what it has, after `onCutShort`. */
export async function* bunzip2(bytes: AsyncIterable<Buffer>, onCutShort: () => void): AsyncGenerator<Buffer, void> {
  const unpacked = unbzip2();
  const blocks: Buffer[] = [];
  const failures: unknown[] = [];
  unpacked.on('data', (block: Buffer) => {
    blocks.push(block);
    const held = blocks.reduce((sum, { length }) => sum + length, 0);
    if (held <= AT_ONCE_MAX) return;
    blocks.length = 0;
    // The package unpacks all that it has, a megabyte at the end: an error ends that.
    throw new TooMuch(`bzip2 data that unpacks to more than ${AT_ONCE_MAX} bytes at once`);
  });
  unpacked.on('error', (error: unknown) => failures.push(error));
  for await (const chunk of bytes) {
    unpacked.write(chunk);
    yield* blocks.splice(0);
    if (failures.length > 0) throw damaged(failures[0]);
  }
  unpacked.end();
  yield* blocks.splice(0);
  if (failures.length === 0) return;
  if (!isEnd(failures[0])) throw damaged(failures[0]);
  onCutShort();
}

/** Some errors of the package are no Error, and none says what is wrong. */
function damaged(cause: unknown): Error {
  return cause instanceof TooMuch ? cause : new Error('bzip2 data that is damaged', { cause });
}

async function* closing(stream: Readable, source: Readable): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    source.destroy();
    stream.destroy();
  }
}

const BLOCK_BYTES = 512;
const NOTHING = Buffer.alloc(128 * BLOCK_BYTES);

/** The entries as they come. Of an archive that is cut short the last one has what there is of it, after `onCutShort`. */
export async function* untar(bytes: AsyncIterable<Buffer>, onCutShort: () => void): AsyncGenerator<Entry, void> {
  // Everything is taken in before more is asked for: so it is known what the entry that is open lacks at the end.
  const archive = extract({ highWaterMark: 1 });
  let [read, hasEnded, endsAt] = [0, false, 0];
  archive.on('entry', ({ size }, { offset }) => {
    endsAt = offset + BLOCK_BYTES + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  });
  let wake = (): void => {};
  archive.on('drain', () => wake());
  archive.on('close', () => wake());
  const take = async (chunk: Buffer): Promise<void> => {
    if (archive.destroyed || archive.write(chunk)) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  const taking = (async () => {
    for await (const chunk of bytes) {
      if (archive.destroyed) return;
      read += chunk.length;
      await take(chunk);
    }
    hasEnded = true;
    // The package would throw away what it has of an entry that is not whole.
    for (let filled = read; filled < endsAt && !archive.destroyed; filled += NOTHING.length)
      await take(NOTHING.subarray(0, Math.min(NOTHING.length, endsAt - filled)));
    archive.end(undefined);
  })().catch((error: unknown) => {
    archive.destroy(error as Error);
  });
  const contents = async function* (entry: AsyncIterable<unknown> & { offset: number }): AsyncGenerator<Buffer, void> {
    let at = entry.offset + BLOCK_BYTES;
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      const has = hasEnded ? Math.max(0, Math.min(chunk.length, read - at)) : chunk.length;
      if (has > 0) yield chunk.subarray(0, has);
      at += chunk.length;
    }
    if (at > read) onCutShort();
  };
  try {
    for await (const entry of archive) {
      const { type, name } = entry.header;
      if (type === 'file') yield { name, bytes: contents(entry) };
      entry.resume();
    }
    if (read < endsAt) onCutShort();
  } catch (error) {
    if (!hasEnded) throw error;
    onCutShort();
  } finally {
    archive.destroy();
    await taking;
  }
}

/** Each byte may become a thousand, which the package unpacks at once. */
const PIECE_BYTES = 16 * 1024;

async function* inPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

type ZipEvent = { name: string } | { data: Buffer; final: boolean };
const FOLDER = /[\\/]$/;

/**
 * Reads the entries as they come: an archive may come from a pipe. Of one that is cut short the last entry has what there is
 * of it, after `onCutShort`. `onDamaged` is called at the end with each entry whose bytes were others.
 */
export async function* unzip(
  bytes: AsyncIterable<Buffer>,
  onCutShort: () => void,
  onDamaged: (entry: string) => void,
): AsyncGenerator<Entry, void> {
  const events = zipEvents(bytes, onCutShort, onDamaged);
  let open = false;
  for (;;) {
    const next = await events.next();
    if (next.done) return;
    const event = next.value;
    if (!('name' in event)) {
      // What was not read of the last one.
      open = !event.final;
      continue;
    }
    open = true;
    const entry = async function* (): AsyncGenerator<Buffer, void> {
      while (open) {
        const part = await events.next();
        if (part.done || 'name' in part.value) return;
        open = !part.value.final;
        if (part.value.data.length > 0) yield part.value.data;
      }
    };
    if (!FOLDER.test(event.name)) yield { name: event.name, bytes: entry() };
  }
}

async function* zipEvents(
  bytes: AsyncIterable<Buffer>,
  onCutShort: () => void,
  onDamaged: (entry: string) => void,
): AsyncGenerator<ZipEvent, void> {
  const events: ZipEvent[] = [];
  const read: Checksum[] = [];
  /** From the chunk on in which the last entry has bytes: behind them is the directory. */
  let end: Buffer[] = [];
  let failure: Error | undefined;
  const archive = new Unzip((file) => {
    events.push({ name: file.name });
    const checksum = { name: file.name, crc: 0 };
    read.push(checksum);
    file.ondata = (error, data, final) => {
      if (error) failure ??= error;
      else events.push({ data: Buffer.from(data), final });
      checksum.crc = crc32(data ?? '', checksum.crc);
    };
    file.start();
  });
  archive.register(UnzipInflate);
  for await (const chunk of inPieces(bytes)) {
    archive.push(chunk);
    // It may begin in the last bytes of the one before.
    if (events.length > 0) end = end.slice(-1);
    end.push(chunk);
    yield* events.splice(0);
    if (failure !== undefined) throw failure;
  }
  try {
    archive.push(new Uint8Array(0), true);
  } catch (error) {
    // The entry that is open lacks something.
    failure ??= error as Error;
  }
  yield* events.splice(0);
  if (failure !== undefined) return onCutShort();
  const stated = checksumsIn(Buffer.concat(end));
  for (const { name, crc } of read) {
    const own = stated.filter((each) => each.name === name);
    if (own.length > 0 && !own.some((each) => each.crc === crc)) onDamaged(name);
  }
}

interface Checksum {
  name: string;
  crc: number;
}

const DIRECTORY_END = Buffer.from('PK\x05\x06');
const OF_ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const UTF8 = 0x0800;

/** What the directory at the end of a zip archive states; nothing where it is not as usual. */
function checksumsIn(end: Buffer): Checksum[] {
  const endAt = end.lastIndexOf(DIRECTORY_END);
  if (endAt === -1 || endAt + 16 > end.length) return [];
  const found: Checksum[] = [];
  for (let at = endAt - end.readUInt32LE(endAt + 12); at >= 0 && at + ENTRY_BYTES <= endAt; ) {
    if (end.readUInt32LE(at) !== OF_ENTRY) break;
    const [name, extra, comment] = [28, 30, 32].map((field) => end.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const isUtf8 = (end.readUInt16LE(at + 8) & UTF8) !== 0;
    const text = end.toString(isUtf8 ? 'utf8' : 'latin1', at + ENTRY_BYTES, at + ENTRY_BYTES + name);
    found.push({ name: text, crc: end.readUInt32LE(at + 16) });
    at += ENTRY_BYTES + name + extra + comment;
  }
  return found;
}

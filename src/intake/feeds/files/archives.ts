// Archives and compressed files as streams: what each package is given and gives back, one entry at a time.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Unzip, UnzipInflate } from 'fflate';
import { extract } from 'tar-stream';
import unbzip2 from 'unbzip2-stream';

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

export async function* bunzip2(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const source = Readable.from(bytes);
  const unpacked = unbzip2();
  const readable = new Readable({ highWaterMark: 4 }).wrap(source.pipe(unpacked as never));
  let failure: unknown;
  source.on('error', (error) => readable.destroy(error));
  (unpacked as unknown as Readable).on('error', (error: unknown) => {
    // Some of its errors are no Error, and none says what is wrong.
    failure = error;
    readable.destroy(new Error('damaged'));
  });
  try {
    yield* closing(readable, source);
  } catch (error) {
    throw failure === undefined ? error : new Error('bzip2 data that is damaged or cut short', { cause: failure });
  }
}

async function* closing(stream: Readable, source: Readable): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    source.destroy();
    stream.destroy();
  }
}

export async function* untar(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry, void> {
  const source = Readable.from(bytes);
  const archive = extract();
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive as unknown as NodeJS.WritableStream);
  try {
    for await (const entry of archive) {
      if (entry.header.type === 'file')
        yield { name: entry.header.name, bytes: entry as unknown as AsyncIterable<Buffer> };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

type ZipEvent = { name: string } | { data: Buffer; final: boolean };
const FOLDER = /[\\/]$/;

/** Reads the entries as they come: an archive may come from a pipe. */
export async function* unzip(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry, void> {
  const events = zipEvents(bytes);
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

async function* zipEvents(bytes: AsyncIterable<Buffer>): AsyncGenerator<ZipEvent, void> {
  const events: ZipEvent[] = [];
  let failure: Error | undefined;
  const archive = new Unzip((file) => {
    events.push({ name: file.name });
    file.ondata = (error, data, final) => {
      if (error) failure ??= error;
      else events.push({ data: Buffer.from(data), final });
    };
    file.start();
  });
  archive.register(UnzipInflate);
  for await (const chunk of bytes) {
    archive.push(chunk);
    if (failure !== undefined) throw failure;
    yield* events.splice(0);
  }
  archive.push(new Uint8Array(0), true);
  if (failure !== undefined) throw failure;
  yield* events.splice(0);
}

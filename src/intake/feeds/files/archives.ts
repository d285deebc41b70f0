// Archives and compressed files as streams: what each package is given and gives back, one entry at a time.
import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { Unzip, UnzipInflate } from 'fflate';
import { extract } from 'tar-stream';
import unbzip2 from 'unbzip2-stream';

/** A file in an archive. Its bytes are gone once the next entry is asked for. */
export interface Entry {
  name: string;
  bytes: AsyncIterable<Buffer>;
}

/** A file that is cut short (its writer was killed) yields what it has. */
export function gunzip(bytes: AsyncIterable<Buffer>, chunkSize: number): AsyncIterable<Buffer> {
  const source = Readable.from(bytes);
  const unpacked = createGunzip({ chunkSize, finishFlush: constants.Z_SYNC_FLUSH });
  // pipe() does not pass an error on to the reader of the pipe's end.
  source.on('error', (error) => unpacked.destroy(error));
  return closing(source.pipe(unpacked), source);
}

export function bunzip2(bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const source = Readable.from(bytes);
  const unpacked = unbzip2();
  const readable = new Readable({ highWaterMark: 4 }).wrap(source.pipe(unpacked as never));
  for (const stream of [source, unpacked as unknown as Readable])
    stream.on('error', (error: unknown) =>
      readable.destroy(error instanceof Error ? error : new Error(`damaged bzip2: ${String(error)}`)),
    );
  return closing(readable, source);
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

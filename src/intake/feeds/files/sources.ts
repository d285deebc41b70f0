// What a path on the command line holds: a file, a folder, an archive or standard input as text files in UTF-8, one
// after the other. Everything that reads a file of prices or results opens it here.

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import readSheets from 'read-excel-file/node';
import { LIMITS } from '../../../base/model/limits.js';
import { bunzip2, type Entry, gunzip, untar, unzip } from './archives.js';

export interface SourceFile {
  /** As it is told to the user: the path, and within an archive the entry's name. */
  name: string;
  /** The first bytes. */
  head: Buffer;
  /** All of it, in UTF-8. To be read once, and before the next file is asked for. */
  bytes: AsyncIterable<Buffer>;
}

export interface SourceOptions {
  /** Called with the bytes read of the files named, compressed ones for an archive. */
  onRead?: ((bytes: number) => void) | undefined;
  /** Called with a file within a folder or an archive that cannot be opened or, if `isBegun`, read on; otherwise that rejects. */
  onUnreadable?: ((name: string, reason: string, isBegun: boolean) => void) | undefined;
  /** Called with a packed file or archive that ends before what is in it; it is read as far as it goes. */
  onCutShort?: ((name: string) => void) | undefined;
}

export const CUT_SHORT = 'ends early: it is cut short';
const OTHER_CHECKSUM = 'its checksum is another than the archive states';

/** Each chunk is a round trip to a thread. */
const CHUNK_BYTES = 256 * 1024;
const HEAD_BYTES = 64 * 1024;
/** A tar of compressed files that is compressed itself has three. */
const NESTED_MAX = LIMITS.packedTimes.max;
const STDIN = '-';

/**
 * The files of a path in the order of their names. Rejects if there is none.
 * @param around the folders that it is in, as they are without links
 */
export async function* filesOf(path: string, around: readonly string[] = []): AsyncGenerator<string, void> {
  // A link to nowhere is a file that cannot be read, among others.
  const isNowhere = (error: Error): undefined => {
    if (around.length === 0) throw error;
  };
  const found = path === STDIN ? undefined : await stat(path).catch(isNowhere);
  if (found?.isDirectory() !== true) {
    // In a folder nothing but files: a pipe may never say anything, a device never end.
    if (around.length === 0 || found === undefined || found.isFile()) yield path;
    return;
  }
  const folder = await realpath(path);
  // A link to a folder that it is in.
  if (around.includes(folder)) return;
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const inner = join(path, entry.name);
    if (entry.isDirectory() || entry.isSymbolicLink()) yield* filesOf(inner, [...around, folder]);
    else if (entry.isFile()) yield inner;
  }
}

export async function* sourcesOf(path: string, options: SourceOptions = {}): AsyncGenerator<SourceFile, void> {
  let before = 0;
  for await (const name of filesOf(path)) {
    const file = name === STDIN ? process.stdin : createReadStream(name, { highWaterMark: CHUNK_BYTES });
    let read = 0;
    const counted = async function* (): AsyncGenerator<Buffer, void> {
      for await (const chunk of file) {
        read += (chunk as Buffer).length;
        options.onRead?.(before + read);
        yield chunk as Buffer;
      }
    };
    try {
      const cut = new Set<string>();
      const onCutShort = (torn: string): void => {
        if (!cut.has(torn)) options.onCutShort?.(torn);
        cut.add(torn);
      };
      yield* opened({ name, bytes: counted() }, name !== path, { ...options, onCutShort, cut });
    } finally {
      file.destroy();
    }
    before += read;
  }
}

interface Opening extends SourceOptions {
  onCutShort: (name: string) => void;
  /** The names of those told. */
  cut: ReadonlySet<string>;
}

/**
 * What is in the file, whichever way it is packed.
 * @param isOneOf it is in a folder or an archive, where others are read if it cannot be
 */
async function* opened(
  { name, bytes }: Entry,
  isOneOf: boolean,
  options: Opening,
  depth = 0,
): AsyncGenerator<SourceFile, void> {
  const onUnreadable = isOneOf ? options.onUnreadable : undefined;
  const onCutShort = (): void => options.onCutShort(name);
  try {
    const peeked = await peek(bytes, HEAD_BYTES);
    if (depth > NESTED_MAX) throw new Error(`packed more than ${NESTED_MAX} times`);
    const packing = packingOf(peeked.head);
    const within = (bytes: AsyncIterable<Buffer>, inner?: string) =>
      opened({ name: inner ?? name, bytes }, isOneOf || inner !== undefined, options, depth + 1);
    if (packing === 'gzip') yield* within(gunzip(peeked.bytes, CHUNK_BYTES, onCutShort));
    else if (packing === 'bzip2') yield* within(bunzip2(peeked.bytes, onCutShort));
    else if (packing === 'workbook')
      for (const sheet of await sheetsOf(peeked.bytes)) {
        const text = Buffer.from(sheet.text);
        yield { name: `${name}/${sheet.name}`, head: text.subarray(0, HEAD_BYTES), bytes: once(text) };
      }
    else if (packing === 'zip' || packing === 'tar') {
      const onDamaged = (entry: string): void => {
        const damaged = new Error(`${name}/${entry}: ${OTHER_CHECKSUM}`);
        if (options.onUnreadable === undefined) throw damaged;
        options.onUnreadable(`${name}/${entry}`, OTHER_CHECKSUM, true);
      };
      for await (const entry of (packing === 'zip' ? unzip : untar)(peeked.bytes, onCutShort, onDamaged))
        yield* within(entry.bytes, `${name}/${entry.name}`);
    } else if (packing === 'xls') throw new Error('an old workbook (.xls): save it as .xlsx or CSV');
    else {
      const text = await peek(utf8(peeked.bytes), HEAD_BYTES);
      const head = text.head.subarray(0, HEAD_BYTES);
      const isCut = (): boolean => [...options.cut].some((cut) => name === cut || name.startsWith(`${cut}/`));
      const lines = BEGINS_JSON.test(head.toString('latin1')) ? text.bytes : wholeLines(text.bytes, isCut);
      yield { name, head, bytes: telling(name, lines, onUnreadable) };
    }
  } catch (error) {
    if (onUnreadable === undefined) throw named(name, error);
    onUnreadable(name, (error as Error).message, false);
  }
}

/** An error of the file system names the file by itself. */
function named(name: string, error: unknown): unknown {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined || message.startsWith(name)) return error;
  return Object.assign(new Error(`${name}: ${message}`), code === undefined ? {} : { code });
}

const LINE_BYTES_MAX = LIMITS.tableLine.max;
const BEGINS_JSON = /^\s*[[{]/;

/** What is cut short may end within a number, which is another number then: the line that has no end is left out. */
async function* wholeLines(bytes: AsyncIterable<Buffer>, isCut: () => boolean): AsyncGenerator<Buffer, void> {
  let held: Buffer | undefined;
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (held !== undefined && end > 0) {
      yield held;
      held = undefined;
    }
    if (end > 0) yield chunk.subarray(0, end);
    const rest = chunk.subarray(end);
    if ((held?.length ?? 0) + rest.length > LINE_BYTES_MAX)
      throw new Error(`a line of more than ${LINE_BYTES_MAX} bytes`);
    if (rest.length > 0) held = held === undefined ? rest : Buffer.concat([held, rest]);
  }
  if (held !== undefined && !isCut()) yield held;
}

/** What fails later, in the middle of a file: where others are read, what it has before that is. */
async function* telling(
  name: string,
  bytes: AsyncIterable<Buffer>,
  onUnreadable: SourceOptions['onUnreadable'],
): AsyncGenerator<Buffer, void> {
  try {
    yield* bytes;
  } catch (error) {
    if (onUnreadable === undefined) throw named(name, error);
    onUnreadable(name, (error as Error).message, true);
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
}

type Packing = 'gzip' | 'bzip2' | 'zip' | 'workbook' | 'tar' | 'xls';

const MAGIC: readonly (readonly [packing: Packing, at: number, bytes: Buffer])[] = [
  ['gzip', 0, Buffer.from([0x1f, 0x8b])],
  ['bzip2', 0, Buffer.from('BZh')],
  ['zip', 0, Buffer.from('PK\x03\x04')],
  ['tar', 257, Buffer.from('ustar')],
  ['xls', 0, Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
];
/** What the first entry of a workbook is called; those of an archive of files have names of their own. */
const OF_WORKBOOK = /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/;
const NAME_LENGTH_AT = 26;
const NAME_AT = 30;

function packingOf(head: Buffer): Packing | undefined {
  const found = MAGIC.find(([, at, bytes]) => head.subarray(at, at + bytes.length).equals(bytes))?.[0];
  if (found !== 'zip') return found;
  if (head.length < NAME_AT) throw new Error('a zip archive that is cut short');
  const length = head.readUInt16LE(NAME_LENGTH_AT);
  return OF_WORKBOOK.test(head.subarray(NAME_AT, NAME_AT + length).toString('latin1')) ? 'workbook' : 'zip';
}

// A workbook (.xlsx) as tables: each of its sheets as CSV.

const BYTES_MAX = LIMITS.workbook.max;
const UNPACKED_MAX = LIMITS.workbookUnpacked.max;
const NOTHING = (): void => {};

interface SheetText {
  name: string;
  text: string;
}

/** Rejects with an Error of one line if it is damaged or too large. */
async function sheetsOf(bytes: AsyncIterable<Buffer>): Promise<SheetText[]> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > BYTES_MAX) throw tooLarge(BYTES_MAX);
    parts.push(part);
  }
  let unpacked = 0;
  // The package unpacks all of it at once.
  for await (const { bytes: entry } of unzip(Readable.from(parts), NOTHING, NOTHING))
    for await (const { length } of entry) {
      unpacked += length;
      if (unpacked > UNPACKED_MAX) throw tooLarge(UNPACKED_MAX);
    }
  const sheets = await readSheets(Buffer.concat(parts));
  return sheets
    .filter(({ data }) => data.length > 0)
    .map(({ sheet, data }) => ({
      name: sheet,
      text: data.map((row) => `${row.map(cellOf).join(',')}\n`).join(''),
    }));
}

function tooLarge(bytes: number): Error {
  return new Error(`the workbook has more than ${bytes} bytes: save its sheets as CSV`);
}

/** A date as the cell says it: a workbook has no zones, and the package gives it as if in UTC. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace('.000Z', '');
  const text = String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Text files as UTF-8, whatever they were saved in: UTF-8 with or without a mark, UTF-16, or Windows' Latin-1.

const NEWLINE = 0x0a;
const SNIFFED_BYTES = 256;
const latin1 = new TextDecoder('windows-1252');

/** The same text in UTF-8 without a mark of its byte order. */
async function* utf8(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
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

// The beginning of a stream of bytes, which stays part of it.

interface Peeked {
  head: Buffer;
  /** All of it, the head included. To be read once. */
  bytes: AsyncIterable<Buffer>;
}

/** Reads at least `length` bytes, or all there are. */
async function peek(bytes: AsyncIterable<Buffer>, length: number): Promise<Peeked> {
  const source = bytes[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  let read = 0;
  let done = false;
  while (read < length && !done) {
    const next = await source.next();
    if (next.done) done = true;
    else {
      parts.push(next.value);
      read += next.value.length;
    }
  }
  const head = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return { head, bytes: whole(head, source, done) };
}

async function* whole(head: Buffer, source: AsyncIterator<Buffer>, done: boolean): AsyncGenerator<Buffer, void> {
  try {
    if (head.length > 0) yield head;
    while (!done) {
      const next = await source.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await source.return?.();
  }
}

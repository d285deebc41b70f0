// Texts in the order of their times, however many: what does not fit in memory is sorted on disk, in pieces that are
// merged as they are read.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { LIMITS } from '../../model/limits.js';
import { readLines } from './lines.js';

export interface TimedText {
  /** Unix ms. */
  atMs: number;
  /** One line. */
  text: string;
}

const BYTES_MAX = LIMITS.sortedBytes.max;
/** What a text in memory takes beside its characters. */
const OVERHEAD_BYTES = 64;
const WRITTEN_BYTES = 256 * 1024;

export class SortedTexts {
  #texts: TimedText[] = [];
  #bytes = 0;
  #folder: string | undefined;
  readonly #pieces: string[] = [];
  readonly #bytesMax: number;

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Returns a promise to wait for if the disk is needed. */
  add(text: TimedText): Promise<void> | undefined {
    this.#texts.push(text);
    this.#bytes += text.text.length + OVERHEAD_BYTES;
    return this.#bytes < this.#bytesMax ? undefined : this.#toDisk();
  }

  /** All of them; those of one time in the order in which they were added. Nothing can be added from then on. */
  async *inOrder(): AsyncGenerator<TimedText, void> {
    const rest = this.#sorted();
    if (this.#pieces.length === 0) {
      yield* rest;
      return;
    }
    yield* merged([...this.#pieces.map(textsIn), inMemory(rest)]);
  }

  /** Removes what is on disk. */
  async close(): Promise<void> {
    this.#texts = [];
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  #sorted(): TimedText[] {
    const texts = this.#texts.sort((a, b) => a.atMs - b.atMs);
    this.#texts = [];
    this.#bytes = 0;
    return texts;
  }

  async #toDisk(): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'overround-sort-'));
    const path = join(this.#folder, String(this.#pieces.length));
    this.#pieces.push(path);
    const file = createWriteStream(path);
    let waiting = '';
    for (const { atMs, text } of this.#sorted()) {
      waiting += `${atMs} ${text}\n`;
      if (waiting.length < WRITTEN_BYTES) continue;
      const written = waiting;
      waiting = '';
      await new Promise<void>((resolve, reject) => {
        file.write(written, (error) => (error ? reject(error) : resolve()));
      });
    }
    file.end(waiting);
    await finished(file);
  }
}

async function* textsIn(path: string): AsyncGenerator<TimedText, void> {
  for await (const { text } of readLines(path, { lineBytesMax: Number.POSITIVE_INFINITY })) {
    const space = text!.indexOf(' ');
    yield { atMs: Number(text!.slice(0, space)), text: text!.slice(space + 1) };
  }
}

async function* inMemory(texts: readonly TimedText[]): AsyncGenerator<TimedText, void> {
  yield* texts;
}

/** Earlier pieces hold what was added earlier. */
async function* merged(pieces: readonly AsyncGenerator<TimedText, void>[]): AsyncGenerator<TimedText, void> {
  const heads: (TimedText | undefined)[] = [];
  for (const piece of pieces) heads.push(await next(piece));
  for (;;) {
    let least = -1;
    for (const [i, head] of heads.entries())
      if (head !== undefined && (least === -1 || head.atMs < heads[least]!.atMs)) least = i;
    if (least === -1) return;
    yield heads[least]!;
    heads[least] = await next(pieces[least]!);
  }
}

async function next(piece: AsyncGenerator<TimedText, void>): Promise<TimedText | undefined> {
  const read = await piece.next();
  return read.done ? undefined : read.value;
}

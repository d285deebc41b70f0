// Texts in the order of their times, however many: what does not fit in memory is sorted on disk, in pieces that are
// merged as they are read.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { LIMITS } from '../../../base/model/limits.js';
import { readLines } from './lines.js';

export interface TimedText {
  /** Unix ms. */
  atMs: number;
  /** One line. */
  text: string;
}

const BYTES_MAX = LIMITS.sortedBytes.max;
const FIRST_BYTES = 256 * 1024;
/** Of a character in UTF-8. */
const CHARACTER_BYTES = 3;
const WRITTEN_BYTES = 256 * 1024;

export class SortedTexts {
  /** The texts one behind the other: as objects they would cost more than all the rest. */
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #ends: number[] = [];
  #times: number[] = [];
  #size = 0;
  #folder: string | undefined;
  readonly #pieces: string[] = [];
  readonly #bytesMax: number;

  constructor(bytesMax = BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Returns a promise to wait for if the disk is needed. */
  add(text: TimedText): Promise<void> | undefined {
    const room = text.text.length * CHARACTER_BYTES;
    if (this.#size > 0 && this.#size + room > this.#bytesMax) return this.#toDisk().then(() => this.#put(text, room));
    this.#put(text, room);
    return undefined;
  }

  /** All of them; those of one time in the order in which they were added. Nothing can be added from then on. */
  async *inOrder(): AsyncGenerator<TimedText, void> {
    if (this.#pieces.length === 0) yield* this.#sorted();
    else yield* merged([...this.#pieces.map(textsIn), inMemory(this.#sorted())]);
  }

  /** Removes what is on disk. */
  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  #put({ atMs, text }: TimedText, room: number): void {
    if (this.#size + room > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#size + room, Math.min(2 * this.#bytes.length, this.#bytesMax)));
      this.#bytes.copy(grown, 0, 0, this.#size);
      this.#bytes = grown;
    }
    this.#size += this.#bytes.write(text, this.#size);
    this.#ends.push(this.#size);
    this.#times.push(atMs);
  }

  *#sorted(): Generator<TimedText, void> {
    const times = this.#times;
    const order = Uint32Array.from(times, (_time, i) => i);
    if (times.some((time, i) => i > 0 && time < times[i - 1]!)) order.sort((a, b) => times[a]! - times[b]! || a - b);
    for (const i of order) {
      const start = i === 0 ? 0 : this.#ends[i - 1]!;
      yield { atMs: times[i]!, text: this.#bytes.toString('utf8', start, this.#ends[i]) };
    }
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
    this.#size = 0;
    this.#ends = [];
    this.#times = [];
  }
}

async function* textsIn(path: string): AsyncGenerator<TimedText, void> {
  for await (const { text } of readLines(path, { lineBytesMax: Number.POSITIVE_INFINITY })) {
    const space = text!.indexOf(' ');
    yield { atMs: Number(text!.slice(0, space)), text: text!.slice(space + 1) };
  }
}

async function* inMemory(texts: Iterable<TimedText>): AsyncGenerator<TimedText, void> {
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

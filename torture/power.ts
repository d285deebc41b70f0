// A loss of power: the program is gone at once, and each block that it wrote to its database files since their last
// flush is as of any moment since. What was written before a flush that failed stays in question until it is written
// again and flushed. The preloaded library has saved the previous contents before every write.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../test/world/random.js';

/** Unit in which a disk writes. */
const BLOCK_BYTES = 4_096;
const HEAD_BYTES = 16;

export class PowerLoss {
  /** Environment with which the program must be started. */
  readonly env: Readonly<Record<string, string>>;
  readonly #undoDir: string;
  readonly #bootId: string;
  readonly #dataDir: string;

  constructor(folder: string, dataDir: string) {
    this.#dataDir = dataDir;
    this.#undoDir = join(folder, 'undo');
    this.#bootId = join(folder, 'boot-id');
    mkdirSync(this.#undoDir);
    this.#boot();
    this.env = { OVERROUND_TORTURE_UNDO: this.#undoDir, OVERROUND_TORTURE_BOOT_ID: this.#bootId };
  }

  /** To be called while no process of the program runs. Returns the number of blocks that were set back. */
  lose(random: Random): number {
    let lost = 0;
    const files = readdirSync(this.#dataDir, { recursive: true, encoding: 'utf8' });
    for (const name of files.filter((each) => each.endsWith('data.mdb')))
      lost += this.#loseOf(join(this.#dataDir, name), random);
    rmSync(this.#undoDir, { recursive: true });
    mkdirSync(this.#undoDir);
    this.#boot();
    return lost;
  }

  #loseOf(path: string, random: Random): number {
    const undos = readdirSync(this.#undoDir)
      .map((name) => name.split('-'))
      .filter(([inode]) => inode === String(statSync(path, { bigint: true }).ino))
      .sort(([, a], [, b]) => (BigInt(a!) < BigInt(b!) ? -1 : 1));
    const blocks = new Map<number, Buffer[]>();
    for (const undo of undos) {
      const bytes = readFileSync(join(this.#undoDir, undo.join('-')));
      if (undo[2] !== 'flushed') readBlocks(bytes, blocks);
      else for (const at of readBlocks(bytes, new Map()).keys()) blocks.delete(at);
    }
    const file = openSync(path, 'r+');
    let lost = 0;
    try {
      for (const [at, states] of blocks) {
        // The last one is the present contents: that write was not lost.
        const state = states[random.int(0, states.length)];
        if (state === undefined) continue;
        writeSync(file, state, 0, state.length, at);
        lost++;
      }
    } finally {
      closeSync(file);
    }
    return lost;
  }

  #boot(): void {
    writeFileSync(this.#bootId, `${randomUUID()}\n`);
  }
}

/** By the block's index in the file: its contents before each write, in order. */
function readBlocks(undo: Buffer, blocks: Map<number, Buffer[]>): Map<number, Buffer[]> {
  for (let at = 0; at + HEAD_BYTES <= undo.length; ) {
    const from = Number(undo.readBigInt64LE(at));
    const length = Number(undo.readBigInt64LE(at + 8));
    at += HEAD_BYTES;
    const before = undo.subarray(at, at + length);
    at += length;
    // A record cut short by the kill belongs to a write that never happened.
    if (before.length < length) break;
    for (let offset = 0; offset < length; ) {
      const place = from + offset;
      const part = Math.min(length - offset, BLOCK_BYTES - (place % BLOCK_BYTES));
      const states = blocks.get(place) ?? [];
      blocks.set(place, states);
      states.push(before.subarray(offset, offset + part));
      offset += part;
    }
  }
  return blocks;
}

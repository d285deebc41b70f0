// A loss of power: the program is gone at once, and of what it had written to its database files since their last flush each
// block is as of any moment since. The preloaded library has kept what stood there before every write.
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

/** A disk writes so much at once. */
const BLOCK_BYTES = 4_096;
const HEAD_BYTES = 16;

export class PowerLoss {
  /** Environment the program is to be started with. */
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

  /** To be called while nothing of the program runs. Returns how many blocks are older than they were. */
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
    for (const undo of undos) readBlocks(readFileSync(join(this.#undoDir, undo.join('-'))), blocks);
    const file = openSync(path, 'r+');
    let lost = 0;
    try {
      for (const [at, states] of blocks) {
        // The last is what stands there now: that write was not lost.
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

/** By the block's place in the file: what stood there before each write, in their order. */
function readBlocks(undo: Buffer, blocks: Map<number, Buffer[]>): void {
  for (let at = 0; at + HEAD_BYTES <= undo.length; ) {
    const from = Number(undo.readBigInt64LE(at));
    const length = Number(undo.readBigInt64LE(at + 8));
    at += HEAD_BYTES;
    const before = undo.subarray(at, at + length);
    at += length;
    // A record that the kill cut short is of a write that never was.
    if (before.length < length) return;
    for (let offset = 0; offset < length; ) {
      const place = from + offset;
      const part = Math.min(length - offset, BLOCK_BYTES - (place % BLOCK_BYTES));
      const states = blocks.get(place) ?? [];
      blocks.set(place, states);
      states.push(before.subarray(offset, offset + part));
      offset += part;
    }
  }
}

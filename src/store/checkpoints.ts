// Makes commits that do not wait for the disk safe against a loss of power. LMDB without flushes survives the death of
// its process, but not of the machine: the kernel may have written a newer head before the pages it points to. So every
// second the file is flushed in the background and its head (LMDB's two meta pages) is saved in a file beside it. All
// pages that head can reach stay unchanged until the next one is saved, because a read transaction that began before it
// holds them. After a loss of power the head saved last is restored: the store is as it was at that moment.
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RootDatabase, Transaction } from 'lmdb';
import { isNoRoom, StorageFull } from '../base/model/storage-error.js';
import { CHECKPOINT_FILE, HEAD_PAGES, newestTransaction } from './data-file.js';
import { FILE_MODE } from './private-files.js';
import { clearRewriteDue, isRewriteDue, markRewriteDue, rewrite, rewriteBytes } from './rewrite.js';

const MAGIC = 'overround safe point 1';
/** Checkpoints skipped after an attempt to write the whole file again: a failing disk is not kept busy by it. */
const SKIPPED_AFTER_REWRITE = 9;
/** Identifies one boot of the machine's kernel. */
const BOOT_ID_FILE = '/proc/sys/kernel/random/boot_id';

const flush = promisify(fdatasync);

/** Null if the system does not identify its boots: checkpoints cannot be used there. Throws if no more files can be opened. */
export function bootId(): string | null {
  if (!existsSync(BOOT_ID_FILE)) return null;
  return readFileSync(BOOT_ID_FILE, 'latin1').trim();
}

/** Whether restoreCheckpoint() would restore the store in `dir`, unless its file was replaced by an older one. */
export function isOfEarlierBoot(dir: string, boot: string | null): boolean {
  const saved = readStored(dir);
  return saved !== undefined && saved.boot !== boot && existsSync(join(dir, 'data.mdb'));
}

/**
 * Restores the head of the store in `dir` to its last checkpoint if the machine was rebooted since. Returns whether it
 * was.
 */
export function restoreCheckpoint(dir: string, boot: string | null): boolean {
  const saved = readStored(dir);
  const file = join(dir, 'data.mdb');
  if (saved === undefined || saved.boot === boot || !existsSync(file)) return false;
  const data = openSync(file, 'r+');
  try {
    // The checkpoint is of another file that was in this one's place.
    if (newestTransaction(readHead(data, saved.head.length)) < newestTransaction(saved.head)) return false;
    writeSync(data, saved.head, 0, saved.head.length, 0);
    fdatasyncSync(data);
  } finally {
    closeSync(data);
  }
  return true;
}

/**
 * For an open store that will not use checkpoints: an old one must never be restored. The commits it protected are
 * flushed first.
 * @param onRewriting as in CheckpointsOptions
 */
export function forgetCheckpoint(
  dir: string,
  root: RootDatabase<Buffer, string>,
  onRewriting?: (bytes: number) => void,
): void {
  const file = join(dir, CHECKPOINT_FILE);
  const isThere = existsSync(file);
  if (!isThere && !isRewriteDue(dir)) return;
  const data = openSync(join(dir, 'data.mdb'), 'r');
  try {
    flushAtStart(dir, root, data, onRewriting);
  } finally {
    closeSync(data);
  }
  if (!isThere) return;
  rmSync(file);
  syncDirectory(dir);
}

/** Flushes the file `data` of the store; if an earlier flush of it failed, it is written again first. */
function flushAtStart(
  dir: string,
  root: RootDatabase<Buffer, string>,
  data: number,
  onRewriting?: (bytes: number) => void,
): void {
  try {
    if (isRewriteDue(dir)) {
      onRewriting?.(rewriteBytes(dir));
      for (const _ of rewrite(dir, root));
    }
    fdatasyncSync(data);
  } catch (error) {
    markRewriteDue(dir);
    throw error;
  }
  clearRewriteDue(dir);
}

export interface CheckpointsOptions {
  boot: string;
  /** An earlier flush failed: the whole file, of so many bytes, is written again before the constructor returns. */
  onRewriting?(bytes: number): void;
  /**
   * The disk refused, or there was no room for a reader; the previous checkpoint stays valid. Said once: each of the next
   * ones fails alike as long as the reason stays.
   */
  onFailed(error: unknown): void;
  /** After one or more failures the first one was taken. */
  onRecovered?(): void;
}

export class Checkpoints {
  readonly #dir: string;
  readonly #root: RootDatabase<Buffer, string>;
  readonly #options: CheckpointsOptions;
  readonly #data: number;
  readonly #headBytes: number;
  #saved: Buffer;
  #holding: Transaction | undefined;
  #taking: Promise<void> | undefined;
  #ends = false;
  #closing: Promise<void> | undefined;
  #rewriteDue = false;
  #skipped = 0;
  #failure: string | null = null;

  /** Takes the first one: nothing may be committed before. Throws if the disk refuses, StorageFull if it is full. */
  constructor(dir: string, root: RootDatabase<Buffer, string>, options: CheckpointsOptions) {
    this.#dir = dir;
    this.#root = root;
    this.#options = options;
    this.#data = openSync(join(dir, 'data.mdb'), 'r');
    this.#headBytes = HEAD_PAGES * (root.getStats() as { pageSize: number }).pageSize;
    this.#holding = this.#hold();
    this.#saved = readHead(this.#data, this.#headBytes);
    const file = join(dir, CHECKPOINT_FILE);
    try {
      flushAtStart(dir, root, this.#data, options.onRewriting);
      writeFileSync(`${file}.new`, pack(options.boot, this.#saved), { flush: true, mode: FILE_MODE });
      renameSync(`${file}.new`, file);
      syncDirectory(dir);
    } catch (error) {
      closeSync(this.#data);
      this.#holding.done();
      throw isNoRoom(error) ? new StorageFull(error) : error;
    }
  }

  /** Why the last one could not be taken; null if it was. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Settles when everything committed by now survives a loss of power, or could not be made to. */
  async take(): Promise<void> {
    // One under way may have begun before the last commit.
    if (this.#taking !== undefined) await this.#taking;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    await this.#taking;
  }

  /** Takes a last one and closes the file; further calls do nothing. A file that must be written again is left as it is. */
  close(): Promise<void> {
    this.#ends = true;
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.take();
    this.#holding?.done();
    this.#holding = undefined;
    closeSync(this.#data);
  }

  async #take(): Promise<void> {
    let holding: Transaction | undefined;
    try {
      if (this.#rewriteDue && !(await this.#rewrite())) return;
      // In this order: the read transaction is of the head's time or before it, so that every page of the head is held.
      holding = this.#hold();
      const head = readHead(this.#data, this.#headBytes);
      if (head.equals(this.#saved)) return;
      await this.#flush();
      await this.#keep(head);
      [this.#holding, holding] = [holding, this.#holding];
      this.#saved = head;
      if (this.#failure !== null) this.#options.onRecovered?.();
      this.#failure = null;
    } catch (error) {
      // It may be unknown which of the two heads is on the disk: what either reaches stays held.
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#failure) this.#options.onFailed(error);
      this.#failure = reason;
    } finally {
      holding?.done();
    }
  }

  /** A flush that fails may not be repeated: see rewrite.ts. */
  async #flush(): Promise<void> {
    try {
      await flush(this.#data);
    } catch (error) {
      this.#rewriteDue = true;
      markRewriteDue(this.#dir);
      throw error;
    }
  }

  /** False if it was tried a moment ago, or is left to the next start. Throws if the disk still refuses. */
  async #rewrite(): Promise<boolean> {
    if (this.#ends) return false;
    if (this.#skipped > 0) {
      this.#skipped--;
      return false;
    }
    // Whether the disk takes anything at all by now.
    await flush(this.#data);
    this.#skipped = SKIPPED_AFTER_REWRITE;
    for (const _ of rewrite(this.#dir, this.#root)) {
      await setImmediate();
      if (this.#ends) return false;
    }
    await flush(this.#data);
    clearRewriteDue(this.#dir);
    this.#rewriteDue = false;
    this.#skipped = 0;
    return true;
  }

  async #keep(head: Buffer): Promise<void> {
    const file = join(this.#dir, CHECKPOINT_FILE);
    await writeFile(`${file}.new`, pack(this.#options.boot, head), { flush: true, mode: FILE_MODE });
    await rename(`${file}.new`, file);
    const directory = await open(this.#dir, 'r');
    await directory.sync().finally(() => directory.close());
  }

  #hold(): Transaction {
    this.#root.resetReadTxn();
    return this.#root.useReadTransaction();
  }
}

/** Read until it is stable: another thread may be writing it. */
export function readHead(data: number, bytes: number): Buffer {
  let before = readAt(data, bytes);
  for (;;) {
    const now = readAt(data, bytes);
    if (now.equals(before)) return now;
    before = now;
  }
}

function readAt(data: number, bytes: number): Buffer {
  const head = Buffer.alloc(bytes);
  readSync(data, head, 0, bytes, 0);
  return head;
}

function pack(boot: string, head: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${MAGIC}\n${boot}\n`, 'latin1'), head]);
}

/** Undefined if there is none. It is renamed into place once complete, so it is never partial. */
function readStored(dir: string): { boot: string; head: Buffer } | undefined {
  const file = join(dir, CHECKPOINT_FILE);
  if (!existsSync(file)) return undefined;
  const bytes = readFileSync(file);
  const [magic, boot] = bytes.toString('latin1', 0, 200).split('\n');
  if (magic !== MAGIC || boot === undefined) return undefined;
  return { boot, head: bytes.subarray(magic.length + boot.length + 2) };
}

/** Makes renames and removals in it survive a loss of power. */
export function syncDirectory(dir: string): void {
  // Not supported on Windows.
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

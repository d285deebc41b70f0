// A copy of a data directory beside whatever writes it. A read transaction holds every page that the head of a store
// can reach (checkpoints.ts), so its file is copied as it lies there, and the head that was read with the transaction
// is written over the copy's: that is the store as of that moment. The heads of all stores are of one moment: none of
// them was committed to between the first and the last of these transactions.
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Transaction } from 'lmdb';
import { LIMITS } from '../base/model/limits.js';
import { bootId, isOfEarlierBoot, readHead, syncDirectory } from './checkpoints.js';
import { controlPath, LmdbControlStore } from './control-store.js';
import { readIdentity, writeIdentity } from './data-directory.js';
import { extentOf, HEAD_PAGES, noteOpened } from './data-file.js';
import { openStore, type Root } from './open-store.js';
import { FILE_MODE, makeDirectory } from './private-files.js';
import { isRewriteDue } from './rewrite.js';
import { openShardEnvToRead, readVersion, shardPath } from './shard-env.js';

/** Why a directory cannot be copied whole; its message is one line. */
export class NotWhole extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotWhole';
  }
}

export interface Backup {
  /** Of the newest batch in it. */
  position: number;
  bytes: number;
}

interface Held {
  name: string;
  root: Root;
  data: number;
  headBytes: number;
  head: Buffer;
  transaction: Transaction | undefined;
}

const FILE = 'data.mdb';
const IDENTITY = 'overround.json';
const PART_BYTES = 4 * 1024 * 1024;
/** Between two attempts a server that commits all the time gets its turn. */
const TRIES_MAX = LIMITS.backupTries.max;

/**
 * Copies the stores of `from` into the new directory `to`, which is there when it is whole, or not at all. Rejects with
 * NotWhole.
 */
export async function backupDirectory(from: string, to: string): Promise<Backup> {
  const identity = readIdentity(from);
  if (identity === undefined) throw new NotWhole(`${from} has no data`);
  checkFree(to);
  const stores = storesIn(from);
  const needed = [...Array.from({ length: identity.shards }, (_, shard) => shardPath(from, shard)), controlPath(from)];
  for (const dir of needed) if (!stores.includes(basename(dir))) throw new NotWhole(`${join(dir, FILE)} is missing`);
  const boot = bootId();
  for (const dir of stores.map((name) => join(from, name))) {
    if (isOfEarlierBoot(dir, boot))
      throw new NotWhole(`the machine was restarted since a server used ${from}: start one on it first`);
    if (isRewriteDue(dir)) throw new NotWhole(`the disk refused to write ${dir}: a server that uses it repairs that`);
  }
  const held: Held[] = [];
  try {
    for (const name of stores) held.push(openHeld(from, name));
    await holdTogether(held);
    return await whole(to, async (part) => {
      let bytes = 0;
      for (const store of held) bytes += await copy(store, join(part, store.name));
      writeIdentity(part, identity);
      return bytes;
    });
  } finally {
    for (const { root, data, transaction } of held) {
      transaction?.done();
      closeSync(data);
      await root.close();
    }
  }
}

/** A file of a copy: its path in the copy, and its bytes in pieces. */
export interface CopiedFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** What a copy may have, however it comes. */
const COPIED = /^(?:overround\.json|[\w-]+\/data\.mdb)$/;

/** Makes the new directory `to` of a copy's files, as backupDirectory() does. Rejects with NotWhole. */
export async function receiveBackup(files: AsyncIterable<CopiedFile>, to: string): Promise<Backup> {
  checkFree(to);
  return whole(to, async (part) => {
    let bytes = 0;
    for await (const file of files) {
      if (!COPIED.test(file.name)) throw new NotWhole(`${file.name} is no file of a copy`);
      const path = join(part, file.name);
      const isStore = dirname(path) !== part;
      if (isStore) makeDirectory(dirname(path));
      const written = await write(path, file.bytes);
      if (!isStore) continue;
      bytes += written;
      noteOpened(dirname(path));
      syncDirectory(dirname(path));
    }
    return bytes;
  });
}

/** The names of a copy's files. */
export function copiedFiles(copy: string): string[] {
  return [IDENTITY, ...storesIn(copy).map((name) => `${name}/${FILE}`)];
}

/** Fills a directory beside `to`, which takes its name once every store in it opens; else nothing is left. */
async function whole(to: string, fill: (part: string) => Promise<number>): Promise<Backup> {
  const part = join(dirname(resolve(to)), `.${basename(resolve(to))}.part`);
  rmSync(part, { recursive: true, force: true });
  try {
    makeDirectory(part);
    const bytes = await fill(part);
    noteOpened(part);
    const identity = readIdentity(part);
    if (identity === undefined) throw new NotWhole(`${IDENTITY} is missing`);
    const position = await positionOf(part, identity.shards);
    rmSync(to, { recursive: true, force: true });
    renameSync(part, to);
    syncDirectory(dirname(resolve(to)));
    return { position, bytes };
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the bytes written. */
async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const out = openSync(path, 'w', FILE_MODE);
  let at = 0;
  try {
    for await (const piece of bytes) {
      writeAll(out, piece, at);
      at += piece.length;
    }
    fsyncSync(out);
  } finally {
    closeSync(out);
  }
  return at;
}

function checkFree(to: string): void {
  if (existsSync(to) && readdirSync(to).length > 0) throw new NotWhole(`${to} is there already and not empty`);
}

function storesIn(from: string): string[] {
  const names = readdirSync(from, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(from, entry.name, FILE)))
    .map(({ name }) => name);
  return names.sort();
}

function openHeld(from: string, name: string): Held {
  const path = join(from, name);
  // LMDB would map whatever it is.
  const data = openSync(join(path, FILE), 'r');
  if (extentOf(data) === undefined) {
    closeSync(data);
    throw new NotWhole(`${join(path, FILE)} is not a database file, or its head is gone`);
  }
  const { root } = openStore(path, { readOnly: true }, () => ({}));
  const headBytes = HEAD_PAGES * (root.getStats() as { pageSize: number }).pageSize;
  return {
    name,
    root,
    data,
    headBytes,
    head: Buffer.alloc(0),
    transaction: undefined,
  };
}

async function holdTogether(held: readonly Held[]): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    for (const store of held) {
      // In this order: every page of the head is held.
      store.root.resetReadTxn();
      store.transaction = store.root.useReadTransaction();
      store.head = readHead(store.data, store.headBytes);
    }
    if (held.every(({ data, headBytes, head }) => readHead(data, headBytes).equals(head))) return;
    for (const store of held) {
      store.transaction?.done();
      store.transaction = undefined;
    }
    await setImmediate();
  }
  throw new NotWhole('the stores are written so often that no moment was found between two commits: try again');
}

/** Returns the bytes of the copy. */
async function copy({ data, head }: Held, to: string): Promise<number> {
  const extent = extentOf(data);
  if (extent === undefined) throw new NotWhole(`${to}: what is to be copied is no store`);
  makeDirectory(to);
  const out = openSync(join(to, FILE), 'w', FILE_MODE);
  try {
    // Free pages behind the last one in use may never have been written.
    ftruncateSync(out, extent.end);
    const part = Buffer.allocUnsafe(PART_BYTES);
    for (let at = 0; at < extent.end; ) {
      const read = readSync(data, part, 0, Math.min(PART_BYTES, extent.end - at), at);
      if (read === 0) break;
      writeAll(out, part.subarray(0, read), at);
      at += read;
      await setImmediate();
    }
    writeAll(out, head, 0);
    fsyncSync(out);
  } finally {
    closeSync(out);
  }
  noteOpened(to);
  syncDirectory(to);
  return extent.end;
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** Read from the copy: it opens, and every shard is there, of whatever release. */
async function positionOf(dir: string, shards: number): Promise<number> {
  const control = new LmdbControlStore(controlPath(dir), 'read');
  let position = control.position;
  await control.close();
  for (let shard = 0; shard < shards; shard++) {
    const env = openShardEnvToRead(dir, shard);
    position = Math.max(position, readVersion(env)?.position ?? 0);
    await env.root.close();
  }
  return position;
}

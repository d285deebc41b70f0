// Takes over what earlier releases kept in stores of their own beside the log: keys, usage, ended sessions, and the
// secret that signs tokens. Once, at the first start of this release: the store is removed when its contents are safe.
import { hash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { decode, encode } from '../wire/codec.js';
import type { ControlStore } from './control-store.js';

type Entry = readonly [entry: string, value: Uint8Array];
type Table = Database<Buffer, string>;

interface EarlierStore {
  root: RootDatabase<Buffer, string>;
  table(name: string): Table;
}

const accountsPath = (dataDir: string): string => join(dataDir, 'accounts');

export function hasEarlierAccounts(dataDir: string): boolean {
  return existsSync(join(accountsPath(dataDir), 'data.mdb'));
}

/**
 * To be called before anything reads the control store. Returns what removes the earlier stores: to be called once a
 * loss of power loses nothing of the control store.
 */
export function takeInEarlierAccounts(dataDir: string, control: ControlStore): () => void {
  if (!hasEarlierAccounts(dataDir)) return () => undefined;
  // A directory that was filled from a snapshot has the cluster's already.
  if (control.position === 0) {
    const entries = withStore(accountsPath(dataDir), accountEntries);
    if (entries.length > 0) control.restore(1, entries);
  }
  return () => {
    control.flush();
    rmSync(accountsPath(dataDir), { recursive: true });
  };
}

/** The masked keys that an earlier release stored; undefined if there is no store of one. */
export function earlierMaskedKeys(dataDir: string): string[] | undefined {
  if (!hasEarlierAccounts(dataDir)) return undefined;
  return withStore(accountsPath(dataDir), ({ table }) =>
    [...table('keys').getRange()].map(({ value }) => (decode(value) as { masked: string }).masked),
  );
}

function withStore<Result>(path: string, work: (store: EarlierStore) => Result): Result {
  const root = open<Buffer, string>({ path, encoding: 'binary', maxDbs: 8 });
  const table = (name: string): Table => root.openDB(name, { encoding: 'binary' });
  try {
    return work({ root, table });
  } finally {
    void root.close();
  }
}

function accountEntries({ table }: EarlierStore): Entry[] {
  const entries: Entry[] = [];
  // Still earlier releases stored the keys of the simulated market as they are: whoever read them has them.
  const readable = new Set(
    [...table('test-keys').getRange()].map(({ value }) => hash('sha256', decode(value) as string, 'hex')),
  );
  for (const { key, value } of table('keys').getRange()) {
    const record = decode(value) as object;
    entries.push([`key|${key}`, encode(readable.has(key) ? { ...record, active: false } : record)]);
  }
  for (const { key, value } of table('usage').getRange()) entries.push([`usage|${key}`, Buffer.from(value)]);
  for (const { key } of table('ended-sessions').getRange()) entries.push([`session|${key}`, encode(1)]);
  const secret = table('meta').get('token-secret');
  if (secret !== undefined) entries.push(['secret|token', encode(Uint8Array.from(secret))]);
  return entries;
}

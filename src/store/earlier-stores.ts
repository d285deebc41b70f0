// Takes over what earlier releases kept in stores of their own beside the log: keys, usage, ended sessions, the secret
// that signs tokens, and alerts. Once, at the first start of this release: the stores are removed when their contents
// are safe.
import { hash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open } from 'lmdb';
import { decode, encode } from '../base/wire/codec.js';
import { LOG_ORIGIN } from '../log/control/entries.js';
import type { LmdbControlStore } from './control-store.js';

type Entry = readonly [entry: string, value: Uint8Array];
type Table = Database<Buffer, string>;
type Tables = (name: string) => Table;

/** The directories, and what their contents are as entries. */
const STORES = { accounts: accountEntries, alerts: alertEntries } as const;
type EarlierStore = keyof typeof STORES;

/** Tables of alerts, and the kinds of their entries. */
const ALERTS = {
  rules: 'alert',
  progress: 'alert-progress',
  told: 'alert-reported',
  queue: 'alert-queue',
  deliveries: 'alert-delivery',
} as const;

export function hasEarlierAccounts(dataDir: string): boolean {
  return isStore(join(dataDir, 'accounts'));
}

/**
 * To be called before anything reads the control store. A command for keys moves `accounts` alone: what release 0.2.0
 * left is unchanged by it. Returns what removes the earlier stores: to be called once a loss of power loses nothing of
 * the control store.
 */
export function takeInEarlierStores(
  dataDir: string,
  control: LmdbControlStore,
  names: readonly EarlierStore[] = ['accounts', 'alerts'],
): () => void {
  const stores = names
    .map((name) => ({ path: join(dataDir, name), read: STORES[name] }))
    .filter(({ path }) => isStore(path));
  if (stores.length === 0) return () => undefined;
  // What is in a cluster's log already is not to be added at one node.
  if (control.value(LOG_ORIGIN) === undefined) {
    const entries = stores.flatMap(({ path, read }) => withStore(path, (table) => [...read(table)]));
    control.restore(Math.max(1, control.position), entries);
  }
  return () => {
    control.flush();
    for (const { path } of stores) rmSync(path, { recursive: true });
  };
}

/** The masked keys that an earlier release stored; undefined if there is no store of one. */
export function earlierMaskedKeys(dataDir: string): string[] | undefined {
  if (!hasEarlierAccounts(dataDir)) return undefined;
  return withStore(join(dataDir, 'accounts'), (table) =>
    [...table('keys').getRange()].map(({ value }) => (decode(value) as { masked: string }).masked),
  );
}

function isStore(path: string): boolean {
  return existsSync(join(path, 'data.mdb'));
}

function withStore<Result>(path: string, work: (table: Tables) => Result): Result {
  const root = open<Buffer, string>({ path, encoding: 'binary', maxDbs: 8 });
  try {
    return work((name) => root.openDB(name, { encoding: 'binary' }));
  } finally {
    void root.close();
  }
}

function* accountEntries(table: Tables): Iterable<Entry> {
  // Still earlier releases stored the keys of the simulated market as they are: whoever read them has them.
  const readable = new Set(
    [...table('test-keys').getRange()].map(({ value }) => hash('sha256', decode(value) as string, 'hex')),
  );
  for (const { key, value } of table('keys').getRange()) {
    const record = decode(value) as object;
    yield [`key|${key}`, encode(readable.has(key) ? { ...record, active: false } : record)];
  }
  for (const { key, value } of table('usage').getRange()) yield [`usage|${key}`, Buffer.from(value)];
  for (const { key } of table('ended-sessions').getRange()) yield [`session|${key}`, encode(1)];
  const secret = table('meta').get('token-secret');
  if (secret !== undefined) yield ['secret|token', encode(Uint8Array.from(secret))];
}

function* alertEntries(table: Tables): Iterable<Entry> {
  for (const [name, kind] of Object.entries(ALERTS))
    for (const { key, value } of table(name).getRange())
      yield [`${kind}|${key}`, name === 'told' ? encode(null) : Buffer.from(value)];
}

// What earlier releases stored beside the log: keys, usage, ended sessions and the secret of tokens.
import { join } from 'node:path';
import { open } from 'lmdb';

export interface Earlier {
  /** By hash. */
  keys?: Readonly<Record<string, object>>;
  usage?: Readonly<Record<string, object>>;
  sessions?: readonly string[];
  secret?: Buffer;
  /** Keys of the simulated market, as they are. */
  readable?: Readonly<Record<string, string>>;
}

export interface EarlierAlerts {
  rules: Readonly<Record<string, object>>;
  progress: Readonly<Record<string, object>>;
  deliveries: Readonly<Record<string, object>>;
  queue: Readonly<Record<string, object>>;
  /** `{rule}|{opportunity}` */
  told: readonly string[];
}

export async function earlierStore(
  dataDir: string,
  { keys, usage, sessions, secret, readable }: Earlier,
): Promise<void> {
  const root = open({ path: join(dataDir, 'accounts'), maxDbs: 8, encoding: 'binary' });
  const packed = (name: string) => root.openDB<unknown, string>({ name, encoding: 'msgpack' });
  for (const [hash, record] of Object.entries(keys ?? {})) await packed('keys').put(hash, record);
  for (const [account, counters] of Object.entries(usage ?? {})) await packed('usage').put(account, counters);
  for (const [tier, key] of Object.entries(readable ?? {})) await packed('test-keys').put(tier, key);
  const binary = (name: string) => root.openDB<Buffer, string>({ name, encoding: 'binary' });
  for (const id of sessions ?? []) await binary('ended-sessions').put(id, Buffer.alloc(0));
  if (secret !== undefined) await binary('meta').put('token-secret', secret);
  await root.close();
}

export async function earlierAlerts(dataDir: string, { told, ...tables }: EarlierAlerts): Promise<void> {
  const root = open({ path: join(dataDir, 'alerts'), maxDbs: 8, encoding: 'binary' });
  for (const [name, values] of Object.entries(tables)) {
    const table = root.openDB<unknown, string>({ name, encoding: 'msgpack' });
    for (const [key, value] of Object.entries(values)) await table.put(key, value);
  }
  const reported = root.openDB<Buffer, string>({ name: 'told', encoding: 'binary' });
  for (const key of told) await reported.put(key, Buffer.alloc(1));
  await root.close();
}

// The LMDB environment of accounts: key records by hash, and usage counters. Other processes (the
// `keys` commands) write it while the server reads it; a generation number tells the server that something changed.
import { hash, randomBytes } from 'node:crypto';
import { type Database, open, type RootDatabase } from 'lmdb';
import { monotonicMs } from '../model/clock.js';
import { LIMITS } from '../model/limits.js';
import { decode, encode } from '../wire/codec.js';
import { makeStoreDirectory } from './free-space.js';
import { decoded, MAP_BYTES, raiseGeneration, readGeneration } from './lmdb-table.js';
import { PRIVATE_STORE } from './private-files.js';
import { committed, REPORT_FAILURES, written } from './storage-error.js';

const TOKEN_SECRET = 'token-secret';
const NAME = 'name';
const READ_EVERY_MS = 5;
const NOTHING = Buffer.alloc(0);

export class AccountsStore {
  readonly #root: RootDatabase<Buffer, string>;
  readonly #keys: Database<Buffer, string>;
  readonly #usage: Database<Buffer, string>;
  readonly #endedSessions: Database<Buffer, string>;
  readonly #endedSessionsMax: number;
  readonly #meta: Database<Buffer, string>;
  #generation = 0;
  #tokenSecret: Buffer | undefined;
  #onChange: ((changes: readonly AccountsChange[]) => void) | undefined;
  /** When it was read, on the monotonic clock. */
  #readMs = Number.NEGATIVE_INFINITY;

  /** Opens or creates the environment in this directory. */
  constructor(path: string, endedSessionsMax: number = LIMITS.mcpSessionsEnded.max) {
    this.#endedSessionsMax = endedSessionsMax;
    makeStoreDirectory(path);
    this.#root = open({
      path,
      encoding: 'binary',
      mapSize: MAP_BYTES,
      maxDbs: 8,
      ...REPORT_FAILURES,
      ...PRIVATE_STORE,
    });
    this.#keys = this.#root.openDB('keys', { encoding: 'binary' });
    this.#usage = this.#root.openDB('usage', { encoding: 'binary' });
    this.#endedSessions = this.#root.openDB('ended-sessions', { encoding: 'binary' });
    this.#meta = this.#root.openDB('meta', { encoding: 'binary' });
    this.#endReadableKeys(this.#root.openDB('test-keys', { encoding: 'binary' }));
  }

  /** Earlier releases stored the keys of the simulated market as they are: whoever read them has them. */
  #endReadableKeys(readable: Database<Buffer, string>): void {
    if ((readable.getStats() as { entryCount: number }).entryCount === 0) return;
    this.#change((writer) => {
      for (const { key: tier, value } of [...readable.getRange()]) {
        endKey(writer, hash('sha256', decode(value) as string, 'hex'));
        void readable.remove(tier);
      }
    }, []);
  }

  /**
   * Changes whenever any process changed a key. Another process's commit is seen within six milliseconds: the number is
   * cached for five, and lmdb keeps a read transaction for one. So it costs a request next to nothing.
   */
  generation(): number {
    const nowMs = monotonicMs();
    if (nowMs >= this.#readMs + READ_EVERY_MS) {
      this.#readMs = nowMs;
      this.#generation = readGeneration(this.#meta);
    }
    return this.#generation;
  }

  /** 32 bytes that sign this directory's tokens, the same for every process; created on first use. */
  tokenSecret(): Buffer {
    this.#tokenSecret ??= this.#meta.get(TOKEN_SECRET) ?? this.#getOrPut(TOKEN_SECRET, () => randomBytes(32));
    return this.#tokenSecret;
  }

  /** The id of this directory among those it shares its keys with; created on first use. */
  name(): string {
    return this.#getOrPut(NAME, () => Buffer.from(randomBytes(8).toString('hex'), 'latin1')).toString('latin1');
  }

  #getOrPut(key: string, make: () => Buffer): Buffer {
    return this.#root.transactionSync(() => {
      const known = this.#meta.get(key);
      if (known !== undefined) return known;
      const made = make();
      void this.#meta.put(key, made);
      return made;
    });
  }

  /** Replaces this directory's own secret by that of the directories it shares its keys with. */
  setTokenSecret(secret: Buffer): void {
    this.#root.transactionSync(() => void this.#meta.put(TOKEN_SECRET, secret));
    this.#tokenSecret = secret;
  }

  /** Called with this process's changes once they are committed. */
  onChange(listener: (changes: readonly AccountsChange[]) => void): void {
    this.#onChange = listener;
  }

  key(hash: string): unknown {
    return decoded(this.#keys.getBinaryFast(hash));
  }

  keys(): unknown[] {
    this.#root.resetReadTxn();
    return [...this.#keys.getRange().map(({ value }) => decode(value))];
  }

  /** Runs the change as one transaction, exclusive among all processes; on disk when it returns. */
  change<Result>(work: (writer: AccountsWriter) => Result): Result {
    const changes: AccountsChange[] = [];
    const result = this.#change(work, changes);
    if (changes.length > 0) this.#onChange?.(changes);
    return result;
  }

  /** As change(), for changes of others: the listener is not called. */
  takeOver(work: (writer: AccountsWriter) => void): void {
    this.#change(work, []);
  }

  #change<Result>(work: (writer: AccountsWriter) => Result, changes: AccountsChange[]): Result {
    return this.#root.transactionSync(() => {
      const outcome = work({
        keys: () => [...this.#keys.getRange().map(({ value }) => decode(value))],
        putKey: (hash, record) => {
          changes.push({ hash, record });
          void this.#keys.put(hash, encode(record));
        },
        removeKey: (hash) => {
          changes.push({ hash, record: null });
          void this.#keys.remove(hash);
        },
      });
      void raiseGeneration(this.#meta);
      this.#readMs = Number.NEGATIVE_INFINITY;
      return outcome;
    });
  }

  usage(keyId: string): unknown {
    return decoded(this.#usage.getBinaryFast(keyId));
  }

  /**
   * Updates these records without another process in between. Settles when committed; rejects with the disk's reason,
   * with nothing written.
   */
  async changeUsage(accounts: Iterable<string>, change: (account: string, stored: unknown) => object): Promise<void> {
    const commit = this.#root.transaction(() => {
      for (const account of accounts) written(this.#usage.put(account, encode(change(account, this.usage(account)))));
    });
    await committed(commit);
  }

  /**
   * Records for every process that this MCP session is over; visible once it returns. Ids sort in the order of their
   * sessions.
   */
  endSession(id: string): void {
    this.#root.transactionSync(() => {
      void this.#endedSessions.put(id, NOTHING);
      const { entryCount } = this.#endedSessions.getStats() as { entryCount: number };
      const over = entryCount - this.#endedSessionsMax;
      if (over <= 0) return;
      for (const oldest of [...this.#endedSessions.getKeys({ limit: over })]) void this.#endedSessions.remove(oldest);
    });
  }

  /** True if any process has ended it. */
  sessionEnded(id: string): boolean {
    this.#root.resetReadTxn();
    return this.#endedSessions.doesExist(id);
  }

  async close(): Promise<void> {
    await this.#root.close();
  }
}

/** A key's record by its hash; null if it was removed. */
export interface AccountsChange {
  hash: string;
  record: object | null;
}

/** Valid inside AccountsStore.change only. */
export interface AccountsWriter {
  keys(): unknown[];
  putKey(hash: string, record: object): void;
  removeKey(hash: string): void;
}

/** Ends the key with this hash, if there is one. */
export function endKey(writer: AccountsWriter, keyHash: string): void {
  const record = (writer.keys() as { hash: string }[]).find((key) => key.hash === keyHash);
  if (record !== undefined) writer.putKey(keyHash, { ...record, active: false });
}

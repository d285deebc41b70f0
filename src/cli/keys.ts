// `overround keys`: creates, lists and revokes API keys, also while a server runs on the same data, or those of a
// cluster. One JSON object per line on standard output, for scripts.
import { existsSync } from 'node:fs';
import { type Accounts, accountsPath, isActive, type NewKey, openAccounts } from '../accounts/accounts.js';
import { mayStream } from '../catalogue/tiers.js';
import type { Config } from '../config/config.js';
import { withDataDir } from '../config/store.js';
import type { Clock } from '../model/clock.js';
import { readIdentity } from '../store/data-directory.js';

/** A command failed: its message is the one line the command ends with. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

export interface KeysContext {
  config: Config;
  clock: Clock;
  /** Writes one line to standard output. */
  print(line: string): void;
  /** Writes one line to standard error. */
  note(line: string): void;
}

/** Prints `{id, key, tier}`: the only time the key is shown. Throws ApiError for invalid values, CommandError for an unknown account. */
export async function createKey(given: KeysContext, options: NewKey): Promise<void> {
  const context = withChosenData(given);
  const { cluster, dataDir } = context.config;
  const noStore = cluster.length === 0 && readIdentity(dataDir) === undefined;
  await withAccounts(context, (accounts) => {
    const { account } = options;
    if (account !== undefined && accounts.list(account).length === 0)
      throw new CommandError(`there is no account ${account} (keys list shows them)`);
    const { key, record } = accounts.create(options);
    context.print(JSON.stringify({ id: record.id, key, tier: record.tier }));
  });
  if (noStore)
    context.note(`no server has used ${dataDir} yet: the key is for one that is started with --data ${dataDir}`);
}

/** Prints every key, oldest first, masked. Throws CommandError where there is no data. */
export async function listKeys(given: KeysContext): Promise<void> {
  const context = withChosenData(given);
  checkExists(context.config);
  await withAccounts(context, (accounts) => {
    const now = context.clock.now();
    for (const record of accounts.list()) {
      const { hash: _hash, active: _active, createdAt, updatedAt, expiresAt, trialEndsAt, ...shown } = record;
      const streaming = mayStream(record, now);
      const times = {
        created_at: time(createdAt),
        updated_at: time(updatedAt),
        ...(trialEndsAt === undefined ? {} : { trial_ends_at: time(trialEndsAt) }),
        ...(expiresAt === undefined ? {} : { expires_at: time(expiresAt) }),
      };
      context.print(JSON.stringify({ ...shown, streaming, is_active: isActive(record, now), ...times }));
    }
  });
}

/** Prints `{id, revoked}`. Throws CommandError for an unknown id. */
export async function revokeKey(given: KeysContext, id: string): Promise<void> {
  const context = withChosenData(given);
  checkExists(context.config);
  await withAccounts(context, (accounts) => {
    if (accounts.revoke(id) === undefined) throw new CommandError(`there is no key ${id} (keys list shows them)`);
    context.print(JSON.stringify({ id, revoked: true }));
  });
}

/** If no directory is given: that of real odds, or that of simulated ones where only it has keys. */
function withChosenData(context: KeysContext): KeysContext {
  const { config } = context;
  const [real, simulated] = [withDataDir(config, false), withDataDir(config, true)];
  if (config.cluster.length > 0 || hasKeys(real) || !hasKeys(simulated)) return { ...context, config: real };
  context.note(`using ${simulated.dataDir}, as ${real.dataDir} has no keys (--data says which)`);
  return { ...context, config: simulated };
}

function hasKeys({ dataDir }: Config): boolean {
  return existsSync(accountsPath(dataDir));
}

/** A mistyped directory must not be created, nor look like one without keys. */
function checkExists(config: Config): void {
  const { cluster, dataDir } = config;
  if (cluster.length === 0 && !hasKeys(config))
    throw new CommandError(`${dataDir} has no keys (keys create makes one)`);
}

async function withAccounts({ config, clock }: KeysContext, work: (accounts: Accounts) => void): Promise<void> {
  if (config.cluster.length > 0) {
    const { withSharedAccounts } = await import('../server/shared-accounts.js');
    return withSharedAccounts(config, clock, work);
  }
  const accounts = openAccounts(accountsPath(config.dataDir), clock);
  try {
    work(accounts);
  } finally {
    await accounts.close();
  }
}

function time(unixMs: number): string {
  return new Date(unixMs).toISOString();
}

// `overround keys`: creates, lists and revokes API keys, also while a server runs on the same data, or those of a
// cluster. One JSON object per line on standard output, for scripts.
import { existsSync } from 'node:fs';
import { type Accounts, accountsPath, isActive, type NewKey, openAccounts } from '../accounts/accounts.js';
import type { Config } from '../config/config.js';
import type { Clock } from '../model/clock.js';

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
}

/** Prints `{id, key, tier}`: the only time the key is shown. Throws ApiError for invalid values, CommandError for an unknown account. */
export async function createKey(context: KeysContext, options: NewKey): Promise<void> {
  await withAccounts(context, (accounts) => {
    const { account } = options;
    if (account !== undefined && accounts.list(account).length === 0)
      throw new CommandError(`there is no account ${account} (overround keys list)`);
    const { key, record } = accounts.create(options);
    context.print(JSON.stringify({ id: record.id, key, tier: record.tier }));
  });
}

/** Prints every key, oldest first, masked. Throws CommandError where there is no data. */
export async function listKeys(context: KeysContext): Promise<void> {
  checkExists(context.config);
  await withAccounts(context, (accounts) => {
    const now = context.clock.now();
    for (const record of accounts.list()) {
      const { hash: _hash, active: _active, createdAt, updatedAt, expiresAt, trialEndsAt, ...shown } = record;
      const times = {
        created_at: time(createdAt),
        updated_at: time(updatedAt),
        ...(trialEndsAt === undefined ? {} : { trial_ends_at: time(trialEndsAt) }),
        ...(expiresAt === undefined ? {} : { expires_at: time(expiresAt) }),
      };
      context.print(JSON.stringify({ ...shown, is_active: isActive(record, now), ...times }));
    }
  });
}

/** Prints `{id, revoked}`. Throws CommandError for an unknown id. */
export async function revokeKey(context: KeysContext, id: string): Promise<void> {
  checkExists(context.config);
  await withAccounts(context, (accounts) => {
    if (accounts.revoke(id) === undefined) throw new CommandError(`there is no key ${id} (overround keys list)`);
    context.print(JSON.stringify({ id, revoked: true }));
  });
}

/** A mistyped directory must not be created, nor look like one without keys. */
function checkExists({ cluster, dataDir }: Config): void {
  if (cluster.length === 0 && !existsSync(accountsPath(dataDir)))
    throw new CommandError(`${dataDir} has no keys (overround keys create)`);
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

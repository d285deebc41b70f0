// A cluster's keys for the duration of a command: in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accounts, openAccounts } from '../accounts/accounts.js';
import { connectNode } from '../cluster/open-node.js';
import { SharedKeys } from '../cluster/shared-keys.js';
import type { Config } from '../config/config.js';
import type { Clock } from '../model/clock.js';
import { createLog } from '../observe/log.js';

/** Settles when the cluster has the changes. Rejects with NatsUnavailable or ApiError `unavailable`. */
export async function withSharedAccounts(
  config: Config,
  clock: Clock,
  work: (accounts: Accounts) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'overround-keys-'));
  const accounts = openAccounts(folder, clock);
  try {
    const nats = await connectNode(config, 'keys');
    const shared = new SharedKeys(nats, accounts.store, createLog('silent'));
    try {
      await shared.start();
      work(accounts);
      await shared.published();
    } finally {
      shared.close();
      await nats.close();
    }
  } finally {
    await accounts.close();
    await rm(folder, { recursive: true, force: true });
  }
}

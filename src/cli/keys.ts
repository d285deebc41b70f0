// `overround keys`: creates, lists and revokes API keys: those of a cluster, of the server that runs on the data
// directory, or of the directory itself if none does. One JSON object per line on standard output, for scripts.

import { existsSync, statSync } from 'node:fs';
import { openAccounts } from '../accounts/accounts.js';
import {
  addKey,
  revokeKey as keyRevoked,
  listKeys as keysListed,
  type NewKey,
  newKey,
} from '../accounts/key-commands.js';
import { isActive } from '../accounts/key-record.js';
import { type Clock, monotonicMs } from '../base/model/clock.js';
import { present } from '../base/model/present.js';
import { formatMs } from '../base/model/time.js';
import type { Config } from '../config/config.js';
import { withKindDefaults } from '../config/settings.js';
import type { Command } from '../log/control/command.js';
import type { ControlAnswer, ControlRequest } from '../log/control/control-queue.js';
import { askServer } from '../replication/local/socket-source.js';
import { commandRetry } from '../replication/requests/requests.js';
import { holdingOf, mayStream, RIGHT_TIERS, type Right } from '../rules/catalogue/tiers.js';
import { controlPath } from '../store/control-store.js';
import { readIdentity } from '../store/data-directory.js';
import { DirectoryInUse, lockDirectory } from '../store/directory-lock.js';
import { hasEarlierAccounts } from '../store/earlier-stores.js';
import { giveToOwner } from '../store/private-files.js';

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

/** Runs a command of the control store, wherever that is. */
type Run = <Args, Reply>(command: Command<Args, Reply>, args: Args) => Promise<Reply>;

/** A server that starts has locked its directory, and does not listen yet. */
const STARTING_MS = 10_000;
const AGAIN_MS = 100;

/**
 * Prints `{id, key, tier}`: the only time the key is shown. Throws ApiError for invalid values, CommandError for an unknown
 * account. A right that no key of the tier has is noted, and has no effect.
 */
export async function createKey(given: KeysContext, options: NewKey): Promise<void> {
  const context = withChosenData(given);
  const { cluster, dataDir } = context.config;
  const noStore = cluster.length === 0 && readIdentity(dataDir) === undefined;
  await withControl(context, async (run) => {
    const { account } = options;
    if (account !== undefined && (await run(keysListed, { account })).length === 0)
      throw new CommandError(`there is no account ${account} (keys list shows them)`);
    const { key, names } = newKey('live');
    const { id, tier } = await run(addKey, { names, options });
    context.print(JSON.stringify({ id, key, tier }));
  });
  noteRights(context, options);
  if (!noStore) return;
  const { uid } = statSync(dataDir);
  const owner = uid === 0 && process.getuid?.() === 0 ? ' by root, or by whom you give it to (chown -R USER)' : '';
  context.note(`no server has used ${dataDir} yet: the key is for one that is started with --data ${dataDir}${owner}`);
}

/** A right that no key of the tier has would look granted. */
function noteRights({ note }: KeysContext, { tier, streaming, trialHours, maxStreams, features = [] }: NewKey): void {
  const asked = features.map((feature): [string, string] => [`--feature ${feature}`, feature]);
  const streams = { '--streaming': streaming, '--trial-hours': trialHours, '--max-streams': maxStreams };
  for (const [flag, value] of Object.entries(streams)) if (value !== undefined) asked.push([flag, 'streaming']);
  // What is no right at all is refused with the other values.
  for (const [flag, right] of asked)
    if (right in RIGHT_TIERS && holdingOf(tier, right as Right) === 'none')
      note(`${flag} has no effect: it needs the ${RIGHT_TIERS[right as Right]} tier`);
}

/** Prints every key, oldest first, masked. Throws CommandError where there is no data. */
export async function listKeys(given: KeysContext): Promise<void> {
  const context = withChosenData(given);
  checkExists(context.config);
  await withControl(context, async (run) => {
    const now = context.clock.now();
    for (const record of await run(keysListed, {})) {
      const { hash: _hash, active: _active, createdAt, updatedAt, expiresAt, trialEndsAt, ...shown } = record;
      const streaming = mayStream(record, now);
      const stated = {
        created_at: createdAt,
        updated_at: updatedAt,
        trial_ends_at: trialEndsAt,
        expires_at: expiresAt,
      };
      const times = Object.fromEntries(Object.entries(present(stated)).map(([name, ms]) => [name, formatMs(ms)]));
      context.print(JSON.stringify({ ...shown, streaming, is_active: isActive(record, now), ...times }));
    }
  });
}

/** Prints `{id, revoked}`. Throws CommandError for an unknown id. */
export async function revokeKey(given: KeysContext, id: string): Promise<void> {
  const context = withChosenData(given);
  checkExists(context.config);
  await withControl(context, async (run) => {
    if ((await run(keyRevoked, { id })) == null) throw new CommandError(`there is no key ${id} (keys list shows them)`);
    context.print(JSON.stringify({ id, revoked: true }));
  });
}

/** If no directory is given: that of real odds, or that of simulated ones where only it has keys. */
function withChosenData(context: KeysContext): KeysContext {
  const { config } = context;
  const [real, simulated] = [withKindDefaults(config, false), withKindDefaults(config, true)];
  if (config.cluster.length > 0 || hasKeys(real) || !hasKeys(simulated)) return { ...context, config: real };
  context.note(`using ${simulated.dataDir}, as ${real.dataDir} has no keys (--data says which)`);
  return { ...context, config: simulated };
}

function hasKeys({ dataDir }: Config): boolean {
  return existsSync(controlPath(dataDir)) || hasEarlierAccounts(dataDir);
}

/** A mistyped directory must not be created, nor look like one without keys. */
function checkExists(config: Config): void {
  const { cluster, dataDir } = config;
  if (cluster.length === 0 && !hasKeys(config))
    throw new CommandError(`${dataDir} has no keys (keys create makes one)`);
}

async function withControl(context: KeysContext, work: (run: Run) => Promise<void>): Promise<void> {
  const { config } = context;
  if (config.cluster.length > 0) {
    const { withWriter } = await import('../replication/nats/writer-client.js');
    return withWriter(config, (ask) => work(through((request) => ask('control', request))));
  }
  const { dataDir } = config;
  const patiently = commandRetry();
  for (const untilMs = monotonicMs() + STARTING_MS; ; await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))) {
    // Any request shows whether a server listens.
    if ((await patiently(() => askServer(dataDir, 'control', { name: keysListed.name, args: {} }))) !== null)
      return work(
        through(async (request) => {
          const answer = await patiently(() => askServer(dataDir, 'control', request));
          if (answer === null) throw new CommandError(`the server of ${dataDir} has just ended: try again`);
          return answer;
        }),
      );
    try {
      return await alone(context, work);
    } catch (error) {
      if (!(error instanceof DirectoryInUse) || monotonicMs() > untilMs) throw error;
    }
  }
}

/** In a directory that no server uses, nor begins to use meanwhile. */
async function alone({ config, clock, note }: KeysContext, work: (run: Run) => Promise<void>): Promise<void> {
  const { dataDir } = config;
  const unlock = await lockDirectory(dataDir);
  try {
    if (hasEarlierAccounts(dataDir))
      note(`keys of an earlier release are moved to ${controlPath(dataDir)}: it cannot read them any more`);
    const accounts = openAccounts(dataDir, clock);
    await work((command, args) => accounts.control.run(command, args)).finally(() => accounts.close());
  } finally {
    giveToOwner(dataDir);
    await unlock();
  }
}

function through(ask: (request: ControlRequest) => Promise<ControlAnswer>): Run {
  return async <Args, Reply>({ name }: Command<Args, Reply>, args: Args) => (await ask({ name, args })).reply as Reply;
}

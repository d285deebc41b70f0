// `--fuzz`: attackers instead of faults. Between attacks the same is measured without one, and then everything must be
// exact: nothing that was acknowledged may be lost, and no reader may have been disturbed.

import { setTimeout as wait } from 'node:timers/promises';
import { AttackThread } from './attack-thread.js';
import { type Operation, readDocuments } from './documents.js';
import type { Meter } from './meter.js';
import { Neighbours } from './neighbours.js';
import type { Options } from './options.js';
import type { Run } from './run.js';

const CONTROL_MS = 8_000;
const ATTACK_MS_MAX = 40_000;
const TIERS = ['free', 'hobby', 'pro', 'sharp', 'enterprise'];

/** @param quiet waits until nothing is under way, and checks that everything is exact */
export async function fuzz(run: Run, options: Options, meter: Meter, quiet: () => Promise<void>): Promise<void> {
  const { deployment } = run;
  const unlimited = deployment.key('enterprise', '--requests-per-minute', '1000000000');
  const rights = ['--streaming', '--feature', 'low_hold'];
  // As they are sold, two accounts of each; and one whose requests nobody counts.
  const readers = [...TIERS, ...TIERS].map((tier) => deployment.key(tier, ...(tier === 'free' ? [] : rights)));
  const keys = {
    readers: [...readers, deployment.key('enterprise', ...rights, '--requests-per-minute', '1000000000'), undefined],
    ingest: deployment.key('enterprise', '--scope', 'ingest', '--requests-per-minute', '1000000000'),
  };
  const documents = await readDocuments(deployment.url, unlimited);
  const { operations, tools, messages } = documents;
  process.stdout.write(
    `attacks ${operations.length} routes, ${tools.length} tools, ${messages.length} messages of streams\n`,
  );
  await checkRoutes(run, operations, unlimited);
  const attackers = new AttackThread(run, { seed: options.seed ^ 0x2545f491, documents, keys });
  const neighbours = new Neighbours(run, unlimited);
  const endMs = run.elapsedMs + options.minutes * 60_000;
  try {
    while (run.elapsedMs < endMs) {
      await neighbours.during('control', () => wait(CONTROL_MS));
      const attackMs = Math.min(ATTACK_MS_MAX, Math.max(5_000, endMs - run.elapsedMs));
      await neighbours.during('attack', async () => {
        attackers.begin();
        for (const until = performance.now() + attackMs; performance.now() < until; ) {
          await wait(2_000);
          meter.read();
        }
        await attackers.end();
      });
      neighbours.check();
      await quiet();
    }
  } finally {
    await attackers.end();
    await attackers.close();
    await neighbours.close();
  }
}

/** Attacks on addresses where nothing is would prove nothing. */
async function checkRoutes(run: Run, operations: readonly Operation[], key: string): Promise<void> {
  for (const { method, path, parameters, streams } of operations) {
    if (method !== 'GET' || streams) continue;
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(String(parameters.find((each) => each.name === name)?.example ?? 'x')),
    );
    const answer = await run.call(address, key);
    if (answer?.status === 404 && JSON.stringify(answer.body).includes('nothing at this path'))
      run.find('documented routes exist', address);
  }
}

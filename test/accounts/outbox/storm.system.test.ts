// Every match is sent, and in order, whatever happens to the receiver and to the sending process.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newSecret } from '../../../src/accounts/outbox/targets.js';
import { systemClock } from '../../../src/base/model/clock.js';
import { Receiver } from '../../alerts/receiver.js';
import { newFolder } from '../../temp-folders.js';
import { ruleFor } from './rules.js';
import { storedAlerts } from './stored-alerts.js';

const CHILD = fileURLToPath(new URL('child.js', import.meta.url));
const MESSAGES = 1_000;
const KILLS = 4;

test('1,000 alerts reach a receiver that fails, hangs and restarts, from a sender that is killed: all, in order, signed', async (t) => {
  const path = newFolder('overround-outbox-');
  const receiver = new Receiver();
  await receiver.listen();
  t.after(() => receiver.stop());
  receiver.secret = newSecret();
  // Every 25th is refused, every 200th is left hanging.
  receiver.behaviour = (count) => (count % 200 === 150 ? 'hang' : count % 25 === 7 ? 503 : 'take');
  const alerts = storedAlerts(path, systemClock);
  alerts.add({ ...ruleFor(receiver.url), secret: receiver.secret });
  await alerts.close();
  let child: ChildProcess | undefined;
  const start = (): void => {
    child = spawn(process.execPath, [CHILD, path, String(MESSAGES)], { stdio: 'inherit' });
  };
  t.after(() => child?.kill('SIGKILL'));
  start();
  const reached = (): number => numbers(receiver).at(-1) ?? 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const share = Math.floor((MESSAGES * kill) / (KILLS + 1));
    await receiver.until(() => reached() >= share, `before kill ${kill}`);
    if (kill % 2 === 0) {
      await receiver.stop();
      await receiver.listen();
    }
    const ended = new Promise((resolve) => child!.once('exit', resolve));
    child!.kill('SIGKILL');
    await ended;
    start();
  }
  await receiver.until(() => reached() === MESSAGES, 'the last one');
  assert.deepEqual(receiver.bad, [], 'every signature is right');
  const got = numbers(receiver);
  assert.deepEqual(
    [...new Set(got)],
    Array.from({ length: MESSAGES }, (_, i) => i + 1),
    'all, first arrivals in order',
  );
  for (const [i, n] of got.entries()) assert.ok(i === 0 || n >= got[i - 1]!, `${n} again after ${got[i - 1]}`);
  assert.ok(got.length - MESSAGES <= KILLS + receiver.requests / 200 + 2, `${got.length - MESSAGES} came twice`);
  const ids = new Map(receiver.taken.map(({ id, body }) => [id, (body as unknown as { n: number }).n]));
  assert.equal(ids.size, MESSAGES, 'one that comes again has its id');
});

function numbers({ taken }: Receiver): number[] {
  return taken.map(({ body }) => (body as unknown as { n: number }).n);
}

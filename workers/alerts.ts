// The thread that sends alerts: what waits in the store is sent, so that a target that hangs holds nothing up.
import { parentPort, workerData } from 'node:worker_threads';
import { Addresses } from '../src/accounts/outbox/addresses.js';
import { AlertStore } from '../src/accounts/outbox/alert-store.js';
import { Deliveries } from '../src/accounts/outbox/deliveries.js';
import { Sender } from '../src/accounts/outbox/sender.js';
import type { OutboxNote, OutboxTask, OutboxThreadData } from '../src/accounts/outbox/thread.js';
import { systemClock } from '../src/base/model/clock.js';
import type { Command } from '../src/log/control/command.js';
import { LmdbControlStore } from '../src/store/control-store.js';

const { path, hosts, telegram, timeoutMs, waitsMs, giveUpMs } = workerData as OutboxThreadData;
const port = parentPort!;
const post = (note: OutboxNote): void => port.postMessage(note);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Commands that the main thread runs. */
const running = new Map<number, (task: Extract<OutboxTask, { kind: 'ran' }>) => void>();
let runs = 0;
const run = <Args, Reply>({ name }: Command<Args, Reply>, args: Args): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const no = ++runs;
    running.set(no, ({ reply, failure }) => {
      stored.refresh();
      if (failure === null) resolve(reply as Reply);
      else reject(new Error(failure));
    });
    post({ kind: 'run', no, request: { name, args } });
  });

const stored = new LmdbControlStore(path, 'read');
const sender = new Sender({ addresses: new Addresses(hosts), timeoutMs, telegram, now: () => systemClock.now() });
const deliveries = new Deliveries({
  store: new AlertStore(stored, run),
  sender,
  clock: systemClock,
  schedule: { waitsMs, giveUpMs },
  onOff: ({ id, name }, reason) => post({ kind: 'off', ruleId: id, name, reason }),
  onError: (error) => post({ kind: 'failed', message: messageOf(error) }),
});
deliveries.readRules();

port.on('message', (task: OutboxTask) => {
  switch (task.kind) {
    case 'rules':
      stored.refresh();
      deliveries.readRules();
      break;
    case 'added':
      stored.refresh();
      deliveries.added(task.ruleId);
      break;
    case 'ran':
      running.get(task.no)?.(task);
      running.delete(task.no);
      break;
    case 'close':
      deliveries
        .close()
        .then(() => stored.close())
        .catch((error: unknown) => post({ kind: 'failed', message: messageOf(error) }))
        .finally(() => port.close());
  }
});

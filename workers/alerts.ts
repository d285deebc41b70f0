// The thread that sends alerts: takes what rules found, stores it, and sends it, so that a target that hangs holds nothing up.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../src/model/clock.js';
import { Addresses } from '../src/outbox/addresses.js';
import { ContinuedElsewhere, Deliveries } from '../src/outbox/deliveries.js';
import type { OutboxNote, OutboxTask, OutboxThreadData, SharingFailure } from '../src/outbox/protocol.js';
import { Sender } from '../src/outbox/sender.js';
import { AlertStore, type RuleChange } from '../src/store/alert-store.js';

const { path, hosts, telegram, timeoutMs, waitsMs, giveUpMs, shared } = workerData as OutboxThreadData;
const port = parentPort!;
const post = (note: OutboxNote): void => port.postMessage(note);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Changes that the main thread shares with other processes. */
const sharing = new Map<number, (failure: SharingFailure | null) => void>();
let shares = 0;
const share = (change: RuleChange): Promise<void> =>
  new Promise((resolve, reject) => {
    const no = ++shares;
    sharing.set(no, (failure) => {
      if (failure === null) resolve();
      else reject(failure.continued ? new ContinuedElsewhere() : new Error(failure.message));
    });
    post({ kind: 'share', no, change });
  });

const store = new AlertStore(path);
const sender = new Sender({ addresses: new Addresses(hosts), timeoutMs, telegram, now: () => systemClock.now() });
const deliveries = new Deliveries({
  store,
  sender,
  clock: systemClock,
  schedule: { waitsMs, giveUpMs },
  share: shared ? share : undefined,
  onQueue: (ruleId, waiting, off) => post({ kind: 'queue', ruleId, waiting, off }),
  onOff: ({ id, name }, reason) => post({ kind: 'off', ruleId: id, name, reason }),
  onError: (error) => post({ kind: 'failed', message: messageOf(error) }),
});
deliveries.readRules();

port.on('message', (task: OutboxTask) => {
  switch (task.kind) {
    case 'put':
      deliveries.put(task.ruleId, task.findings).then(
        () => post({ kind: 'stored', no: task.no, failure: null }),
        (error: unknown) => post({ kind: 'stored', no: task.no, failure: messageOf(error) }),
      );
      break;
    case 'rules':
      deliveries.readRules();
      break;
    case 'shared':
      sharing.get(task.no)?.(task.failure);
      sharing.delete(task.no);
      break;
    case 'close':
      deliveries
        .close()
        .then(() => store.close())
        .catch((error: unknown) => post({ kind: 'failed', message: messageOf(error) }))
        .finally(() => port.close());
  }
});

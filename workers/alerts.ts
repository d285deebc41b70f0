// The thread that sends alerts: takes what rules found, stores it, and sends it, so that a target that hangs holds nothing up.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../src/model/clock.js';
import { Addresses } from '../src/outbox/addresses.js';
import { Deliveries } from '../src/outbox/deliveries.js';
import type { OutboxNote, OutboxTask, OutboxThreadData } from '../src/outbox/protocol.js';
import { Sender } from '../src/outbox/sender.js';
import { AlertStore } from '../src/store/alert-store.js';

const { path, hosts, telegram, timeoutMs, waitsMs, giveUpMs } = workerData as OutboxThreadData;
const port = parentPort!;
const tell = (note: OutboxNote): void => port.postMessage(note);
const told = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const store = new AlertStore(path);
const sender = new Sender({ addresses: new Addresses(hosts), timeoutMs, telegram, now: () => systemClock.now() });
const deliveries = new Deliveries({
  store,
  sender,
  clock: systemClock,
  schedule: { waitsMs, giveUpMs },
  onQueue: (ruleId, waiting, off) => tell({ kind: 'queue', ruleId, waiting, off }),
  onOff: ({ id, name }, reason) => tell({ kind: 'off', ruleId: id, name, reason }),
  onError: (error) => tell({ kind: 'failed', message: told(error) }),
});
deliveries.readRules();

port.on('message', (task: OutboxTask) => {
  switch (task.kind) {
    case 'put':
      deliveries.put(task.ruleId, task.findings).then(
        () => tell({ kind: 'stored', no: task.no, failure: null }),
        (error: unknown) => tell({ kind: 'stored', no: task.no, failure: told(error) }),
      );
      break;
    case 'rules':
      deliveries.readRules();
      break;
    case 'close':
      deliveries
        .close()
        .then(() => store.close())
        .catch((error: unknown) => tell({ kind: 'failed', message: told(error) }))
        .finally(() => port.close());
  }
});

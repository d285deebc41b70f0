// A process that stores a thousand matches and sends them, as the alerts' thread does, until it is killed: argv has the
// store's directory and their number.

import { Addresses } from '../../../src/accounts/outbox/addresses.js';
import { Deliveries } from '../../../src/accounts/outbox/deliveries.js';
import { Sender } from '../../../src/accounts/outbox/sender.js';
import { systemClock } from '../../../src/base/model/clock.js';
import { storedAlerts } from './stored-alerts.js';

const [path, total] = process.argv.slice(2);
const { store } = storedAlerts(path!, systemClock);
const sender = new Sender({
  addresses: new Addresses(['127.0.0.1']),
  // Longer than a busy machine holds the receiver up.
  timeoutMs: 1_000,
  telegram: { url: '', token: undefined },
  now: () => systemClock.now(),
});
const deliveries = new Deliveries({
  store,
  sender,
  clock: systemClock,
  schedule: { waitsMs: [5, 20], giveUpMs: 3_600_000 },
  onOff: () => undefined,
  onError: (error) => {
    throw error;
  },
});
deliveries.readRules();
const [rule] = store.rules();
for (let n = (store.progress(rule!.id)?.position ?? 0) + 1; n <= Number(total); n++) {
  await store.put(rule!.id, {
    position: n,
    begun: [],
    untold: [],
    ended: [],
    bodies: [Buffer.from(JSON.stringify({ n }))],
  });
  deliveries.added(rule!.id);
}

// What is kept, and what is sent of it: alerts, bets, and the room that stores take and have on the disk.

import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { entryOf } from '../../accounts/bets/commands.js';
import type { Bankroll } from '../../accounts/bets/ledger.js';
import { AlertStore } from '../../accounts/outbox/alert-store.js';
import { DELIVERY_STATES, type Delivery, NEW_DELIVERY } from '../../base/model/alert.js';
import type { ControlStore } from '../../log/control/entries.js';
import { metersOf, type Sample } from './meters.js';

export interface Stores {
  dataDir: string;
  control: ControlStore;
}

export function watchStores(registry: Registry, { dataDir, control }: Stores): void {
  const { gauges, gauge, counter } = metersOf(registry);
  const alerts = new AlertStore(control, () => Promise.reject(new Error('metrics only read')));
  // A server that ends is asked for its figures until the last.
  const rules = () => (control.isOpen ? alerts.rules() : []);
  const deliveries = (): Delivery[] => rules().map(({ id }) => alerts.delivery(id) ?? NEW_DELIVERY);
  gauges(
    'overround_alert_rules',
    'Alert rules by state: active, failing (the last attempt failed), off.',
    ['state'],
    () => {
      const all = deliveries();
      return DELIVERY_STATES.map((state): Sample => [{ state }, all.filter((each) => each.state === state).length]);
    },
  );
  counter('overround_alert_messages_total', 'Alert messages that targets accepted, of the rules that exist now.', () =>
    deliveries().reduce((sum, { delivered }) => sum + delivered, 0),
  );
  gauge(
    'overround_alert_failed_attempts',
    'Failed attempts to send alert messages since their targets last accepted one.',
    () => deliveries().reduce((sum, { attempts }) => sum + attempts, 0),
  );
  gauge('overround_alert_messages_waiting', 'Alert messages that wait for their target.', () =>
    rules().reduce((sum, { id }) => sum + alerts.queueLength(id), 0),
  );
  const bankrolls = () =>
    control.isOpen ? [...control.entries(entryOf.bankrolls)].map(([, value]) => value as Bankroll) : [];
  gauge('overround_bets_recorded', 'Bets recorded, of all accounts, settled ones included.', () =>
    sum(bankrolls().map(({ bets }) => bets)),
  );
  gauges(
    'overround_bets',
    'Bets of all accounts by state: waiting (in play, not filled yet), open (a stake at risk), settled.',
    ['state'],
    () => {
      const counted = bankrolls().flatMap(({ counted }) => counted ?? []);
      return [
        [{ state: 'waiting' }, control.isOpen ? [...control.entries(entryOf.waiting)].length : 0],
        [{ state: 'open' }, sum(counted.map(({ open }) => open))],
        [{ state: 'settled' }, sum(counted.map(({ settled }) => settled))],
      ];
    },
  );
  gauges('overround_store_bytes', 'Size of the files of each store, in bytes.', ['store'], () => [
    [{ store: 'odds' }, sum(shardsIn(dataDir).map((shard) => bytesOf(join(dataDir, shard))))],
    ...['control', 'delayed', 'history', 'event-log'].map(
      (store): Sample => [{ store }, bytesOf(join(dataDir, store))],
    ),
  ]);
  gauge('overround_disk_free_bytes', "Free bytes of the data directory's disk that the server's user may fill.", () => {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize;
  });
}

function shardsIn(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => /^shard-\d+$/.test(name));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** 0 where there is none. */
function bytesOf(store: string): number {
  return statSync(join(store, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0;
}

// Alerts in a control store of their own, without a server.

import { AlertStore, addRule } from '../../../src/accounts/outbox/alert-store.js';
import type { AlertRule } from '../../../src/base/model/alert.js';
import type { Clock } from '../../../src/base/model/clock.js';
import { type Control, soleControl } from '../../../src/log/control/control.js';
import { LmdbControlStore } from '../../../src/store/control-store.js';

export interface StoredAlerts {
  control: Control;
  store: AlertStore;
  /** Adds a rule with this id, unless it is there; not created before the first position. */
  add(rule: AlertRule): void;
  close(): Promise<void>;
}

export function storedAlerts(path: string, clock: Clock): StoredAlerts {
  const control = soleControl(new LmdbControlStore(path), clock);
  return {
    control,
    store: new AlertStore(control.store, (command, args) => control.run(command, args)),
    add: (rule) => void control.now(addRule, { rule, after: 0, most: 1_000, tier: 'pro' }),
    close: () => control.store.close(),
  };
}

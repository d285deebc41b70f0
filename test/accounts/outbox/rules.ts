// A rule whose messages go to an address.
import type { AlertRule } from '../../../src/base/model/alert.js';

export function ruleFor(url: string, id = 'al_1', account = 'acc_1'): AlertRule {
  return {
    id,
    account,
    name: 'mine',
    channel: 'arbitrage',
    filters: {},
    target: { type: 'webhook', url, chat: null },
    quietSeconds: 0,
    secret: 'whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=',
    createdMs: 0,
    createdPosition: 0,
  };
}

// Changes of keys at once, where the server writes and shares its log with no other machine: tests need not wait.
import type { Accounts, CreatedKey, RotatedKey } from '../../src/accounts/accounts.js';
import { addKey, type NewKey, newKey, revokeKey, rotateKey } from '../../src/accounts/key-commands.js';
import type { KeyRecord } from '../../src/accounts/key-record.js';

export interface KeysAtOnce {
  create(options: NewKey): CreatedKey;
  revoke(id: string): KeyRecord | undefined;
  rotate(id: string, hours: number, name?: string): RotatedKey | undefined;
}

/** As those of Accounts. */
export function atOnce(accounts: Accounts): KeysAtOnce {
  const { control } = accounts;
  return {
    create: (options) => {
      const { key, names } = newKey('live');
      return { key, record: control.now(addKey, { names, options }) };
    },
    revoke: (id) => control.now(revokeKey, { id }),
    rotate: (id, hours, name) => {
      const { key, names } = newKey(accounts.find(id)?.masked.startsWith('sk_test_') === true ? 'test' : 'live');
      const rotated = control.now(rotateKey, { id, hours, name, names });
      return rotated === undefined ? undefined : { key, ...rotated };
    },
  };
}

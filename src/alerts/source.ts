// The port through which requests reach the alerts of accounts, whichever process stores them.
import type { KeyRecord } from '../accounts/key-record.js';
import type { AlertRule, AlertState, NewRule } from '../model/alert.js';

/** What a key decides about the rules made with it. */
export type AlertCaller = Pick<KeyRecord, 'id' | 'account' | 'tier'>;

/** Rejects with ApiError `unavailable` while no process stores alerts. */
export interface AlertSource {
  /** The account's rules, oldest first. */
  list(account: string): Promise<AlertState[]>;
  /**
   * Creates a rule that reports what begins from now on. Rejects with ApiError `invalid_request`: a name is unknown,
   * the target must not be sent to, or there are too many rules.
   */
  create(caller: AlertCaller, rule: NewRule): Promise<AlertRule>;
  /** Resolves to false if the account has no such rule. */
  remove(account: string, id: string): Promise<boolean>;
}

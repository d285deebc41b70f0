// Whose use of something limited is counted: an account's, over all its keys, and apart from it that of its viewer
// tokens. A token stands in a web page: whoever copies it must leave something to the account.
import type { KeyRecord } from './key-record.js';

export interface Caller {
  account: string;
  /** It uses a viewer token. */
  viewer: boolean;
}

export function callerOf({ account, viewer }: Pick<KeyRecord, 'account' | 'viewer'>): Caller {
  return { account, viewer: viewer !== undefined };
}

/** The account whose private books the caller may name: not by a viewer token, which stands in a web page. */
export function bookOwnerOf(key: Pick<KeyRecord, 'account' | 'viewer'> | undefined): string | undefined {
  return key?.viewer === undefined ? key?.account : undefined;
}

export function isSameCaller(one: Caller | undefined, other: Caller): boolean {
  return one?.account === other.account && one.viewer === other.viewer;
}

/** The part of an account's limits that its viewer tokens have together. */
const VIEWERS_PART = 3 / 4;

/** The names that a caller is counted by, each with its maximum, at least 1; the account's is first. */
export function countedAs({ account, viewer }: Caller, max: number): readonly (readonly [name: string, max: number])[] {
  const own = [account, max] as const;
  return viewer ? [own, [`viewers of ${account}`, Math.max(1, Math.floor(max * VIEWERS_PART))]] : [own];
}

// The messages between the main thread and the thread that sends alerts.
import type { Findings } from '../store/alert-store.js';

export interface OutboxThreadData {
  /** Directory of the store. */
  path: string;
  hosts: readonly string[];
  telegram: { url: string; token: string | undefined };
  timeoutMs: number;
  waitsMs: readonly number[];
  giveUpMs: number;
}

export type OutboxTask =
  | { kind: 'put'; no: number; ruleId: string; findings: Findings }
  /** A rule was added or removed. */
  | { kind: 'rules' }
  | { kind: 'close' };

export type OutboxNote =
  /** The matches were stored, or could not be. */
  | { kind: 'stored'; no: number; failure: string | null }
  | { kind: 'queue'; ruleId: string; waiting: number; off: boolean }
  | { kind: 'off'; ruleId: string; name: string; reason: string }
  | { kind: 'failed'; message: string };

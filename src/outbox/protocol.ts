// The messages between the main thread and the thread that sends alerts.
import type { Findings, RuleChange } from '../store/alert-store.js';
import type { Bot } from './target.js';

export interface OutboxThreadData {
  /** Directory of the store. */
  path: string;
  hosts: readonly string[];
  telegram: Bot;
  timeoutMs: number;
  waitsMs: readonly number[];
  giveUpMs: number;
  /** Each change is sent to the main thread before it is stored. */
  shared: boolean;
}

export interface SharingFailure {
  message: string;
  /** Another process continues already. */
  continued: boolean;
}

export type OutboxTask =
  | { kind: 'put'; no: number; ruleId: string; findings: Findings }
  /** A rule was added or removed. */
  | { kind: 'rules' }
  /** Another process would continue from a change; or it could not be shared, or another process continues already. */
  | { kind: 'shared'; no: number; failure: SharingFailure | null }
  | { kind: 'close' };

export type OutboxNote =
  /** The matches were stored, or could not be. */
  | { kind: 'stored'; no: number; failure: string | null }
  | { kind: 'share'; no: number; change: RuleChange }
  | { kind: 'queue'; ruleId: string; waiting: number; off: boolean }
  | { kind: 'off'; ruleId: string; name: string; reason: string }
  | { kind: 'failed'; message: string };

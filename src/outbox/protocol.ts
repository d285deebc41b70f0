// The messages between the main thread and the thread that sends alerts.
import type { ControlRequest } from '../replication/control/control-queue.js';
import type { Findings } from './alert-store.js';
import type { Bot } from './target.js';

export interface OutboxThreadData {
  /** Of the control store, which this thread reads. */
  path: string;
  hosts: readonly string[];
  telegram: Bot;
  timeoutMs: number;
  waitsMs: readonly number[];
  giveUpMs: number;
}

export type OutboxTask =
  | { kind: 'put'; no: number; ruleId: string; findings: Findings }
  /** A rule was added or removed. */
  | { kind: 'rules' }
  /** A command was run, and the store shows what it changed; or it could not be. */
  | { kind: 'ran'; no: number; reply: unknown; failure: string | null }
  | { kind: 'close' };

export type OutboxNote =
  /** The matches were stored, or could not be. */
  | { kind: 'stored'; no: number; failure: string | null }
  /** A command to run. */
  | { kind: 'run'; no: number; request: ControlRequest }
  | { kind: 'queue'; ruleId: string; waiting: number; off: boolean }
  | { kind: 'off'; ruleId: string; name: string; reason: string }
  | { kind: 'failed'; message: string };

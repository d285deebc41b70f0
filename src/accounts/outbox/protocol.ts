// The messages between the main thread and the thread that sends alerts.
import type { ControlRequest } from '../../log/control/control-queue.js';
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
  /** A rule was added or removed. */
  | { kind: 'rules' }
  /** A rule's messages were stored. */
  | { kind: 'added'; ruleId: string }
  /** A command was run, and the store shows what it changed; or it could not be. */
  | { kind: 'ran'; no: number; reply: unknown; failure: string | null }
  | { kind: 'close' };

export type OutboxNote =
  /** A command to run. */
  | { kind: 'run'; no: number; request: ControlRequest }
  | { kind: 'off'; ruleId: string; name: string; reason: string }
  | { kind: 'failed'; message: string };

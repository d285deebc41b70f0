// The messages between the supervising process and its children.

import type { Config } from '../config/config.js';
import type { Tier } from '../rules/catalogue/types.js';

/** The command line's first word when a child is started. */
export const CHILD = 'process-of-supervisor';

export interface StartOrder {
  kind: 'start';
  role: 'engine' | 'front';
  /** `engine`, `front-1` … */
  label: string;
  config: Config;
}

export type Order =
  | StartOrder
  | { kind: 'stop' }
  /** A request for its own metrics. */
  | { kind: 'metrics'; no: number }
  /** The answer to its request. */
  | { kind: 'collected'; no: number; text: string };

export type Report =
  | { kind: 'ready'; port: number; simulated: boolean; testKeys: { tier: Tier; key: string }[] }
  /** It cannot start; a line for the operator. */
  | { kind: 'failed'; message: string }
  | { kind: 'metrics'; no: number; text: string }
  /** A request for the metrics of all others, to be merged with its own. */
  | { kind: 'collect'; no: number; own: string };

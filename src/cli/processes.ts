// What the supervising process and its children say to each other.
import type { Tier } from '../catalogue/types.js';
import type { Config } from '../config/config.js';

/** The command line's first word where a child is started. */
export const CHILD = 'process-of-supervisor';

export interface StartOrder {
  kind: 'start';
  role: 'engine' | 'front';
  /** `engine`, `front-1` … */
  label: string;
  /** Of a front, from 0. */
  place: number;
  /** Of a front: what the engine said of its feeds. */
  simulated: boolean;
  config: Config;
  /** Memory in which callers are counted together, and how many processes have a place in it. */
  shared: { path: string; processes: number };
}

export type Order =
  | StartOrder
  | { kind: 'stop' }
  /** Its own metrics are wanted. */
  | { kind: 'metrics'; no: number }
  /** What it asked for. */
  | { kind: 'collected'; no: number; text: string };

export type Report =
  | { kind: 'ready'; port: number; simulated: boolean; testKeys: { tier: Tier; key: string }[] }
  /** It cannot start; a line for the operator. */
  | { kind: 'failed'; message: string }
  | { kind: 'metrics'; no: number; text: string }
  /** The metrics of all others are wanted, to be put together with its own. */
  | { kind: 'collect'; no: number; own: string };

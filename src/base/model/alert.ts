// Alert rules: what an account wants to be notified of, the target, and the state of delivery.
import type { ChannelName } from './stream-channels.js';

export const ALERT_CHANNELS = [
  'ev',
  'arbitrage',
  'middles',
  'low_hold',
  'moves',
  'odds',
] as const satisfies ChannelName[];
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

export const TARGET_TYPES = ['webhook', 'discord', 'slack', 'telegram'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export interface AlertTarget {
  type: TargetType;
  /** For all targets but Telegram, whose messages go to the operator's bot. */
  url: string | null;
  /** Telegram's id or name of a chat. */
  chat: string | null;
}

/** What narrows a rule's channel; thresholds in percent, sizes in points, odds American. */
export interface AlertFilters {
  sports?: readonly string[];
  leagues?: readonly string[];
  sportsbooks?: readonly string[];
  markets?: readonly string[];
  eventIds?: readonly string[];
  min_ev?: number;
  devig_book?: string;
  min_profit?: number;
  max_hold?: number;
  min_size?: number;
  min_stake?: number;
  currency?: string;
  guaranteed?: boolean;
  include_assumed?: boolean;
  laggards?: readonly string[];
  min_edge?: number;
  min_odds?: number;
  max_odds?: number;
  kinds?: readonly string[];
  state?: string;
}

export interface AlertRule {
  id: string;
  account: string;
  name: string;
  channel: AlertChannel;
  filters: AlertFilters;
  target: AlertTarget;
  /** Seconds after a message in which no other is sent; matches in between go into the next message. */
  quietSeconds: number;
  /** Of an opportunity that was detected longer ago nothing is reported. */
  maxAgeSeconds?: number;
  /** That a reported one is over is reported too. */
  tellsEnded?: boolean;
  /** Its account wants nothing of it for now. */
  paused?: boolean;
  /** Secret that signs webhooks: `whsec_` and base64. */
  secret: string;
  createdMs: number;
  /** Only matches that begin after this position of the change log are reported. */
  createdPosition: number;
}

/** A message waiting for delivery. */
export interface QueuedMessage {
  /** Number of the message within its rule, from 1. */
  seq: number;
  /** Of the command that queued it; absent if that was an earlier release. */
  position?: number;
  queuedMs: number;
  /** The JSON body. */
  body: Uint8Array;
}

/** `off`: the target has accepted no message for a day, or has answered that it wants no more. */
export const DELIVERY_STATES = ['active', 'failing', 'off'] as const;

export interface Delivery {
  state: (typeof DELIVERY_STATES)[number];
  /** The target's last error; null if the last delivery succeeded. */
  reason: string | null;
  /** Unix ms; null if it never happened. */
  sinceMs: number | null;
  deliveredMs: number | null;
  nextAttemptMs: number | null;
  /** Delay between the last attempt and the next (ms), so that a clock set back does not lengthen it. */
  waitMs?: number | null;
  /** Attempts at the first waiting message. */
  attempts: number;
  /** Sum of the delays between those attempts (ms). */
  failingForMs?: number;
  /** Messages delivered so far. */
  delivered: number;
}

export const NEW_DELIVERY: Delivery = {
  state: 'active',
  reason: null,
  sinceMs: null,
  deliveredMs: null,
  nextAttemptMs: null,
  waitMs: null,
  attempts: 0,
  failingForMs: 0,
  delivered: 0,
};

/** How far a rule has been evaluated. */
export interface AlertProgress {
  /** Position of the change log up to which every match is sent or queued. */
  position: number;
  /** Number of its last message. */
  seq: number;
  /** When that was queued (Unix ms): the rule is quiet after it. */
  queuedMs?: number;
  /** What the rule is about was changed at this position: what is active there is not reported, as after its creation. */
  anew?: true;
}

/** What a caller states of a new rule. */
export type NewRule = Pick<
  AlertRule,
  'name' | 'channel' | 'filters' | 'target' | 'quietSeconds' | 'maxAgeSeconds' | 'tellsEnded' | 'paused'
>;

/** A rule and its state. */
export interface AlertState {
  rule: AlertRule;
  delivery: Delivery;
  /** Waiting messages. */
  queued: number;
  /** No active key of the account may see the channel. */
  paused: boolean;
}

// Alerts: what an account wants to be told of, and where to; what is known of the telling.
import type { ChannelName } from './channels.js';

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
  /** Of all but Telegram, which has one of the operator's. */
  url: string | null;
  /** Telegram's id or name of a chat. */
  chat: string | null;
}

/** What of a rule narrows its channel; thresholds in percent, sizes in points, odds American. */
export interface AlertFilters {
  sports?: readonly string[];
  leagues?: readonly string[];
  sportsbooks?: readonly string[];
  markets?: readonly string[];
  eventIds?: readonly string[];
  min_ev?: number;
  min_profit?: number;
  max_hold?: number;
  min_size?: number;
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
  /** Seconds after a message in which none follows; what comes meanwhile comes in the next one. */
  quietSeconds: number;
  /** Signs webhooks: `whsec_` and base64. */
  secret: string;
  createdMs: number;
  /** It tells of what begins after this position of the change log. */
  createdPosition: number;
}

/** A message that waits to be taken by its target. */
export interface QueuedMessage {
  /** Number among the rule's messages, from 1. */
  seq: number;
  queuedMs: number;
  /** JSON as it is sent. */
  body: Uint8Array;
}

/** `off`: the target has not taken a message for a day, or has said that it wants no more. */
export const DELIVERY_STATES = ['active', 'failing', 'off'] as const;

export interface Delivery {
  state: (typeof DELIVERY_STATES)[number];
  /** What the target's last refusal was; null where it took the last one. */
  reason: string | null;
  /** Unix ms; null where nothing of the kind happened. */
  sinceMs: number | null;
  deliveredMs: number | null;
  nextAttemptMs: number | null;
  /** Between the last attempt and the next (ms): a clock that was set back makes it no longer. */
  waitMs?: number | null;
  /** Of the message that waits first. */
  attempts: number;
  /** When that was first tried (Unix ms). */
  firstAttemptMs: number | null;
  /** Messages taken so far. */
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
  firstAttemptMs: null,
  delivered: 0,
};

/** How far a rule has looked. */
export interface AlertProgress {
  /** Position of the change log up to which everything of it is told or queued. */
  position: number;
  /** Number of its last message. */
  seq: number;
}

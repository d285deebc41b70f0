// Sends the messages waiting in the store, each rule's in order: the next one is sent when the target has accepted the
// previous one. Failed messages are retried at growing intervals, for a day; then the target is switched off, and its
// state says so.

import { type AlertRule, type Delivery, NEW_DELIVERY, type QueuedMessage } from '../../base/model/alert.js';
import type { Clock } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';
import type { AlertStore } from './alert-store.js';
import type { Outcome, Sender } from './sender.js';

export interface DeliveriesOptions {
  store: AlertStore;
  sender: Pick<Sender, 'send' | 'close'>;
  clock: Clock;
  schedule: RetrySchedule;
  onOff(rule: AlertRule, reason: string): void;
  /** A message could not be sent or stored; it is tried again. */
  onError(error: unknown): void;
}

interface RuleQueue {
  rule: AlertRule;
  delivery: Delivery;
  /** The message that the target has accepted without this being stored yet: it is not sent again. */
  acceptedSeq: number | null;
  /** An attempt is under way. */
  busy: boolean;
  timer: NodeJS.Timeout | undefined;
}

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #queues = new Map<string, RuleQueue>();
  /** Rules that could send and wait for an attempt to end. */
  readonly #waiting = new Set<RuleQueue>();
  readonly #attempts = new Map<string, number>();
  #running = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** Loads the rules from the store, and sends the waiting messages of new ones. */
  readRules(): void {
    const { store } = this.#options;
    const rules = new Map(store.rules().map((rule) => [rule.id, rule]));
    for (const [id, queue] of this.#queues)
      if (!rules.has(id)) {
        clearTimeout(queue.timer);
        this.#waiting.delete(queue);
        this.#queues.delete(id);
      }
    for (const [id, rule] of rules) {
      const known = this.#queues.get(id);
      if (known !== undefined) {
        known.rule = rule;
        this.#readDelivery(known);
        continue;
      }
      const delivery = store.delivery(id) ?? { ...NEW_DELIVERY };
      const queue: RuleQueue = { rule, delivery, acceptedSeq: null, busy: false, timer: undefined };
      this.#queues.set(id, queue);
      this.#schedule(queue);
    }
  }

  /** A rule has messages in the store that were not there before. */
  added(ruleId: string): void {
    if (!this.#queues.has(ruleId)) this.readRules();
    const queue = this.#queues.get(ruleId);
    if (queue !== undefined) this.#readDelivery(queue);
  }

  /** Its account may have changed the target, or wants a message sent at once. */
  #readDelivery(queue: RuleQueue): void {
    const stored = this.#options.store.delivery(queue.rule.id) ?? NEW_DELIVERY;
    if (!queue.busy && stored.nextAttemptMs === null && stored.state !== 'off') queue.delivery = { ...stored };
    this.#schedule(queue);
  }

  /** Ends the attempts under way; the waiting messages are sent by the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of this.#queues.values()) clearTimeout(queue.timer);
    await this.#options.sender.close();
    if (this.#running > 0)
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
  }

  #schedule(queue: RuleQueue): void {
    if (this.#closed || queue.busy || queue.delivery.state === 'off') return;
    if (this.#options.store.queueLength(queue.rule.id) === 0) return;
    clearTimeout(queue.timer);
    const { nextAttemptMs, waitMs: longest } = queue.delivery;
    const waitMs = Math.min((nextAttemptMs ?? 0) - this.#options.clock.now(), longest ?? Number.POSITIVE_INFINITY);
    if (waitMs > 0) queue.timer = setTimeout(() => this.#try(queue), waitMs);
    else this.#try(queue);
  }

  #try(queue: RuleQueue): void {
    const { account } = queue.rule;
    if (this.#closed || queue.busy) return;
    const attempts = this.#attempts.get(account) ?? 0;
    // Targets that hang do not delay the others.
    if (this.#running >= LIMITS.alertAttempts.max || attempts >= LIMITS.alertAttemptsOfAccount.max) {
      this.#waiting.add(queue);
      return;
    }
    queue.busy = true;
    this.#running++;
    this.#attempts.set(account, attempts + 1);
    this.#attempt(queue)
      .catch((error: unknown) => {
        this.#options.onError(error);
        const waitMs = this.#options.schedule.waitsMs[0]!;
        queue.delivery = { ...queue.delivery, nextAttemptMs: this.#options.clock.now() + waitMs, waitMs };
      })
      .finally(() => this.#ended(queue));
  }

  #ended(queue: RuleQueue): void {
    const { account } = queue.rule;
    queue.busy = false;
    this.#running--;
    const attempts = this.#attempts.get(account)! - 1;
    if (attempts > 0) this.#attempts.set(account, attempts);
    else this.#attempts.delete(account);
    if (this.#closed) {
      if (this.#running === 0) this.#idle?.();
      return;
    }
    // Those that waited longest come first.
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const other of waiting) this.#try(other);
    if (this.#queues.get(queue.rule.id) === queue) this.#schedule(queue);
  }

  async #attempt(queue: RuleQueue): Promise<void> {
    const { store, sender } = this.#options;
    const [message] = store.queue(queue.rule.id, 1);
    if (message === undefined) return;
    if (queue.acceptedSeq === message.seq) return this.#taken(queue, message);
    const outcome = await sender.send(queue.rule, message);
    // An interrupted attempt says nothing about the target.
    if (this.#closed && outcome.kind !== 'taken') return;
    if (outcome.kind === 'taken') await this.#taken(queue, message);
    else await this.#refused(queue, outcome);
  }

  async #taken(queue: RuleQueue, { seq }: QueuedMessage): Promise<void> {
    const { clock, store } = this.#options;
    const delivery = { ...NEW_DELIVERY, deliveredMs: clock.now(), delivered: queue.delivery.delivered + 1 };
    queue.acceptedSeq = seq;
    await store.taken(queue.rule.id, seq, delivery);
    queue.delivery = delivery;
  }

  async #refused(queue: RuleQueue, outcome: Exclude<Outcome, { kind: 'taken' }>): Promise<void> {
    const { store, clock, schedule, onOff } = this.#options;
    const nowMs = clock.now();
    const { delivery, rule } = queue;
    // The sum of delays, not the clock, which may be set forward by a day.
    const failingForMs = delivery.attempts === 0 ? 0 : (delivery.failingForMs ?? 0) + (delivery.waitMs ?? 0);
    const attempts = delivery.attempts + 1;
    const sinceMs = delivery.state === 'failing' ? delivery.sinceMs : nowMs;
    const failing: Delivery = {
      ...delivery,
      state: 'failing',
      reason: outcome.reason,
      sinceMs,
      attempts,
      failingForMs,
    };
    if (outcome.kind === 'gone' || failingForMs >= schedule.giveUpMs) {
      const off: Delivery = { ...failing, state: 'off', sinceMs: nowMs, nextAttemptMs: null };
      await store.putDelivery(rule.id, off);
      queue.delivery = off;
      onOff(rule, outcome.reason);
      return;
    }
    const untilNextMs = waitMs(schedule, attempts, outcome.waitMs);
    queue.delivery = { ...failing, nextAttemptMs: nowMs + untilNextMs, waitMs: untilNextMs };
    await store.putDelivery(rule.id, queue.delivery);
  }
}

// When a failed message is sent again, and when its target is switched off.

/** Delays (ms) after the first failures; the last one applies to all further ones. */
export const RETRY_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000] as const;
/** A target that accepts nothing while the delays between attempts add up to this long (ms) is switched off. */
export const GIVE_UP_MS = 24 * 3_600_000;

export interface RetrySchedule {
  waitsMs: readonly number[];
  giveUpMs: number;
}

/** @param attempts failures so far, at least 1 @param requestedMs the delay requested by the target, or 0 */
export function waitMs({ waitsMs }: RetrySchedule, attempts: number, requestedMs: number): number {
  const wait = waitsMs[Math.min(attempts, waitsMs.length) - 1]!;
  return Math.max(wait, Math.min(requestedMs, LIMITS.alertRetryAfter.max));
}

// Sends what waits in the store, each rule's messages in their order: the next one goes when its target has taken the one
// before. What is not taken is tried again later and later, for a day; then the target is off, and says so.
import { type AlertRule, type Delivery, NEW_DELIVERY, type QueuedMessage } from '../model/alert.js';
import type { Clock } from '../model/clock.js';
import { LIMITS } from '../model/limits.js';
import type { AlertStore, Findings } from '../store/alert-store.js';
import { type RetrySchedule, waitMs } from './retry.js';
import type { Outcome, Sender } from './sender.js';

export interface DeliveriesOptions {
  store: AlertStore;
  sender: Pick<Sender, 'send' | 'close'>;
  clock: Clock;
  schedule: RetrySchedule;
  /** So many messages wait for a rule now, and whether its target is off. */
  onQueue(ruleId: string, waiting: number, off: boolean): void;
  onOff(rule: AlertRule, reason: string): void;
  onError(error: unknown): void;
}

interface Lane {
  rule: AlertRule;
  delivery: Delivery;
  waiting: number;
  /** An attempt is under way. */
  busy: boolean;
  timer: NodeJS.Timeout | undefined;
}

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Rules that could send and wait for an attempt to end. */
  readonly #held = new Set<Lane>();
  readonly #attempts = new Map<string, number>();
  #running = 0;
  #closed = false;
  #idle: (() => void) | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  /** Takes over the rules as they stand in the store, and sends what waits for those that are new. */
  readRules(): void {
    const { store } = this.#options;
    const rules = new Map(store.rules().map((rule) => [rule.id, rule]));
    for (const [id, lane] of this.#lanes)
      if (!rules.has(id)) {
        clearTimeout(lane.timer);
        this.#held.delete(lane);
        this.#lanes.delete(id);
      }
    for (const [id, rule] of rules) {
      if (this.#lanes.has(id)) continue;
      const delivery = store.delivery(id) ?? { ...NEW_DELIVERY };
      const lane: Lane = { rule, delivery, waiting: store.queueLength(id), busy: false, timer: undefined };
      this.#lanes.set(id, lane);
      this.#tell(lane);
      this.#schedule(lane);
    }
  }

  /** Stores what a rule has found and sends it in its turn; settles once it is stored. */
  async put(ruleId: string, findings: Findings): Promise<void> {
    const { store, clock } = this.#options;
    if (!this.#lanes.has(ruleId)) this.readRules();
    const lane = this.#lanes.get(ruleId);
    const bodies = lane?.delivery.state === 'off' ? [] : findings.bodies;
    const kept = await store.put(ruleId, { ...findings, bodies }, clock.now());
    if (!kept || lane === undefined) return;
    lane.waiting += bodies.length;
    this.#tell(lane);
    this.#schedule(lane);
  }

  /** Ends the attempts that are under way; what waits is sent by the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const lane of this.#lanes.values()) clearTimeout(lane.timer);
    await this.#options.sender.close();
    if (this.#running > 0)
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
  }

  #schedule(lane: Lane): void {
    if (this.#closed || lane.busy || lane.waiting === 0 || lane.delivery.state === 'off') return;
    clearTimeout(lane.timer);
    const waitMs = (lane.delivery.nextAttemptMs ?? 0) - this.#options.clock.now();
    if (waitMs > 0) lane.timer = setTimeout(() => this.#try(lane), waitMs);
    else this.#try(lane);
  }

  #try(lane: Lane): void {
    const { account } = lane.rule;
    if (this.#closed || lane.busy) return;
    const attempts = this.#attempts.get(account) ?? 0;
    // Targets that hang cost the others nothing.
    if (this.#running >= LIMITS.alertAttempts.max || attempts >= LIMITS.alertAttemptsOfAccount.max) {
      this.#held.add(lane);
      return;
    }
    lane.busy = true;
    this.#running++;
    this.#attempts.set(account, attempts + 1);
    this.#attempt(lane)
      .catch((error: unknown) => {
        this.#options.onError(error);
        const nextAttemptMs = this.#options.clock.now() + this.#options.schedule.waitsMs[0]!;
        lane.delivery = { ...lane.delivery, nextAttemptMs };
      })
      .finally(() => this.#ended(lane));
  }

  #ended(lane: Lane): void {
    const { account } = lane.rule;
    lane.busy = false;
    this.#running--;
    const attempts = this.#attempts.get(account)! - 1;
    if (attempts > 0) this.#attempts.set(account, attempts);
    else this.#attempts.delete(account);
    if (this.#closed) {
      if (this.#running === 0) this.#idle?.();
      return;
    }
    // Those that waited longest come first.
    const held = [...this.#held];
    this.#held.clear();
    for (const other of held) this.#try(other);
    if (this.#lanes.get(lane.rule.id) === lane) this.#schedule(lane);
  }

  async #attempt(lane: Lane): Promise<void> {
    const { store, sender } = this.#options;
    const [message] = store.queue(lane.rule.id, 1);
    if (message === undefined) {
      lane.waiting = 0;
      return;
    }
    const outcome = await sender.send(lane.rule, message);
    // An attempt that was cut short says nothing of the target.
    if (this.#closed && outcome.kind !== 'taken') return;
    if (outcome.kind === 'taken') await this.#taken(lane, message);
    else await this.#refused(lane, outcome);
  }

  async #taken(lane: Lane, { seq }: QueuedMessage): Promise<void> {
    const { clock, store } = this.#options;
    lane.delivery = { ...NEW_DELIVERY, deliveredMs: clock.now(), delivered: lane.delivery.delivered + 1 };
    lane.waiting--;
    await store.taken(lane.rule.id, seq, lane.delivery);
    this.#tell(lane);
  }

  async #refused(lane: Lane, outcome: Exclude<Outcome, { kind: 'taken' }>): Promise<void> {
    const { store, clock, schedule, onOff } = this.#options;
    const nowMs = clock.now();
    const { delivery, rule } = lane;
    const firstAttemptMs = delivery.firstAttemptMs ?? nowMs;
    const attempts = delivery.attempts + 1;
    const sinceMs = delivery.state === 'failing' ? delivery.sinceMs : nowMs;
    const failing: Delivery = {
      ...delivery,
      state: 'failing',
      reason: outcome.reason,
      sinceMs,
      attempts,
      firstAttemptMs,
    };
    if (outcome.kind === 'gone' || nowMs - firstAttemptMs >= schedule.giveUpMs) {
      lane.delivery = { ...failing, state: 'off', sinceMs: nowMs, nextAttemptMs: null };
      lane.waiting = 0;
      await store.switchOff(rule.id, lane.delivery);
      onOff(rule, outcome.reason);
      this.#tell(lane);
      return;
    }
    lane.delivery = { ...failing, nextAttemptMs: nowMs + waitMs(schedule, attempts, outcome.waitMs) };
    await store.putDelivery(rule.id, lane.delivery);
  }

  #tell({ rule, waiting, delivery }: Lane): void {
    this.#options.onQueue(rule.id, waiting, delivery.state === 'off');
  }
}

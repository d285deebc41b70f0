// The evaluation of accounts' alert rules, in the process that writes the log: each is evaluated as long as a key of its
// account may see its channel, and matches are passed to the thread that sends them.

import { isDeepStrictEqual } from 'node:util';
import type { Accounts } from '../accounts/accounts.js';
import type { KeyRecord } from '../accounts/key-record.js';
import {
  AlertStore,
  type Findings,
  isRuleEntry,
  ruleOfQueued,
  ruleOfTarget,
  setTargets,
} from '../accounts/outbox/alert-store.js';
import { GIVE_UP_MS, RETRY_MS, type RetrySchedule } from '../accounts/outbox/deliveries.js';
import type { Bot } from '../accounts/outbox/target.js';
import { OutboxThread } from '../accounts/outbox/thread.js';
import type { OpportunityViews } from '../answers/opportunities/views.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { AlertRule } from '../base/model/alert.js';
import { monotonicMs } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import type { EngineLog } from '../base/model/log.js';
import type { Engine } from '../engine/engine.js';
import { EVERY_ENTRY } from '../log/control/entries.js';
import { ChangedPrices, matchesOf } from './matches.js';
import type { LineOf } from './messages.js';
import { ALERT_TIMES, RuleWatch } from './rule-watch.js';
import { filterOf, keyFor } from './rules.js';

export interface AlertsOptions {
  engine: Engine;
  source: OpportunityViews;
  accounts: Accounts;
  hosts: readonly string[];
  telegram: Bot;
  lineOf: LineOf;
  log: EngineLog;
  schedule?: RetrySchedule;
  timeoutMs?: number;
}

const STORED_AT_ONCE = LIMITS.alertBytesStored.max;
/** An id that is stored takes as long as so many bytes of a message. */
const ENTRY_BYTES = 1024;

export class Alerts {
  readonly #options: AlertsOptions;
  readonly #store: AlertStore;
  readonly #prices: ChangedPrices;
  readonly #outbox: OutboxThread;
  readonly #watches = new Map<string, RuleWatch>();
  /** Rules that could not be evaluated, and when that is tried again. */
  readonly #later = new Map<string, number>();
  #rulesChanged = true;
  #rules: readonly AlertRule[] = [];
  #readMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** The next slice of #watchOn. */
  #watching: NodeJS.Immediate | undefined;
  /** The next slice of #evaluateOn; undefined between two rounds. */
  #evaluating: (() => void) | undefined;
  /** Bytes of messages that are being stored. */
  #storing = 0;
  /** Messages that wait for the targets of an account, as of this round. */
  #queued = new Map<string, number>();
  readonly #unlisten: () => void;
  #closed = false;

  constructor(options: AlertsOptions) {
    const { engine, hosts, telegram, log } = options;
    const { control } = engine;
    this.#options = options;
    // Never by another writer: it finds the same by itself.
    this.#store = new AlertStore(
      control.store,
      async ({ name }, args) => (await control.runHere({ name, args })) as never,
    );
    control.soon(setTargets, { hosts, telegram: telegram.token !== undefined });
    this.#prices = new ChangedPrices(engine);
    const { waitsMs, giveUpMs } = options.schedule ?? { waitsMs: RETRY_MS, giveUpMs: GIVE_UP_MS };
    const timeoutMs = options.timeoutMs ?? ALERT_TIMES.answerMs;
    this.#outbox = new OutboxThread({
      data: { path: control.store.path, hosts, telegram, timeoutMs, waitsMs, giveUpMs },
      control,
      log,
    });
    this.#unlisten = control.store.onChange((changes) => {
      if (changes?.some(([entry]) => entry === EVERY_ENTRY || isRuleEntry(entry)) !== false) this.#rulesChanged = true;
      for (const change of changes ?? []) {
        this.#watches.get(ruleOfTarget(change[0]) ?? '')?.targetChanged();
        const queued = ruleOfQueued(change);
        if (queued !== undefined) this.#outbox.added(queued);
      }
    });
  }

  /** To be called once the universes of the tiers are known. */
  start(): void {
    if (this.#closed || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#evaluate(), ALERT_TIMES.lookMs);
    this.#evaluate();
  }

  /** Nothing is evaluated or sent any more when it settles; waiting messages are sent after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    clearImmediate(this.#watching);
    this.#unlisten();
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    await this.#outbox.close();
  }

  #evaluate(): void {
    const { engine, log } = this.#options;
    const nowMs = engine.clock.now();
    try {
      this.#readRulesInTime(nowMs);
      if (this.#evaluating === undefined) this.#countQueued();
    } catch (error) {
      log.error({ err: error }, 'the rules of alerts could not be read');
    }
    // A round may take longer than that.
    if (this.#evaluating === undefined) this.#evaluateOn([...this.#watches][Symbol.iterator]());
  }

  /** In slices, and with no more to be stored at once than a commit takes in milliseconds: accounts have hundreds of rules. */
  #evaluateOn(rest: Iterable<[string, RuleWatch]>): void {
    this.#evaluating = undefined;
    if (this.#closed) return;
    const { engine, log } = this.#options;
    const [head, nowMs, untilMs] = [engine.table.position, engine.clock.now(), monotonicMs() + ALERT_TIMES.sliceMs];
    for (const [id, watch] of rest) {
      if (this.#watches.get(id) !== watch) continue;
      try {
        const isCrowded = (this.#queued.get(watch.rule.account) ?? 0) >= LIMITS.alertQueueOfAccount.max;
        watch.evaluate(head, nowMs, isCrowded);
      } catch (error) {
        log.error({ err: error, alert: id }, 'an alert could not look; it is watched anew');
        this.#unwatch(id);
        this.#later.set(id, nowMs + ALERT_TIMES.retryMs);
      }
      if (monotonicMs() < untilMs && this.#storing < STORED_AT_ONCE) continue;
      this.#evaluating = () => this.#evaluateOn(rest);
      this.#goOn();
      break;
    }
    this.#prices.clear();
  }

  /** Once what was found has been stored. */
  #goOn(): void {
    if (this.#storing < STORED_AT_ONCE) setImmediate(() => this.#evaluating?.());
  }

  #countQueued(): void {
    this.#queued = new Map();
    for (const { rule, queued } of this.#watches.values()) this.#addQueued(rule.account, queued);
  }

  #addQueued(account: string, messages: number): void {
    this.#queued.set(account, (this.#queued.get(account) ?? 0) + messages);
  }

  async #put(account: string, id: string, findings: Findings): Promise<void> {
    const { bodies, begun, untold, ended } = findings;
    const entries = begun.length + untold.length + ended.length;
    const bytes = bodies.reduce((sum, { length }) => sum + length, entries * ENTRY_BYTES);
    this.#addQueued(account, bodies.length);
    this.#storing += bytes;
    try {
      await this.#store.put(id, findings);
    } finally {
      const waited = this.#storing >= STORED_AT_ONCE;
      this.#storing -= bytes;
      if (waited && this.#evaluating !== undefined) this.#goOn();
    }
  }

  /** Rules as soon as they change, and what keys allow now and then. */
  #readRulesInTime(nowMs: number): void {
    if (this.#rulesChanged) this.#readRules();
    else if (Math.abs(nowMs - this.#readMs) >= ALERT_TIMES.readEveryMs) this.#watchAll(nowMs);
    else return;
    this.#readMs = nowMs;
  }

  #readRules(): void {
    this.#rulesChanged = false;
    this.#rules = this.#store.rules();
    const known = new Map(this.#rules.map((rule) => [rule.id, rule]));
    for (const [id, { rule }] of [...this.#watches]) if (!isDeepStrictEqual(known.get(id), rule)) this.#unwatch(id);
    for (const id of this.#later.keys()) if (!known.has(id)) this.#later.delete(id);
    this.#outbox.rulesChanged(this.#rules.length);
    this.#watchAll(this.#options.engine.clock.now());
  }

  /** Starts the rules that may be evaluated now, and stops those that may not. */
  #watchAll(nowMs: number): void {
    clearImmediate(this.#watching);
    if (this.#rules.length === 0) return;
    const keys = new Map<string, KeyRecord[]>();
    for (const key of this.#options.accounts.list()) getOrInsert(keys, key.account, () => []).push(key);
    this.#watchOn(this.#rules[Symbol.iterator](), keys, nowMs);
  }

  /** In slices: after a start or a change of writer there may be thousands of rules. */
  #watchOn(rest: Iterable<AlertRule>, keys: ReadonlyMap<string, readonly KeyRecord[]>, nowMs: number): void {
    const untilMs = monotonicMs() + ALERT_TIMES.sliceMs;
    for (const rule of rest) {
      const own = keys.get(rule.account) ?? [];
      const key = rule.paused === true ? undefined : keyFor(rule, own, this.#options.engine.clock.now());
      const watch = this.#watches.get(rule.id);
      if (key === undefined) {
        if (watch !== undefined) this.#unwatch(rule.id);
      } else if (watch === undefined && this.#mayWatch(rule.id, nowMs)) this.#watch(rule, key, nowMs);
      if (monotonicMs() < untilMs) continue;
      this.#watching = setImmediate(() => this.#watchOn(rest, keys, nowMs));
      return;
    }
  }

  /** Not within the delay after a failure; a clock that was set back does not lengthen it. */
  #mayWatch(id: string, nowMs: number): boolean {
    const waitMs = (this.#later.get(id) ?? 0) - nowMs;
    return waitMs <= 0 || waitMs > ALERT_TIMES.retryMs;
  }

  #watch(rule: AlertRule, key: KeyRecord, nowMs: number): void {
    const { engine, source, lineOf, log } = this.#options;
    try {
      const matches = matchesOf({ engine, source, prices: this.#prices }, rule, filterOf(engine, key, rule));
      const watch = new RuleWatch({
        rule,
        matches,
        store: this.#store,
        head: engine.table.position,
        lineOf,
        put: (id, findings) => this.#put(rule.account, id, findings),
        onError: (error, alert) => {
          // What is not stored at the end is found again by the next process.
          if (!this.#closed) log.error({ err: error, alert }, 'an alert could not be stored; it looks again');
        },
      });
      this.#watches.set(rule.id, watch);
      this.#later.delete(rule.id);
    } catch (error) {
      // Too many sets of books at once, or a book that the key's tier no longer has.
      log.warn({ alert: rule.id, err: error }, 'an alert cannot be watched now');
      this.#later.set(rule.id, nowMs + ALERT_TIMES.retryMs);
    }
  }

  #unwatch(id: string): void {
    this.#watches.get(id)?.close();
    this.#watches.delete(id);
  }
}

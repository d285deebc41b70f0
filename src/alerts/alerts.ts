// Alerts of accounts: stores their rules, evaluates each of them as long as a key of its account may see its channel,
// and passes matches to the thread that sends them.

import { randomBytes } from 'node:crypto';
import { alertRulesOf, mayAlert } from '../accounts/access.js';
import type { Accounts } from '../accounts/accounts.js';
import { isActive, type KeyRecord } from '../accounts/key-record.js';
import { tierAtLeast } from '../catalogue/tiers.js';
import type { EngineView } from '../engine/engine-view.js';
import { stakedOf } from '../kinds/limits.js';
import { getOrInsert } from '../memory/get-or-insert.js';
import { type AlertRule, type AlertState, NEW_DELIVERY, type NewRule } from '../model/alert.js';
import { monotonicMs } from '../model/clock.js';
import { compareText } from '../model/compare.js';
import { ApiError, noWriter } from '../model/errors.js';
import type { EngineLog } from '../model/log.js';
import type { OpportunitySource } from '../opportunities/stream-source.js';
import type { Universes } from '../opportunities/universes.js';
import { Addresses } from '../outbox/addresses.js';
import { GIVE_UP_MS, RETRY_MS, type RetrySchedule } from '../outbox/retry.js';
import { newSecret } from '../outbox/signature.js';
import type { Bot } from '../outbox/target.js';
import { TARGETS } from '../outbox/targets.js';
import { OutboxThread } from '../outbox/thread.js';
import { AlertStore, type RuleChange } from '../store/alert-store.js';
import { ChangedPrices } from './changed-prices.js';
import { ALERT_TIMES } from './limits.js';
import { matchesOf } from './matches.js';
import type { LineOf } from './messages.js';
import { filterOf } from './rule-filter.js';
import { RuleWatch } from './rule-watch.js';
import type { AlertCaller, AlertSource } from './source.js';

/** Where other processes find the rules and their states, to continue from there. */
export interface AlertSharing {
  /** Settles once a rule is there; rejects with ApiError `unavailable` if another process stores the rules already. */
  add(rule: AlertRule): Promise<void>;
  /** Settles once it is removed; rejects in the same cases. */
  remove(id: string): Promise<void>;
  /**
   * As in DeliveriesOptions, and it rejects with ContinuedElsewhere in the same case.
   * @param reported the ids that are stored as reported, without those of the change
   */
  change(change: RuleChange, reported: () => readonly string[]): Promise<void>;
}

export interface AlertsOptions {
  engine: EngineView;
  source: OpportunitySource;
  universes: Universes;
  accounts: Accounts;
  /** Directory of the store. */
  path: string;
  hosts: readonly string[];
  telegram: Bot;
  lineOf: LineOf;
  log: EngineLog;
  /** False if another process of the machine evaluates the rules; they are stored all the same. */
  watches: boolean;
  /** Undefined if no other process continues from this store. */
  sharing?: AlertSharing | undefined;
  schedule?: RetrySchedule;
  timeoutMs?: number;
}

export class Alerts implements AlertSource {
  readonly #options: AlertsOptions;
  readonly #store: AlertStore;
  readonly #addresses: Addresses;
  readonly #prices: ChangedPrices;
  readonly #outbox: OutboxThread | undefined;
  readonly #watches = new Map<string, RuleWatch>();
  /** The outbox's state of each rule: waiting messages, whether the target is off. */
  readonly #queues = new Map<string, { waiting: number; off: boolean }>();
  /** Rules that could not be evaluated, and when that is tried again. */
  readonly #later = new Map<string, number>();
  #generation = -1;
  #rules: readonly AlertRule[] = [];
  #readMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** The next slice of #watchOn. */
  #watching: NodeJS.Immediate | undefined;
  /** Rules are added and removed one after the other: each addition counts those before it. */
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(options: AlertsOptions) {
    const { path, hosts, telegram, log, watches, sharing } = options;
    this.#options = options;
    this.#store = new AlertStore(path);
    this.#addresses = new Addresses(hosts);
    this.#prices = new ChangedPrices(options.engine);
    const { waitsMs, giveUpMs } = options.schedule ?? { waitsMs: RETRY_MS, giveUpMs: GIVE_UP_MS };
    const data = { path, hosts, telegram, timeoutMs: options.timeoutMs ?? ALERT_TIMES.answerMs, waitsMs, giveUpMs };
    if (watches)
      this.#outbox = new OutboxThread({
        data,
        log,
        onQueue: (id, waiting, off) => {
          this.#queues.set(id, { waiting, off });
          const watch = this.#watches.get(id);
          if (watch !== undefined) Object.assign(watch, { waiting, off });
        },
        share:
          sharing === undefined
            ? undefined
            : (change) => sharing.change(change, () => this.#store.reported(change.ruleId)),
      });
  }

  /** To be called once the universes of the tiers are known. */
  start(): void {
    if (this.#options.watches && !this.#closed) this.#timer ??= setInterval(() => this.#evaluate(), ALERT_TIMES.lookMs);
  }

  async list(account: string): Promise<AlertState[]> {
    this.#checkOpen();
    const keys = this.#options.accounts.list(account);
    return this.#store
      .rules()
      .filter((rule) => rule.account === account)
      .sort((a, b) => a.createdMs - b.createdMs || compareText(a.id, b.id))
      .map((rule) => ({
        rule,
        delivery: this.#store.delivery(rule.id) ?? NEW_DELIVERY,
        queued: this.#store.queueLength(rule.id),
        paused: this.#keyFor(rule, keys) === undefined,
      }));
  }

  async create({ account, tier }: AlertCaller, requested: NewRule): Promise<AlertRule> {
    const { engine, universes } = this.#options;
    this.#checkTarget(requested);
    const filter = filterOf(engine, tier, requested);
    // An unknown currency is refused now, not when the rule is first looked at.
    stakedOf(requested.filters);
    if (filter.universe.unknown.length > 0)
      throw new ApiError('invalid_request', `sportsbooks: unknown ${filter.universe.unknown.join(', ')}`);
    // Active opportunities among a new set of books are known before the rule begins.
    if (requested.channel !== 'odds') await universes.use(filter.universe, { account, viewer: false });
    const rule: AlertRule = {
      ...requested,
      id: `al_${randomBytes(8).toString('hex')}`,
      account,
      secret: newSecret(),
      createdMs: Math.floor(engine.clock.now()),
      createdPosition: engine.table.position,
    };
    const most = alertRulesOf(tier);
    const fits = (rules: readonly AlertRule[]) => rules.filter((other) => other.account === account).length < most;
    await this.#inTurn(async () => {
      const { sharing } = this.#options;
      const isShared = sharing !== undefined && fits(this.#store.rules());
      if (isShared) await sharing.add(rule);
      try {
        this.#checkOpen();
        if (!this.#store.addRule(rule, fits))
          throw new ApiError('invalid_request', `an account of the ${tier} tier has at most ${most} alerts`);
      } catch (error) {
        if (isShared) await this.#withdraw(sharing, rule);
        throw error;
      }
      this.#readRules();
    });
    return rule;
  }

  /** The next process would evaluate a rule whose account was never told of it. */
  async #withdraw(sharing: AlertSharing, { id }: AlertRule): Promise<void> {
    try {
      await sharing.remove(id);
    } catch (error) {
      this.#options.log.warn({ err: error, alert: id }, 'an alert that could not be stored may be in the cluster');
    }
  }

  remove(account: string, id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!this.#store.rules().some((rule) => rule.id === id && rule.account === account)) return false;
      await this.#options.sharing?.remove(id);
      this.#checkOpen();
      this.#store.removeRule(id);
      this.#readRules();
      return true;
    });
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(() => {
      this.#checkOpen();
      return work();
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #checkOpen(): void {
    if (this.#closed) throw noWriter();
  }

  /** Nothing is evaluated or sent any more when it settles; waiting messages are sent after the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    clearImmediate(this.#watching);
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    await this.#outbox?.close();
    await this.#turn;
    await this.#store.close();
  }

  #checkTarget({ target }: NewRule): void {
    const { needs, address } = TARGETS[target.type];
    if (target[needs] === null) throw new ApiError('invalid_request', `target: ${target.type} needs ${needs}`);
    try {
      address(target, { addresses: this.#addresses, telegram: this.#options.telegram });
    } catch (error) {
      const field = needs === 'url' ? 'target.url' : 'target';
      throw new ApiError('invalid_request', `${field}: ${(error as Error).message}`);
    }
  }

  /** The key whose rights a rule has: of its account's keys the highest that may see its channel. */
  #keyFor({ account, channel }: AlertRule, keys: readonly KeyRecord[]): KeyRecord | undefined {
    const nowMs = this.#options.engine.clock.now();
    let best: KeyRecord | undefined;
    for (const key of keys) {
      if (key.account !== account || !isActive(key, nowMs) || !mayAlert(key, channel)) continue;
      if (best === undefined || !tierAtLeast(best.tier, key.tier)) best = key;
    }
    return best;
  }

  #evaluate(): void {
    const { engine, log } = this.#options;
    const nowMs = engine.clock.now();
    try {
      this.#readRulesInTime(nowMs);
    } catch (error) {
      log.error({ err: error }, 'the rules of alerts could not be read');
    }
    const head = engine.table.position;
    for (const [id, watch] of this.#watches)
      try {
        watch.evaluate(head, nowMs);
      } catch (error) {
        log.error({ err: error, alert: id }, 'an alert could not look; it is watched anew');
        this.#unwatch(id);
        this.#later.set(id, nowMs + ALERT_TIMES.retryMs);
      }
    this.#prices.clear();
  }

  /** Rules and keys may be changed by other processes. */
  #readRulesInTime(nowMs: number): void {
    if (Math.abs(nowMs - this.#readMs) < ALERT_TIMES.readEveryMs) return;
    this.#readMs = nowMs;
    if (this.#store.generation() === this.#generation) this.#watchAll(nowMs);
    else this.#readRules();
  }

  #readRules(): void {
    if (!this.#options.watches) return;
    this.#generation = this.#store.generation();
    this.#rules = this.#store.rules();
    const known = new Set(this.#rules.map(({ id }) => id));
    for (const id of [...this.#watches.keys()]) if (!known.has(id)) this.#unwatch(id);
    for (const id of this.#queues.keys()) if (!known.has(id)) this.#queues.delete(id);
    for (const id of this.#later.keys()) if (!known.has(id)) this.#later.delete(id);
    this.#outbox?.rulesChanged(this.#rules.length);
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
      const key = this.#keyFor(rule, keys.get(rule.account) ?? []);
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
      const matches = matchesOf({ engine, source, prices: this.#prices }, rule, filterOf(engine, key.tier, rule));
      const watch = new RuleWatch({
        rule,
        matches,
        store: this.#store,
        head: engine.table.position,
        lineOf,
        put: (id, findings) => this.#outbox!.put(id, findings),
        onError: (error, alert) => {
          // What is not stored at the end is found again by the next process.
          if (!this.#closed) log.error({ err: error, alert }, 'an alert could not be stored; it looks again');
        },
      });
      Object.assign(watch, this.#queues.get(rule.id));
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

// Accounts' alert rules, as every process lists, creates and deletes them; the process that writes the log evaluates
// them (alerts.ts).

import { randomBytes } from 'node:crypto';
import { alertRulesOf, mayAlert } from '../accounts/access.js';
import type { Accounts } from '../accounts/accounts.js';
import { isActive, type KeyRecord } from '../accounts/key-record.js';
import { Addresses } from '../accounts/outbox/addresses.js';
import { AlertStore, addRule, changeRule, removeRule, sendNow } from '../accounts/outbox/alert-store.js';
import { newSecret, TARGETS } from '../accounts/outbox/targets.js';
import type { Universes } from '../answers/opportunities/universes.js';
import type { OpportunityRequest } from '../answers/opportunities/views.js';
import { type AlertChannel, type AlertRule, type AlertState, NEW_DELIVERY, type NewRule } from '../base/model/alert.js';
import { compareText } from '../base/model/compare.js';
import { ApiError } from '../base/model/errors.js';
import { LIMITS } from '../base/model/limits.js';
import { decimalFromAmerican } from '../base/model/price.js';
import { kindsOf, thresholdsOf } from '../broadcast/subscription.js';
import { stakedOf } from '../detection/kinds/caller-thresholds.js';
import type { Engine } from '../engine/engine.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import { tierAtLeast } from '../rules/catalogue/tiers.js';
import type { Tier } from '../rules/catalogue/types.js';
import { filterOfLists, type StreamFilter } from '../tables/filter/stream-filter.js';
import { universeOf } from '../tables/filter/universe.js';
import { exampleMessage, type LineOf } from './messages.js';

/** What a key decides about the rules made with it. */
export type AlertCaller = Pick<KeyRecord, 'id' | 'account' | 'tier'>;

export class AlertRules {
  readonly #engine: Engine;
  readonly #universes: Universes;
  readonly #accounts: Accounts;
  readonly #store: AlertStore;
  readonly #lineOf: LineOf;

  constructor(engine: Engine, universes: Universes, accounts: Accounts, lineOf: LineOf) {
    this.#lineOf = lineOf;
    const { control } = engine;
    this.#engine = engine;
    this.#universes = universes;
    this.#accounts = accounts;
    this.#store = new AlertStore(control.store, (command, args) => control.run(command, args));
  }

  /** The account's rules, oldest first. */
  list(account: string): AlertState[] {
    const keys = this.#accounts.list(account);
    const nowMs = this.#engine.clock.now();
    return this.#store
      .rules()
      .filter((rule) => rule.account === account)
      .sort((a, b) => a.createdMs - b.createdMs || compareText(a.id, b.id))
      .map((rule) => ({
        rule,
        delivery: this.#store.delivery(rule.id) ?? NEW_DELIVERY,
        queued: this.#store.queueLength(rule.id),
        paused: keyFor(rule, keys, nowMs) === undefined,
      }));
  }

  /**
   * Creates a rule that reports what begins from now on. Rejects with ApiError: `invalid_request` if a name is unknown,
   * the target must not be sent to, or there are too many rules; `unavailable` while there is no writer.
   */
  async create({ account, tier }: AlertCaller, requested: NewRule): Promise<AlertRule> {
    await this.#check(account, tier, requested);
    const id = `al_${randomBytes(8).toString('hex')}`;
    const rule = { ...requested, id, account, secret: newSecret() };
    const after = this.#engine.table.position;
    return await this.#engine.control.run(addRule, { rule, after, most: alertRulesOf(tier), tier });
  }

  /** What the account's rule states; undefined if it has no such rule. */
  stated(account: string, id: string): AlertRule | undefined {
    return this.#store.rules().find((rule) => rule.id === id && rule.account === account);
  }

  /** The changed rule; undefined if the account has no such rule. Rejects as create() does. */
  async change({ account, tier }: AlertCaller, id: string, rule: NewRule): Promise<AlertRule | undefined> {
    await this.#check(account, tier, rule);
    return await this.#engine.control.run(changeRule, { account, id, rule, after: this.#engine.table.position });
  }

  /**
   * Sends an example to the rule's target, now; false if the account has no such rule.
   * @param itemOf an item of the channel
   */
  async test(account: string, id: string, itemOf: (channel: AlertChannel) => object): Promise<boolean> {
    const rule = this.stated(account, id);
    if (rule === undefined) return false;
    if (this.#store.queueLength(id) >= LIMITS.alertQueue.max)
      throw new ApiError('rate_limited', 'as many messages wait for the target as may: its state says why');
    const body = exampleMessage(rule, itemOf(rule.channel), this.#engine.clock.now(), this.#lineOf);
    return await this.#engine.control.run(sendNow, { account, id, body });
  }

  async #check(account: string, tier: Tier, requested: NewRule): Promise<void> {
    const engine = this.#engine;
    this.#checkTarget(requested);
    const filter = filterOf(engine, { tier, account }, requested);
    laggardsOf(engine, { tier, account }, requested);
    // An unknown currency is refused now, not when the rule is first looked at.
    stakedOf(requested.filters);
    if (filter.universe.unknown.length > 0)
      throw new ApiError('invalid_request', `sportsbooks: unknown ${filter.universe.unknown.join(', ')}`);
    // Active opportunities among a new set of books are known before the rule begins.
    if (requested.channel !== 'odds') await this.#universes.use(filter.universe, { account, viewer: false });
  }

  /** Resolves to false if the account has no such rule. Rejects with ApiError `unavailable`. */
  remove(account: string, id: string): Promise<boolean> {
    return this.#engine.control.run(removeRule, { account, id });
  }

  #checkTarget({ target }: NewRule): void {
    const { hosts, telegram } = this.#store.targets();
    const { needs, address } = TARGETS[target.type];
    if (target[needs] === null) throw new ApiError('invalid_request', `target: ${target.type} needs ${needs}`);
    // Of the bot only whether there is one is known here.
    const bot = { url: 'https://bot.invalid', token: telegram ? 'its' : undefined };
    try {
      address(target, { addresses: new Addresses(hosts), telegram: bot });
    } catch (error) {
      const field = needs === 'url' ? 'target.url' : 'target';
      throw new ApiError('invalid_request', `${field}: ${(error as Error).message}`);
    }
  }
}

/** The key whose rights a rule has: of its account's keys the highest that may see its channel. */
export function keyFor(
  { account, channel }: AlertRule,
  keys: readonly KeyRecord[],
  nowMs: number,
): KeyRecord | undefined {
  let best: KeyRecord | undefined;
  for (const key of keys) {
    if (key.account !== account || !isActive(key, nowMs) || !mayAlert(key, channel)) continue;
    if (best === undefined || !tierAtLeast(best.tier, key.tier)) best = key;
  }
  return best;
}

// A rule's request in the terms of streams: its filter, thresholds and the kind of its opportunities.

/** Throws ApiError for unknown names and for books above the tier. */
export function filterOf(
  { table, catalogue }: Pick<Engine, 'table' | 'catalogue'>,
  { tier, account }: { tier: Tier; account: string },
  { filters }: Pick<AlertRule, 'filters'>,
): StreamFilter {
  return filterOfLists({ table, catalogue }, tier, filters, account);
}

/** The books that a move must have left behind; null if it may be any. Throws ApiError as filterOf() does. */
export function laggardsOf(
  { table, catalogue }: Pick<Engine, 'table' | 'catalogue'>,
  { tier, account }: { tier: Tier; account: string },
  { filters }: Pick<AlertRule, 'filters'>,
): ReadonlySet<string> | null {
  if (filters.laggards === undefined) return null;
  const { requested, unknown } = universeOf(catalogue, tier, filters.laggards.join(','), table.knowsBook, account);
  if (unknown.length > 0) throw new ApiError('invalid_request', `laggards: unknown ${unknown.join(', ')}`);
  return new Set(requested);
}

export function stateOf({ filters }: Pick<AlertRule, 'filters'>): string {
  return (filters.state ?? DEFAULT_STATE).toLowerCase();
}

/** For a rule of any channel but odds. */
export function requestOf(rule: Pick<AlertRule, 'channel' | 'filters'>, filter: StreamFilter): OpportunityRequest {
  return {
    universe: filter.universe,
    kinds: kindsOf(new Set([rule.channel])),
    state: stateOf(rule),
    ...thresholdsOf(rule.filters),
    hasEvent: (event) => filter.hasEvent(event),
    hasMarket: (market) => filter.hasMarket(market),
    shared: { events: filter.applied.event },
  };
}

/** Bounds of the decimal price, from American ones that may be missing. */
export function priceBounds({ filters }: Pick<AlertRule, 'filters'>): [least: number, most: number] {
  const { min_odds: least, max_odds: most } = filters;
  return [
    least === undefined ? 0 : decimalFromAmerican(least),
    most === undefined ? Number.POSITIVE_INFINITY : decimalFromAmerican(most),
  ];
}

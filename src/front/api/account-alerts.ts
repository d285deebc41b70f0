// GET, POST, PATCH and DELETE /account/alerts: an account's alert rules and their targets.

import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { checkAccess } from '../../accounts/access.js';
import { TARGETS } from '../../accounts/outbox/targets.js';
import type { AlertRules } from '../../alerts/rules.js';
import type { AlertRule, AlertState, AlertTarget, NewRule } from '../../base/model/alert.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError, checkWords } from '../../base/model/errors.js';
import { Type } from '../../base/model/json-schema.js';
import { present } from '../../base/model/present.js';
import { formatMs } from '../../base/model/time.js';
import { MOVE_KINDS } from '../../detection/kinds/move.js';
import {
  type Alert,
  AlertBody,
  AlertsBody,
  ChangedAlertBody,
  NewAlertAnswer,
  NewAlertBody,
  TestedAlert,
  unusedIn,
} from '../../schema/alerts.js';
import { Move } from '../../schema/moves.js';
import { Odds } from '../../schema/odds-items.js';
import { exampleOf } from '../../schema/openapi-example.js';
import {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  MiddleOpportunity,
} from '../../schema/opportunities-items.js';
import { type Route, route } from '../http/context.js';
import { sendList, sendResult } from './answer.js';

export interface AlertDeps {
  engine: { clock: Clock };
  alerts: AlertRules;
}

const PATH = '/api/v1/account/alerts';
const params = Type.Object({ id: Type.String({ description: 'id of the alert' }) });
/** What a message of a channel shows. */
const EXAMPLES: Readonly<Record<AlertRule['channel'], TSchema>> = {
  ev: EvOpportunity,
  arbitrage: ArbitrageOpportunity,
  middles: MiddleOpportunity,
  low_hold: LowHoldOpportunity,
  moves: Move,
  odds: Odds,
};
const COMMON = { auth: 'required', right: 'alerts', tags: ['account'] } as const;

export function alertRoutes({ engine, alerts }: AlertDeps): Route[] {
  return [
    route({
      ...COMMON,
      method: 'GET',
      path: PATH,
      response: AlertsBody,
      errors: ['tier_restricted'],
      summary: 'Alerts of the account and the state of their messages',
      handler: (context) => {
        const all = alerts.list(context.requireKey().account);
        sendList(context, engine.clock, all.map(shown));
      },
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: PATH,
      body: NewAlertBody,
      status: 201,
      response: NewAlertAnswer,
      errors: ['invalid_request', 'tier_restricted', 'forbidden', 'rate_limited', 'unavailable'],
      summary: 'A new alert: opportunities, moves or prices to a webhook, Discord, Slack or Telegram',
      handler: async (context) => {
        const key = context.requireKey();
        checkAccess(key, { channel: context.body.channel }, engine.clock.now());
        const rule = ruleOf(onlyOnce(context.body));
        const ignored = ignoredOf(rule, context.asked.strict);
        const { id, secret, name, channel } = await alerts.create(key, rule);
        sendResult(context, engine.clock, { id, secret, name, channel }, { status: 201, ignored });
      },
    }),
    ...ownAlertRoutes({ engine, alerts }),
  ];
}

function ownAlertRoutes({ engine, alerts }: AlertDeps): Route[] {
  return [
    route({
      ...COMMON,
      method: 'PATCH',
      path: `${PATH}/:id`,
      params,
      body: ChangedAlertBody,
      response: AlertBody,
      errors: ['invalid_request', 'not_found', 'tier_restricted', 'forbidden', 'rate_limited', 'unavailable'],
      summary: 'Changes an alert, pauses it or goes on with it',
      handler: async (context) => {
        const key = context.requireKey();
        const id = context.params['id']!;
        const before = alerts.stated(key.account, id);
        if (before === undefined) throw noAlert(id);
        const { body } = context;
        const rule = changed(before, onlyOnce(body));
        checkAccess(key, { channel: rule.channel }, engine.clock.now());
        const stated = body.channel === undefined ? Object.keys({ ...body, ...body.filters }) : undefined;
        const ignored = ignoredOf(rule, context.asked.strict, stated);
        if ((await alerts.change(key, id, rule)) === undefined) throw noAlert(id);
        const state = alerts.list(key.account).find((one) => one.rule.id === id);
        if (state === undefined) throw noAlert(id);
        sendResult(context, engine.clock, shown(state), { ignored });
      },
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${PATH}/:id/test`,
      params,
      response: TestedAlert,
      errors: ['not_found', 'tier_restricted', 'unavailable'],
      summary: 'Sends one example to the target of an alert, now',
      handler: async (context) => {
        const { account } = context.requireKey();
        const id = context.params['id']!;
        const itemOf = (channel: AlertRule['channel']) => exampleOf(EXAMPLES[channel] as never) as object;
        if (!(await alerts.test(account, id, itemOf))) throw noAlert(id);
        const queued = alerts.list(account).find((one) => one.rule.id === id)?.queued ?? 0;
        sendResult(context, engine.clock, { id, queued: Math.max(1, queued) });
      },
    }),
    route({
      ...COMMON,
      method: 'DELETE',
      path: `${PATH}/:id`,
      params,
      status: 204,
      errors: ['not_found', 'tier_restricted', 'unavailable'],
      summary: 'Deletes an alert; waiting messages are dropped',
      handler: async (context) => {
        const id = context.params['id']!;
        if (!(await alerts.remove(context.requireKey().account, id))) throw noAlert(id);
        context.sendEmpty(204);
      },
    }),
  ];
}

function noAlert(id: string): ApiError {
  return new ApiError('not_found', `the account has no alert ${id.slice(0, 100)}`);
}

/**
 * What the rule's channel has no use for. Throws ApiError `invalid_request` if the request is strict and states any of it.
 * @param stated what the request states; undefined: all of it
 */
function ignoredOf({ channel, filters, tellsEnded }: NewRule, strict: boolean, stated?: readonly string[]): string[] {
  const kept = Object.entries({ ...filters, ended: tellsEnded }).filter(([, value]) => value != null);
  const ignored = unusedIn(
    channel,
    kept.map(([name]) => name),
  );
  const refused = strict ? ignored.filter((name) => stated?.includes(name) ?? true) : [];
  if (refused.length > 0)
    throw new ApiError('invalid_request', `${channel} has no ${refused.join(', ')}, and the request is strict`);
  return ignored;
}

/** A threshold may be given beside the filters or among them; of two that differ none is the one that is meant. */
function onlyOnce<Body extends ChangedAlertBody>(body: Body): Body {
  const { filters = {} } = body;
  for (const [name, value] of Object.entries(filters)) {
    const beside = body[name as keyof Body];
    if (value != null && beside != null && !isDeepStrictEqual(beside, value))
      throw new ApiError('invalid_request', `${name}: given beside filters and among them, and not the same`);
  }
  return body;
}

/** Thresholds and kinds may be given beside the filters or among them. */
function ruleOf({
  name,
  channel,
  filters: named = {},
  target,
  quiet_s = 0,
  max_age_s,
  ended,
  paused,
  ...beside
}: NewAlertBody): NewRule {
  const filters = { ...named, ...beside };
  checkWords('kinds', filters.kinds ?? [], MOVE_KINDS);
  const { type, url = null, chat = null } = target;
  return {
    name,
    channel,
    filters,
    target: { type, url, chat },
    quietSeconds: quiet_s,
    ...present({ maxAgeSeconds: max_age_s, tellsEnded: ended || undefined, paused: paused || undefined }),
  };
}

/** The rule as it is to be. */
function changed(before: AlertRule, body: ChangedAlertBody): NewRule {
  const { name, channel, target, quietSeconds, maxAgeSeconds = null, tellsEnded = false, paused = false } = before;
  const { type, url, chat } = target;
  return ruleOf({
    name,
    channel,
    filters: before.filters as NonNullable<NewAlertBody['filters']>,
    target: present({ type, url, chat }),
    quiet_s: quietSeconds,
    max_age_s: maxAgeSeconds,
    ended: tellsEnded,
    paused,
    ...body,
  });
}

function shown({ rule, delivery, queued, paused }: AlertState): Alert {
  const { id, name, channel, filters, target, quietSeconds, maxAgeSeconds = null, createdMs } = rule;
  const time = (ms: number | null) => (ms === null ? null : formatMs(ms));
  return {
    id,
    name,
    channel,
    filters: filters as Alert['filters'],
    target: shownTarget(target),
    quiet_s: quietSeconds,
    max_age_s: maxAgeSeconds,
    ended: rule.tellsEnded === true,
    paused: rule.paused === true,
    created_at: formatMs(createdMs),
    status: {
      state: (paused || rule.paused === true) && delivery.state !== 'off' ? 'paused' : delivery.state,
      reason: delivery.reason,
      since: time(delivery.sinceMs),
      delivered: delivery.delivered,
      last_delivered_at: time(delivery.deliveredMs),
      queued,
      next_attempt_at: time(delivery.nextAttemptMs),
    },
  };
}

/** Anyone who knows the URL of a chat's webhook may write there. */
function shownTarget({ type, url, chat }: AlertTarget): Alert['target'] {
  if (url === null) return chat === null ? { type } : { type, chat };
  return { type, url: TARGETS[type].openUrl ? url : `${new URL(url).origin}/…` };
}

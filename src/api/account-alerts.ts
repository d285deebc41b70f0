// GET, POST and DELETE /account/alerts: an account's alert rules and their targets.

import { checkAccess } from '../accounts/access.js';
import type { AlertRules } from '../alerts/rules.js';
import { type Route, route } from '../front/http/context.js';
import { MOVE_KINDS } from '../kinds/move.js';
import type { AlertState, AlertTarget, NewRule } from '../model/alert.js';
import type { Clock } from '../model/clock.js';
import { ApiError } from '../model/errors.js';
import { Type } from '../model/json-schema.js';
import { formatMs } from '../model/time.js';
import { TARGETS } from '../outbox/targets.js';
import { type Alert, AlertsBody, NewAlertAnswer, NewAlertBody } from '../schema/alerts.js';
import { sendList, sendResult } from './envelope.js';

export interface AlertDeps {
  engine: { clock: Clock };
  alerts: AlertRules;
}

const PATH = '/api/v1/account/alerts';
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
        const { id, secret, name, channel } = await alerts.create(key, ruleOf(context.body));
        sendResult(context, engine.clock, { id, secret, name, channel }, 201);
      },
    }),
    route({
      ...COMMON,
      method: 'DELETE',
      path: `${PATH}/:id`,
      params: Type.Object({ id: Type.String({ description: 'id of the alert' }) }),
      status: 204,
      errors: ['not_found', 'tier_restricted', 'unavailable'],
      summary: 'Deletes an alert; waiting messages are dropped',
      handler: async (context) => {
        const id = context.params['id']!;
        if (!(await alerts.remove(context.requireKey().account, id)))
          throw new ApiError('not_found', `the account has no alert ${id}`);
        context.sendEmpty(204);
      },
    }),
  ];
}

/** Thresholds and kinds may be given beside the filters or among them. */
function ruleOf({ name, channel, filters: named = {}, target, quiet_s = 0, ...beside }: NewAlertBody): NewRule {
  const filters = { ...named, ...beside };
  const unknown = (filters.kinds ?? []).filter((kind) => !(MOVE_KINDS as readonly string[]).includes(kind));
  if (unknown.length > 0)
    throw new ApiError('invalid_request', `kinds: ${unknown.join(', ')} is none of ${MOVE_KINDS.join(', ')}`);
  const { type, url = null, chat = null } = target;
  return { name, channel, filters, target: { type, url, chat }, quietSeconds: quiet_s };
}

function shown({ rule, delivery, queued, paused }: AlertState): Alert {
  const { id, name, channel, filters, target, quietSeconds, createdMs } = rule;
  const time = (ms: number | null) => (ms === null ? null : formatMs(ms));
  return {
    id,
    name,
    channel,
    filters: filters as Alert['filters'],
    target: shownTarget(target),
    quiet_s: quietSeconds,
    created_at: formatMs(createdMs),
    status: {
      state: paused && delivery.state !== 'off' ? 'paused' : delivery.state,
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

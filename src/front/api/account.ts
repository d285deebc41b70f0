// The account endpoints: the key's rights, its usage, and the account's keys.

import { checkAccess, seesChannel, trialOf } from '../../accounts/access.js';
import type { Accounts } from '../../accounts/accounts.js';
import { checkManages, checkRevokes, checkRotates, isActive, type KeyRecord } from '../../accounts/key-record.js';
import type { StreamSlots } from '../../accounts/stream-slots.js';
import type { UsageCounters } from '../../accounts/usage.js';
import { TOKEN_CHARS_MAX, type Viewer, type ViewerFilter } from '../../accounts/viewer-tokens.js';
import { ApiError } from '../../base/model/errors.js';
import { present } from '../../base/model/present.js';
import { type ChannelName, VIEWER_CHANNELS } from '../../base/model/stream-channels.js';
import { formatMs } from '../../base/model/time.js';
import type { Engine } from '../../engine/engine.js';
import {
  FEATURES,
  hasFeature,
  maxStreamsOf,
  mayStream,
  requestsPerMinuteOf,
  TIER_RULES,
} from '../../rules/catalogue/tiers.js';
import {
  AccountBody,
  KeyParams,
  KeysBody,
  NewKeyAnswer,
  NewKeyBody,
  NewTokenAnswer,
  NewTokenBody,
  RotateAnswer,
  RotateBody,
  UsageBody,
  VIEWER_FILTERS,
} from '../../schema/account.js';
import { meaningOf } from '../../schema/parameters.js';
import { StreamFilter } from '../../tables/filter/stream-filter.js';
import { splitList, universeOf } from '../../tables/filter/universe.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { sendList, sendObject, sendResult } from './answer.js';
import type { RouteDeps } from './deps.js';

export interface AccountDeps extends RouteDeps {
  accounts: Accounts;
  usage: UsageCounters;
  slots: StreamSlots;
}

const PATH = '/api/v1/account';
const COMMON = { auth: 'required', tags: ['account'] } as const;
const GRACE_HOURS = 24;

export function accountRoutes(deps: AccountDeps): Route[] {
  return [...readRoutes(deps), ...keyRoutes(deps), ...endingRoutes(deps), ...tokenRoutes(deps)];
}

function readRoutes({ engine, usage, slots }: AccountDeps): Route[] {
  const { clock } = engine;
  return [
    route({
      ...COMMON,
      method: 'GET',
      path: PATH,
      viewers: 'names',
      response: AccountBody,
      summary: 'The key, its rights and limits',
      handler: (context) => {
        const key = context.requireKey();
        const { delaySeconds, maxBooks } = TIER_RULES[key.tier];
        const nowMs = clock.now();
        sendObject(context, clock, {
          key: { id: key.id, name: key.name, tier: key.tier },
          key_id: key.id,
          tier: key.tier,
          rate_limit: { requests_per_minute: requestsPerMinuteOf(key), max_books: maxBooks },
          streaming: { enabled: mayStream(key, nowMs), max_connections: maxStreamsOf(key, nowMs) },
          limits: {
            requests_per_minute: requestsPerMinuteOf(key),
            max_streams: maxStreamsOf(key, nowMs),
            odds_delay_seconds: delaySeconds,
            max_books: maxBooks,
          },
          features: {
            ev: hasFeature(key, 'ev'),
            arbitrage: hasFeature(key, 'arbitrage'),
            middles: hasFeature(key, 'middles'),
            low_hold: hasFeature(key, 'low_hold'),
            moves: hasFeature(key, 'moves'),
            streaming: mayStream(key, nowMs),
          },
          addons: addonsOf(key),
          ...present({ streaming_trial: trialOf(key, nowMs) }),
        });
      },
    }),
    route({
      ...COMMON,
      method: 'GET',
      path: `${PATH}/usage`,
      response: UsageBody,
      summary: 'Requests and streams used by the account',
      handler: (context) => {
        const key = context.requireKey();
        const { today, thisWeek, thisMonth } = usage.read(key.account);
        const { startMs, endMs } = usage.period();
        const { limit, remaining, resetUnixS } = context.rate!;
        sendObject(context, clock, {
          requests: {
            today,
            this_week: thisWeek,
            this_month: thisMonth,
            limit: { per_minute: limit, remaining, resets_at: formatMs(resetUnixS * 1000) },
          },
          streams: { active: slots.active(key.account), max: maxStreamsOf(key, clock.now()) },
          period: { start: formatMs(startMs), end: formatMs(endMs) },
        });
      },
    }),
  ];
}

function keyRoutes({ engine, accounts }: AccountDeps): Route[] {
  const { clock } = engine;
  return [
    route({
      ...COMMON,
      method: 'GET',
      path: `${PATH}/keys`,
      response: KeysBody,
      summary: "The account's keys",
      handler: (context) => {
        const keys = accounts.list(context.requireKey().account);
        const items = keys.map((key) => keyItem(key, clock.now()));
        sendList(context, clock, items);
      },
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${PATH}/keys`,
      body: NewKeyBody,
      status: 201,
      response: NewKeyAnswer,
      errors: ['invalid_request', 'forbidden'],
      summary: 'A new key with the tier and rights of the one in use; it may not ingest. Ten at most',
      handler: async (context) => {
        checkManages(context.requireKey());
        const { account, tier, streaming, trialEndsAt, features, maxStreams, requestsPerMinute } = context.requireKey();
        const { key, record } = await accounts.create({
          account,
          tier,
          streaming,
          trialEndsAt,
          features,
          name: context.body.name,
          selfMade: true,
          ...present({ maxStreams, requestsPerMinute }),
        });
        sendResult(context, clock, { id: record.id, key, name: record.name, tier: record.tier }, { status: 201 });
      },
    }),
  ];
}

function endingRoutes({ engine, accounts }: AccountDeps): Route[] {
  const { clock } = engine;

  /** Keys of other accounts are treated like keys that never existed. */
  function keyOf(context: RequestContext<unknown, unknown>): KeyRecord {
    const id = context.params['keyId']!;
    const key = accounts.list(context.requireKey().account).find((each) => each.id === id);
    if (key === undefined) throw new ApiError('not_found', `there is no key ${id}`);
    return key;
  }

  return [
    route({
      ...COMMON,
      method: 'DELETE',
      path: `${PATH}/keys/:keyId`,
      params: KeyParams,
      status: 204,
      errors: ['not_found', 'invalid_request', 'forbidden'],
      summary: 'Revokes a key at once; not the one in use, nor one with more rights',
      handler: async (context) => {
        const target = keyOf(context);
        const { id } = target;
        if (id === context.requireKey().id)
          throw new ApiError('invalid_request', 'the key in use cannot end itself: use another one, or rotate it');
        checkRevokes(context.requireKey(), target, clock.now());
        await accounts.revoke(id);
        context.sendEmpty(204);
      },
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${PATH}/keys/:keyId/rotate`,
      params: KeyParams,
      body: RotateBody,
      response: RotateAnswer,
      errors: ['not_found', 'invalid_request', 'forbidden'],
      summary:
        "Replaces an active key, which still works for a grace period: one's own or self-made, not one with more rights",
      handler: async (context) => {
        const { gracePeriodHours = GRACE_HOURS, name } = context.body;
        const target = keyOf(context);
        const { id } = target;
        const caller = context.requireKey();
        if (isActive(target, clock.now())) checkRotates(caller, target, clock.now());
        const rotated = await accounts.rotate(id, gracePeriodHours, name);
        if (rotated === undefined) throw new ApiError('invalid_request', `the key ${id} is not active any more`);
        const { key, record, previous } = rotated;
        sendResult(context, clock, {
          // As a new key's answer names them, and by names of their own beside the old key's.
          id: record.id,
          key,
          name: record.name,
          tier: record.tier,
          new_key_id: record.id,
          new_key: key,
          new_key_name: record.name,
          new_key_tier: record.tier,
          old_key_id: previous.id,
          old_key_expires_at: formatMs(previous.expiresAt ?? clock.now()),
        });
      },
    }),
  ];
}

function keyItem(key: KeyRecord, nowMs: number) {
  return {
    id: key.id,
    id_masked: key.masked,
    name: key.name,
    tier: key.tier,
    is_active: isActive(key, nowMs),
    created_at: formatMs(key.createdAt),
    updated_at: formatMs(key.updatedAt),
    ...(key.expiresAt === undefined ? {} : { expires_at: formatMs(key.expiresAt) }),
  };
}

/** What the key has in addition to its tier. */
function addonsOf(key: KeyRecord): string[] {
  const tierHas = TIER_RULES[key.tier].features;
  const features = FEATURES.filter((feature) => hasFeature(key, feature) && !tierHas.includes(feature));
  return [...(key.streaming && TIER_RULES[key.tier].maxStreams > 0 ? ['streaming'] : []), ...features];
}

// POST /account/tokens: a viewer token, which a web page uses in place of the key.

const PROPER_NAMES = meaningOf(VIEWER_FILTERS);

function tokenRoutes({ engine, accounts }: { engine: Engine; accounts: Accounts }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/account/tokens',
      auth: 'required',
      tags: ['account'],
      body: NewTokenBody,
      status: 201,
      response: NewTokenAnswer,
      errors: ['invalid_request', 'tier_restricted', 'forbidden'],
      summary: 'A short-lived token for web pages, which only reads and streams',
      handler: (context) => {
        const key = context.requireKey();
        const { ttl_s, channels, filters, origin } = context.body;
        for (const channel of channels ?? []) checkAccess(key, { channel }, engine.clock.now());
        const viewer: Viewer = {
          expiresAt: Math.floor(engine.clock.now()) + ttl_s * 1000,
          channels: channels === undefined ? null : [...new Set(channels)],
          filters: filtersOf(filters ?? {}),
          origin: origin === undefined || origin === null ? null : originOf(origin),
        };
        checkNames(engine, context, viewer);
        const token = accounts.viewerToken(key, viewer);
        if (token.length > TOKEN_CHARS_MAX)
          throw new ApiError(
            'invalid_request',
            `filters: the token would be longer than ${TOKEN_CHARS_MAX} characters`,
          );
        const data = {
          token,
          expires_at: formatMs(viewer.expiresAt),
          channels: VIEWER_CHANNELS.filter((channel) => seesChannel({ ...key, viewer }, channel)) as ChannelName[],
          filters: viewer.filters,
          origin: viewer.origin,
        };
        sendResult(context, engine.clock, data, { status: 201 });
      },
    }),
  ];
}

/** By their proper names, in lower case. An unknown filter would make the token wider: throws ApiError. */
function filtersOf(given: Readonly<Record<string, string | readonly string[]>>): Viewer['filters'] {
  const filters: Partial<Record<ViewerFilter, readonly string[]>> = {};
  for (const [name, value] of Object.entries(given)) {
    const proper = PROPER_NAMES.get(name) as ViewerFilter | undefined;
    if (proper === undefined)
      throw new ApiError('invalid_request', `filters: ${name.slice(0, 100)} is none of ${VIEWER_FILTERS.join(', ')}`);
    const names = (typeof value === 'string' ? splitList(value) : value).map((each) => each.trim().toLowerCase());
    if (names.length === 0 || names.some((each) => each === '' || each.includes(',')))
      throw new ApiError('invalid_request', `filters.${name} must have names, one an entry`);
    filters[proper] = [...new Set([...(filters[proper] ?? []), ...names])];
  }
  return filters;
}

/** Throws ApiError for names that no stream knows, and for books above the tier. */
function checkNames({ table, catalogue }: Engine, context: RequestContext<unknown, unknown>, viewer: Viewer): void {
  const text = (name: ViewerFilter) => viewer.filters[name]?.join(',');
  const universe = universeOf(catalogue, context.tier, text('sportsbook'), table.knowsBook);
  new StreamFilter(table, catalogue, universe, {
    sport: text('sport'),
    league: text('league'),
    market: text('market'),
    event: text('event'),
  });
}

/** The origin of a URL as browsers send it. Throws ApiError. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw new ApiError('invalid_request', 'origin must be as https://example.com, without a path');
  return url.origin;
}

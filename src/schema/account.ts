// Shapes of the account endpoints.

import type { Static } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { VIEWER_CHANNELS } from '../base/model/stream-channels.js';
import { TIERS } from '../rules/catalogue/types.js';
import { instant, listBody, objectBody, resultBody } from './envelope.js';

const keyId = Type.String({ description: 'public id of the key', examples: ['key_0123456789abcdef'] });
const name = Type.String({ description: 'as given on creation', examples: ['production'] });
const tier = Type.Enum([...TIERS], { description: "the key's tier", examples: ['pro'] });
const secret = Type.String({
  description: 'the key itself; shown only this once and not stored',
  examples: ['sk_live_…'],
});
const flag = Type.Boolean({ examples: [true] });
const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });

export const StreamingTrial = Type.Object(
  {
    active: Type.Boolean({ description: 'false: it has ended', examples: [true] }),
    expires_at: instant('when it ends'),
    remaining_hours: Type.Number({ minimum: 0, description: 'hours left; 0 once it has ended', examples: [71.5] }),
    max_streams: count('streams open at once while it is active', 10),
  },
  { description: 'lets a key stream without the add-on for a limited time' },
);

export const AccountBody = objectBody(
  Type.Object({
    key: Type.Object({ id: keyId, name, tier }),
    key_id: keyId,
    tier,
    rate_limit: Type.Object(
      {
        requests_per_minute: count('requests a minute', 300),
        max_books: orNull(Type.Integer({ minimum: 0, examples: [15] })),
      },
      { description: 'the same as in limits' },
    ),
    streaming: Type.Object({
      enabled: flag,
      max_connections: count('streams open at once', 10),
    }),
    limits: Type.Object({
      requests_per_minute: count('requests a minute, of all keys of the account together', 300),
      max_streams: count('streams open at once, of all keys of the account; 0 if the key may not stream now', 10),
      odds_delay_seconds: count('age of the odds it sees; 0 is real time', 0),
      max_books: orNull(Type.Integer({ minimum: 0, examples: [15] }), 'books it sees; null is all'),
    }),
    features: Type.Object({ ev: flag, arbitrage: flag, middles: flag, low_hold: flag, moves: flag, streaming: flag }),
    addons: Type.Array(Type.String(), { description: 'features beyond the tier', examples: [['streaming']] }),
    streaming_trial: Type.Optional(StreamingTrial),
  }),
);

export const UsageBody = objectBody(
  Type.Object({
    requests: Type.Object({
      today: count('requests of this day (UTC)', 1200),
      this_week: count('requests since Monday (UTC)', 8000),
      this_month: count('requests of this month (UTC)', 31000),
      limit: Type.Object({
        per_minute: count('requests a minute, of all keys of the account together', 300),
        remaining: count('left in this minute', 299),
        resets_at: instant('when the minute ends'),
      }),
    }),
    streams: Type.Object({ active: count('open now', 1), max: count('open at once', 10) }),
    period: Type.Object({ start: instant('begin of the month'), end: instant('its end') }),
  }),
);

export const AccountKey = Type.Object(
  {
    id: keyId,
    id_masked: Type.String({ description: 'the key without its middle', examples: ['sk_live_abcd…wxyz'] }),
    name,
    tier,
    is_active: Type.Boolean({ examples: [true] }),
    created_at: instant('when it was made'),
    updated_at: instant('when it was last changed'),
    expires_at: Type.Optional(instant('when it ends; there after a rotation')),
  },
  { description: 'an API key of the account' },
);
export type AccountKey = Static<typeof AccountKey>;

export const KeysBody = listBody(AccountKey);

const newName = Type.String({ minLength: 1, maxLength: 100, description: 'a name for the key' });
export const NewKeyBody = Type.Object({ name: newName });
const MadeKey = Type.Object({ id: keyId, key: secret, name, tier });
export const NewKeyAnswer = resultBody(MadeKey);

export const KeyParams = Type.Object({ keyId });

export const RotateBody = Type.Object({
  gracePeriodHours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 72,
      examples: [24],
      description: 'how long the old key still works; default 24, 0 ends it at once',
    }),
  ),
  name: Type.Optional(newName),
});
export const RotateAnswer = resultBody(
  Type.Object({
    ...MadeKey.properties,
    new_key_id: keyId,
    new_key: secret,
    new_key_name: name,
    new_key_tier: tier,
    old_key_id: keyId,
    old_key_expires_at: instant('when the old key ends'),
  }),
);

/** The parameters that a token may restrict to some values, by their names in REST. */
export const VIEWER_FILTERS = ['sport', 'league', 'sportsbook', 'market', 'event'] as const;

const TOKEN_TTL_S_MAX = LIMITS.tokenLife.max;

const channel = Type.Enum([...VIEWER_CHANNELS], { examples: ['odds'] });
const names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 });

export const NewTokenBody = Type.Object(
  {
    ttl_s: Type.Integer({
      minimum: 1,
      maximum: TOKEN_TTL_S_MAX,
      description: 'seconds until it expires, at most a day',
      examples: [3600],
    }),
    channels: Type.Optional(
      Type.Array(channel, { minItems: 1, maxItems: 20, description: "channels it may see; default all of the key's" }),
    ),
    filters: Type.Optional(
      Type.Record(Type.String(), Type.Union([names, Type.String({ minLength: 1, maxLength: 2_000 })]), {
        description: `filters that it cannot exceed, by ${VIEWER_FILTERS.join(', ')}, or their plurals`,
        examples: [{ league: ['nba'] }],
      }),
    ),
    origin: Type.Optional(
      Type.Union([Type.String({ maxLength: 300 }), Type.Null()], {
        description: 'only pages of this origin may use it: it is refused without that Origin header',
        examples: ['https://example.com'],
      }),
    ),
  },
  // A misspelt name must not make a token that may see more.
  { additionalProperties: false },
);
export type NewTokenBody = Static<typeof NewTokenBody>;

export const NewTokenAnswer = resultBody(
  Type.Object({
    token: Type.String({ description: 'sent like a key, or as ?token=', examples: ['vt_…'] }),
    expires_at: instant('when it expires, or its key if that is sooner'),
    channels: Type.Array(channel, { description: 'channels it may see' }),
    filters: Type.Object(
      Object.fromEntries(VIEWER_FILTERS.map((name) => [name, Type.Optional(Type.Array(Type.String()))])),
      {
        description: 'its filters',
      },
    ),
    origin: orNull(Type.String(), 'the origin whose pages may use it; null: any program'),
  }),
);

// Shapes of POST /account/tokens.

import type { Static } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { VIEWER_CHANNELS } from '../base/model/stream-channels.js';

/** The parameters that a token may restrict to some values, by their names in REST. */
export const VIEWER_FILTERS = ['sport', 'league', 'sportsbook', 'market', 'event'] as const;

export const TOKEN_TTL_S_MAX = LIMITS.tokenLife.max;

import { instant, resultBody } from './envelope.js';

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

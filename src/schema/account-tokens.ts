// Shapes of POST /account/tokens.

import { CHANNEL_NAMES } from '../model/channels.js';
import { Type } from '../model/json-schema.js';
import { LIMITS } from '../model/limits.js';

/** The parameters that a token may restrict to some values, by their names in REST. */
export const VIEWER_FILTERS = ['sport', 'league', 'sportsbook', 'market', 'event'] as const;

export const TOKEN_TTL_S_MAX = LIMITS.tokenLife.max;

import { instant, success, UpdatedAt } from './envelope.js';

const channel = Type.Enum([...CHANNEL_NAMES], { examples: ['odds'] });
const names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 });

export const NewTokenBody = Type.Object({
  ttl_s: Type.Integer({
    minimum: 1,
    maximum: TOKEN_TTL_S_MAX,
    description: 'seconds it lives, at most a day',
    examples: [3600],
  }),
  channels: Type.Optional(
    Type.Array(channel, { minItems: 1, maxItems: 20, description: "channels it may see; default all of the key's" }),
  ),
  filters: Type.Optional(
    Type.Record(Type.String(), Type.Union([names, Type.String({ minLength: 1, maxLength: 2_000 })]), {
      description: `lists of names it is held to, by ${VIEWER_FILTERS.join(', ')}, or their plurals`,
      examples: [{ league: ['nba'] }],
    }),
  ),
  origin: Type.Optional(
    Type.Union([Type.String({ maxLength: 300 }), Type.Null()], {
      description: 'pages of this origin only: it is refused without that Origin header',
      examples: ['https://example.com'],
    }),
  ),
});

export const NewTokenAnswer = Type.Object({
  success,
  data: Type.Object({
    token: Type.String({ description: 'goes where a key goes, also as ?token=', examples: ['vt_…'] }),
    expires_at: instant('when it ends; with its key, where that is sooner'),
    channels: Type.Array(channel, { description: 'what it may see' }),
    filters: Type.Object(
      Object.fromEntries(VIEWER_FILTERS.map((name) => [name, Type.Optional(Type.Array(Type.String()))])),
      {
        description: 'what it is held to',
      },
    ),
    origin: Type.Union([Type.String(), Type.Null()], { description: 'the pages that may use it; null is any program' }),
  }),
  updated_at: UpdatedAt,
});

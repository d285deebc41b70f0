// Shapes of the deep-link endpoints.

import { orNull, Type } from '../base/model/json-schema.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import { ignoredNames, success, UpdatedAt } from './envelope.js';

const state = Type.String({
  pattern: '^[A-Za-z]{2}$',
  default: DEFAULT_STATE,
  description: 'US state code, for books whose pages differ by state',
});

export const DeepLinkQuery = Type.Object({
  state,
  book: Type.Optional(Type.String({ maxLength: 64, description: 'which book of an opportunity; default the first' })),
  fallback: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: 'URL for unknown ids: http or https, and only hosts that the operator allows',
    }),
  ),
});

export const DeepLinkParams = Type.Object({
  id: Type.String({
    description: 'numeric odds id or 16-hex id of an opportunity',
    examples: ['4611686018427387904'],
  }),
});

export const DeepLinksBody = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: 500,
    description: 'odds ids and ids of opportunities',
  }),
  state: Type.Optional(state),
});

export const DeepLinksAnswer = Type.Object({
  success,
  data: Type.Record(Type.String(), orNull(Type.String({ examples: ['/api/v1/deeplink/4611686018427387904'] })), {
    description:
      'id → path of GET /deeplink/{id}; null if there is no link: a book without links, odds that are gone, an opportunity that is over or that only wider limits than the default or another devig method find',
  }),
  meta: Type.Optional(Type.Object(ignoredNames)),
  updated_at: UpdatedAt,
});

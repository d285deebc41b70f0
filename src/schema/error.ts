// The body of every error answer.

import { ERROR_STATUS, type ErrorCode } from '../base/model/errors.js';
import { Type } from '../base/model/json-schema.js';

export const ApiErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(ERROR_STATUS) as ErrorCode[], { description: 'stable: for programs' }),
      message: Type.String({ description: 'English text', examples: ['what is wrong'] }),
      docs: Type.Optional(Type.String({ description: 'URL of an explanation' })),
      retryAfter: Type.Optional(
        Type.Number({ description: 'seconds to wait before a retry (429 and 5xx)', examples: [1] }),
      ),
      retry_after: Type.Optional(Type.Number({ description: 'the same as retryAfter', examples: [1] })),
      tier: Type.Optional(Type.String({ description: 'the tier that would allow it (403)' })),
      required_tier: Type.Optional(Type.String({ description: 'the same as tier' })),
      max_books: Type.Optional(Type.Integer({ description: 'sportsbooks above the tier: how many it sees (403)' })),
      requested_books: Type.Optional(
        Type.Array(Type.String(), { description: 'the same: the sportsbooks that were asked for' }),
      ),
      reason: Type.Optional(Type.String({ description: 'missing_api_key or invalid_api_key (401)' })),
    }),
  },
  { description: 'an error of the request or the server' },
);

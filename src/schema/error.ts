// The body of every error answer.

import { ERROR_STATUS, type ErrorCode } from '../model/errors.js';
import { Type } from '../model/json-schema.js';

export const ApiErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(ERROR_STATUS) as ErrorCode[], { description: 'stable; what to act on' }),
      message: Type.String({ description: 'English text', examples: ['what is wrong'] }),
      docs: Type.Optional(Type.String({ description: 'an address that explains it' })),
      retryAfter: Type.Optional(
        Type.Number({ description: 'seconds to wait before the next try (429 and 5xx)', examples: [1] }),
      ),
      tier: Type.Optional(Type.String({ description: 'the tier that would unlock it (403)' })),
      reason: Type.Optional(Type.String({ description: 'missing_api_key or invalid_api_key (401)' })),
    }),
  },
  { description: 'what is wrong with a request, or with the server' },
);

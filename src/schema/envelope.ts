// The envelope of every answer: one object or a list, with the time of sending, the page and what was ignored.

import type { Static, TProperties, TSchema } from 'typebox';
import { ERROR_STATUS, type ErrorCode } from '../base/model/errors.js';
import { orNull, Type } from '../base/model/json-schema.js';

// The body of every error answer.

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

export const instant = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}; RFC 3339, UTC` });

export const UpdatedAt = instant('when the server sent the answer');

export const Pagination = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, description: 'maximum number of items of a page' }),
    offset: Type.Integer({ minimum: 0, description: 'items skipped before this page' }),
    count: Type.Integer({ minimum: 0, description: 'items of this page' }),
    total: Type.Integer({ minimum: 0, description: 'items that match, over all pages' }),
    has_more: Type.Boolean({ description: 'true if more items follow' }),
    next_offset: orNull(Type.Integer(), 'offset of the next page; null on the last one'),
  },
  { description: 'place of the page in the full list' },
);

/** For lists that are paged by a cursor. */
export const CursorPagination = Type.Object({
  ...Pagination.properties,
  next_cursor: Type.Optional(Type.String({ description: 'cursor of the next page; absent on the last one' })),
});
export type CursorPagination = Static<typeof CursorPagination>;

export const ignoredNames = {
  unknown: Type.Optional(
    Type.Array(Type.String(), {
      description: 'unknown values of sport, league and sportsbook filters; they match nothing',
    }),
  ),
  ignored: Type.Optional(
    Type.Array(Type.String(), {
      description: 'parameters that the endpoint, or the channel of an alert, does not have; they have no effect',
    }),
  ),
};

export const success = Type.Literal(true, { description: 'always true; the HTTP status is the authority' });

/** Body of the answer to a change, without meta. */
export const resultBody = <T extends TSchema>(data: T) =>
  Type.Object({ success, data, meta: Type.Optional(Type.Object(ignoredNames)), updated_at: UpdatedAt });

/** Body of an answer with one object; `meta` holds the endpoint's additional fields. */
export const objectBody = <T extends TSchema, M extends TProperties = Record<never, never>>(data: T, meta?: M) =>
  Type.Object({
    success,
    data,
    meta: Type.Object({ ...(meta as M), ...ignoredNames, updated_at: UpdatedAt }),
    updated_at: UpdatedAt,
  });

/** Body of an answer with a list; `meta` holds the endpoint's additional fields. */
export const listBody = <
  T extends TSchema,
  M extends TProperties = Record<never, never>,
  P extends TSchema = typeof Pagination,
>(
  item: T,
  meta?: M,
  page: P = Pagination as TSchema as P,
) =>
  Type.Object({
    success,
    data: Type.Array(item),
    pagination: page,
    meta: Type.Object({
      count: Type.Integer({ minimum: 0, description: 'the same as pagination.count' }),
      total: Type.Integer({ minimum: 0, description: 'the same as pagination.total' }),
      ...(meta as M),
      ...ignoredNames,
      pagination: page,
      updated_at: UpdatedAt,
    }),
    updated_at: UpdatedAt,
  });

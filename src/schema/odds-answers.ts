// Bodies of the odds endpoints' answers.
import { orNull, Type } from '../base/model/json-schema.js';
import {
  CursorPagination,
  ignoredNames,
  instant,
  listBody,
  objectBody,
  Pagination,
  success,
  UpdatedAt,
} from './envelope.js';
import { BatchEvent, BestOdds, Comparison, EventOdds, eventId, Odds, OddsGroup, OddsPart } from './odds-items.js';

export const FiltersEcho = Type.Record(Type.String(), Type.Unknown(), {
  description: 'the filters as given, null if not given',
});
const overflow = Type.Optional(
  Type.Literal(true, {
    description:
      'more than 10000 rows, or since is older than the log or none of its times: take a snapshot from /odds',
  }),
);
const count = Type.Integer({ minimum: 0, description: 'the same as pagination.count' });
const total = Type.Integer({ minimum: 0, description: 'the same as pagination.total' });

/** Rows of an answer with it have no times of polls. */
const asOf = Type.Optional(instant('only with at: the instant that the answer is of'));

export const OddsBody = Type.Object({
  success,
  data: Type.Union([Type.Array(Odds), Type.Array(OddsPart), Type.Array(OddsGroup)], {
    description: 'rows; with fields parts of rows; with group_by=event rows under their events',
  }),
  overflow,
  pagination: CursorPagination,
  meta: Type.Object({
    count,
    total,
    books_available: Type.Union([Type.Array(Type.String()), Type.Integer()], {
      description: "books of the caller's universe with any odds; with group_by their number",
    }),
    books_returned: Type.Array(Type.String(), { description: 'books of this page' }),
    filters: FiltersEcho,
    group_by: Type.Optional(Type.Literal('event')),
    ...ignoredNames,
    pagination: CursorPagination,
    as_of: asOf,
    server_time: instant('position of the change log that this page shows: a since for /odds/delta'),
    updated_at: UpdatedAt,
  }),
  updated_at: UpdatedAt,
});

export const EventOddsBody = listBody(EventOdds, { filters: FiltersEcho, as_of: asOf });
export const BestBody = listBody(BestOdds, { filters: FiltersEcho, as_of: asOf });
export const ComparisonBody = objectBody(Comparison, {
  market_filter: orNull(Type.String(), 'market as given'),
  as_of: asOf,
});

const missing = Type.Array(eventId, { description: 'ids of unknown and of ended events' });
export const BatchAnswer = Type.Object({
  success,
  data: Type.Object({ events: Type.Array(BatchEvent), missing_events: missing }),
  missing,
  meta: Type.Object({
    requested: Type.Integer({ description: 'ids sent' }),
    found: Type.Integer(),
    missing: Type.Integer(),
    max_batch: Type.Integer({ description: "the tier's limit" }),
    filters: FiltersEcho,
    ...ignoredNames,
    updated_at: UpdatedAt,
  }),
  updated_at: UpdatedAt,
});

export const DeltaBody = Type.Object({
  success,
  data: Type.Union([Type.Array(Odds), Type.Array(OddsPart)], {
    description: 'rows that changed; with fields parts of rows',
  }),
  removed: Type.Array(Type.String(), {
    description:
      'ids of removed rows, and of rows that no longer pass live, is_active, min_odds or max_odds; unknown ones may be ignored',
  }),
  overflow,
  pagination: Pagination,
  meta: Type.Object({
    count,
    total,
    server_time: instant('how far this page got in the change log: the next since'),
    books_changed: Type.Array(Type.String(), { description: 'books with changes, over all pages' }),
    filters: FiltersEcho,
    ...ignoredNames,
    pagination: Pagination,
    updated_at: UpdatedAt,
  }),
  updated_at: UpdatedAt,
});

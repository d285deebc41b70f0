// Parameters' values that several routes read in the same way. Declared they are in schema/.
import { ApiError } from '../../base/model/errors.js';
import { parseTimeUs } from '../../base/model/time.js';
import type { TableEvent } from '../../tables/events.js';
import type { OddsTable } from '../../tables/table.js';

/** Throws ApiError not_found. */
export function eventOf(table: OddsTable, id: string): TableEvent {
  const event = table.events.get(id);
  if (event === undefined) throw new ApiError('not_found', `there is no event ${id}`);
  return event;
}

/** Unix µs of an RFC 3339 time; undefined if it is absent. Throws ApiError invalid_request. */
export function timeUsOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const us = parseTimeUs(text);
  if (us === undefined) throw new ApiError('invalid_request', `${name}: not an RFC 3339 time between 2000 and 2100`);
  return us;
}

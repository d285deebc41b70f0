// What a caller asks of a stream: SSE's parameters, WebSocket's and its messages all become this one form.
import type { Static } from 'typebox';
import { type Names, viewerNames } from '../accounts/viewer-access.js';
import type { Viewer } from '../accounts/viewer-tokens.js';
import { ApiError } from '../base/model/errors.js';
import { present } from '../base/model/present.js';
import { CHANNEL_WORDS, type ChannelWord } from '../base/model/stream-channels.js';
import type { StreamQuery, SubscribeFilters } from '../schema/stream.js';
import type { FilterEcho } from '../tables/filter/stream-filter.js';
import { splitList } from '../tables/filter/universe.js';

export interface StreamRequest {
  channels: readonly ChannelWord[];
  filters: SubscribeFilters;
}

/** Filters that are lists, by their names in queries. */
const LISTS = {
  sport: 'sports',
  league: 'leagues',
  sportsbook: 'sportsbooks',
  market: 'markets',
  event: 'eventIds',
} as const;
const LIST_NAMES = Object.keys(LISTS) as (keyof typeof LISTS)[];

type Query = Omit<Static<typeof StreamQuery>, 'channel' | 'resume'>;
type FilterQuery = { [Name in keyof Query]?: Query[Name] | undefined };

/** The filters of a query. Throws ApiError for a list without a name in it: to ignore it would widen the stream. */
export function filtersOf(query: FilterQuery): SubscribeFilters {
  const filters: SubscribeFilters = {};
  for (const name of LIST_NAMES) {
    const text = query[name];
    if (text === undefined) continue;
    const names = splitList(text);
    if (names.length === 0) throw new ApiError('invalid_request', `${name} has no name in it`);
    filters[LISTS[name]] = names;
  }
  const { event: _e, sport: _s, league: _l, sportsbook: _b, market: _m, ...others } = query;
  return { ...filters, ...present(others) };
}

/** Throws ApiError if more is requested than a viewer token allows. */
export function restricted(names: Names, filters: SubscribeFilters, viewer: Viewer | undefined): SubscribeFilters {
  if (viewer === undefined) return filters;
  const narrowed: SubscribeFilters = { ...filters };
  for (const name of LIST_NAMES) {
    const allowed = viewerNames(names, viewer, name, filters[LISTS[name]]);
    if (allowed !== undefined) narrowed[LISTS[name]] = [...allowed];
  }
  return narrowed;
}

/** The filters in effect: lists with their names resolved, everything else as requested. */
export function appliedFilters(filters: SubscribeFilters, applied: FilterEcho): SubscribeFilters {
  const { sports: _s, leagues: _l, sportsbooks: _b, markets: _m, eventIds: _e, ...others } = filters;
  const lists: SubscribeFilters = {};
  for (const name of LIST_NAMES) if (applied[name] !== null) lists[LISTS[name]] = applied[name];
  return { ...lists, ...others };
}

/** Throws ApiError for an unknown channel. */
export function channelsIn(text: string): ChannelWord[] {
  const names = splitList(text);
  const known: readonly string[] = CHANNEL_WORDS;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new ApiError('invalid_request', `channels: unknown ${unknown.join(', ')}`);
  return names as ChannelWord[];
}

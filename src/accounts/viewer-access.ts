// What a viewer token gives access to: routes that declare what they show to viewers, and streams, restricted by its
// channels and filters. Parameters that a caller omits are filled in from the token, anything beyond it is refused, and
// so is a path that cannot be restricted by a filter.

import { ApiError } from '../base/model/errors.js';
import type { ChannelName } from '../base/model/stream-channels.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { expandMarkets } from '../rules/markets/categories.js';
import { VIEWER_FILTERS } from '../schema/account.js';
import type { KeyRecord } from './key-record.js';
import type { Viewer, ViewerFilter } from './viewer-tokens.js';

/**
 * What a route shows to viewers: the data of a channel, or `names`, which reveal no prices, are of no channel and need
 * not be filtered.
 */
export type Viewable = ChannelName | 'names';

/** What of a route decides whether a token may call it. */
export interface ViewedRoute {
  /** Absent: viewer tokens are refused. */
  viewers?: Viewable;
  /** Its channels are checked one by one when they are opened. */
  streaming?: true;
}

/** Throws ApiError `forbidden` if a token does not give access to the route. */
export function checkViewer(route: ViewedRoute, { viewer }: KeyRecord): void {
  if (viewer === undefined || route.streaming) return;
  const { viewers } = route;
  if (viewers === undefined)
    throw new ApiError('forbidden', 'a viewer token only reads odds, opportunities and streams: this needs the key');
  if (viewers !== 'names' && !viewerHasChannel(viewer, viewers))
    throw new ApiError('forbidden', `the viewer token does not have the channel ${viewers}`);
}

export function viewerHasChannel(viewer: Viewer | undefined, channel: string): boolean {
  if (viewer === undefined) return true;
  // A page shows prices to others, never what its owner bets.
  return channel !== 'bets' && (viewer.channels === null || viewer.channels.includes(channel));
}

/** What names mean: a league, a sport or a book has several. */
export type Names = Pick<Catalogue, 'leagueOf' | 'sportsMatching' | 'bookId'>;

/** How a route reads its query. */
export interface Readable {
  /** The names it knows. */
  knows(name: string): boolean;
  /** The given parameters, by those names. */
  query: Readonly<Record<string, unknown>>;
  /** Parameters of its path. */
  params: Readonly<Record<string, string>>;
}

/**
 * What must be added to a route's query so that it shows no more than the token allows; '' if nothing. Throws ApiError
 * `forbidden`.
 */
export function viewerQuery(
  names: Names,
  viewer: Viewer,
  route: ViewedRoute,
  { knows, query, params }: Readable,
): string {
  if (route.viewers === 'names') return '';
  let added = '';
  for (const name of VIEWER_FILTERS) {
    const allowed = viewer.filters[name];
    if (allowed === undefined) continue;
    const inPath = params[name] ?? params[`${name}Id`];
    if (inPath !== undefined) checkInside(names, name, [inPath], allowed);
    else if (!knows(name))
      throw new ApiError('forbidden', `the viewer token is restricted to a ${name}, which this path cannot apply`);
    else if (query[name] === undefined) added += `&${name}=${encodeURIComponent(allowed.join(','))}`;
    else checkInside(names, name, namesIn(query[name]), allowed);
  }
  return added;
}

/**
 * The names requested by a stream, restricted to the token's: those if it requests none. Throws ApiError `forbidden`.
 */
export function viewerNames(
  names: Names,
  viewer: Viewer | undefined,
  name: ViewerFilter,
  requested: readonly string[] | undefined,
): readonly string[] | undefined {
  const allowed = viewer?.filters[name];
  if (allowed === undefined) return requested;
  if (requested === undefined || requested.length === 0) return allowed;
  checkInside(names, name, requested, allowed);
  return requested;
}

function checkInside(names: Names, name: ViewerFilter, requested: readonly string[], allowed: readonly string[]): void {
  const isMeant = within(names, name, allowed);
  const beyond = requested.filter((each) => !allowed.includes(each.toLowerCase()) && !isMeant(each));
  if (beyond.length > 0)
    throw new ApiError('forbidden', `${name} ${beyond.join(', ').slice(0, 200)} is beyond the viewer token`);
}

/** Whether all that a name means is among what the allowed ones mean. */
function within(names: Names, filter: ViewerFilter, allowed: readonly string[]): (name: string) => boolean {
  if (filter === 'market') return marketsWithin(allowed);
  const meant = new Set(allowed.flatMap((name) => meaningsOf(names, filter, name)));
  return (name) => meaningsOf(names, filter, name).every((id) => meant.has(id));
}

/** Ids; a name that nothing else is known by means itself. */
function meaningsOf(names: Names, filter: Exclude<ViewerFilter, 'market'>, name: string): readonly string[] {
  switch (filter) {
    case 'league':
      return [names.leagueOf(name)?.id ?? name.toLowerCase()];
    case 'sportsbook':
      return [names.bookId(name)];
    case 'sport': {
      const { sports, unknown } = names.sportsMatching([name]);
      return [...sports, ...unknown.map((each) => each.toLowerCase())];
    }
    case 'event':
      return [name];
  }
}

/** Whether all that a name of a market means is among what the allowed ones mean. */
function marketsWithin(allowed: readonly string[]): (name: string) => boolean {
  const whole = expandMarkets(allowed);
  const types = new Set(whole.exact);
  return (name) => {
    const { exact, props } = expandMarkets([name]);
    return (props ? whole.props : exact.length > 0) && exact.every((type) => types.has(type));
  };
}

function namesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value.map(String) : String(value).split(',')).flatMap((each) => each.trim() || []);
}

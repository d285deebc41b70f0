// What a viewer token gives access to: reads and streams of its channels, restricted by its filters. Parameters that a
// caller omits are filled in from the token, anything beyond it is refused, and so is a path that cannot be restricted
// by a filter.
import type { ChannelName } from '../model/channels.js';
import { ApiError } from '../model/errors.js';
import { VIEWER_FILTERS } from '../schema/account-tokens.js';
import type { KeyRecord } from './key-record.js';
import type { Viewer, ViewerFilter } from './viewer-tokens.js';

/** What of a route decides whether a token may call it. */
export interface ViewedRoute {
  method: string;
  path: string;
  auth: string;
  keyOnly?: true;
}

/** Names reveal no prices, so they need not be filtered; endpoints about the token itself. */
const UNFILTERED = /^\/api\/v1\/(health|account|sports|leagues|sportsbooks|markets|teams|tiers)(\/|$)/;

/** The channel of a path's data; null for any token. A path without one is closed to tokens of some channels only. */
const CHANNEL_OF_PATH: readonly [path: RegExp, channel: ChannelName | null][] = [
  [/^\/api\/v1\/(odds|events|splits|futures|deeplink)(\/|$)/, 'odds'],
  [/^\/api\/v1\/opportunities\/ev(\/|$)/, 'ev'],
  [/^\/api\/v1\/opportunities\/arbitrage(\/|$)/, 'arbitrage'],
  [/^\/api\/v1\/opportunities\/middles(\/|$)/, 'middles'],
  [/^\/api\/v1\/opportunities\/low_hold(\/|$)/, 'low_hold'],
  // It grades every price above fair that was detected.
  [/^\/api\/v1\/historical\/(clv|predictions)(\/|$)/, 'ev'],
  [/^\/api\/v1\/moves(\/|$)/, 'moves'],
  [/^\/api\/v1\/gamestate(\/|$)/, 'gamestate'],
  [/^\/api\/v1\/results(\/|$)/, 'results'],
  // Their channels are checked one by one when they are opened.
  [/^\/api\/v1\/stream(\/|$)/, null],
  [UNFILTERED, null],
];

/** Throws ApiError `forbidden` if a token does not give access to the route. */
export function checkViewer(route: ViewedRoute, { viewer }: KeyRecord): void {
  if (viewer === undefined) return;
  if (route.method !== 'GET' || route.auth === 'uncounted' || route.keyOnly)
    throw new ApiError('forbidden', 'a viewer token only reads odds, opportunities and streams: this needs the key');
  const channel = channelOfPath(route.path);
  if (channel === undefined && viewer.channels !== null)
    throw new ApiError('forbidden', 'this is of no channel: a viewer token limited to channels cannot read it');
  if (channel && !viewerHasChannel(viewer, channel))
    throw new ApiError('forbidden', `the viewer token does not have the channel ${channel}`);
}

/** Null if any token may read it, undefined if it is of no channel. */
export function channelOfPath(path: string): ChannelName | null | undefined {
  return CHANNEL_OF_PATH.find(([pattern]) => pattern.test(path))?.[1];
}

export function viewerHasChannel(viewer: Viewer | undefined, channel: string): boolean {
  if (viewer === undefined) return true;
  // A page shows prices to others, never what its owner bets.
  return channel !== 'bets' && (viewer.channels === null || viewer.channels.includes(channel));
}

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
export function viewerQuery(viewer: Viewer, route: ViewedRoute, { knows, query, params }: Readable): string {
  if (UNFILTERED.test(route.path)) return '';
  let added = '';
  for (const name of VIEWER_FILTERS) {
    const allowed = viewer.filters[name];
    if (allowed === undefined) continue;
    const inPath = params[name] ?? params[`${name}Id`];
    if (inPath !== undefined) checkInside(name, [inPath], allowed);
    else if (!knows(name))
      throw new ApiError('forbidden', `the viewer token is restricted to a ${name}, which this path cannot apply`);
    else if (query[name] === undefined) added += `&${name}=${encodeURIComponent(allowed.join(','))}`;
    else checkInside(name, namesIn(query[name]), allowed);
  }
  return added;
}

/**
 * The names requested by a stream, restricted to the token's: those if it requests none. Throws ApiError `forbidden`.
 */
export function viewerNames(
  viewer: Viewer | undefined,
  name: ViewerFilter,
  requested: readonly string[] | undefined,
): readonly string[] | undefined {
  const allowed = viewer?.filters[name];
  if (allowed === undefined) return requested;
  if (requested === undefined || requested.length === 0) return allowed;
  checkInside(name, requested, allowed);
  return requested;
}

function checkInside(name: string, requested: readonly string[], allowed: readonly string[]): void {
  const beyond = requested.filter((each) => !allowed.includes(each.toLowerCase()));
  if (beyond.length > 0)
    throw new ApiError('forbidden', `${name} ${beyond.join(', ').slice(0, 200)} is beyond the viewer token`);
}

function namesIn(value: unknown): string[] {
  return (Array.isArray(value) ? value.map(String) : String(value).split(',')).flatMap((each) => each.trim() || []);
}

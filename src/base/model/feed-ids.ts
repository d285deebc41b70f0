// The ids that a book's feed gives to a row's event, market and selection: what a bet by its interface names.
import { jsonText } from './json-text.js';

export interface FeedIds {
  readonly event: string | null;
  readonly market: string | null;
  readonly selection: string | null;
}

/** Null if the feed tells none of them, as many do. */
export function feedIds(event: string | null, market: string | null, selection: string | null): FeedIds | null {
  return event === null && market === null && selection === null ? null : { event, market, selection };
}

/** Fields of a row's JSON, each preceded by a comma. */
export function encodeFeedIds({ event, market, selection }: FeedIds): string {
  let json = '';
  if (event !== null) json += `,"external_event_id":${jsonText(event)}`;
  if (market !== null) json += `,"market_id":${jsonText(market)}`;
  if (selection !== null) json += `,"selection_id":${jsonText(selection)}`;
  return json;
}

/** The fields of an item's leg. */
export function feedIdFields(ids: FeedIds | null): {
  external_event_id?: string;
  market_id?: string;
  selection_id?: string;
} {
  if (ids === null) return {};
  const { event, market, selection } = ids;
  return {
    ...(event === null ? {} : { external_event_id: event }),
    ...(market === null ? {} : { market_id: market }),
    ...(selection === null ? {} : { selection_id: selection }),
  };
}

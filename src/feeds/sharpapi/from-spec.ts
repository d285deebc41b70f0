// Makes the feed of a service with SharpAPI's interface from the command line and the environment.

import { withPath } from '../../config/parsers.js';
import type { FeedAccess } from '../feed-kind.js';
import { type FeedSpec, listArg } from '../spec.js';
import { SharpApiFeed } from './feed.js';
import type { SharpApiSettings } from './settings.js';

/** `sharpapi[:leagues=nba,…][,books=…]`. Throws an Error with a one-line message if the key is missing. */
export function sharpApiFromSpec(
  spec: FeedSpec,
  { settings: { sharpApiUrl, sharpApiKey }, random }: FeedAccess<SharpApiSettings>,
): SharpApiFeed {
  if (sharpApiKey === undefined) throw new Error('sharpapi needs the environment variable SHARPAPI_KEY');
  return new SharpApiFeed({
    url: withPath(sharpApiUrl, '/api/v1'),
    apiKey: sharpApiKey,
    leagues: listArg(spec, 'leagues'),
    books: listArg(spec, 'books'),
    random,
  });
}

// Feeds as the command line makes them.

import { makeFeeds } from '../../../src/cli/feeds.js';
import { parseConfig } from '../../../src/config/config.js';
import type { Feed } from '../../../src/intake/feeds/feed.js';
import { type FeedSpec, feedKinds, parseFeedSpec } from '../../../src/intake/feeds/feed-kind.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

const KINDS = await feedKinds();
const CATALOGUE = loadCatalogue();

export const specIn = (text: string): FeedSpec => parseFeedSpec(text, KINDS).spec;

/** @param env of the process */
export async function feedIn(
  text: string,
  env: Record<string, string> = {},
  { depth = 5, catalogue = CATALOGUE } = {},
): Promise<Feed> {
  const [feed] = await makeFeeds(parseConfig({ feed: [text], depth: String(depth) }, {}), catalogue, env);
  return feed!;
}

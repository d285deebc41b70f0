// Feeds as the command line makes them: their specifications, and what they are made with.

import { loadCatalogue } from '../../src/catalogue/load.js';
import { readSettings, type Setting } from '../../src/config/setting.js';
import type { FeedAccess } from '../../src/feeds/feed-kind.js';
import { feedKinds } from '../../src/feeds/kinds.js';
import { type FeedSpec, parseFeedSpec } from '../../src/feeds/spec.js';

const KINDS = await feedKinds();

export const specIn = (text: string): FeedSpec => parseFeedSpec(text, KINDS).spec;

/** @param env of the process */
export function accessOf<Settings>(
  settings: readonly Setting<Settings>[],
  env: Record<string, string>,
  { catalogue = loadCatalogue(), depth = 5, random = Math.random }: Partial<FeedAccess<Settings>> = {},
): FeedAccess<Settings> {
  return { settings: readSettings(settings, {}, env).values as Settings, catalogue, depth, random };
}

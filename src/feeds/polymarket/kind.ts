// The feed polymarket on the command line.
import { feedKind } from '../feed-kind.js';
import { POLYMARKET_SETTINGS, type PolymarketSettings } from './settings.js';

export const feed = feedKind<PolymarketSettings>({
  kind: 'polymarket',
  parameters: { sports: 'list' },
  settings: POLYMARKET_SETTINGS,
  once: true,
  make: async (spec, access) => (await import('./from-spec.js')).polymarketFromSpec(spec, access),
});

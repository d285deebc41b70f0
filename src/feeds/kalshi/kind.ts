// The feed kalshi on the command line.
import { feedKind } from '../feed-kind.js';
import { KALSHI_SETTINGS, type KalshiSettings } from './settings.js';

export const feed = feedKind<KalshiSettings>({
  kind: 'kalshi',
  parameters: { series: 'list' },
  settings: KALSHI_SETTINGS,
  once: true,
  make: async (spec, access) => (await import('./from-spec.js')).kalshiFromSpec(spec, access),
});

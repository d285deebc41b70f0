// The feed sharpapi on the command line.
import { feedKind } from '../feed-kind.js';
import { SHARPAPI_SETTINGS, type SharpApiSettings } from './settings.js';

export const feed = feedKind<SharpApiSettings>({
  kind: 'sharpapi',
  parameters: { leagues: 'list', books: 'list' },
  settings: SHARPAPI_SETTINGS,
  once: true,
  make: async (spec, access) => (await import('./from-spec.js')).sharpApiFromSpec(spec, access),
});

// The feed opticodds on the command line.
import { feedKind } from '../feed-kind.js';
import { OPTICODDS_SETTINGS, type OpticOddsSettings } from './settings.js';

export const feed = feedKind<OpticOddsSettings>({
  kind: 'opticodds',
  parameters: { leagues: 'list', books: 'list' },
  settings: OPTICODDS_SETTINGS,
  once: true,
  make: async (spec, access) => (await import('./from-spec.js')).opticOddsFromSpec(spec, access),
});

// The feed betfair-stream on the command line.
import { feedKind } from '../feed-kind.js';
import { BETFAIR_SETTINGS } from './settings.js';

export const feed = feedKind({
  kind: 'betfair-stream',
  parameters: { sports: 'list', replay: 'value', catalogue: 'value', speed: 'value', timestamps: 'value' },
  settings: BETFAIR_SETTINGS,
  once: true,
  make: async (spec, access) => (await import('./from-spec.js')).betfairFromSpec(spec, access),
});

// What this stage needs of detection: watched universes, and one-off questions with another method for the fair price.
import type { Engine } from '../../engine/engine.js';

export type DetectionPort = Pick<
  Engine,
  'opportunities' | 'isWatched' | 'ensureUniverse' | 'dropUniverse' | 'evaluate'
>;

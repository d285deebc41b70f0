// What this stage needs of detection: watched universes, and one-off questions with another method for the fair price.
import type { EngineView } from '../../engine/engine-view.js';

export type DetectionPort = Pick<
  EngineView,
  'opportunities' | 'isWatched' | 'ensureUniverse' | 'dropUniverse' | 'evaluate'
>;

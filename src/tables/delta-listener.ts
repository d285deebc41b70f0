// The listener of everything that follows the table in this process.

import type { OpenDelta } from '../log/delta/delta.js';
import type { Applied } from './table.js';

/**
 * Called for every delta, in the order of positions, after the tables have applied it. Its opportunities are valid
 * during the call.
 */
export type DeltaListener = (applied: Applied, delta: OpenDelta) => void;

// The listener of everything that follows the table in this process.

import type { Delta } from '../delta/delta.js';
import type { Applied } from '../table/table.js';

/** Called for every delta, in the order of positions, after the table has applied it. */
export type DeltaListener = (applied: Applied, delta: Delta) => void;

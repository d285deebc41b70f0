// A run with what the program works for while faults happen; each part is set before the first fault.
import type { AccountRecords } from './account.js';
import { Run } from './run.js';
import type { Storm } from './storm.js';
import type { Webhooks } from './webhooks.js';

export class LoadedRun extends Run {
  /** The active books. */
  storm!: Storm;
  webhooks!: Webhooks;
  records!: AccountRecords;
}

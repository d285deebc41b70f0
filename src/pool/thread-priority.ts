// How the system ranks a thread among those that want a core.
import { existsSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Where cores are short, other threads get about three times as much of them. */
const NICE = 5;
/** A link to itself as seen by the thread that reads it: pid/task/tid. */
const OWN_THREAD = '/proc/thread-self';

/** Of the calling thread. Linux has priorities of threads; elsewhere nothing happens. */
export function yieldToOthers(): void {
  if (process.platform !== 'linux' || !existsSync(OWN_THREAD)) return;
  setPriority(Number(readlinkSync(OWN_THREAD).split('/').at(-1)), NICE);
}

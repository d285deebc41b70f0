// Tunes V8 to this program's use of memory.
import { setFlagsFromString } from 'node:v8';

/**
 * Growth of a thread's old generation before the next major GC, in percent of its size after the last one. Where the
 * process may not have much memory (a container's limit), a fifth less of it is worth twice as many collections: without
 * that the pages of its files are taken away and read again all the time.
 */
const GROWTH_PERCENT = { usual: 100, scarce: 50 } as const;
const SCARCE_BYTES = 2 * 1024 ** 3;

/** MiB of each half of a thread's young generation: 16 by default. Three threads have 96 MiB of them then. */
const SCARCE_SEMI_SPACE = 8;

/** @param limitBytes of the process's memory; 0, or beyond what a machine has, if there is none */
export function isScarce(limitBytes: number): boolean {
  return limitBytes > 0 && limitBytes <= SCARCE_BYTES;
}

/** To be called before threads are started: of the present one the young generation is as it is. */
export function tuneThreads(): void {
  if (isScarce(process.constrainedMemory())) setFlagsFromString(`--max-semi-space-size=${SCARCE_SEMI_SPACE}`);
}

/**
 * To be called once per process, before a server is filled.
 *
 * If the objects allocated at a site outlive the young generation, V8 allocates all later ones of that site in the old
 * one. While a table fills that is all of them; later nearly all objects of the same sites are garbage at once, and only a
 * major GC finds them: the old generation grew three times as fast.
 *
 * By default V8 begins a major GC when a tenth of the heap is new. Most of a server's memory is outside the heap, so that
 * twice the heap is little, and a major GC is a tenth of a second in which everything takes twice as long.
 */
export function tuneHeap(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(
    `--heap-growing-percent=${GROWTH_PERCENT[isScarce(process.constrainedMemory()) ? 'scarce' : 'usual']}`,
  );
}

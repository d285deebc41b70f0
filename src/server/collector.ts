// What V8 is told of how this program uses memory.
import { setFlagsFromString } from 'node:v8';

/** How much the old generation of a thread may grow, in percent of what lived after the last major GC, before the next. */
const GROWTH_PERCENT = 100;

/**
 * To be called before a server is filled, once a process.
 *
 * Where what a place of the program makes outlives the young generation, V8 makes all of it in the old one. While a table
 * fills that is everything; of what the same places make later nearly all is garbage at once, and only a major GC finds
 * it: the old generation grew three times as fast.
 *
 * Left to itself V8 begins a major GC when a tenth is new. Most of what a server holds lies outside the heap, so that twice
 * the heap is little, and a major GC is a tenth of a second in which everything takes twice as long.
 */
export function tuneCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

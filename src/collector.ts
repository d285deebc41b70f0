// What V8 is told of how this program uses memory.
import { setFlagsFromString } from 'node:v8';

/**
 * To be called before a server is filled, once a process. Where what a place of the program makes outlives its youth, V8
 * lets all that is made there be born among the old. While a table fills that is everything; of what the same places make
 * later nearly all is garbage at once, and only a marking of everything finds it: old memory grew three times as fast.
 */
export function tuneCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

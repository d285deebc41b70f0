// What the process may have. Of files: every connection is one, and beyond the limit the system silently refuses new ones,
// over and over, so it is read at the start, and connections stay below it. Of memory: V8 is tuned to it.

import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { EngineLog } from '../base/model/log.js';

/** Reserved for files opened later: stores, their checkpoints, pages, pipes, and connections about to be refused. */
const HEAD_ROOM = 48;
const CONNECTIONS_LEAST = 16;
/** Node opens the files of our modules two hundred at a time, and more where the disk or the processor is busy. */
const FILES_LEAST = 512;
/** If the operator sets no bound, fewer than these cause a warning. */
const CONNECTIONS_EXPECTED = 512;

export interface FileLimit {
  /** Files the process may have open at once; null if the system does not say, or sets no limit. */
  limit: number | null;
  /** Files it has open now. */
  open: number;
}

export function fileLimit(): FileLimit {
  return { limit: softLimit(), open: openFiles() };
}

/** Why the program cannot even begin; null if it can. */
export function tooFewFiles(): string | null {
  // Elsewhere the system is asked in a way that takes long.
  const limit = process.platform === 'linux' ? softLimit() : null;
  if (limit === null || limit >= FILES_LEAST) return null;
  return `the limit of open files (ulimit -n) is ${limit}, and at least ${FILES_LEAST} are needed: raise it`;
}

/** Maximum connections: the requested number (null: as many as possible), limited by the files that are left. */
export function connectionsMax(requested: number | null, { limit, open }: FileLimit): number {
  const possible = limit === null ? Number.POSITIVE_INFINITY : Math.max(CONNECTIONS_LEAST, limit - open - HEAD_ROOM);
  return Math.min(requested ?? Number.POSITIVE_INFINITY, possible);
}

/** As connectionsMax, by the files open now; the operator is told. */
export function connectionsAllowed(requested: number | null, log: EngineLog): number {
  const files = fileLimit();
  const max = connectionsMax(requested, files);
  const fields = {
    files_max: files.limit,
    files_open: files.open,
    connections_max: Number.isFinite(max) ? max : null,
  };
  if (max < (requested ?? CONNECTIONS_EXPECTED))
    log.warn(fields, 'the limit of open files (ulimit -n) allows few connections; further ones are refused with 503');
  else log.info(fields, 'connections beyond this many are refused with 503');
  return max;
}

function softLimit(): number | null {
  let text: string | undefined;
  if (process.platform === 'linux')
    text = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  else {
    const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: string | number } } };
    text = userLimits?.open_files === undefined ? undefined : String(userLimits.open_files.soft);
  }
  const limit = Number(text);
  return Number.isSafeInteger(limit) && limit > 0 ? limit : null;
}

function openFiles(): number {
  if (process.platform === 'win32') return 0;
  return readdirSync('/dev/fd').length;
}

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

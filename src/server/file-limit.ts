// How many files the process may open: every connection is one, and beyond the limit the system refuses new ones without
// a word to anybody, over and over. So it is read at the start, and connections stop short of it.
import { readdirSync, readFileSync } from 'node:fs';

/** Left for what is opened later: stores, their checkpoints, pages, pipes, and connections about to be refused. */
const HEAD_ROOM = 48;
const CONNECTIONS_LEAST = 16;

export interface FileLimit {
  /** Files the process may have open at once; null where the system doesn't tell, or sets no limit. */
  limit: number | null;
  /** Files it has open now. */
  open: number;
}

export function fileLimit(): FileLimit {
  return { limit: softLimit(), open: openFiles() };
}

/** Connections there may be: what is asked for (null: as many as can be), as far as the files that are left reach. */
export function connectionsMax(asked: number | null, { limit, open }: FileLimit): number {
  const possible = limit === null ? Number.POSITIVE_INFINITY : Math.max(CONNECTIONS_LEAST, limit - open - HEAD_ROOM);
  return Math.min(asked ?? Number.POSITIVE_INFINITY, possible);
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

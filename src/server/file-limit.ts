// How many files the process may open: every connection is one, and beyond the limit the system silently refuses new
// ones, over and over. So it is read at the start, and connections stay below it.
import { readdirSync, readFileSync } from 'node:fs';

/** Reserved for files opened later: stores, their checkpoints, pages, pipes, and connections about to be refused. */
const HEAD_ROOM = 48;
const CONNECTIONS_LEAST = 16;

export interface FileLimit {
  /** Files the process may have open at once; null if the system does not say, or sets no limit. */
  limit: number | null;
  /** Files it has open now. */
  open: number;
}

export function fileLimit(): FileLimit {
  return { limit: softLimit(), open: openFiles() };
}

/** Maximum connections: the requested number (null: as many as possible), limited by the files that are left. */
export function connectionsMax(requested: number | null, { limit, open }: FileLimit): number {
  const possible = limit === null ? Number.POSITIVE_INFINITY : Math.max(CONNECTIONS_LEAST, limit - open - HEAD_ROOM);
  return Math.min(requested ?? Number.POSITIVE_INFINITY, possible);
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

// What the store can fail of. No room: reads go on, ingest is refused until there is some. Damage: nothing starts.
import { ApiError } from '../model/errors.js';

export class StorageFull extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`storage is full${BROKEN_WRITE.test(reason) ? ' or failing' : ''}: ${reason}`);
    this.name = 'StorageFull';
  }
}

const NO_ROOM = /MDB_MAP_FULL|MAP_FULL|-30792|ENOSPC|No space left|EDQUOT|quota exceeded|EFBIG|File too large/i;
/** What LMDB makes of a write that a full disk cut short. */
const BROKEN_WRITE = /\bEIO\b|Input\/output error/i;

/** True for the errors LMDB and the kernel give when there is no room. */
export function isNoRoom(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${(error as { code?: unknown }).code ?? ''}` : String(error);
  return NO_ROOM.test(text) || BROKEN_WRITE.test(text);
}

const GIVEN_UP = /MDB_PANIC|-30795/;

/** True where LMDB could not write the page that makes a commit: it takes and gives nothing any more until it is opened anew. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && GIVEN_UP.test(error.message);
}

/**
 * To be called by whoever meets an error that it survives. Nothing in the process can use a store that was given up: it has
 * to end as for an error that nobody catches, and be started anew.
 */
export function endWhereGivenUp(error: unknown): void {
  if (!isGivenUp(error)) return;
  setImmediate(() => {
    throw error;
  });
}

/** What a caller is told of an error that is none of his; where a store was given up, the process ends behind the answer. */
export function shownFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isGivenUp(error)) return new ApiError('internal_error', 'internal error');
  endWhereGivenUp(error);
  return new ApiError('unavailable', 'the store has to be opened anew: send again', { retryAfter: 1 });
}

/**
 * For stores that are written without waiting on this thread: else lmdb wraps all writes of a moment in a promise of its own,
 * which nobody hears, and which ends the process where the disk fails.
 */
export const REPORT_FAILURES = { eventTurnBatching: false } as const;

/** A write of a commit that does not wait on this thread: it fails with its commit, and must not end the process beside it. */
export function written(write: Promise<unknown>): void {
  write.catch(() => undefined);
}

/** Such a commit. lmdb has the reason of one that failed in a promise of its own; this rejects with the reason. */
export async function committed(commit: Promise<unknown>): Promise<void> {
  try {
    await commit;
  } catch (error) {
    const { commitError } = error as { commitError?: Promise<never> };
    let reason = error;
    commitError?.catch((cause: unknown) => {
      reason = cause;
    });
    // Rejected by then, where it is at all: waiting for it could be for ever.
    await new Promise(setImmediate);
    throw reason;
  }
}

/** The data cannot be read: the start ends with this one line. */
export class StorageDamaged extends Error {
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${path} is damaged (${reason}): restore it from a copy, or start with another --data`);
    this.name = 'StorageDamaged';
  }
}

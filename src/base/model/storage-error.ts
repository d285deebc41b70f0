// Failures of the store. No room: reads continue, ingest is refused until there is some. Damage: nothing starts.
import { ApiError } from './errors.js';

export class StorageFull extends Error {
  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`storage is full${BROKEN_WRITE.test(reason) ? ' or failing' : ''}: ${reason}`);
    this.name = 'StorageFull';
  }
}

const NO_ROOM = /MDB_MAP_FULL|MAP_FULL|-30792|ENOSPC|No space left|EDQUOT|quota exceeded|EFBIG|File too large/i;
/** LMDB's message for a write that a full disk cut short. */
const BROKEN_WRITE = /\bEIO\b|Input\/output error/i;

/** True for the errors of LMDB and the kernel when there is no room. */
export function isNoRoom(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${(error as { code?: unknown }).code ?? ''}` : String(error);
  return NO_ROOM.test(text) || BROKEN_WRITE.test(text);
}

const GIVEN_UP = /MDB_PANIC|-30795/;

/** True if LMDB could not write the page that completes a commit: it is unusable until it is opened again. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof Error && GIVEN_UP.test(error.message);
}

/**
 * What is to be thrown for a commit that failed: its error, or one for which isGivenUp() is true. The error of the commit
 * does not say so, nor does a read as long as there is a reader of the last commit: but then no transaction begins, so
 * that an empty one cannot be committed.
 */
export function failedCommit(
  path: string,
  root: { resetReadTxn(): void; transactionSync(action: () => undefined): unknown },
  error: unknown,
): unknown {
  root.resetReadTxn();
  try {
    root.transactionSync(() => undefined);
    return error;
  } catch (cause) {
    return new Error(
      `MDB_PANIC: ${path} must be opened anew: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

/**
 * To be called wherever an error is survived. A failed store cannot be used by this process any more: it must end as
 * for an uncaught error, and be restarted.
 */
export function endWhereGivenUp(error: unknown): void {
  if (!isGivenUp(error)) return;
  setImmediate(() => {
    throw error;
  });
}

/** The error reported to a caller who did not cause it; if a store has failed, the process ends after the answer. */
export function shownFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isGivenUp(error)) return new ApiError('internal_error', 'internal error');
  endWhereGivenUp(error);
  return new ApiError('unavailable', 'the store has to be opened anew: send again', { retryAfter: 1 });
}

/**
 * For stores that are written without waiting on this thread: otherwise lmdb wraps all writes of a moment in a promise
 * of its own, whose rejection nobody handles and which ends the process if the disk fails.
 */
export const REPORT_FAILURES = { eventTurnBatching: false } as const;

/**
 * A write of a commit that does not wait on this thread: it fails with its commit, and must not also end the process.
 */
export function written(write: Promise<unknown>): void {
  write.catch(() => undefined);
}

/** Such a commit. lmdb has the reason of a failed one in a promise of its own; this rejects with that reason. */
export async function committed(commit: Promise<unknown>): Promise<void> {
  try {
    await commit;
  } catch (error) {
    const { commitError } = error as { commitError?: Promise<never> };
    let reason = error;
    commitError?.catch((cause: unknown) => {
      reason = cause;
    });
    // It is rejected by now, if at all: waiting for it might never end.
    await new Promise(setImmediate);
    throw reason;
  }
}

/** The data cannot be read: the start ends with this one line. */
export class StorageDamaged extends Error {
  /** Of the line: without what to do. */
  readonly what: string;
  /** The system refused something, which it may allow next time. */
  readonly ofTheSystem: boolean;

  constructor(path: string, cause: unknown) {
    const what = `${path} is damaged (${cause instanceof Error ? cause.message : String(cause)})`;
    super(`${what}: restore it from a copy, or start with another --data`);
    this.name = 'StorageDamaged';
    this.what = what;
    const { code } = (cause ?? {}) as { code?: unknown };
    // LMDB's own are negative numbers.
    this.ofTheSystem = typeof code === 'string' || (typeof code === 'number' && code > 0);
  }
}

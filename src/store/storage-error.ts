// What the store can fail of. No room: reads go on, ingest is refused until there is some. Damage: nothing starts.

export class StorageFull extends Error {
  constructor(cause: unknown) {
    super(`storage is full: ${cause instanceof Error ? cause.message : String(cause)}`);
    this.name = 'StorageFull';
  }
}

/**
 * True for the errors LMDB and the kernel give when there is no room: MDB_MAP_FULL, ENOSPC, EDQUOT, EFBIG; and EIO, which
 * is what LMDB makes of a write that the disk took only in part.
 */
export function isNoRoom(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${(error as { code?: unknown }).code ?? ''}` : String(error);
  return /MDB_MAP_FULL|MAP_FULL|-30792|ENOSPC|No space left|EDQUOT|quota exceeded|EFBIG|File too large|EIO|Input\/output error/i.test(
    text,
  );
}

/** The data cannot be read: the start ends with this one line. */
export class StorageDamaged extends Error {
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${path} is damaged (${reason}): restore it from a copy, or start with another --data`);
    this.name = 'StorageDamaged';
  }
}

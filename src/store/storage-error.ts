// What a commit can fail of: the disk or the map is full. Reads go on; ingest is refused until there is room.

export class StorageFull extends Error {
  constructor(cause: unknown) {
    super(`storage is full: ${cause instanceof Error ? cause.message : String(cause)}`);
    this.name = 'StorageFull';
  }
}

/** True for the errors LMDB and the kernel give when there is no room: MDB_MAP_FULL, ENOSPC, EDQUOT, EFBIG. */
export function isNoRoom(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${(error as { code?: unknown }).code ?? ''}` : String(error);
  return /MDB_MAP_FULL|MAP_FULL|-30792|ENOSPC|No space left|EDQUOT|quota exceeded|EFBIG|File too large/i.test(text);
}

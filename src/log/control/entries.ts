// What processes share besides odds: entries of a kind and a key, changed at positions of the log. The store that keeps
// them on the disk is store/control-store.ts.

/** The new value of an entry, encoded; null if it is removed. */
export type ControlChange = readonly [entry: string, value: Uint8Array | null];

/** As an entry's name in a change: every entry is removed. */
export const EVERY_ENTRY = '';

/** There once the store is in a log that machines share: the position at which it was put there. */
export const LOG_ORIGIN = 'origin|log';

/** Null: too many to be known one by one, anything may have changed. */
export type ControlListener = (changes: readonly ControlChange[] | null, position: number) => void;

/** What is stored, as of `position`. */
export interface ControlReader {
  /** Position of the last change. */
  readonly position: number;
  /** Undefined if there is no such entry. */
  value(entry: string): unknown;
  /** Entries below a name, in the order of their names. */
  entries(under: string, limit?: number): Iterable<readonly [entry: string, value: unknown]>;
}

export interface ControlStore extends ControlReader {
  /** Its folder, for those who open it in another thread. */
  readonly path: string;
  /** False once it is closed: nothing can be read any more. */
  readonly isOpen: boolean;
  count(under: string): number;
  /** Called after each change, also those that another process made; returns the end of that. */
  onChange(listener: ControlListener): () => void;
  /** Makes room for these changes, so that commit() finds it. Throws StorageFull. */
  reserve(changes: readonly ControlChange[]): void;
  /** Commits the changes of one position; what was committed already is left out. Throws StorageFull. */
  commit(position: number, changes: readonly ControlChange[]): void;
  /** Sees what another process committed since. */
  refresh(): void;
  /** Every entry, as of one moment. */
  dump(): Iterable<readonly [entry: string, value: Uint8Array]>;
  /** Changes after it are known, those of the last minutes at least. */
  readonly changesFrom: number;
  hasChange(position: number): boolean;
  /** Changes after a position, in the order of positions; a long value is the entry's present one, or null. */
  changesAfter(from: number): Iterable<readonly [position: number, changes: readonly ControlChange[]]>;
  close(): Promise<void>;
}

// A row as it is read from a store: its fields, and its encoded JSON in three parts.

export interface RowFields {
  no: number;
  id: string;
  market: string;
  selection: string;
  selectionType: string;
  player: string | null;
  stat: string | null;
  team: 'home' | 'away' | null;
  alternate: boolean;
  american: number;
  decimal: number;
  /** As model/activity.ts packs it. */
  activity: number;
  line: number | null;
  seenMs: number;
  changedUs: number;
  bornUs: number;
  movedUs: number;
}

export interface LoadedRow extends RowFields {
  /** The row's JSON parts, head, price and rest, one behind the other from `at`. */
  source: Uint8Array;
  at: number;
  lengths: { head: number; price: number; delta: number; rest: number };
}

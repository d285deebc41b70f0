// One bound of the table of limits.

export interface Limit {
  readonly max: number;
  readonly unit: string;
  /** What it bounds, and what happens beyond it. */
  readonly of: string;
}

export const limit = (max: number, unit: string, of: string): Limit => ({ max, unit, of });

// What a feed's folder exports, as `feed` of its kind.ts: its name on the command line, its parameters and settings, and
// how it is made. Nothing else lists the feeds (kinds.ts); a module of a user's own exports the same.

import type { Setting, ValuesOf } from '../../config/setting.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { Feed } from './feed.js';

/** What a specification on the command line says. */
export interface FeedSpec {
  kind: string;
  args: Record<string, string>;
  /** What stands before the parameters, for kinds with such an argument. */
  argument?: string;
}

export interface FeedAccess<Settings extends readonly Setting[] = []> {
  settings: ValuesOf<Settings>;
  catalogue: Catalogue;
  /** Levels to keep of each side of an order book. */
  depth: number;
  /** Uniform in [0, 1). */
  random(): number;
}

interface FeedKindOf<Settings extends readonly Setting[]> {
  /** The name in `--feed NAME:parameter=value,…`. */
  readonly kind: string;
  /** Parameters; the value of a `list` may contain commas. None by default. */
  readonly parameters?: Readonly<Record<string, 'value' | 'list'>>;
  /** What the specification begins with instead of a parameter, e.g. the name of a file. */
  readonly argument?: string;
  /** Settings of its own, from the environment: addresses, keys. None by default. */
  readonly settings?: Settings;
  /** It states complete leagues of its book: two of them would each remove what the other lists. */
  readonly once?: true;
  /** Whether its prices are made up; false by default. Rejects with an Error of one line. */
  simulated?(spec: FeedSpec): boolean | Promise<boolean>;
  /** Throws an Error of one line if parameters are missing that it cannot do without. */
  check?(spec: FeedSpec): void;
  /** Throws an Error of one line that says what is missing or wrong. */
  make(spec: FeedSpec, access: FeedAccess<Settings>): Feed | Promise<Feed>;
}

/** A kind whose settings are known to itself alone. */
export type FeedKind = FeedKindOf<readonly never[]>;

/** Declares a kind: `make` is given the settings' values by their names. */
export function feedKind<const Settings extends readonly Setting[] = []>(kind: FeedKindOf<Settings>): FeedKind {
  return kind as unknown as FeedKind;
}

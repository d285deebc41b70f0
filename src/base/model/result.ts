// What became of a game: what single sources say of it, and the word that counts. Plain data, as it is stored and sent.

import { keyPart } from './key-part.js';

export const RESULT_STATUSES = ['live', 'final', 'postponed', 'cancelled', 'abandoned'] as const;
export type ResultStatus = (typeof RESULT_STATUSES)[number];

export interface PairOfScores {
  readonly home: number;
  readonly away: number;
}

/** A part by the names of market types (`q1`, `h2`, `innings_1_1`, `set_3`), or `ot`, `et`, `pens`. */
export interface PartScore extends PairOfScores {
  readonly part: string;
  /** It is over although the game was abandoned, or its last part. */
  readonly final: boolean;
  /** A set that is a tie-break played in place of one. */
  readonly tieBreak?: true;
}

/** Who won, as a source says; `none`: nobody, and the game is no contest. */
export const RESULT_WINNERS = ['home', 'away', 'draw', 'none'] as const;
/** How a game ended. `shortened`: called before its full length, and counted. */
export const ENDINGS = [
  'normal',
  'overtime',
  'penalties',
  'retired',
  'walkover',
  'disqualified',
  'shortened',
  'awarded',
] as const;

export interface PlayerResult {
  readonly name: string;
  readonly played: boolean;
  /** By statistic, as market types name it. */
  readonly stats: Readonly<Record<string, number>>;
}

export interface GameResult {
  readonly status: ResultStatus;
  /** Null until it is told. */
  readonly score: PairOfScores | null;
  readonly parts: readonly PartScore[];
  /** The score after regular time, where a source tells it. */
  readonly regulation: PairOfScores | null;
  /** Statistics of the game beside its score: corners, cards … */
  readonly stats: Readonly<Record<string, PairOfScores>>;
  /** By canonical name. */
  readonly players: Readonly<Record<string, PlayerResult>>;
  readonly winner?: (typeof RESULT_WINNERS)[number];
  /** Who goes on to the next round. */
  readonly advanced?: 'home' | 'away';
  readonly ended?: (typeof ENDINGS)[number];
  /** How many were played; a half where only one side batted. */
  readonly innings?: number;
}

/** What one source said last. */
export interface ResultWord extends GameResult {
  readonly source: string;
  /** When it was so (Unix ms): a later one of the same source replaces it. */
  readonly atMs: number;
}

/** A venue's own word on one selection of its market. */
export const OUTCOMES = ['won', 'lost', 'half', 'void'] as const;
/** Or the share of a contract that it paid: above 0, below 1 and not one half. */
export type Outcome = (typeof OUTCOMES)[number] | number;

/** The word for the share of a contract that was paid. */
export function outcomeOfValue(value: number): Outcome {
  return value === 1 ? 'won' : value === 0 ? 'lost' : value === 0.5 ? 'half' : value;
}

/** Everything that is known of a game's end. */
export interface ResultRecord {
  readonly eventId: string;
  readonly league: string;
  readonly sport: string;
  readonly home: string;
  readonly away: string;
  readonly startMs: number;
  /** By source. */
  readonly words: Readonly<Record<string, ResultWord>>;
  /** By settlementKey(). */
  readonly settlements: Readonly<Record<string, Outcome>>;
  /** How many statements have changed it. */
  readonly revision: number;
  /** Position of the last one: also its time (Unix µs). */
  readonly updatedPosition: number;
}

export interface SettlementOf {
  readonly book: string;
  readonly market: string;
  /** In lower case: its type, else its name. */
  readonly selection: string;
  readonly line: number | null;
  /** His canonical name, with the suffix that it was told with. */
  readonly player: string | null;
  readonly team: string | null;
}

export function settlementKey({ book, market, selection, line, player, team }: SettlementOf): string {
  const of = [book, market, keyPart(player ?? ''), team ?? '', keyPart(selection)];
  return [...of, line === null ? '' : String(line + 0)].join('|');
}

/** The other way round, as far as the key tells it. */
export function settlementOf(key: string): Pick<SettlementOf, 'book' | 'market' | 'selection'> {
  const [book = '', market = '', , , selection = ''] = key.split('|');
  return { book, market, selection };
}

const DECIDED: ReadonlySet<ResultStatus> = new Set(['final', 'abandoned', 'cancelled', 'postponed']);

/**
 * The word that counts: what has ended, or is called off, before what is live; within these a ranked source before the
 * others; within these the later one.
 * @param ranks sources, the most trusted first
 */
export function countingWord(words: Iterable<ResultWord>, ranks: readonly string[]): ResultWord | null {
  let best: ResultWord | null = null;
  for (const word of words) if (best === null || beats(word, best, ranks)) best = word;
  return best;
}

function beats(one: ResultWord, other: ResultWord, ranks: readonly string[]): boolean {
  const decided = Number(DECIDED.has(one.status)) - Number(DECIDED.has(other.status));
  if (decided !== 0) return decided > 0;
  const [rank, against] = [rankOf(one.source, ranks), rankOf(other.source, ranks)];
  if (rank !== against) return rank < against;
  return one.atMs > other.atMs || (one.atMs === other.atMs && one.source < other.source);
}

function rankOf(source: string, ranks: readonly string[]): number {
  const rank = ranks.indexOf(source);
  return rank < 0 ? ranks.length : rank;
}

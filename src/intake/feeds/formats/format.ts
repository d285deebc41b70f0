// What a format's folder exports: how a file of it is recognised and read. formats.ts lists them; nothing else does.
import { slug } from '../../../rules/catalogue/team-name.js';
import type { IngestEvent, IngestMessage } from '../../ingest/message.js';
import type { NameLookup } from '../betfair/names.js';
import type { SourceFile } from '../files/sources.js';
import { columnsOf, numberOf, rowsOf, type TableHead } from '../files/table.js';
import type { FeeLookup } from '../kit/venue-fees.js';
import type { LeagueLookup } from '../the-odds-api/payload.js';
import type { Place, ReadReport } from './read-report.js';

/** Of a file that is read without a catalogue. */
export const NOTHING_KNOWN: FormatCatalogue = {
  leagueOf: () => undefined,
  teams: () => [],
  resolveTeam: (_league, name) => ({ token: slug(name), name, known: false }),
  commissionOf: () => null,
  isCommissionSet: () => false,
};

/** What a file begins with. */
export interface Beginning {
  text: string;
  /** Undefined if it is no table. */
  table: TableHead | undefined;
}

export interface OpenedFile extends SourceFile {
  beginning: Beginning;
}

/** What the command line says of files. */
export interface FormatSettings {
  /** IANA zone of times without one. */
  timezone?: string | undefined;
  /** In place of what the files say, or do not say. */
  league?: string | undefined;
  /** Names of columns by ours. */
  columns?: ReadonlyMap<string, string> | undefined;
  /** RFC 3339: of files that do not say when they are of. */
  at?: string | undefined;
}

/** The part of the catalogue that formats use. */
export type FormatCatalogue = LeagueLookup & NameLookup & FeeLookup;

export interface FormatContext {
  leagues: FormatCatalogue;
  settings: FormatSettings;
  report: ReadReport;
}

/** A result as in a file of results. */
export type StatedResult = Record<string, unknown>;

/** What a file states, and when (Unix ms) it was so. `raw` becomes messages once everything is in order. */
export type Stated =
  | { atMs: number; message: IngestMessage }
  | { atMs: number; result: StatedResult }
  | { atMs: number; raw: string };

/** Makes messages of what is `raw`, in the order of time. */
export interface MessageMaker {
  messages(atMs: number, raw: string): IngestMessage[];
  /** Called when no more of the last instant comes. */
  instant?(): IngestMessage[];
  /** Called when there is no more. */
  end?(): void;
}

export interface FileFormat {
  readonly name: string;
  /** A few words for the line that names the formats. */
  readonly about: string;
  recognises(beginning: Beginning): boolean;
  read(file: OpenedFile, context: FormatContext): AsyncIterable<Stated>;
  ordered?(context: FormatContext): MessageMaker;
}

/** A game as messages and results name it. */
export interface Game {
  league: string;
  home_team: string;
  away_team: string;
  start_time: string;
}

export type MarketPrices = IngestEvent['markets'][number];

/** The selections of a game's markets, without a line and a price. */
export function selectionsOf({ home_team, away_team }: Game) {
  return {
    home: { selection: home_team, selection_type: 'home' },
    draw: { selection: 'Draw', selection_type: 'draw' },
    away: { selection: away_team, selection_type: 'away' },
    over: { selection: 'Over', selection_type: 'over' },
    under: { selection: 'Under', selection_type: 'under' },
  };
}

/** A row of a table with the names of its columns. */
export interface NamedRow {
  place: Place;
  cells: readonly string[];
  /** Empty if there is no such column. */
  cell(name: string): string;
  /** NaN if it is none. */
  number(name: string): number;
}

/** The rows of a file that is a table; they are counted, and so are lines that are none. */
export async function* namedRows({ name: file, bytes, beginning }: OpenedFile, report: ReadReport) {
  const head = beginning.table!;
  const at = columnsOf(head);
  const bad = (line: number, reason: string): void => report.fault(reason, { file, line });
  for await (const { line, cells } of rowsOf(bytes, head, bad)) {
    report.rows++;
    const cell = (name: string): string => cells[at.get(name) ?? -1] ?? '';
    const row: NamedRow = { place: { file, line }, cells, cell, number: (name) => numberOf(cell(name), head) };
    yield row;
  }
}

/** A score, or NaN. */
export function scoreIn(text: string | undefined): number {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
}

/** What one book showed of a game at one time: all of it. */
export function bookMessage(
  book: string,
  polledAt: string,
  game: Game,
  markets: MarketPrices[],
  more: Partial<IngestEvent> = {},
): IngestMessage {
  return { book, polled_at: polledAt, scope: 'event', events: [{ ...game, ...more, markets }] };
}

// What a format's folder exports: how a file of it is recognised and read. formats.ts lists them; nothing else does.
import { slug } from '../../../rules/catalogue/team-name.js';
import type { IngestEvent, IngestMessage } from '../../ingest/message.js';
import type { NameLookup } from '../betfair/names.js';
import type { SourceFile } from '../files/sources.js';
import type { TableHead } from '../files/table.js';
import type { FeeLookup } from '../kit/venue-fees.js';
import type { LeagueLookup } from '../the-odds-api/payload.js';
import type { ReadReport } from './read-report.js';

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

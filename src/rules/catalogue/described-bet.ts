// A bet that is described by its event, market, selection and book in place of the id of its row: which rows it may mean.
import { nearestLine } from '../markets/lines.js';
import type { MarketRules } from '../markets/rules.js';
import { outcomeOf } from '../markets/selection-words.js';
import type { Catalogue } from './catalogue.js';
import { type GameOf, sideOrName } from './named-sides.js';
import { playerKey } from './player-name.js';
import { isPrivateBook } from './private-book.js';

export interface DescribedBet {
  /** Event id. */
  event: string;
  /** A type, or another service's name of one. */
  market: string;
  /** Name or type. */
  selection: string;
  /** Any name of the book. */
  sportsbook: string;
  /** Undefined: whatever line is the book's main one. */
  line: number | null | undefined;
  player: string | null;
  team: 'home' | 'away' | null;
}

/** What is compared of a row. */
interface NamedRow {
  book: string;
  market: string;
  selection: string;
  selectionType: string;
  player: string | null;
  team: 'home' | 'away' | null;
}

/** Those of the rows of its game that it may mean: at whatever line, but of the type that its book's bets at its own have. */
export function describedRows<Row extends NamedRow>(
  catalogue: Catalogue,
  game: GameOf & { sport: string; readonly namesakes?: readonly string[] | undefined },
  { market, selection, sportsbook, line, player, team }: Omit<DescribedBet, 'event'>,
  rows: readonly Row[],
): Row[] {
  const book = catalogue.bookId(sportsbook);
  // No bet can be made at one.
  if (isPrivateBook(book)) return [];
  const stated = catalogue.types.stated(market, game.sport);
  const rules = catalogue.types.usual(stated.type);
  const wanted = namesIn(catalogue, game, selection, stated.type);
  const who = player === null ? null : playerKey(player, game.namesakes);
  const whose = team ?? stated.team;
  const ofType = (type: string): Row[] =>
    rows.filter(
      (row) =>
        row.book === book &&
        row.market === type &&
        rowNames(row, rules).some((name) => wanted.includes(name)) &&
        (who === null || (row.player !== null && playerKey(row.player, game.namesakes) === who)) &&
        row.team === (whose ?? row.team),
    );
  const found = ofType(catalogue.typeAt(stated.type, book, line ?? null));
  // A contract venue may list none but strikes of their own.
  return found.length > 0 || line !== undefined || !catalogue.sellsContracts(book)
    ? found
    : ofType(catalogue.types.contract(stated.type, book));
}

/** The line that a bet on a market means, as ingest reads lines: 2.4999999 is 2.5. */
export function lineMeant<Line extends number | null | undefined>(
  { types }: Catalogue,
  { sport, league }: { sport: string; league: string },
  market: string,
  line: Line,
): number | Line {
  return line == null ? line : nearestLine(types.of(types.stated(market, sport).type, sport, league), sport, line);
}

/** A selection in lower case and, if it names teams, with the sides that they are. */
export function namesIn(catalogue: Catalogue, game: GameOf, selection: string, market: string): string[] {
  const name = selection.trim().toLowerCase();
  const side = sideOrName(catalogue, catalogue.types.usual(market), game, selection);
  return side === name ? [name] : [side, name];
}

/** What a row's selection is called, its outcome's own word first. */
export function rowNames(
  { selection, selectionType }: Pick<NamedRow, 'selection' | 'selectionType'>,
  rules: MarketRules,
): string[] {
  const [type, name] = [selectionType.toLowerCase(), selection.toLowerCase()];
  const outcome = outcomeOf(rules, type);
  return outcome === undefined || outcome === type ? [type, name] : [outcome, type, name];
}

/** Of the rows that it describes the one at its line, the book's main one before others; undefined if there is none. */
export function atItsLine<Row extends { alternate: boolean }>(
  rows: readonly Row[],
  line: number | null | undefined,
  lineOf: (row: Row) => number | null,
): Row | undefined {
  const there = line === undefined ? rows : rows.filter((row) => lineOf(row) === line);
  return there.find((row) => !row.alternate) ?? (line === undefined && there.length > 1 ? undefined : there[0]);
}

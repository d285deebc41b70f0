// What history stores of an event and its rows beside their changes, and the encoding of a book's rows of it.

import { TextPlaces } from '../../base/memory/detached-text.js';
import type { Commission } from '../../base/model/commission.js';
import type { EventStatus } from '../../base/model/normal-message.js';
import type { RowIdentity } from '../../base/model/row.js';
import { formatMs } from '../../base/model/time.js';
import { decode, encode } from '../../base/wire/codec.js';
import { isPrivateBook } from '../../rules/catalogue/private-book.js';
import { FLAG, type Page } from './page.js';

/** A price and the time from which it was valid. */
export interface Point {
  /** Unix µs. */
  atUs: number;
  american: number;
  decimal: number;
  line: number | null;
  live: boolean;
  active: boolean;
  /** A price at which nothing was on offer: something was traded at it, or it is a model's. */
  indicative: boolean;
  /** A model's; absent if not. */
  model?: true;
}

/**
 * The row that a bet names by its id: none of a private book, at which no bet can be made. Of two players of one name the
 * one whose it was when the bet was made, at `atUs` (Unix µs) if that is told.
 */
export function rowOfBet(event: HistoryEvent, oddsId: string, atUs = 0): HistoryRow | undefined {
  const wasOn = ({ id, removedUs }: HistoryRow): boolean => id === oddsId && (removedUs === 0 || removedUs >= atUs);
  const then = event.namesakes === undefined || atUs === 0 ? undefined : event.rows.find(wasOn);
  const row = then ?? event.byId.get(oddsId);
  return row === undefined || isPrivateBook(row.book) ? undefined : row;
}

/** The fields of an event in answers and exports, before its books and rows. */
export function eventFields({ id, sport, league, home, away, startMs }: HistoryEvent) {
  return {
    event_id: id,
    sport,
    league,
    home_team: home,
    away_team: away,
    event_start_time: formatMs(startMs),
  };
}

/** The fields of a row in answers that say what is bet on. */
export function betFields({ market, selection, selectionType, player, stat, team }: HistoryRow) {
  return {
    market_type: market,
    selection,
    selection_type: selectionType,
    ...(player === null ? {} : { player_name: player }),
    ...(stat === null ? {} : { stat_category: stat }),
    ...(team === null ? {} : { team }),
  };
}

/** A change as pages contain it. */
export function changePoint(atUs: number, american: number, decimal: number, line: number, flags: number): Point {
  return {
    atUs,
    american,
    decimal,
    line: Number.isNaN(line) ? null : line,
    live: (flags & FLAG.live) !== 0,
    active: (flags & FLAG.inactive) === 0,
    indicative: (flags & FLAG.indicative) !== 0,
    ...((flags & FLAG.model) === 0 ? {} : { model: true }),
  };
}

/** The flags of a change with these fields. */
export function flagsOf({ live, active, indicative, model }: Point): number {
  return (
    (live ? FLAG.live : 0) +
    (active ? 0 : FLAG.inactive) +
    (indicative ? FLAG.indicative : 0) +
    (model === undefined ? 0 : FLAG.model)
  );
}

/** Of a row at present, and as of the close of its book, or at present until then. */
export const SHALLOW = { now: 1, atClose: 2 } as const;

export interface HistoryRow extends RowIdentity {
  /** Its index among the event's rows, for ever. */
  place: number;
  book: string;
  /** Its number in the shard while it is in the table, else -1. */
  no: number;
  /** When it was last removed (Unix µs); 0 while it is in the table. */
  removedUs: number;
  opening: Point;
  /** When it was last seen, at or before the close of its book (Unix ms); see also the event's `seen`. */
  seenMs: number;
  /** Its market's own commission, if it differs from its book's. */
  commission?: Commission | undefined;
  /** Bits of SHALLOW: less can be had at its price than makes it an opinion; absent if enough can, or nobody says. */
  shallow?: number | undefined;
  /** The last price before the close, if the changes before it are no longer stored; null if all are. */
  lastBeforeClose: Point | null;
}

/** The part of an event that is stored under its number. */
export interface EventFields {
  id: string;
  sport: string;
  league: string;
  home: string;
  away: string;
  startMs: number;
  status: EventStatus;
  live: boolean;
  /** When each book first reported the game as live (Unix µs). */
  liveSince: Readonly<Record<string, number>>;
  /** The first start that stood for some time, where it is not the present one (Unix ms). */
  firstStartMs?: number | undefined;
  /** Since when the present start stands (Unix µs). */
  startSinceUs?: number | undefined;
  /** The start that a postponement called off (Unix ms). */
  calledOffMs?: number | undefined;
  /** As of the shard's event: canonical names that two players have. */
  namesakes?: readonly string[];
  shard: number;
  /** Its number in the shard; -1 once it is removed from the table. */
  no: number;
  /** When all rows of a book were last seen at or before its close (Unix ms), as stored now and then. */
  seenAll?: Readonly<Record<string, number>>;
}

/** An event's rows by odds id. */
export interface RowsById {
  get(id: string): HistoryRow | undefined;
  /** Returns its own form of a row that is new to the event, and gives it a place if it has none. */
  add(row: HistoryRow): HistoryRow;
}

/** An event in memory. */
export interface HistoryEvent extends EventFields {
  /** Its number in history, for ever. */
  readonly hno: number;
  /** By index. */
  readonly rows: readonly HistoryRow[];
  readonly byId: RowsById;
  /** The present times of `seenAll`, and those stored last. */
  readonly seen: Map<string, number>;
  readonly storedSeen: Map<string, number>;
  /** The newest page, not full yet; null if the next change begins one. */
  page: Page | null;
  /** To be written: the fields, books' rows, the page. */
  fieldsChanged: boolean;
  readonly booksChanged: Set<string>;
  pageChanged: boolean;
  /** Position of its last use. */
  usedUs: number;
}

/**
 * When a book's prices of the event close (Unix µs): at its own first live statement or the derived start, whichever
 * comes first. Of a game postponed without a new start the start is when the first book says that it is live; Infinity
 * until then.
 */
export function closeUs(event: EventFields, book: string): number {
  const { startMs, liveSince } = event;
  if (isCalledOff(event)) return Math.min(Number.POSITIVE_INFINITY, ...Object.values(liveSince));
  return Math.min(liveSince[book] ?? Number.POSITIVE_INFINITY, startMs * 1000);
}

/** The start as it was announced first. */
export function firstStartOf({ startMs, firstStartMs }: EventFields): number {
  return firstStartMs ?? startMs;
}

/** Whether the game was postponed and no new start is known. */
export function isCalledOff({ startMs, calledOffMs }: EventFields): boolean {
  return startMs === calledOffMs;
}

type Cell = number | string | boolean | null;
const CELLS = 9;
const POINT_CELLS = 5;

/**
 * [odds ids][texts][CELLS per row][POINT_CELLS per row: the opening][index of the row, POINT_CELLS: the last price]…
 * [per row: seconds at which it was last seen, less the previous row's][index of the row, its own commission]…
 * [index of the row, what it is shallow at]…
 */
type Packed = [
  ids: Uint8Array,
  texts: string[],
  cells: Cell[],
  openings: Cell[],
  lastBeforeClose: Cell[],
  seen?: number[],
  commissions?: (number | Commission)[],
  /** Absent if no row has any. */
  shallow?: number[],
];

/** Odds ids have 19 decimal digits. */
const ID_BYTES = 8;

/** For one book and event. */
export function packRows(rows: readonly HistoryRow[]): Buffer {
  const texts = new TextPlaces();
  const cells: Cell[] = [];
  const openings: Cell[] = [];
  const lastBeforeClose: Cell[] = [];
  const seen: number[] = [];
  const commissions: (number | Commission)[] = [];
  const shallow: number[] = [];
  let openedUs = 0;
  let seenS = 0;
  for (const row of rows) {
    const team = row.team === null ? 0 : row.team === 'home' ? 1 : 2;
    cells.push(
      row.place,
      row.no,
      texts.place(row.market),
      texts.place(row.selection),
      texts.place(row.selectionType),
      texts.place(row.player),
      texts.place(row.stat),
      team + (row.alternate ? 4 : 0),
      row.removedUs,
    );
    // Rows of a book mostly appear together: the time is encoded as the difference from the previous row.
    const { atUs, ...opening } = row.opening;
    openings.push(...pointCells({ atUs: atUs - openedUs, ...opening }));
    openedUs = atUs;
    if (row.lastBeforeClose !== null) lastBeforeClose.push(row.place, ...pointCells(row.lastBeforeClose));
    const rowSeenS = Math.floor(row.seenMs / 1000);
    seen.push(rowSeenS - seenS);
    seenS = rowSeenS;
    if (row.commission !== undefined) commissions.push(row.place, row.commission);
    if (row.shallow !== undefined) shallow.push(row.place, row.shallow);
  }
  const ids = Buffer.alloc(rows.length * ID_BYTES);
  for (const [i, { id }] of rows.entries()) ids.writeBigUInt64LE(BigInt(id), i * ID_BYTES);
  const packed: Packed = [ids, texts.list, cells, openings, lastBeforeClose, seen, commissions];
  if (shallow.length > 0) packed.push(shallow);
  return encode(packed);
}

export function unpackRows(bytes: Uint8Array, book: string, intern: (text: string) => string): HistoryRow[] {
  const packed = decode(bytes) as Packed;
  const [ids, texts, cells, openings, lastBeforeClose, seen = [], commissions = [], shallow = []] = packed;
  const rows: HistoryRow[] = [];
  const byPlace = new Map<number, HistoryRow>();
  const text = (cell: Cell | undefined): string | null => (cell === 0 ? null : intern(texts[(cell as number) - 1]!));
  let openedUs = 0;
  let seenS = 0;
  const view = new DataView(ids.buffer, ids.byteOffset, ids.length);
  for (let i = 0; i < ids.length / ID_BYTES; i++) {
    const at = i * CELLS;
    const flags = cells[at + 7] as number;
    const opening = pointOf(openings, i * POINT_CELLS);
    openedUs += opening.atUs;
    seenS += seen[i] ?? 0;
    const row: HistoryRow = {
      place: cells[at] as number,
      id: view.getBigUint64(i * ID_BYTES, true).toString(),
      book,
      market: text(cells[at + 2])!,
      selection: text(cells[at + 3])!,
      selectionType: text(cells[at + 4])!,
      player: text(cells[at + 5]),
      stat: text(cells[at + 6]),
      team: flags % 4 === 0 ? null : flags % 4 === 1 ? 'home' : 'away',
      alternate: flags >= 4,
      no: cells[at + 1] as number,
      removedUs: cells[at + 8] as number,
      opening: { ...opening, atUs: openedUs },
      seenMs: seenS * 1000,
      lastBeforeClose: null,
    };
    rows.push(row);
    byPlace.set(row.place, row);
  }
  for (let at = 0; at < lastBeforeClose.length; at += 1 + POINT_CELLS)
    byPlace.get(lastBeforeClose[at] as number)!.lastBeforeClose = pointOf(lastBeforeClose, at + 1);
  for (let at = 0; at < commissions.length; at += 2)
    byPlace.get(commissions[at] as number)!.commission = commissions[at + 1] as Commission;
  for (let at = 0; at < shallow.length; at += 2) byPlace.get(shallow[at]!)!.shallow = shallow[at + 1]!;
  return rows;
}

function pointCells(point: Point): Cell[] {
  const { atUs, american, decimal, line } = point;
  return [atUs, american, decimal, line, flagsOf(point)];
}

function pointOf(cells: readonly Cell[], at: number): Point {
  const [atUs, american, decimal, line, flags] = cells.slice(at, at + POINT_CELLS) as (number | null)[];
  return changePoint(atUs!, american!, decimal!, line ?? Number.NaN, flags!);
}

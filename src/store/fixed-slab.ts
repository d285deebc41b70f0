// The part of a book's rows of one event that does not change with the price: names, ids, links. Written when rows come
// or go, or one of these changes; read at the start, half a million rows at once, so shared texts are stored once and
// the rest is numbers.
import { TextPlaces } from '../base/memory/detached-text.js';
import { type FeedIds, feedIds } from '../base/model/feed-ids.js';
import type { ExchangeDetails } from '../base/model/normal-message.js';
import type { Row, RowIdentity, RowNumbers, RowOrigin } from '../base/model/row.js';
import { DETAIL_CELLS, fixedExchange, pushDetails, type RowDetails, readDetails } from '../base/model/row-details.js';
import type { BookQuotes } from '../base/model/state.js';
import { decode, encode } from '../base/wire/codec.js';
import type { NumbersReader } from './slab.js';

/** The part of a row that the table needs. */
export interface FixedRow extends RowIdentity {
  no: number;
  details: RowDetails;
  /** The link in the row's JSON: the feed's, or the one made from the catalogue's template. */
  link: string | null;
  ids: FeedIds | null;
}

type Cell = number | null;
/** Odds ids, texts, and CELLS numbers per row: no, six texts, flags, details. A text is its index + 1, 0 means none. */
type TablePart = [ids: string[], texts: string[], cells: Cell[], exchange?: ExchangePart | null, feed?: FeedPart];
/**
 * One per row; absent if the book is no exchange, and in slabs of releases before exchanges. The amounts in it are those
 * of when it was written: the current ones are in the slab of numbers.
 */
type ExchangePart = (ExchangeDetails | null)[];
/**
 * Texts by index: the feed's id of the event, and per row those of its market and selection. Absent if the feed tells
 * none, and in slabs of earlier releases.
 */
type FeedPart = number[];
/** Texts, and three indices per row: key, deep link, external id, which the table's part has since it has a FeedPart. */
type ShardPart = [texts: string[], cells: number[]];

const CELLS = 8 + DETAIL_CELLS;
const SHARD_CELLS = 3;
const FEED_CELLS = 2;
const HEADER_BYTES = 4;
const FLAG = { home: 1, away: 2, alternate: 4 } as const;

/** [u32 bytes of the table's part][the table's part][the shard's part], both MessagePack. */
export function packFixed(quotes: BookQuotes, linkOf: (row: Row) => string | null): Buffer {
  const ids: string[] = [];
  const texts = new TextPlaces();
  const cells: Cell[] = [];
  let exchange: ExchangePart | undefined;
  const feed: FeedPart = [texts.place(quotes.externalId)];
  let told = quotes.externalId !== null;
  const shardTexts = new TextPlaces();
  const shardCells: number[] = [];
  for (const row of quotes.rows.values()) {
    ids.push(row.id);
    cells.push(
      row.no,
      texts.place(row.market),
      texts.place(row.selection),
      texts.place(row.selectionType),
      texts.place(row.player),
      texts.place(row.stat),
      texts.place(linkOf(row)),
      (row.team === null ? 0 : FLAG[row.team]) | (row.alternate ? FLAG.alternate : 0),
    );
    pushDetails(row.details, cells);
    if (row.details.exchange !== null) {
      exchange ??= new Array<null>(quotes.rows.size).fill(null);
      exchange[ids.length - 1] = fixedExchange(row.details.exchange);
    }
    feed.push(texts.place(row.marketId), texts.place(row.externalId));
    told ||= row.marketId !== null || row.externalId !== null;
    shardCells.push(shardTexts.place(row.key), shardTexts.place(row.deepLink), 0);
  }
  const part: TablePart = [ids, texts.list, cells];
  if (exchange !== undefined || told) part.push(exchange ?? null);
  if (told) part.push(feed);
  const table = Buffer.from(encode(part));
  const shard = encode([shardTexts.list, shardCells] satisfies ShardPart);
  const slab = Buffer.allocUnsafe(HEADER_BYTES + table.length + shard.length);
  slab.writeUInt32LE(table.length, 0);
  table.copy(slab, HEADER_BYTES);
  shard.copy(slab, HEADER_BYTES + table.length);
  return slab;
}

/**
 * Reads the table's part: `visit` gets one reused object for each row, and its numbers. Returns the number of rows.
 */
export function readFixed(
  slab: Uint8Array,
  numbers: NumbersReader,
  intern: (text: string) => string,
  visit: (row: FixedRow, prices: RowNumbers, index: number) => void,
): number {
  const [ids, texts, cells, exchange, feed] = decode(tablePart(slab)) as TablePart;
  const text = (cell: Cell): string | null => (cell === 0 ? null : texts[cell! - 1]!);
  const shared = sharing(texts, intern);
  const row = {} as FixedRow;
  for (let i = 0, at = 0; i < ids.length; i++, at += CELLS) {
    const flags = cells[at + 7]!;
    row.no = cells[at]!;
    row.id = ids[i]!;
    row.market = shared(cells[at + 1]!)!;
    row.selection = shared(cells[at + 2]!)!;
    row.selectionType = shared(cells[at + 3]!)!;
    row.player = shared(cells[at + 4]!);
    row.stat = shared(cells[at + 5]!);
    row.link = text(cells[at + 6]!);
    row.team = flags & FLAG.home ? 'home' : flags & FLAG.away ? 'away' : null;
    row.alternate = (flags & FLAG.alternate) !== 0;
    row.details = readDetails(cells, at + 8, numbers.exchange(i, exchange?.[i] ?? null));
    row.ids =
      feed === undefined
        ? null
        : feedIds(text(feed[0]!), text(feed[1 + i * FEED_CELLS]!), text(feed[2 + i * FEED_CELLS]!));
    visit(row, numbers.row(i), i);
  }
  return ids.length;
}

/** Reads the shard's part, row by row in the same order; without the ids that the table's part has. */
export function readShardRows(slab: Uint8Array, intern: (text: string) => string): Omit<RowOrigin, 'marketId'>[] {
  const [texts, cells] = decode(slab.subarray(HEADER_BYTES + tablePart(slab).length)) as ShardPart;
  const text = (cell: number): string | null => (cell === 0 ? null : texts[cell - 1]!);
  const shared = sharing(texts, intern);
  const rows: Omit<RowOrigin, 'marketId'>[] = [];
  for (let at = 0; at < cells.length; at += SHARD_CELLS)
    rows.push({ key: shared(cells[at]!)!, deepLink: text(cells[at + 1]!), externalId: text(cells[at + 2]!) });
  return rows;
}

/** Interned on first use: links and ids of one row alone would only displace shared texts. */
function sharing(texts: readonly string[], intern: (text: string) => string): (cell: Cell) => string | null {
  const known: (string | undefined)[] = [];
  return (cell) => {
    if (cell === 0) return null;
    const place = cell! - 1;
    known[place] ??= intern(texts[place]!);
    return known[place];
  };
}

function tablePart(slab: Uint8Array): Uint8Array {
  const length = new DataView(slab.buffer, slab.byteOffset, slab.length).getUint32(0, true);
  return slab.subarray(HEADER_BYTES, HEADER_BYTES + length);
}

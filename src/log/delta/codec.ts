// Deltas as bytes: in the log, between threads and between processes. A tuple, as the names of a map would be half of an
// entry of one change.
import { decode, encode } from '../../base/wire/codec.js';
import { type BlobRow, rowsOfBlob } from './blob-rows.js';
import { type BookDelta, DELTA_VERSION, type Delta } from './delta.js';
import { NO_NEWS, type PackedNews } from './opportunity.js';

/** What most deltas have; what they seldom have follows if there is any. */
type Fields = [
  version: number,
  position: number,
  shard: number,
  books: BookDelta[],
  news: [records: Uint8Array, universes: PackedNews['universes']] | null,
  seldom?: Partial<Omit<Delta, 'version' | 'position' | 'shard' | 'books' | 'opportunities'>>,
];

/** Of release 0.2.0, and of none: rows are in another form, opportunities are left out. */
const MAPS = [5, 6];

export function encodeDelta({ version, position, shard, books, opportunities, ...others }: Delta): Buffer {
  const { records, universes } = opportunities;
  const fields: Fields = [version, position, shard, books, universes.length === 0 ? null : [records, universes]];
  const seldom = Object.entries(others).filter(([, part]) => typeof part === 'number' || part.length > 0);
  if (seldom.length > 0) fields.push(Object.fromEntries(seldom));
  return encode(fields);
}

/** Throws for bytes of another version; entries of those before are read without opportunities. */
export function decodeDelta(bytes: Uint8Array): Delta {
  const fields = decode(bytes) as Fields | (Delta & { blob: Uint8Array });
  if (!Array.isArray(fields)) return deltaOfMap(fields);
  const [version, position, shard, books, news, seldom] = fields;
  check(version, version === DELTA_VERSION);
  const opportunities = news === null ? NO_NEWS : { records: news[0], universes: news[1] };
  return {
    version,
    position,
    shard,
    events: [],
    dropped: [],
    books,
    splits: [],
    futures: [],
    ...seldom,
    opportunities,
  };
}

function deltaOfMap({ blob, ...delta }: Delta & { blob: Uint8Array }): Delta {
  check(delta.version, MAPS.includes(delta.version));
  const rowOf = rowsOfBlob(blob);
  const books = delta.books.map((book): BookDelta => {
    const [event, name, polledUs, touches, removed, rows] = book;
    return [event, name, polledUs, touches, removed, rows.map((row) => rowOf(row as unknown as BlobRow))];
  });
  return { ...delta, books, opportunities: NO_NEWS };
}

function check(version: number, isKnown: boolean): void {
  if (!isKnown)
    throw new Error(`a delta of the change log is of version ${version}, this program reads ${DELTA_VERSION}`);
}

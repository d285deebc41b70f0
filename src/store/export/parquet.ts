// Parquet: row groups of changes. Most columns have few values and the same one for all changes of a row: they are
// collected as dictionary indices, a run at a time. A writer that is given whole columns looks up every value instead,
// which takes most of an export's time.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js';
import { writeDictionaryPage } from 'hyparquet-writer/src/dictionary.js';
import { round6 } from '../../base/model/row-json.js';
import type { HistoryEvent, HistoryRow } from '../history/event-record.js';
import { FLAG } from '../history/page.js';
import { closeOutput, writeAll } from './output.js';
import { commissionText, type ExportWriter } from './rows.js';

const GROUP_ROWS = 100_000;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type Element = Schema[number];
type DataPage = Parameters<typeof writeDataPageV2>[0];
type RowGroup = ParquetWriter['row_groups'][number];
type Chunk = RowGroup['columns'][number];
type Meta = NonNullable<Chunk['meta_data']>;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const TIME = {
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const;
const NUMBER = { type: 'DOUBLE' } as const;
const YES_OR_NO = { type: 'BOOLEAN' } as const;

function element(name: string, type: object, isOptional = false): Element {
  return { name, ...type, repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED' } as Element;
}

/** A row group's values, one column at a time. */
interface Column {
  element: Element;
  /** Writes the first `count` and drops them. */
  write(file: File, count: number): Chunk;
}

/** The output of columns. */
class File {
  readonly #fd: number;
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;

  constructor(fd: number, columns: readonly Column[]) {
    this.#fd = fd;
    const schema = [{ name: 'root', num_children: columns.length }, ...columns.map((column) => column.element)];
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema: schema as Schema, createdBy: 'overround' });
  }

  /** Writes pages of a column: its dictionary, if it has one, and its values. */
  chunk(
    element: Element,
    encoding: DataPage['encoding'],
    pageData: DataPage['pageData'],
    dictionary?: unknown[],
  ): { meta: Meta; chunk: Chunk } {
    const { codec, compressors, schema } = this.#writer;
    const column = { columnName: element.name, element, schemaPath: [schema[0]!, element], codec, compressors };
    const pages = column as unknown as DataPage['column'];
    const begin = this.#bytes.offset;
    let uncompressed = 0;
    if (dictionary !== undefined) uncompressed += writeDictionaryPage(this.#bytes, pages, dictionary);
    const dataBegin = this.#bytes.offset;
    uncompressed += writeDataPageV2({ writer: this.#bytes, column: pages, encoding, pageData });
    const count = pageData.definitionLevels.length || pageData.values.length;
    const meta: Meta = {
      type: element.type!,
      encodings: dictionary === undefined ? [encoding] : ['PLAIN', encoding],
      path_in_schema: [element.name],
      codec,
      num_values: BigInt(count),
      total_compressed_size: BigInt(this.#bytes.offset - begin),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataBegin),
      encoding_stats: [
        ...(dictionary === undefined
          ? []
          : [{ page_type: 'DICTIONARY_PAGE' as const, encoding: 'PLAIN' as const, count: 1 }]),
        { page_type: 'DATA_PAGE_V2', encoding, count: 1 },
      ],
    };
    if (dictionary !== undefined) meta.dictionary_page_offset = BigInt(begin);
    return { meta, chunk: { meta_data: meta, file_offset: BigInt(begin) } };
  }

  group(columns: readonly Column[], count: number): void {
    const begin = this.#bytes.offset;
    const chunks = columns.map((column) => column.write(this, count));
    let bytes = 0n;
    for (const { meta_data: meta } of chunks) bytes += meta?.total_uncompressed_size ?? 0n;
    this.#writer.row_groups.push({
      columns: chunks,
      total_byte_size: bytes,
      num_rows: BigInt(count),
      total_compressed_size: BigInt(this.#bytes.offset - begin),
    });
    this.#writer.num_rows += BigInt(count);
    this.#drain();
  }

  end(): void {
    void this.#writer.finish();
    this.#drain();
    closeOutput(this.#fd);
  }

  /** The writer's buffer goes to the file; its offsets continue. */
  #drain(): void {
    const bytes = new Uint8Array(this.#bytes.buffer, 0, this.#bytes.index);
    writeAll(this.#fd, bytes);
    this.#bytes.index = 0;
  }
}

type Value = string | number | bigint;

/** Values as indices into a dictionary of the row group. */
class Dictionary implements Column {
  readonly element: Element;
  readonly #places = new Map<Value, number>();
  readonly #indexes = new Int32Array(GROUP_ROWS);
  readonly #written: (value: Value) => Value;
  #values: Value[] = [];

  /** @param written a value in the file's form */
  constructor(element: Element, written: (value: Value) => Value = (value) => value) {
    this.element = element;
    this.#written = written;
  }

  set(at: number, value: Value): void {
    this.#indexes[at] = this.#place(value);
  }

  fill(from: number, to: number, value: Value): void {
    this.#indexes.fill(this.#place(value), from, to);
  }

  write(file: File, count: number): Chunk {
    return this.#write(file, pageOf(this.#indexes.subarray(0, count)), 0n);
  }

  /** As `write`, if only some are present. */
  writeSome(file: File, count: number, missing: Uint8Array): Chunk {
    const values: (number | null)[] = [];
    const definitionLevels: number[] = [];
    let nulls = 0;
    for (let at = 0; at < count; at++) {
      const isMissing = missing[at] === 1;
      values.push(isMissing ? null : this.#indexes[at]!);
      definitionLevels.push(isMissing ? 0 : 1);
      if (isMissing) nulls++;
    }
    const page = { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: 1 };
    return this.#write(file, page as DataPage['pageData'], BigInt(nulls));
  }

  #place(value: Value): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.#values.length);
    return this.#values.push(this.#written(value)) - 1;
  }

  #write(file: File, page: DataPage['pageData'], nulls: bigint): Chunk {
    const { chunk, meta } = file.chunk(this.element, 'RLE_DICTIONARY', page, this.#values);
    const { least, most } = boundsOf(this.#values);
    meta.statistics = { null_count: nulls };
    if (least !== undefined) Object.assign(meta.statistics, { min_value: least, max_value: most });
    this.#places.clear();
    this.#values = [];
    return chunk;
  }
}

/** A dictionary column in which some changes have no value. */
function nullable(element: Element) {
  const dictionary = new Dictionary(element);
  const missing = new Uint8Array(GROUP_ROWS);
  return {
    element,
    set: (at: number, value: Value | null): void => {
      missing[at] = value === null ? 1 : 0;
      if (value !== null) dictionary.set(at, value);
    },
    fill: (from: number, to: number, value: Value | null): void => {
      missing.fill(value === null ? 1 : 0, from, to);
      if (value !== null) dictionary.fill(from, to, value);
    },
    write: (file: File, count: number): Chunk => dictionary.writeSome(file, count, missing),
  };
}

/** In the order of their UTF-8 bytes, as readers compare texts. */
function boundsOf(values: readonly Value[]): { least: Value | undefined; most: Value | undefined } {
  let [least] = values;
  let [most] = values;
  for (const value of values) {
    if (isBefore(value, least!)) least = value;
    else if (isBefore(most!, value)) most = value;
  }
  return { least, most };
}

function isBefore(a: Value, b: Value): boolean {
  return typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b as string)) < 0 : a < (b as number);
}

function times(element: Element) {
  const all = new BigInt64Array(GROUP_ROWS);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  return {
    element,
    set: (at: number, us: number): void => {
      all[at] = BigInt(us);
      if (us < least) least = us;
      if (us > most) most = us;
    },
    write: (file: File, count: number): Chunk => {
      const { chunk, meta } = file.chunk(element, 'PLAIN', pageOf(all.subarray(0, count)));
      meta.statistics = { null_count: 0n, min_value: BigInt(least), max_value: BigInt(most) };
      least = Number.POSITIVE_INFINITY;
      most = Number.NEGATIVE_INFINITY;
      return chunk;
    },
  };
}

function flags(element: Element) {
  const all = new Uint8Array(GROUP_ROWS);
  return {
    element,
    set: (at: number, flag: boolean): void => {
      all[at] = flag ? 1 : 0;
    },
    fill: (from: number, to: number, flag: boolean): void => {
      all.fill(flag ? 1 : 0, from, to);
    },
    write: (file: File, count: number): Chunk => file.chunk(element, 'RLE', pageOf(all.subarray(0, count))).chunk,
  };
}

/** Of a column in which every change has a value. */
function pageOf(values: Int32Array | BigInt64Array | Uint8Array): DataPage['pageData'] {
  return { values, definitionLevels: [], repetitionLevels: [], maxDefinitionLevel: 0 } as DataPage['pageData'];
}

/** The columns of an export, in order. */
function exportColumns() {
  const text = (name: string): Dictionary => new Dictionary(element(name, TEXT));
  const flag = (name: string) => flags(element(name, YES_OR_NO));
  return {
    at: times(element('at', TIME)),
    oddsId: text('odds_id'),
    event: text('event_id'),
    sport: text('sport'),
    league: text('league'),
    home: text('home_team'),
    away: text('away_team'),
    start: new Dictionary(element('event_start_time', TIME)),
    book: text('sportsbook'),
    market: text('market_type'),
    selection: text('selection'),
    selectionType: text('selection_type'),
    player: nullable(element('player_name', TEXT, true)),
    line: nullable(element('line', NUMBER, true)),
    alternate: flag('is_alternate_line'),
    american: new Dictionary(element('odds_american', NUMBER)),
    decimal: new Dictionary(element('odds_decimal', NUMBER), (decimal) => round6(decimal as number)),
    live: flag('is_live'),
    active: flag('is_active'),
    prematch: flag('is_prematch'),
    kind: nullable(element('kind', TEXT, true)),
    indicative: flag('indicative'),
    removed: flag('is_removed'),
    team: nullable(element('team', TEXT, true)),
    stat: nullable(element('stat_category', TEXT, true)),
    commission: nullable(element('commission', TEXT, true)),
  };
}

export function parquet(fd: number): ExportWriter {
  const columns = exportColumns();
  const all: Column[] = Object.values(columns);
  const file = new File(fd, all);
  /** Lines in the current group. */
  let count = 0;
  /** The row whose changes are being written, and its first line in the group. */
  let current: { event: HistoryEvent; row: HistoryRow; from: number } | undefined;
  /** Fills in the values that are the same for all changes of a row. */
  const fillRow = (): void => {
    if (current === undefined) return;
    const { event, row, from } = current;
    const to = count;
    columns.oddsId.fill(from, to, row.id);
    columns.event.fill(from, to, event.id);
    columns.sport.fill(from, to, event.sport);
    columns.league.fill(from, to, event.league);
    columns.home.fill(from, to, event.home);
    columns.away.fill(from, to, event.away);
    columns.start.fill(from, to, BigInt(event.startMs) * 1000n);
    columns.book.fill(from, to, row.book);
    columns.market.fill(from, to, row.market);
    columns.selection.fill(from, to, row.selection);
    columns.selectionType.fill(from, to, row.selectionType);
    columns.player.fill(from, to, row.player);
    columns.alternate.fill(from, to, row.alternate);
    columns.team.fill(from, to, row.team);
    columns.stat.fill(from, to, row.stat);
    columns.commission.fill(from, to, commissionText(row));
    current = undefined;
  };
  const flush = (): void => {
    fillRow();
    if (count > 0) file.group(all, count);
    count = 0;
  };
  return {
    line: (event, row, change) => {
      if (current?.row !== row) {
        fillRow();
        current = { event, row, from: count };
      }
      const at = count;
      columns.at.set(at, change.atUs);
      columns.line.set(at, Number.isNaN(change.line) ? null : change.line);
      columns.american.set(at, change.american);
      columns.decimal.set(at, change.decimal);
      columns.live.set(at, (change.flags & FLAG.live) !== 0);
      columns.active.set(at, (change.flags & FLAG.inactive) === 0);
      columns.prematch.set(at, change.prematch);
      columns.indicative.set(at, (change.flags & FLAG.indicative) !== 0);
      columns.removed.set(at, (change.flags & FLAG.removed) !== 0);
      columns.kind.set(at, (change.flags & FLAG.model) === 0 ? null : 'model');
      if (++count === GROUP_ROWS) flush();
    },
    end: () => {
      flush();
      file.end();
    },
  };
}

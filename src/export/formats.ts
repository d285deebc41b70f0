// The forms an export may have: NDJSON, CSV and Parquet, each with the same columns in the same order.
import { closeSync, openSync, writeSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { HistoryEvent, HistoryRow } from '../history/event-record.js';
import { FLAG } from '../history/page.js';
import type { ExportFormat } from '../model/export-format.js';
import { round6 } from '../model/row-json.js';
import { formatMs, formatUs } from '../model/time.js';
import type { LineVisitor } from './rows.js';

export interface ExportWriter {
  line: LineVisitor;
  /** Writes what is left; the file is whole then. */
  end(): void;
}

const COLUMNS = [
  'at',
  'odds_id',
  'event_id',
  'sport',
  'league',
  'home_team',
  'away_team',
  'event_start_time',
  'sportsbook',
  'market_type',
  'selection',
  'selection_type',
  'player_name',
  'line',
  'is_alternate_line',
  'odds_american',
  'odds_decimal',
  'is_live',
  'is_active',
  'is_prematch',
] as const;

const TEXT_BYTES = 1 << 20;

export function openExport(path: string, format: ExportFormat): ExportWriter {
  const file = openSync(path, 'w');
  if (format === 'parquet') return parquet(file);
  return format === 'csv' ? csv(file) : ndjson(file);
}

/** Writes texts in large pieces. */
function texts(file: number): { write(text: string): void; end(): void } {
  let waiting = '';
  const flush = (): void => {
    const bytes = Buffer.from(waiting);
    waiting = '';
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };
  return {
    write: (text) => {
      waiting += text;
      if (waiting.length >= TEXT_BYTES) flush();
    },
    end: () => {
      flush();
      closeSync(file);
    },
  };
}

function ndjson(file: number): ExportWriter {
  const { write, end } = texts(file);
  const head = remembered((event, row) => {
    const fields = {
      odds_id: row.id,
      event_id: event.id,
      sport: event.sport,
      league: event.league,
      home_team: event.home,
      away_team: event.away,
      event_start_time: formatMs(event.startMs),
      sportsbook: row.book,
      market_type: row.market,
      selection: row.selection,
      selection_type: row.selectionType,
      player_name: row.player,
    };
    return JSON.stringify(fields).slice(1, -1);
  });
  return {
    line: (event, row, { atUs, american, decimal, line, flags, prematch }) =>
      write(
        `{"at":"${formatUs(atUs)}",${head(event, row)},"line":${Number.isNaN(line) ? null : line},"is_alternate_line":${row.alternate},"odds_american":${american},"odds_decimal":${round6(decimal)},"is_live":${isLive(flags)},"is_active":${isActive(flags)},"is_prematch":${prematch}}\n`,
      ),
    end,
  };
}

function csv(file: number): ExportWriter {
  const { write, end } = texts(file);
  write(`${COLUMNS.join()}\n`);
  const head = remembered((event, row) =>
    cells([
      row.id,
      event.id,
      event.sport,
      event.league,
      event.home,
      event.away,
      formatMs(event.startMs),
      row.book,
      row.market,
      row.selection,
      row.selectionType,
      row.player,
    ]),
  );
  return {
    line: (event, row, { atUs, american, decimal, line, flags, prematch }) =>
      write(
        `${formatUs(atUs)},${head(event, row)},${Number.isNaN(line) ? '' : line},${row.alternate},${american},${round6(decimal)},${isLive(flags)},${isActive(flags)},${prematch}\n`,
      ),
    end,
  };
}

/** Names come from books: none of them is to be run as a formula by a spreadsheet. */
function cells(values: readonly (string | null)[]): string {
  return stringify([values as string[]], { escape_formulas: true, eof: false });
}

/** What of a line is the same for all changes of a row, made once for those that follow each other. */
function remembered(make: (event: HistoryEvent, row: HistoryRow) => string): typeof make {
  let last: HistoryRow | undefined;
  let text = '';
  return (event, row) => {
    if (row !== last) text = make(event, row);
    last = row;
    return text;
  };
}

function isLive(flags: number): boolean {
  return (flags & FLAG.live) !== 0;
}

function isActive(flags: number): boolean {
  return (flags & FLAG.inactive) === 0;
}

const GROUP_ROWS = 100_000;

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const TIME = {
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const;
const NUMBER = { type: 'DOUBLE' } as const;
const FLAGS = { type: 'BOOLEAN' } as const;
const TYPES: Record<(typeof COLUMNS)[number], object> = {
  at: TIME,
  odds_id: TEXT,
  event_id: TEXT,
  sport: TEXT,
  league: TEXT,
  home_team: TEXT,
  away_team: TEXT,
  event_start_time: TIME,
  sportsbook: TEXT,
  market_type: TEXT,
  selection: TEXT,
  selection_type: TEXT,
  player_name: TEXT,
  line: NUMBER,
  is_alternate_line: FLAGS,
  odds_american: NUMBER,
  odds_decimal: NUMBER,
  is_live: FLAGS,
  is_active: FLAGS,
  is_prematch: FLAGS,
};
const MAY_LACK = new Set<string>(['player_name', 'line']);

function parquet(file: number): ExportWriter {
  const bytes = new ByteWriter();
  const schema = [
    { name: 'root', num_children: COLUMNS.length },
    ...COLUMNS.map((name) => ({ name, ...TYPES[name], repetition_type: MAY_LACK.has(name) ? 'OPTIONAL' : 'REQUIRED' })),
  ] as ConstructorParameters<typeof ParquetWriter>[0]['schema'];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'overround' });
  let data = emptyColumns();
  const flush = (): void => {
    if (data.at.length > 0)
      void writer.write({ columnData: COLUMNS.map((name) => ({ name, data: data[name] })), rowGroupSize: GROUP_ROWS });
    data = emptyColumns();
    drain(bytes, file);
  };
  return {
    line: (event, row, { atUs, american, decimal, line, flags, prematch }) => {
      data.at.push(BigInt(atUs));
      data.odds_id.push(row.id);
      data.event_id.push(event.id);
      data.sport.push(event.sport);
      data.league.push(event.league);
      data.home_team.push(event.home);
      data.away_team.push(event.away);
      data.event_start_time.push(BigInt(event.startMs) * 1000n);
      data.sportsbook.push(row.book);
      data.market_type.push(row.market);
      data.selection.push(row.selection);
      data.selection_type.push(row.selectionType);
      data.player_name.push(row.player);
      data.line.push(Number.isNaN(line) ? null : line);
      data.is_alternate_line.push(row.alternate);
      data.odds_american.push(american);
      data.odds_decimal.push(round6(decimal));
      data.is_live.push(isLive(flags));
      data.is_active.push(isActive(flags));
      data.is_prematch.push(prematch);
      if (data.at.length >= GROUP_ROWS) flush();
    },
    end: () => {
      flush();
      void writer.finish();
      drain(bytes, file);
      closeSync(file);
    },
  };
}

function emptyColumns(): Record<(typeof COLUMNS)[number], unknown[]> {
  return Object.fromEntries(COLUMNS.map((name) => [name, []])) as never;
}

/** What the writer holds goes to the file; it goes on counting from where it was. */
function drain(bytes: ByteWriter, file: number): void {
  const held = new Uint8Array(bytes.buffer, 0, bytes.index);
  for (let at = 0; at < held.length; ) at += writeSync(file, held, at);
  bytes.index = 0;
}

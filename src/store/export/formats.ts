// The formats of an export: NDJSON, CSV and Parquet, each with the same columns in the same order.

import { stringify } from 'csv-stringify/sync';
import { escapeFormulas } from '../../base/model/formula-text.js';
import { round6 } from '../../base/model/row-json.js';
import { formatMs, formatUs } from '../../base/model/time.js';
import { words } from '../../base/model/words.js';
import { eventFields, type HistoryEvent, type HistoryRow } from '../history/event-record.js';
import { FLAG } from '../history/page.js';
import { closeOutput, type ExportFormat, openOutput, type STDOUT, writeAll } from './output.js';
import { parquet } from './parquet.js';
import { commissionText, type ExportWriter } from './rows.js';

const COLUMNS = words(`
  at odds_id event_id sport league home_team away_team event_start_time sportsbook market_type selection
  selection_type player_name line is_alternate_line odds_american odds_decimal is_live is_active is_prematch kind
  indicative is_removed team stat_category commission
`);

const TEXT_BYTES = 1 << 20;

export function openExport(path: string | typeof STDOUT, format: ExportFormat): ExportWriter {
  const file = openOutput(path);
  if (format === 'parquet') return parquet(file);
  return format === 'csv' ? csv(file) : ndjson(file);
}

/** Writes texts in large pieces. */
function texts(file: number): { write(text: string): void; end(): void } {
  let waiting = '';
  const flush = (): void => {
    const bytes = Buffer.from(waiting);
    waiting = '';
    writeAll(file, bytes);
  };
  return {
    write: (text) => {
      waiting += text;
      if (waiting.length >= TEXT_BYTES) flush();
    },
    end: () => {
      flush();
      closeOutput(file);
    },
  };
}

function ndjson(file: number): ExportWriter {
  const { write, end } = texts(file);
  const head = remembered((event, row) => {
    const fields = {
      odds_id: row.id,
      ...eventFields(event),
      sportsbook: row.book,
      market_type: row.market,
      selection: row.selection,
      selection_type: row.selectionType,
      player_name: row.player,
      ...(row.team === null ? {} : { team: row.team }),
      ...(row.stat === null ? {} : { stat_category: row.stat }),
      ...(row.commission === undefined ? {} : { commission: row.commission }),
    };
    return JSON.stringify(fields).slice(1, -1);
  });
  return {
    line: (event, row, { atUs, american, decimal, line, flags, prematch }) =>
      write(
        `{"at":"${formatUs(atUs)}",${head(event, row)},"line":${Number.isNaN(line) ? null : line},"is_alternate_line":${row.alternate},"odds_american":${american},"odds_decimal":${round6(decimal)},"is_live":${has(flags, FLAG.live)},"is_active":${!has(flags, FLAG.inactive)},"is_prematch":${prematch}${has(flags, FLAG.indicative) ? ',"indicative":true' : ''}${has(flags, FLAG.model) ? ',"kind":"model"' : ''}${has(flags, FLAG.removed) ? ',"is_removed":true' : ''}}\n`,
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
  const tail = remembered((_event, row) => cells([row.team, row.stat, commissionText(row)]));
  return {
    line: (event, row, { atUs, american, decimal, line, flags, prematch }) =>
      write(
        `${formatUs(atUs)},${head(event, row)},${Number.isNaN(line) ? '' : line},${row.alternate},${american},${round6(decimal)},${has(flags, FLAG.live)},${!has(flags, FLAG.inactive)},${prematch},${has(flags, FLAG.model) ? 'model' : ''},${has(flags, FLAG.indicative)},${has(flags, FLAG.removed)},${tail(event, row)}\n`,
      ),
    end,
  };
}

/** Names come from books: a spreadsheet must not run any of them as a formula. */
function cells(values: readonly (string | null)[]): string {
  return stringify([values as string[]], { cast: { string: escapeFormulas }, eof: false });
}

/** The part of a line that is the same for all changes of a row, made once for consecutive ones. */
function remembered(make: (event: HistoryEvent, row: HistoryRow) => string): typeof make {
  let last: HistoryRow | undefined;
  let text = '';
  return (event, row) => {
    if (row !== last) text = make(event, row);
    last = row;
    return text;
  };
}

function has(flags: number, flag: number): boolean {
  return (flags & flag) !== 0;
}

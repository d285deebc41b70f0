// `overround export`: history of a data directory as NDJSON, CSV or Parquet, with a bar on a terminal. A server may be
// writing it meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SingleBar } from 'cli-progress';
import { monotonicMs } from '../base/model/clock.js';
import { parsePeriodUs } from '../base/model/time.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { expandMarkets, marketTest } from '../rules/markets/categories.js';
import { readIdentity } from '../store/data-directory.js';
import { openExport } from '../store/export/formats.js';
import { EXPORT_FORMATS, type ExportFormat, STDOUT } from '../store/export/output.js';
import { type ExportFilter, exportHistory } from '../store/export/rows.js';
import { unpackRows } from '../store/history/event-record.js';
import { Recorder } from '../store/history/recorder.js';
import { HistoryFile, hasHistory } from '../store/history-store.js';
import { type KnownNames, requestedLeagues, requestedSports } from '../tables/filter/requested-names.js';
import type { CommandContext } from './command-context.js';
import { type RecordedNames, unknownFilterNames } from './filter-names.js';
import { CommandError } from './keys.js';
import type { ExportFlags } from './program.js';
import { progressBar, type ReplacedFile, replacedFile } from './recording-file.js';

type ExportContext = Pick<CommandContext, 'err' | 'terminal'>;

const EXPORT_BAR = '{bar} {percentage} % | {changes} changes | {eta_formatted} left';
/** Interval of drawing the bar and of yielding to other work. */
const TURN_MS = 100;

/** Throws CommandError if there is no history, the flags are not good, or the file cannot be written. */
export async function exportCommand(flags: ExportFlags, { err, terminal }: ExportContext): Promise<void> {
  const { data } = flags;
  const { out } = flags;
  const format = flags.format ?? formatOf(out);
  if (!hasHistory(data)) throw new CommandError(`${data} has no history`);
  const [fromUs, toUs] = [timeOf('from', flags.from) ?? 0, timeOf('to', flags.to) ?? Number.MAX_SAFE_INTEGER];
  if (fromUs > toUs) throw new CommandError('--from is later than --to');
  const store = new HistoryFile(data, true);
  const begunMs = monotonicMs();
  let bar: SingleBar | undefined;
  let file: ReplacedFile | undefined;
  try {
    if (store.state() === undefined) throw new CommandError(`${data} has no history yet`);
    const filter = { fromUs, toUs, ...wantedOf(flags, store) };
    const recorder = new Recorder(store);
    const target = out === '-' ? undefined : replacedFile(out);
    const writer = openExport(target?.path ?? STDOUT, format);
    file = target;
    let turnedMs = begunMs;
    const { changes, events } = await exportHistory(recorder, store, filter, writer, async (progress) => {
      if (monotonicMs() - turnedMs < TURN_MS) return;
      turnedMs = monotonicMs();
      bar ??= progressBar(terminal, progress.events, EXPORT_BAR, { changes: 0 });
      bar?.update(progress.eventsDone, { changes: progress.changes });
      await nextTurn();
    });
    file?.keep();
    bar?.stop();
    const seconds = Math.max(0.001, (monotonicMs() - begunMs) / 1000);
    const what = readIdentity(data)?.simulated ? 'SIMULATED changes' : 'changes';
    err(`${changes} ${what} of ${events} events in ${seconds.toFixed(1)} s (${Math.round(changes / seconds)}/s)\n`);
  } catch (error) {
    // Its reader has what it wanted (`… --out - | head`).
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw withFile(out, error);
  } finally {
    bar?.stop();
    file?.discard();
    await store.close();
  }
}

/** Throws CommandError for a name that neither the catalogue nor the history has: of it nothing would be exported. */
function wantedOf(
  flags: ExportFlags,
  store: HistoryFile,
): Pick<ExportFilter, 'leagues' | 'sports' | 'books' | 'markets'> {
  const catalogue = loadCatalogue();
  const recorded = recordedNames(store);
  const unknown = unknownFilterNames(flags, catalogue, recorded);
  if (unknown.length > 0)
    throw new CommandError(
      `neither the catalogue nor the history has ${unknown.map(({ told }) => told).join(', or ')}`,
    );
  const { sportsbook, market } = flags;
  return {
    leagues: requestedLeagues(catalogue, recorded, flags.league?.join()).ids,
    sports: requestedSports(catalogue, recorded, flags.sport?.join()).ids,
    books: sportsbook === undefined ? null : new Set(sportsbook.map((name) => catalogue.bookId(name))),
    markets: market === undefined ? null : marketTest(expandMarkets(market), catalogue.types),
  };
}

/** What the history is of; read once it is asked for. */
function recordedNames(store: HistoryFile): RecordedNames & KnownNames {
  const leagues = new Set<string>();
  const sports = new Set<string>();
  const books = new Set<string>();
  const markets = new Set<string>();
  let isRead = false;
  const has = (names: ReadonlySet<string>, name: string): boolean => {
    if (!isRead)
      for (const { hno, fields } of store.events()) {
        leagues.add(fields.league);
        sports.add(fields.sport);
        for (const { book, bytes } of store.rows(hno)) {
          books.add(book);
          for (const { market } of unpackRows(bytes, book, (text) => text)) markets.add(market);
        }
      }
    isRead = true;
    return names.has(name);
  };
  return {
    hasLeague: (id) => has(leagues, id),
    hasSport: (id) => has(sports, id),
    hasBook: (id) => has(books, id),
    hasMarket: (type) => has(markets, type),
  };
}

function withFile(out: string, error: unknown): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new CommandError(`${out} cannot be written: ${message}`);
}

/** By the end of the file's name. Throws CommandError if that says nothing. */
function formatOf(out: string): ExportFormat {
  const format = EXPORT_FORMATS.find((each) => out.toLowerCase().endsWith(`.${each}`));
  if (format === undefined)
    throw new CommandError(
      `--format ${EXPORT_FORMATS.join('|')} is needed: the name ${out} ends with none of ${EXPORT_FORMATS.map((each) => `.${each}`).join(', ')}`,
    );
  return format;
}

function timeOf(end: 'from' | 'to', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const us = parsePeriodUs(end, text);
  if (us === undefined)
    throw new CommandError(`--${end} must be a day (2026-11-20) or an RFC 3339 time, not "${text}"`);
  return us;
}

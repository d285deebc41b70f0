// `overround backtest FILE`: writes the lines to a file or standard output, the progress and the summary to standard error.

import type { ClvGrouping } from '../base/model/bet-words.js';
import { present } from '../base/model/present.js';
import { DEFAULT_LIMITS } from '../detection/kinds/caller-thresholds.js';
import { CUT_SHORT } from '../intake/feeds/files/sources.js';
import { placeText, type ReasonCount } from '../intake/feeds/formats/read-report.js';
import { type BadLine, noRecording } from '../intake/feeds/replay/recording.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { NearestNames } from '../rules/catalogue/nearest-names.js';
import type { ClvGroup } from '../schema/clv.js';
import { type BacktestOptions, type KindSummary, runBacktest, runClvBacktest } from './backtest/backtest.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './keys.js';
import type { BacktestFlags } from './program.js';
import { OutputFile, progressBar, recordingSize, refuseSameFile } from './recording-file.js';
import { textTable } from './simulation-report.js';

type BacktestContext = Pick<CommandContext, 'clock' | 'write' | 'err' | 'terminal'>;

/** Bad lines reported individually; the rest are counted. */
const BAD_LINES_SHOWN = 5;

/** Throws CommandError for files that cannot be read or written or are not recordings, and for unknown books. */
export async function backtest(file: string, flags: BacktestFlags, context: BacktestContext): Promise<void> {
  const catalogue = loadCatalogue(flags.catalogue, {
    commissions: flags.commission ?? {},
    currencies: flags.betfairCurrency === undefined ? {} : { betfair: flags.betfairCurrency },
    rates: flags.fx ?? {},
    ...present({ match: flags.match }),
  });
  recordingSize(file);
  const books = booksOf(flags, catalogue);
  const devigBook = flags.devigBook === undefined ? undefined : catalogue.bookId(flags.devigBook);
  const asked = { file, catalogue, books, devigBook };
  if (flags.out !== undefined)
    refuseSameFile(flags.out, { 'the recording itself': file, 'the file with the results': flags.results });
  if (flags.clv) return clvBacktest(asked, flags, context);
  const sink = await outputOf(flags, context);
  try {
    await detect(asked, flags, sink, context);
  } finally {
    sink.discard();
  }
}

/** What is asked of which recording. */
type Asked = Pick<BacktestOptions, 'file' | 'catalogue' | 'books' | 'devigBook'>;

/** Shows how far a recording is read, and notes where it is cut short. */
function watchReading(file: string, { terminal }: BacktestContext) {
  const size = recordingSize(file);
  const bar = progressBar(terminal, size);
  const cut: string[] = [];
  const onRead = (bytes: number): void => bar?.update(Math.min(bytes, size));
  return { bar, cut, watch: { onRead, onCutShort: (name: string) => void cut.push(name) } };
}

async function detect(asked: Asked, flags: BacktestFlags, sink: Output, context: BacktestContext): Promise<void> {
  const { minEv, minProfit, maxHold, minSize } = flags;
  const { bar, cut, watch } = watchReading(asked.file, context);
  const startedMs = context.clock.now();
  const bad: BadLine[] = [];
  const result = await runBacktest({
    ...asked,
    ...watch,
    limits: { ...DEFAULT_LIMITS, minEv, minProfit, maxHold, minSize },
    write: (lines) => sink.write(lines),
    onBadLine: (line) => {
      if (bad.length < BAD_LINES_SHOWN) bad.push(line);
    },
  }).finally(() => bar?.stop());
  if (result.polls === 0) throw new CommandError(noRecording(asked.file, result.badLines, bad[0]));
  checkBooks(asked, flags, result.books);
  await sink.keep();
  for (const { line, reason } of bad) context.err(`line ${line}: ${reason}\n`);
  const seconds = Math.max(0.001, (context.clock.now() - startedMs) / 1000);
  const { polls, quotes, rejected, refusals, badLines, kinds } = result;
  context.err(
    `${polls} polls, ${quotes} quotes in ${seconds.toFixed(1)} s (${Math.round(quotes / seconds)} quotes/s, the start of the process not counted)\n`,
  );
  if (badLines + rejected > 0) context.err(`${badLines} lines and ${rejected} parts of messages could not be read\n`);
  tellRefusals(refusals, context);
  context.err(`\n${summaryTable(kinds)}`);
  refuseCut(cut, polls);
}

const COLUMNS = ['kind', 'count', 'mean edge %', 'max edge %', 'mean life s', 'max life s'];

function summaryTable(summaries: readonly KindSummary[]): string {
  const rows = summaries.map((one) => [
    one.kind,
    String(one.count),
    one.meanEdge.toFixed(2),
    one.maxEdge.toFixed(2),
    one.meanLifeSeconds.toFixed(0),
    one.maxLifeSeconds.toFixed(0),
  ]);
  return textTable([COLUMNS, ...rows]);
}

/** What there is was read and told. */
function refuseCut([cut]: readonly string[], polls: number): void {
  if (cut !== undefined) throw new CommandError(`${cut} ${CUT_SHORT}. ${polls} polls of it were read`);
}

/** Every reason, with the first part that was refused for it. */
function tellRefusals(refusals: readonly ReasonCount[], { err }: BacktestContext): void {
  for (const { reason, times, first } of refusals) err(`left out: ${times} ${reason} (first: ${placeText(first)})\n`);
}

/** How much of the edges the close confirmed, as one JSON object, and as a table. */
async function clvBacktest(asked: Asked, flags: BacktestFlags, context: BacktestContext): Promise<void> {
  const { file } = asked;
  if (flags.results !== undefined) recordingSize(flags.results);
  const { bar, cut, watch } = watchReading(file, context);
  const bad: BadLine[] = [];
  const result = await runClvBacktest({
    ...asked,
    ...watch,
    minEv: flags.minEv,
    groupBy: flags.groupBy ?? 'sportsbook',
    results: flags.results,
    onBadLine: (of, { line, reason }) => void bad.push({ line, reason: of === file ? reason : `${of}: ${reason}` }),
  }).finally(() => bar?.stop());
  const { polls, quotes, books: met, refusals, ...summary } = result;
  if (polls === 0) throw new CommandError(noRecording(file, bad.length, bad[0]));
  checkBooks(asked, flags, met);
  for (const { line, reason } of bad.slice(0, BAD_LINES_SHOWN)) context.err(`line ${line}: ${reason}\n`);
  const sink = await outputOf(flags, context);
  try {
    await sink.write(`${JSON.stringify(summary, null, 2)}\n`);
    await sink.keep();
  } finally {
    sink.discard();
  }
  context.err(`${polls} polls, ${quotes} quotes\n`);
  tellRefusals(refusals, context);
  context.err(`\n${groupTable(summary)}`);
  refuseCut(cut, polls);
}

function groupTable({ group_by, groups }: { group_by: ClvGrouping; groups: readonly ClvGroup[] }): string {
  const shown = (value: number | null, digits = 2): string => value?.toFixed(digits) ?? '-';
  const heads = [group_by, 'found', 'graded', 'CLV %', 'beat close', 'settled', 'won', 'ROI %', '±', 'expected %'];
  const rows = groups.map((one) => [
    one.group_key,
    String(one.total_predictions),
    String(one.total_graded),
    shown(one.avg_clv_percent),
    shown(one.positive_clv_rate, 3),
    String(one.total_settled),
    shown(one.win_rate, 3),
    shown(one.roi_percent),
    shown(one.roi_error_percent),
    shown(one.expected_roi_percent),
  ]);
  return textTable([heads, ...rows]);
}

/** A book outside the catalogue may still be in the recording. Of a misspelled one nothing would be found, in silence. */
function checkBooks({ catalogue, books, devigBook }: Asked, flags: BacktestFlags, recorded: ReadonlySet<string>): void {
  if (devigBook !== undefined && !recorded.has(devigBook))
    throw new CommandError(`--devig-book: ${devigBook} is not in the recording`);
  const charged = Object.keys(flags.commission ?? {}).map((name) => catalogue.bookId(name));
  const stranger = [...(books ?? []), ...charged].find((book) => !catalogue.isKnownBook(book) && !recorded.has(book));
  if (stranger === undefined) return;
  const near = new NearestNames(catalogue).books(stranger);
  const nearest = near.length === 0 ? '' : ` (nearest: ${near.join(', ')})`;
  throw new CommandError(`there is no sportsbook ${stranger}, neither in the catalogue nor in the recording${nearest}`);
}

/** The tier's books narrowed by the list; null means every book. */
function booksOf({ books, tier }: BacktestFlags, catalogue: Catalogue): readonly string[] | null {
  const ofTier = tier === undefined ? null : catalogue.booksOf(tier);
  if (books === undefined) return ofTier;
  const requested = books.map((name) => catalogue.bookId(name));
  const outside = ofTier === null ? undefined : requested.find((book) => !ofTier.includes(book));
  if (outside !== undefined) throw new CommandError(`${outside} is not among the books of the ${tier} tier`);
  return requested;
}

type Output = Pick<OutputFile, 'write' | 'keep' | 'discard'>;

/** A file, or standard output. */
async function outputOf({ out }: BacktestFlags, { write }: BacktestContext): Promise<Output> {
  if (out === undefined) return { write, keep: async () => {}, discard: () => {} };
  const file = new OutputFile(out, false);
  await file.open();
  return file;
}

// `overround backtest FILE`: writes the lines to a file or standard output, the progress and the summary to standard error.

import { DEFAULT_LIMITS } from '../detection/kinds/caller-thresholds.js';
import { CUT_SHORT } from '../intake/feeds/files/sources.js';
import { placeText, type ReasonCount } from '../intake/feeds/formats/read-report.js';
import { type BadLine, noRecording } from '../intake/feeds/replay/recording.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { NearestNames } from '../rules/catalogue/nearest-names.js';
import { runBacktest, summaryTable } from './backtest/backtest.js';
import { runClvBacktest } from './backtest/clv.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './keys.js';
import type { BacktestFlags } from './program.js';
import { OutputFile, progressBar, recordingSize, refuseSameFile } from './recording-file.js';

type BacktestContext = Pick<CommandContext, 'clock' | 'write' | 'err' | 'terminal'>;

/** Bad lines reported individually; the rest are counted. */
const BAD_LINES_SHOWN = 5;

/** Throws CommandError for files that cannot be read or written or are not recordings, and for unknown books. */
export async function backtest(file: string, flags: BacktestFlags, context: BacktestContext): Promise<void> {
  const catalogue = loadCatalogue(flags.catalogue, {
    commissions: flags.commission ?? {},
    currencies: flags.betfairCurrency === undefined ? {} : { betfair: flags.betfairCurrency },
    rates: flags.fx ?? {},
    ...(flags.match === undefined ? {} : { match: flags.match }),
  });
  const size = recordingSize(file);
  const books = booksOf(flags, catalogue);
  const devigBook = flags.devigBook === undefined ? undefined : catalogue.bookId(flags.devigBook);
  if (flags.out !== undefined)
    refuseSameFile(flags.out, { 'the recording itself': file, 'the file with the results': flags.results });
  if (flags.clv) return clvBacktest(file, flags, catalogue, { books, devigBook }, context);
  const sink = await outputOf(flags, context);
  try {
    await detect({ file, size, flags, catalogue, books, devigBook, sink }, context);
  } finally {
    sink.discard();
  }
}

interface Detecting {
  file: string;
  size: number;
  flags: BacktestFlags;
  catalogue: Catalogue;
  books: readonly string[] | null;
  devigBook: string | undefined;
  sink: ReturnType<typeof standardOutput>;
}

async function detect({ file, size, flags, catalogue, books, devigBook, sink }: Detecting, context: BacktestContext) {
  const { minEv, minProfit, maxHold, minSize } = flags;
  const bar = progressBar(context.terminal, size);
  const startedMs = context.clock.now();
  const bad: BadLine[] = [];
  const cut: string[] = [];
  const result = await runBacktest({
    file,
    catalogue,
    books,
    devigBook,
    limits: { ...DEFAULT_LIMITS, minEv, minProfit, maxHold, minSize },
    write: (lines) => sink.write(lines),
    onRead: (bytes) => bar?.update(Math.min(bytes, size)),
    onBadLine: (line) => {
      if (bad.length < BAD_LINES_SHOWN) bad.push(line);
    },
    onCutShort: (name) => void cut.push(name),
  }).finally(() => bar?.stop());
  if (result.polls === 0) throw new CommandError(noRecording(file, result.badLines, bad[0]));
  checkBooks({ flags, books, devigBook }, catalogue, result.books);
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

/** What there is was read and told. */
function refuseCut([cut]: readonly string[], polls: number): void {
  if (cut !== undefined) throw new CommandError(`${cut} ${CUT_SHORT}. ${polls} polls of it were read`);
}

/** Every reason, with the first part that was refused for it. */
function tellRefusals(refusals: readonly ReasonCount[], { err }: BacktestContext): void {
  for (const { reason, times, first } of refusals) err(`left out: ${times} ${reason} (first: ${placeText(first)})\n`);
}

/** How much of the edges the close confirmed, as one JSON object. */
async function clvBacktest(
  file: string,
  flags: BacktestFlags,
  catalogue: Catalogue,
  { books, devigBook }: { books: readonly string[] | null; devigBook: string | undefined },
  context: BacktestContext,
): Promise<void> {
  const size = recordingSize(file);
  if (flags.results !== undefined) recordingSize(flags.results);
  const bar = progressBar(context.terminal, size);
  const bad: BadLine[] = [];
  const cut: string[] = [];
  const result = await runClvBacktest({
    file,
    catalogue,
    books,
    devigBook,
    minEv: flags.minEv,
    groupBy: flags.groupBy ?? 'sportsbook',
    results: flags.results,
    onRead: (bytes) => bar?.update(Math.min(bytes, size)),
    onBadLine: (of, { line, reason }) => void bad.push({ line, reason: of === file ? reason : `${of}: ${reason}` }),
    onCutShort: (name) => void cut.push(name),
  }).finally(() => bar?.stop());
  const { polls, quotes, books: met, refusals, ...summary } = result;
  if (polls === 0) throw new CommandError(noRecording(file, bad.length, bad[0]));
  checkBooks({ flags, books, devigBook }, catalogue, met);
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
  refuseCut(cut, polls);
}

interface AskedBooks {
  flags: BacktestFlags;
  books: readonly string[] | null;
  devigBook: string | undefined;
}

/** A book outside the catalogue may still be in the recording. Of a misspelled one nothing would be found, in silence. */
function checkBooks(
  { flags, books, devigBook }: AskedBooks,
  catalogue: Catalogue,
  recorded: ReadonlySet<string>,
): void {
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

/** Standard output, as a file is written. */
function standardOutput({ write }: BacktestContext): Pick<OutputFile, 'write' | 'keep' | 'discard'> {
  return { write, keep: async () => {}, discard: () => {} };
}

async function outputOf({ out }: BacktestFlags, context: BacktestContext) {
  if (out === undefined) return standardOutput(context);
  const file = new OutputFile(out, false);
  await file.open();
  return file;
}

// `overround import PATH… --out RECORDING`: turns the files that people have into a recording, ordered by time, and a file
// of results. Both take their places when they are whole.

import type { MATCHES } from '../base/model/money.js';
import { CUT_SHORT, type SourceFile, sourcesOf } from '../intake/feeds/files/sources.js';
import { COLUMNS } from '../intake/feeds/formats/csv/format.js';
import { FileContents, type UnknownName } from '../intake/feeds/formats/file-contents.js';
import type { FileFormat, FormatSettings } from '../intake/feeds/formats/format.js';
import { FORMATS } from '../intake/feeds/formats/formats.js';
import { JoinedGames, type JoinedTimes } from '../intake/feeds/formats/joined-games.js';
import { readFiles } from '../intake/feeds/formats/read-files.js';
import { type Place, placeText, ReadReport, type ReasonCount } from '../intake/feeds/formats/read-report.js';
import { readInstant } from '../intake/feeds/the-odds-api/instant.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { nearestOf } from '../rules/catalogue/nearest-names.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './keys.js';
import { inputSize, OutputFile, progressBar, refuseSameFile } from './recording-file.js';

export interface ImportFlags extends FormatSettings {
  out: string;
  /** A file for what became of the games; without it that is part of the recording. */
  results?: string;
  format?: string;
  catalogue?: string;
  /** As for serve. */
  match?: (typeof MATCHES)[number];
  json?: true;
}

type ImportContext = Pick<CommandContext, 'out' | 'terminal'>;

/** What was imported, as `--json` prints it. */
export interface Imported {
  files: number;
  rows: number;
  prices: number;
  games: number;
  results: number;
  left_out: { reason: string; count: number; first: string }[];
  assumed: { what: string; count: number; first: string }[];
  /** With `--match roster`: names whose games are others' by who plays and when. */
  joined: JoinedTimes[];
  unknown: Record<'teams' | 'leagues' | 'books' | 'markets', UnknownName[]>;
}

/** Throws CommandError for files that cannot be read or written, are not recognised or end early, and where nothing was written. */
export async function importFiles(paths: readonly string[], flags: ImportFlags, context: ImportContext): Promise<void> {
  const { out, results, json } = flags;
  const format = formatNamed(flags.format ?? (flags.columns === undefined ? undefined : 'csv'));
  checkZone(flags.timezone);
  const size = paths.reduce((sum, path) => sum + inputSize(path), 0);
  checkTime(flags.at);
  checkColumns(flags.columns);
  for (const target of [out, results])
    if (target !== undefined) for (const path of paths) refuseSameFile(target, { 'one of the files to import': path });
  refuseSameFile(out, { 'the file for results, too': results });
  const report = new ReadReport();
  const onRefused = (reason: string, place: Place): void => report.fault(reason, place);
  const seen = new FileContents(loadCatalogue(flags.catalogue), onRefused);
  const bar = progressBar(context.terminal, size);
  const recording = new OutputFile(out, out.endsWith('.gz'));
  const ofResults = results === undefined ? undefined : new OutputFile(results, results.endsWith('.gz'));
  try {
    const torn: string[] = [];
    const onTorn = (file: string, why: string): void => {
      torn.push(`${file} ${why}`);
      report.fault(why, { file });
    };
    const sources = allSources(paths, report, onTorn, (bytes) => bar?.update(Math.min(bytes, size)));
    const leagues = loadCatalogue(flags.catalogue);
    const texts = readFiles(
      sources,
      { leagues, settings: flags, report },
      { format, onMessage: (message) => seen.see(message) },
    );
    const joining = flags.match === 'roster' ? new JoinedGames(leagues) : undefined;
    for await (const { text: stated, isResult } of texts) {
      const text = joining?.renamed(stated) ?? stated;
      if (!isResult) await recording.write(`${text}\n`);
      else if (ofResults === undefined) await recording.write(`${text}\n`);
      else await ofResults.write(`${resultLine(text)}\n`);
    }
    bar?.stop();
    const imported = summaryOf(report, seen, joining?.joined ?? []);
    if (imported.prices + imported.results === 0) throw new CommandError(nothingIn(paths, imported));
    await recording.keep();
    await ofResults?.keep();
    context.out(json ? `${JSON.stringify(imported, null, 2)}\n` : summaryText(imported, flags));
    const [first] = torn;
    if (first !== undefined)
      throw new CommandError(`${first}. ${imported.prices} prices and ${imported.results} results were imported`);
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError((error as Error).message);
  } finally {
    bar?.stop();
    recording.discard();
    ofResults?.discard();
  }
}

async function* allSources(
  paths: readonly string[],
  report: ReadReport,
  onTorn: (file: string, why: string) => void,
  onRead: (bytes: number) => void,
): AsyncGenerator<SourceFile, void> {
  const onCutShort = (file: string): void => onTorn(file, CUT_SHORT);
  const onUnreadable = (file: string, reason: string, isBegun: boolean): void =>
    isBegun ? onTorn(file, `is damaged (${reason})`) : report.fault(reason, { file });
  let before = 0;
  for (const path of paths) {
    let read = 0;
    const counted = (bytes: number): void => {
      read = bytes;
      onRead(before + bytes);
    };
    yield* sourcesOf(path, { onRead: counted, onUnreadable, onCutShort });
    before += read;
  }
}

/** As a file of results has it: one result a line, with who says so. */
function resultLine(text: string): string {
  const { results, source } = JSON.parse(text) as { results: object[]; source: string };
  return results.map((result) => JSON.stringify({ ...result, source })).join('\n');
}

function formatNamed(name: string | undefined): FileFormat | undefined {
  if (name === undefined) return undefined;
  const format = FORMATS.find((each) => each.name === name);
  if (format !== undefined) return format;
  throw new CommandError(`--format ${name}: there are ${FORMATS.map((each) => each.name).join(', ')}`);
}

function checkZone(zone: string | undefined): void {
  try {
    if (zone !== undefined) new Intl.DateTimeFormat('en-US', { timeZone: zone });
  } catch {
    throw new CommandError(`--timezone ${zone} is no time zone: as Europe/London`);
  }
}

function checkTime(at: string | undefined): void {
  if (at !== undefined && readInstant(at) === undefined)
    throw new CommandError(`--at ${at} is no time: as 2026-11-20T18:00:00Z`);
}

function checkColumns(columns: ImportFlags['columns']): void {
  for (const [ours, theirs] of columns ?? [])
    if (!COLUMNS.includes(ours)) {
      const [near] = nearestOf(ours, COLUMNS);
      const hint = near === undefined ? `there are ${COLUMNS.join(', ')}` : `did you mean ${near}?`;
      throw new CommandError(`--map ${theirs}=${ours}: ${ours} is no column of ours (${hint})`);
    }
}

function summaryOf(report: ReadReport, seen: FileContents, joined: JoinedTimes[]): Imported {
  const { files, rows, leftOutReasons, assumptions } = report;
  const { prices, games, results, unknown } = seen;
  const counted = ({ times, first }: ReasonCount) => ({ count: times, first: placeText(first) });
  return {
    ...{ files, rows, prices, games, results },
    left_out: leftOutReasons.map((each) => ({ reason: each.reason, ...counted(each) })),
    assumed: assumptions.map((each) => ({ what: each.reason, ...counted(each) })),
    joined,
    unknown,
  };
}

function summaryText(imported: Imported, { out, results }: ImportFlags): string {
  const { files, left_out, assumed, joined, unknown } = imported;
  const number = (count: number, what: string): string =>
    `${count.toLocaleString('en')} ${count === 1 ? what.replace(/s$/, '') : what}`;
  const lines = [
    `${number(files, 'files')}, ${number(imported.rows, 'rows')}: ${number(imported.prices, 'prices')} of ${number(imported.games, 'games')} in ${out}, ${number(imported.results, 'results')} in ${results ?? 'it'}`,
    ...left_out.map(
      ({ reason, count, first }) => `left out: ${count.toLocaleString('en')} ${reason} (first: ${first})`,
    ),
    ...assumed.map(({ what, count, first }) => `assumed: ${what}, ${number(count, 'times')} (first: ${first})`),
    ...joined.map(
      ({ league, name, meant, times }) => `joined: ${name} in ${league} is ${meant}, ${number(times, 'times')}`,
    ),
  ];
  for (const [kind, names] of Object.entries(unknown))
    for (const { name, league, nearest } of names)
      lines.push(
        `unknown ${kind.slice(0, -1)}: ${name}${league === undefined ? '' : ` in ${league}`}${nearest.length === 0 ? '' : ` (nearest: ${nearest.join(', ')})`}`,
      );
  return lines.map((line) => `${line}\n`).join('');
}

function nothingIn(paths: readonly string[], { left_out }: Imported): string {
  const [first] = left_out;
  const why = first === undefined ? 'there are no prices and no results in it' : `${first.reason} (${first.first})`;
  return `nothing of ${paths.join(', ')} was imported: ${why}`;
}

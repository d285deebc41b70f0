// The command `import` and its flags.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MATCHES } from '../base/model/money.js';
import type { ImportFlags } from './import.js';

export function addImport(
  program: Command,
  run: (paths: readonly string[], flags: ImportFlags) => Promise<void>,
): void {
  program
    .command('import <path...>')
    .description('turn files of prices and results that others wrote into a recording (docs/reference/files.md)')
    .requiredOption('--out <file>', 'file for the recording, gzip if its name ends in .gz')
    .option('--results <file>', 'file for the results of the games; default: in the recording')
    .option('--format <format>', 'format of the files (docs/reference/files.md); default: recognised')
    .option('--timezone <zone>', 'time zone of times that state none, such as Europe/London')
    .option('--league <id>', 'league of all games; default: as the files say')
    .option('--map <columns>', "names of columns in a table of your own: 'theirs=ours,…'", columns)
    .option('--at <time>', 'RFC 3339 time of answers of an API that do not state when they were made')
    .option('--catalogue <dir>', 'directory with your files of the catalogue, as for serve')
    .addOption(
      new Option('--match <how>', 'how games of different books are matched, as for serve; default: names').choices(
        MATCHES,
      ),
    )
    .option('--json', 'print what was read and what was left out as JSON')
    .addHelpText(
      'after',
      '\nA path is a file, a folder, an archive or - (standard input).\n' +
        '\nExamples:\n' +
        '  overround import E0.csv --out season.ndjson.gz --results results.ndjson\n' +
        "  overround import prices.csv --map 'kickoff=event_start_time,price=odds_decimal' --timezone Europe/Madrid --out prices.ndjson\n",
    )
    .action((paths: string[], { map, ...flags }: ImportFlags & { map?: ReadonlyMap<string, string> }) =>
      run(paths, { ...flags, columns: map }),
    );
}

/** `theirs=ours,…` as their names by ours. */
function columns(text: string, before?: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Map(before);
  for (const pair of text.split(',')) {
    const [theirs = '', ours = ''] = pair.split('=').map((name) => name.trim());
    if (theirs === '' || ours === '') throw new InvalidArgumentError("It must be 'theirs=ours,…'.");
    names.set(ours, theirs);
  }
  return names;
}

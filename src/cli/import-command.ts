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
    .requiredOption('--out <file>', 'the recording, gzip if it ends in .gz')
    .option('--results <file>', 'what became of the games, as for overround results; in the recording where not given')
    .option('--format <format>', 'in place of what the files are recognised as')
    .option('--timezone <zone>', 'of times without one, as Europe/London')
    .option('--league <id>', 'in place of the leagues that the files name')
    .option('--map <columns>', "of a table with other names of columns: 'theirs=ours,…'", columns)
    .option('--at <time>', 'RFC 3339: of answers that do not say when they are of')
    .option('--catalogue <dir>', 'a catalogue in place of the built-in one')
    .addOption(new Option('--match <how>', 'how games of different books meet, as for serve').choices(MATCHES))
    .option('--json', 'what was read and what was left out as JSON')
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
function columns(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const pair of text.split(',')) {
    const [theirs = '', ours = ''] = pair.split('=').map((name) => name.trim());
    if (theirs === '' || ours === '') throw new InvalidArgumentError("It must be 'theirs=ours,…'.");
    names.set(ours, theirs);
  }
  return names;
}

// The command `overround sink`: its flags.
import type { Command } from 'commander';
import type { FilterNames } from './filter-names.js';
import { collectList, number, wholeNumber } from './setting-options.js';

export interface SinkFlags extends FilterNames {
  /** The server's address. */
  from: string;
  key: string;
  name: string;
  schema: string;
  status?: number;
  /** Of lines: the last position that their reader has. */
  after?: number;
  /** Seconds between a change and the file that has it. */
  every: number;
  event?: string[];
  minEv?: number;
  minProfit?: number;
  maxHold?: number;
  minSize?: number;
}

export function addSink(program: Command, run: (target: string, flags: SinkFlags) => Promise<void>): void {
  program
    .command('sink <target>')
    .description(
      'write the changes of a running server into your database, each exactly once: postgres://…, sqlite:FILE, parquet:DIR, or ndjson:- (lines on standard output)',
    )
    .requiredOption('--from <url>', "the server's address, such as http://127.0.0.1:8080")
    .requiredOption('--key <key>', 'a key that may stream')
    .option('--name <name>', 'name of the stored position; two sinks into one target need different ones', 'main')
    .option('--schema <schema>', 'PostgreSQL: schema of the tables', 'overround')
    .option(
      '--status <port>',
      'port on 127.0.0.1 that answers with position, lag and counts as JSON; default: none',
      wholeNumber(65_535),
    )
    .option(
      '--after <position>',
      'ndjson: begin after this position; default: with a snapshot',
      wholeNumber(Number.MAX_SAFE_INTEGER),
    )
    .option(
      '--every <seconds>',
      'parquet: at most this many seconds between a change and the file that has it',
      number(0),
      60,
    )
    .option(
      '--sport <ids>',
      'only these sports, separated by commas or given several times, as in the next four; default: all',
      collectList,
    )
    .option('--league <ids>', 'only these leagues', collectList)
    .option('--sportsbook <ids>', 'only these books', collectList)
    .option('--market <types>', 'only these market types', collectList)
    .option('--event <ids>', 'only these events', collectList)
    .option('--min-ev <percent>', 'lowest edge of +EV, percent of the stake; default: 2', number())
    .option(
      '--min-profit <percent>',
      'lowest profit of an arbitrage, percent of the total stake; default: 0.5',
      number(),
    )
    .option('--max-hold <percent>', 'highest hold of a low hold, percent; default: 5', number())
    .option('--min-size <points>', 'lowest width of a middle, points between its lines; default: 0.5', number())
    .addHelpText(
      'after',
      `
Examples:
  overround sink postgres://me:secret@127.0.0.1/odds --from http://127.0.0.1:8080 --key "$KEY"
  overround sink sqlite:odds.db --from http://127.0.0.1:8080 --key "$KEY" --league nba,nfl
  overround sink parquet:lake --from http://127.0.0.1:8080 --key "$KEY" --every 300
  overround sink ndjson:- --from http://127.0.0.1:8080 --key "$KEY" | kcat -P -b 127.0.0.1 -t odds
`,
    )
    .action(run);
}

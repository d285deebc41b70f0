// The command `overround sink`: its flags.
import { type Command, InvalidArgumentError } from 'commander';

export interface SinkFlags {
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
  sport?: string[];
  league?: string[];
  sportsbook?: string[];
  market?: string[];
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
      "write what a running server says into one's own database, exactly once: postgres://…, sqlite:FILE, parquet:DIR, or ndjson:- as lines",
    )
    .requiredOption('--from <url>', "the server's address, http://127.0.0.1:8080")
    .requiredOption('--key <key>', 'a key that may stream')
    .option('--name <name>', 'whose position it is: each sink into one target has its own', 'main')
    .option('--schema <schema>', 'of a PostgreSQL database', 'overround')
    .option('--status <port>', 'shows position, lag and counts as JSON on 127.0.0.1', number)
    .option('--after <position>', 'ndjson: goes on after this position', number)
    .option('--every <seconds>', 'parquet: between a change and the file that has it, at most', number, 60)
    .option('--sport <ids>', 'only these sports, separated by commas', list)
    .option('--league <ids>', 'only these leagues', list)
    .option('--sportsbook <ids>', 'only these books', list)
    .option('--market <types>', 'only these market types', list)
    .option('--event <ids>', 'only these events', list)
    .option('--min-ev <percent>', 'least +EV', number)
    .option('--min-profit <percent>', 'least arbitrage profit', number)
    .option('--max-hold <percent>', 'most hold of a low hold', number)
    .option('--min-size <points>', 'least size of a middle', number)
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

function list(value: string): string[] {
  return value.split(',').flatMap((id) => id.trim() || []);
}

function number(value: string): number {
  const parsed = /^-?\d{1,16}(\.\d{1,12})?$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isFinite(parsed)) throw new InvalidArgumentError('It must be a number.');
  return parsed;
}

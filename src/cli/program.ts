// The command `overround`: its subcommands and flags. The actions of serve, replay, backtest and record are passed in;
// the settings of serve come from the table in config/settings.ts.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { NewKey } from '../accounts/key-commands.js';
import { CLV_GROUPS, type ClvGrouping } from '../base/model/bet-words.js';
import { type Commissions, parseCommissions } from '../base/model/commission.js';
import { ApiError } from '../base/model/errors.js';
import { MATCHES, parseCurrency, parseRates, type Rates } from '../base/model/money.js';
import { present } from '../base/model/present.js';
import {
  ConfigError,
  type FlagValues,
  parseConfig,
  SETTINGS,
  type ShownSetting,
  settingLines,
  settingsHelp,
} from '../config/config.js';
import { nearestOf } from '../rules/catalogue/nearest-names.js';
import { TIERS, type Tier } from '../rules/catalogue/types.js';
import { EXPORT_FORMATS, type ExportFormat } from '../store/export/output.js';
import type { CommandContext } from './command-context.js';
import { feedSettings } from './feeds.js';
import type { FilterNames } from './filter-names.js';
import type { ImportFlags } from './import.js';
import { CommandError, createKey, type KeysContext, listKeys, revokeKey } from './keys.js';
import {
  addSettings,
  collect,
  collectList,
  KEYS_SETTINGS,
  number,
  RECORD_SETTINGS,
  SIMULATE_SETTINGS,
  settingsOf,
} from './setting-options.js';
import type { SimulateFlags } from './simulate.js';
import { addSink, type SinkFlags } from './sink-command.js';

export interface ReplayFlags {
  url: string;
  key: string;
  /** Recorded seconds per second; 0 is as fast as the server accepts them. */
  speed: number;
  timestamps?: 'recorded' | 'shift';
}

export interface BacktestFlags {
  /** A file; standard output by default. */
  out?: string;
  /** Percent, as the next two. */
  minEv: number;
  minProfit: number;
  maxHold: number;
  /** Points of the line. */
  minSize: number;
  /** Book ids; all by default. */
  books?: string[];
  /** Only the books of this tier. */
  tier?: Tier;
  /** A book, or a model in the recording. */
  devigBook?: string;
  /** A catalogue's directory. */
  catalogue?: string;
  /** Override those of the catalogue's books. */
  commission?: Commissions;
  /** Of the account at Betfair. */
  betfairCurrency?: string;
  fx?: Rates;
  /** As for serve. */
  match?: (typeof MATCHES)[number];
  /** Closing line value in place of opportunities. */
  clv?: true;
  /** What became of the games: a file. */
  results?: string;
  groupBy?: ClvGrouping;
}

export interface ExportFlags extends FilterNames {
  data: string;
  out: string;
  /** By the file's name by default. */
  format?: ExportFormat;
  /** A day or an RFC 3339 time. */
  from?: string;
  to?: string;
}

export interface BackupFlags {
  out: string;
  data?: string;
  url?: string;
  key?: string;
}

export interface RecordFlags {
  /** A file; standard output by default. */
  out?: string;
}

export interface CommandHandlers {
  serve(settings: FlagValues): Promise<void>;
  replay(file: string, flags: ReplayFlags): Promise<void>;
  results(file: string, flags: Pick<ReplayFlags, 'url' | 'key'>): Promise<void>;
  backtest(file: string, flags: BacktestFlags): Promise<void>;
  simulate(file: string, command: readonly string[], flags: SimulateFlags, settings: FlagValues): Promise<number>;
  import(paths: readonly string[], flags: ImportFlags): Promise<void>;
  export(flags: ExportFlags): Promise<void>;
  backup(flags: BackupFlags): Promise<void>;
  sink(target: string, flags: SinkFlags): Promise<void>;
  record(flags: RecordFlags, settings: FlagValues): Promise<void>;
}

type ProgramContext = Pick<CommandContext, 'env' | 'clock' | 'version' | 'command' | 'out' | 'err'> & {
  handlers: CommandHandlers;
};

/** Runs one command line (without node and script) and resolves to the exit code. Bugs reject. */
export async function runProgram(args: readonly string[], context: ProgramContext): Promise<number> {
  if (args.length === 0) {
    context.out(howToBegin(context.command, context.version));
    return 0;
  }
  try {
    await createProgram(context, await feedSettings()).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    // commander has printed its own line by then.
    if (error instanceof CommanderError) return error.exitCode;
    if (error instanceof ConfigError || error instanceof CommandError || error instanceof ApiError) {
      context.err(`overround: ${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

function createProgram(context: ProgramContext, ofFeeds: readonly ShownSetting[]): Command {
  const allSettings = settingsHelp(ofFeeds);
  const program = new Command('overround')
    .description('Real-time sports odds engine: one table of many books, over REST, SSE, WebSocket and MCP.')
    .version(context.version)
    // Throws instead of ending the process: only the entry point does that. Subcommands inherit it.
    .exitOverride()
    .configureOutput({
      writeOut: context.out,
      writeErr: context.err,
      outputError: (text, write) => write(withNearestFlag(text)),
    })
    .addHelpText('after', `\n${allSettings}`);
  const { handlers } = context;

  const serve = program
    .command('serve')
    .description('serve odds: REST, SSE, WebSocket, MCP and the dashboard')
    .addHelpText('after', `${examples(SERVE_EXAMPLES)}\n${allSettings}`);
  addSettings(serve, SETTINGS);
  serve.action((_options, command: Command) => handlers.serve(settingsOf(command)));

  addKeyCommands(program.command('keys').description('make, list and revoke API keys'), context);

  program
    .command('replay <file>')
    .description('post a recording to the ingest of a running server')
    .requiredOption('--url <url>', "the server's address, such as http://127.0.0.1:8080")
    .requiredOption('--key <key>', 'a key with the ingest scope')
    .option('--speed <n>', 'recorded seconds per second; 0 is as fast as the server accepts it', number(0), 0)
    .addOption(
      new Option(
        '--timestamps <which>',
        'times as recorded (the default; said, if they begin over a week ago), or shifted to now',
      ).choices(['recorded', 'shift']),
    )
    .addHelpText(
      'after',
      examples([
        'overround replay market.ndjson.gz --url http://127.0.0.1:8080 --key "$KEY" --speed 60 --timestamps shift',
      ]),
    )
    .action((file: string, flags: ReplayFlags) => handlers.replay(file, flags));

  program
    .command('results <file>')
    .description(
      'post results of games to a running server, from NDJSON, CSV or a file that others wrote (docs/reference/files.md)',
    )
    .requiredOption('--url <url>', "the server's address, such as http://127.0.0.1:8080")
    .requiredOption('--key <key>', 'a key with the ingest scope')
    .addHelpText('after', examples(['overround results sunday.csv --url http://127.0.0.1:8080 --key "$KEY"']))
    .action((file: string, flags: Pick<ReplayFlags, 'url' | 'key'>) => handlers.results(file, flags));

  addImport(program, (paths, flags) => handlers.import(paths, flags));
  addBacktest(program, handlers);
  addExport(program, handlers);
  addBackup(program, handlers);
  addSink(program, (...given) => handlers.sink(...given));
  addSimulate(program, (...given) => handlers.simulate(...given));

  const record = program
    .command('record')
    .description('write the messages of feeds as a recording, until Ctrl-C or the end of the feeds')
    .option('--out <file>', 'file to write, gzip if its name ends in .gz; default, and -: standard output')
    .addHelpText(
      'after',
      `${examples(['overround record --feed sim --out market.ndjson.gz'])}\nSettings of its feeds (environment variable, meaning, [default]):\n${settingLines(ofFeeds)}`,
    );
  addSettings(record, RECORD_SETTINGS);
  record.action((flags: RecordFlags, command: Command) =>
    handlers.record(outOf(flags), settingsOf(command, RECORD_SETTINGS)),
  );
  return program;
}

/** Commander suggests only what its help shows, and the settings are in a table of their own there. */
function withNearestFlag(text: string): string {
  const [, flag] = /unknown option '--([\w-]+)/.exec(text) ?? [];
  if (flag === undefined || text.includes('Did you mean')) return text;
  const [near] = nearestOf(
    flag,
    SETTINGS.flatMap((setting) => setting.flag ?? []),
  );
  if (near === undefined) return text;
  // It exists, but not for this command.
  return `${text.trimEnd()} (${near === flag ? 'it is a setting of serve' : `Did you mean --${near}?`})\n`;
}

/** Options of a backtest by their names in commander: those of opportunities, and those of --clv. */
const OPPORTUNITY_FLAGS = [
  ['minProfit', 'min-profit'],
  ['maxHold', 'max-hold'],
  ['minSize', 'min-size'],
] as const;
const CLV_FLAGS = [
  ['groupBy', 'group-by'],
  ['results', 'results'],
] as const;

function addBacktest(program: Command, handlers: CommandHandlers): void {
  program
    .command('backtest <file>')
    .description(
      'run a recording through the engine and write every opportunity that was detected or expired, as NDJSON',
    )
    .option('--out <file>', 'file to write; default, and -: standard output')
    .option('--min-ev <percent>', 'lowest edge of +EV, percent of the stake; default 0 with --clv', number(-100), 2)
    .option('--min-profit <percent>', 'lowest profit of an arbitrage, percent of the total stake', number(0), 0.5)
    .option('--max-hold <percent>', 'highest hold of a low hold, percent', number(0), 5)
    .option('--min-size <points>', 'lowest width of a middle, points between its lines', number(0), 0.5)
    .option('--books <ids>', 'only these books, separated by commas or given several times; default: all', collectList)
    .addOption(new Option('--tier <tier>', 'only the books of this tier').choices(TIERS))
    .option(
      '--devig-book <id>',
      'book, or model in the recording, whose prices are the fair ones; default: sharp books, else a consensus',
    )
    .option(
      '--commission <book=rate>',
      'commission of a book, such as betfair=0.02, as for serve; repeatable',
      merged(parseCommissions),
    )
    .option('--betfair-currency <code>', 'currency of your account at Betfair (default: GBP)', parsed(parseCurrency))
    .option(
      '--fx <currency=rate>',
      'value of one unit of a currency in US dollars, such as GBP=1.31; repeatable',
      merged(parseRates),
    )
    .option('--catalogue <dir>', 'directory with your files of the catalogue, as for serve')
    .addOption(
      new Option('--match <how>', 'how games of different books are matched, as for serve; default: names').choices(
        MATCHES,
      ),
    )
    .option(
      '--clv',
      'write closing line value as JSON in place of opportunities: whether the close confirmed the edges',
    )
    .addOption(
      new Option('--group-by <what>', 'with --clv: one sum for each of these')
        .choices(CLV_GROUPS)
        .default('sportsbook'),
    )
    .option('--results <file>', 'with --clv: file with the results of the games, as for overround results')
    .addHelpText(
      'after',
      examples([
        'overround backtest market.ndjson.gz --out found.ndjson',
        'overround backtest polls.ndjson --tier pro',
        'overround backtest polls.ndjson --devig-book mymodel',
        'overround backtest polls.ndjson --clv --group-by edge --results results.csv',
      ]),
    )
    .action((file: string, flags: BacktestFlags, command: Command) => {
      const without = flags.clv ? OPPORTUNITY_FLAGS : CLV_FLAGS;
      for (const [name, flag] of without)
        if (command.getOptionValueSource(name) === 'cli')
          throw new ConfigError(`--${flag} has no effect ${flags.clv ? 'with' : 'without'} --clv`);
      // Every edge counts there, unless another minimum is given.
      const least = flags.clv && command.getOptionValueSource('minEv') === 'default' ? { minEv: 0 } : {};
      const { out: _out, ...rest } = flags;
      return handlers.backtest(file, { ...rest, ...outOf(flags), ...least });
    });
}

/** Without a file: standard output. */
function outOf({ out }: { out?: string }): { out?: string } {
  return out === undefined || out === '-' ? {} : { out };
}

function addExport(program: Command, handlers: CommandHandlers): void {
  program
    .command('export')
    .description("write a data directory's price history to a file; a server may be using the directory")
    .requiredOption('--data <dir>', 'data directory')
    .requiredOption('--out <file>', 'file to write; - is standard output')
    .addOption(
      new Option('--format <format>', 'format of the file; default: by the end of its name').choices(EXPORT_FORMATS),
    )
    .option('--from <time>', 'changes from this time on: a day (UTC) or an RFC 3339 time; default: all')
    .option('--to <time>', 'changes up to this time, or to the end of this day; default: all')
    .option(
      '--league <ids>',
      'only these leagues, separated by commas or given several times, as in the next three; default: all',
      collectList,
    )
    .option('--sport <ids>', 'only these sports', collectList)
    .option('--sportsbook <ids>', 'only these books', collectList)
    .option('--market <types>', 'only these market types', collectList)
    .addHelpText('after', examples(['overround export --data ./data --out history.parquet --league nba']))
    .action((flags: ExportFlags) => handlers.export(flags));
}

function addBackup(program: Command, handlers: CommandHandlers): void {
  program
    .command('backup')
    .description('copy a data directory into a new one for serve --data; a server may be using it')
    .option('--data <dir>', 'data directory on this machine')
    .option('--url <url>', 'or the address of a server, also on another machine')
    .option('--key <key>', 'with --url: a key with the scope backup')
    .requiredOption('--out <dir>', 'directory for the copy: a new one, or an empty one')
    .addHelpText(
      'after',
      `
Prints {out, position, bytes}: everything that was acknowledged up to the position is in the copy. Without a whole copy
it ends with 1, and leaves nothing at --out.
${examples([
  'overround backup --data /var/lib/overround --out /var/backups/overround-$(date +%F)',
  'overround backup --url https://odds.example.com --key $KEY --out ./overround-$(date +%F)',
])}`,
    )
    .action((flags: BackupFlags) => handlers.backup(flags));
}

const SERVE_EXAMPLES = [
  'overround serve                                          (a simulated market, to try things out)',
  'overround serve --feed none --data ./prices              (what is pushed to POST /api/v1/ingest)',
  'overround serve --feed replay:market.ndjson.gz,speed=60,timestamps=shift',
  'overround serve --replay market.ndjson.gz --speed 60     (yesterday, on its own clock)',
  'overround serve --feed the-odds-api:sports=basketball_nba,regions=us,every=60   (key in THE_ODDS_API_KEY)',
];

function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

interface CreateFlags extends NewKey {
  feature?: string[];
  scope?: string[];
}

function addKeyCommands(keys: Command, context: ProgramContext): void {
  keys
    .command('create')
    .description('make a key and print it as JSON; it is shown only this once')
    .addOption(
      new Option('--tier <tier>', 'what the key may do (docs/reference/tiers.md)').choices(TIERS).makeOptionMandatory(),
    )
    .option('--name <name>', 'a name to recognise it by; default: the tier')
    .option('--account <id>', 'id of an account that has keys; default: a new account')
    .option('--streaming', 'with the streaming add-on: SSE and WebSocket')
    .option('--trial-hours <n>', 'streams for this many hours from now, in place of the add-on', number(0))
    .option('--feature <feature>', "a feature beyond the tier's own, such as low_hold; repeatable", collect)
    .option('--scope <scope>', 'a scope beside reading: ingest or backup; repeatable', collect)
    .option('--max-streams <n>', "open streams at once, in place of the tier's number", number(1))
    .option('--requests-per-minute <n>', "requests a minute, in place of the tier's number", number(1))
    .addHelpText('after', examples(['overround keys create --tier pro --name desk --streaming --scope ingest']))
    .action(({ feature = [], scope = [], ...flags }: CreateFlags, self: Command) =>
      createKey(keysContext(self, context), { ...pick(flags), features: feature, scopes: scope }),
    );
  keys
    .command('list')
    .description('print every key, masked, one JSON object a line')
    .action((_flags, self: Command) => listKeys(keysContext(self, context)));
  keys
    .command('revoke <id>')
    .description('end a key at once, by its id')
    .action((id: string, _flags, self: Command) => revokeKey(keysContext(self, context), id));
  // After the options of each: whose keys they are is mostly known.
  for (const made of keys.commands) {
    addSettings(made, KEYS_SETTINGS);
    made.addHelpText('after', CLUSTER_ACCESS);
  }
}

const CLUSTER_ACCESS =
  '\nWith --cluster: NATS_USER and NATS_PASSWORD, or NATS_CREDS, from the environment, as for serve.\n';

/** Commander's options include the settings. */
function pick(flags: NewKey): NewKey {
  const { tier, name, account, streaming, trialHours, maxStreams, requestsPerMinute } = flags;
  return { tier, ...present({ name, account, streaming, trialHours, maxStreams, requestsPerMinute }) };
}

function keysContext(command: Command, { env, clock, out, err }: ProgramContext): KeysContext {
  const known = Object.fromEntries(KEYS_SETTINGS.map((setting) => [setting.env, env[setting.env]]));
  return {
    config: parseConfig(settingsOf(command), known),
    clock,
    print: (line) => out(`${line}\n`),
    note: (line) => err(`overround: ${line}\n`),
  };
}

/** A parser of settings as a parser of options. */
function parsed<Value>(parse: (text: string) => Value): (text: string) => Value {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(`It must be ${(error as Error).message}.`);
    }
  };
}

/** The same for an option that may be given several times. */
function merged<Values extends object>(parse: (text: string) => Values): (text: string, before?: Values) => Values {
  return (text, before) => ({ ...before, ...parsed(parse)(text) }) as Values;
}

// What `overround` alone prints: how to begin.

/** @param command as it can be typed here: `overround`, or `npx overround` */
function howToBegin(command: string, version: string): string {
  return `overround ${version}: a real-time sports odds engine

  ${command} serve
      a simulated market with moving prices; prints keys and lines to try
  ${command} serve --feed polymarket --feed kalshi
      real odds of two venues, without an account
  ${command} keys create --tier enterprise --streaming
      a key for real odds, while the server runs or before

Then open http://127.0.0.1:8080/dashboard, or http://127.0.0.1:8080/docs, whose first page takes ten minutes.
${command} --help lists all commands and settings.
`;
}

function addImport(program: Command, run: (paths: readonly string[], flags: ImportFlags) => Promise<void>): void {
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

/** @param run resolves to the exit code */
function addSimulate(
  program: Command,
  run: (file: string, command: readonly string[], flags: SimulateFlags, settings: FlagValues) => Promise<number>,
): void {
  const simulate = program
    .command('simulate <file> <command...>')
    .description('run a program against a recording served on its own clock, and report what its paper bets made')
    .option(
      '--results <file>',
      'file with the results of the games, as for overround results; default: those in the recording',
    )
    .option('--bankroll <amount>', 'what the account begins with, US dollars', amount, 10_000)
    .option('--speed <n>', 'recorded seconds per second, or max (default: max)')
    .option('--lockstep', 'time moves only by steps of the command (POST /api/v1/replay): two runs are the same')
    .option('--json', 'print the report as JSON')
    .option('--html <file>', 'write a page with the profit curve, too')
    .addHelpText(
      'after',
      '\nThe command has OVERROUND_URL and OVERROUND_KEY in its environment; what it prints goes to standard error.\n' +
        '\nExamples:\n' +
        '  overround simulate night.ndjson.gz --results night.csv -- node bot.js\n' +
        '  overround simulate night.ndjson.gz --json --html report.html -- python3 bot.py\n',
    )
    .action(async (file: string, command: string[], flags: SimulateFlags, self: Command) => {
      if (flags.lockstep && flags.speed !== undefined) throw new ConfigError('--speed has no effect with --lockstep');
      const code = await run(file, command, flags, settingsOf(self, SIMULATE_SETTINGS));
      if (code !== 0) throw new CommanderError(code, 'overround.simulate', '');
    });
  addSettings(simulate, SIMULATE_SETTINGS);
}

function amount(value: string): number {
  const amount = /^\d{1,9}(\.\d{1,2})?$/.test(value) ? Number(value) : Number.NaN;
  if (!(amount > 0)) throw new InvalidArgumentError('It must be an amount above 0.');
  return amount;
}

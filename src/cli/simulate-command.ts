// The command `simulate` and its flags.
import { type Command, CommanderError, InvalidArgumentError } from 'commander';
import { ConfigError, type FlagValues } from '../config/config.js';
import { addSettings, SIMULATE_SETTINGS, settingsOf } from './setting-options.js';
import type { SimulateFlags } from './simulate.js';

/** @param run resolves to the exit code */
export function addSimulate(
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

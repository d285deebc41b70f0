// Settings of the table in config/settings.ts as options of commands.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, described, type FlagValues, SETTINGS, type Setting } from '../config/config.js';

function settingsNamed(...names: (keyof Config)[]): readonly Setting[] {
  return SETTINGS.filter(({ name }) => (names as string[]).includes(name));
}

/** Those of `record`, which has feeds and neither a table nor a server. */
export const RECORD_SETTINGS = settingsNamed('feeds', 'depth', 'catalogueDir', 'logLevel');

/** What a simulated server has in common with `serve`: what its prices, edges, bets and results depend on. */
export const SIMULATE_SETTINGS = settingsNamed(
  'catalogueDir',
  'commissions',
  'currencies',
  'rates',
  'match',
  'betDelays',
  'paperMax',
  'historyDays',
  'historyBytesMax',
  'resultSources',
);

/** Of the data directory and the cluster: a server's bad PORT must not stop the commands for keys. */
export const KEYS_SETTINGS = settingsNamed(
  'dataDir',
  'cluster',
  'clusterName',
  'natsCreds',
  'natsUser',
  'natsPassword',
);

export function addSettings(command: Command, settings: readonly Setting[]): void {
  for (const setting of settings) {
    if (setting.flag === undefined) continue;
    const preset = setting.default ? `, default: ${setting.default}` : '';
    const about = `${described(setting)} (environment: ${setting.env}${preset})`;
    const option = new Option(
      setting.bare === undefined ? `--${setting.flag} <value>` : `--${setting.flag} [value]`,
      about,
    );
    if (setting.bare !== undefined) option.preset(setting.bare);
    if (setting.repeatable) option.argParser(collect);
    // The whole table follows the help of serve anyway.
    if (settings === SETTINGS) option.hideHelp();
    command.addOption(option);
  }
}

/** Those that the command line gives. */
export function settingsOf(command: Command, settings: readonly Setting[] = SETTINGS): FlagValues {
  const options = command.opts<Record<string, string | string[] | undefined>>();
  const values: Record<string, string | string[] | undefined> = {};
  for (const { flag } of settings) {
    if (flag === undefined) continue;
    const value = options[new Option(`--${flag} <value>`).attributeName()];
    if (value !== undefined) values[flag] = value;
  }
  return values;
}

/** Of a list separated by commas that may be given several times: all its values. Throws if it is given without any. */
export function collectList(value: string, before: string[] | undefined): string[] {
  const names = value.split(',').flatMap((id) => id.trim() || []);
  if (names.length === 0) throw new InvalidArgumentError('It must name at least one.');
  return [...(before ?? []), ...names];
}

export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** For ports and positions. */
export function wholeNumber(most: number): (value: string) => number {
  return (value) => {
    const parsed = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (parsed <= most) return parsed;
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
  };
}

/** @param least none by default */
export function number(least?: number): (value: string) => number {
  return (value) => {
    const parsed = /^[+-]?\d{1,16}(\.\d{1,12})?$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= (least ?? Number.NEGATIVE_INFINITY)) return parsed;
    throw new InvalidArgumentError(`It must be a number${least === undefined ? '' : ` from ${least} up`}.`);
  };
}

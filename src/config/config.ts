// The one table of settings. The checks, the command's options, --help and docs/reference/configuration.md are all made from it.
// Pure: flags and environment are passed in. A flag beats the environment, which beats the default.
import { availableParallelism } from 'node:os';
import { ConfigError, type FlagValues, readSettings, type Setting, type ValuesOf } from './setting.js';
import {
  ALERTS_SETTINGS,
  BETS_SETTINGS,
  FEEDS_SETTINGS,
  HISTORY_SETTINGS,
  isSimulated,
  OPERATOR_SETTINGS,
  PROCESSES_SETTINGS,
  REPLAY_SETTINGS,
  SERVING_SETTINGS,
  STORE_SETTINGS,
  withKindDefaults,
} from './settings.js';

export { ConfigError, type FlagValues, type Setting } from './setting.js';

/** In the order in which they are shown: what most servers set comes first. */
const SETTING_GROUPS = [
  { title: 'Where odds come from', settings: FEEDS_SETTINGS },
  { title: 'Address and connections', settings: SERVING_SETTINGS },
  { title: 'Data directory, threads and log', settings: STORE_SETTINGS },
  { title: 'Books, commissions and currencies', settings: OPERATOR_SETTINGS },
  { title: 'History and results', settings: HISTORY_SETTINGS },
  { title: 'Bets on paper', settings: BETS_SETTINGS },
  { title: 'Alerts', settings: ALERTS_SETTINGS },
  { title: 'Serving a recording', settings: REPLAY_SETTINGS },
  { title: 'Several processes', settings: PROCESSES_SETTINGS },
] as const;
const FEEDS_TITLE = 'Accounts and addresses of feeds';

type AnySetting = (typeof SETTING_GROUPS)[number]['settings'][number];

export const SETTINGS: readonly Setting[] = SETTING_GROUPS.flatMap(({ settings }): Setting[] => [...settings]);

/** The names of settings, and what has none. */
export type Config = ValuesOf<readonly AnySetting[]> & {
  dataDir: string;
  /** False if nothing was given: then the directory depends on the odds (withKindDefaults). */
  dataDirGiven: boolean;
  /** Number of shard threads. */
  workers: number;
  /** Time of a recording stands until it is resumed. */
  replayPaused?: boolean;
};

/** Checks every setting. Throws ConfigError for an unknown flag, a bad value, or a setting that would have no effect. */
export function parseConfig(
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
  cores: number = availableParallelism(),
): Config {
  const known = new Set<string>(SETTINGS.flatMap((entry) => (entry.flag === undefined ? [] : [entry.flag])));
  for (const name of Object.keys(flags)) {
    if (!known.has(name)) throw new ConfigError(`unknown setting --${name} (overround --help lists them)`);
  }
  const { values, given } = readSettings<readonly AnySetting[]>(SETTINGS as readonly AnySetting[], flags, env);
  const usual = { dataDir: '', dataDirGiven: values.dataDir !== undefined, workers: Math.max(1, cores - 1) };
  const complete: Config = { ...usual, ...values };
  checkCluster(complete, flags);
  if (complete.replay !== undefined) return replayConfig(complete, given);
  for (const name of OF_REPLAY) if (given.has(name)) throw new ConfigError(`${shownName(name)} needs --replay`);
  return withKindDefaults(complete, complete.feeds.some(isSimulated));
}

const OF_REPLAY = ['replaySpeed', 'replayFrom', 'replayResults', 'lockstep'] as const;
const NOT_OF_REPLAY = ['feeds', 'fronts', 'cluster'] as const;

function shownName(name: keyof Config): string {
  return `--${SETTINGS.find((entry) => entry.name === name)!.flag}`;
}

/** A recording is the only source, and one shard commits its polls in their order unless more are wanted. */
function replayConfig(config: Config, given: ReadonlySet<string>): Config {
  for (const name of NOT_OF_REPLAY)
    if (given.has(name)) throw new ConfigError(`${shownName(name)} has no effect with --replay`);
  if (config.lockstep && given.has('replaySpeed')) throw new ConfigError('--speed has no effect with --lockstep');
  if (config.lockstep && given.has('workers') && config.workers > 1)
    throw new ConfigError('--lockstep needs --workers 1: several shards have no fixed order');
  return { ...config, feeds: ['none'], workers: given.has('workers') ? config.workers : 1 };
}

/** What only means something in a cluster must not be passed over where there is none. */
function checkCluster({ cluster, role }: Config, flags: FlagValues): void {
  if (cluster.length > 0) return;
  if (role !== 'all')
    throw new ConfigError(`--role ${role} (ROLE) needs --cluster: a process alone is engine and front at once`);
  if (flags['cluster-name'] !== undefined) throw new ConfigError('--cluster-name needs --cluster');
}

/** How a setting is shown. */
export type ShownSetting = Pick<Setting, 'flag' | 'env' | 'default' | 'unit' | 'description'>;

/**
 * The settings as Markdown tables, for docs/reference/configuration.md.
 * @param ofFeeds those of feeds
 */
export function settingsTable(ofFeeds: readonly ShownSetting[]): string {
  return shownGroups(ofFeeds)
    .map(({ title, settings }) => {
      const rows = settings.map((entry) => {
        const flag = entry.flag === undefined ? '' : `\`--${entry.flag}\``;
        const preset = entry.default ? `\`${entry.default}\`` : '';
        return `| ${flag} | \`${entry.env}\` | ${preset} | ${described(entry)} |`;
      });
      const head = ['| flag | environment | default | meaning |', '| --- | --- | --- | --- |'];
      return [`### ${title}`, '', ...head, ...rows, ''].join('\n');
    })
    .join('\n');
}

/** The settings for --help: one line each. */
export function settingsHelp(ofFeeds: readonly ShownSetting[]): string {
  const groups = shownGroups(ofFeeds).map(({ title, settings }) => `${title}:\n${settingLines(settings)}`);
  return [
    'Settings of serve (flag, environment variable, meaning, [default]). A flag takes precedence over the variable.\n',
    ...groups,
  ].join('\n');
}

/** One line for each setting. */
export function settingLines(settings: readonly ShownSetting[]): string {
  const lines = settings.map((entry) => {
    const flag = entry.flag === undefined ? '' : `--${entry.flag}`;
    const preset = entry.default ? ` [${entry.default}]` : '';
    return `  ${flag.padEnd(26)} ${entry.env.padEnd(24)} ${described(entry)}${preset}\n`;
  });
  return lines.join('');
}

/** The meaning, with the unit. */
export function described({ description, unit }: ShownSetting): string {
  return unit === undefined ? description : `${description} (${unit})`;
}

function shownGroups(ofFeeds: readonly ShownSetting[]): { title: string; settings: readonly ShownSetting[] }[] {
  const further = ofFeeds.length === 0 ? [] : [{ title: FEEDS_TITLE, settings: ofFeeds }];
  return [...SETTING_GROUPS, ...further];
}

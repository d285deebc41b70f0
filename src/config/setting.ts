// What a setting is, and the error of a bad one.

/** A bad setting: its message is the one line with which the start fails. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

interface SettingOf<Group, Name extends keyof Group> {
  name: Name;
  /** Without the dashes; undefined for what may only come from the environment (secrets). */
  flag?: string;
  env: string;
  /** As shown; undefined if there is none. */
  default?: string;
  unit?: string;
  description: string;
  repeatable?: true;
  /** Its value where the flag has none. */
  bare?: string;
  /** Parses the text, or throws an Error that completes the sentence "… must be". */
  parse(text: string): Group[Name];
}

/** A setting of a group, with its name and its value separate. */
export type Setting<Group> = { [Name in keyof Group]-?: SettingOf<Group, Name> }[keyof Group];

/** A setting whose name and value are told by itself. */
export type OwnSetting = SettingOf<Record<string, unknown>, string>;

/** What the settings of a list may be: those without a default may be absent. */
export type ValuesOf<List extends readonly OwnSetting[]> = {
  [Each in List[number] as Each extends { default: string } ? Each['name'] : never]: ReturnType<Each['parse']>;
} & {
  [Each in List[number] as Each extends { default: string } ? never : Each['name']]?: ReturnType<Each['parse']>;
};

/** The parsed flags: by name, an array for repeatable ones. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/**
 * The values of settings: a flag beats the environment, which beats the default. An empty environment variable counts
 * as not set; an empty flag does not. Throws ConfigError for a bad value.
 */
export function readSettings<Group>(
  settings: readonly Setting<Group>[],
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
): { values: Partial<Group>; given: ReadonlySet<keyof Group> } {
  const values: Partial<Group> = {};
  const given = new Set<keyof Group>();
  for (const entry of settings) {
    const flag = entry.flag === undefined ? undefined : flagText(entry.flag, flags[entry.flag]);
    const stated = flag ?? (env[entry.env] || undefined);
    if (stated !== undefined) given.add(entry.name);
    const value = stated ?? entry.default;
    if (value === undefined) continue;
    try {
      values[entry.name] = entry.parse(value);
    } catch (error) {
      const source = flag === undefined ? entry.env : `--${entry.flag}`;
      // A secret that is merely mistyped must not end up in a log.
      const shown = entry.flag === undefined ? '' : `, not "${value}"`;
      throw new ConfigError(`${source} must be ${(error as Error).message}${shown}`);
    }
  }
  return { values, given };
}

function flagText(flag: string, given: FlagValues[string]): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'boolean') throw new ConfigError(`--${flag} needs a value`);
  if (typeof given === 'string') return given;
  return given.length === 0 ? undefined : given.join(';');
}

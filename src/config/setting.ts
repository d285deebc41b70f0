// What a setting is, and the error of a bad one.

/** A bad setting: its message is the one line with which the start fails. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

export interface Setting {
  name: string;
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
  parse(text: string): unknown;
}

/** What the settings of a list may be: those without a default may be absent. */
export type ValuesOf<List extends readonly Setting[]> = {
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
export function readSettings<List extends readonly Setting[]>(
  settings: List,
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
): { values: ValuesOf<List>; given: ReadonlySet<string> } {
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
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
  return { values: values as ValuesOf<List>, given };
}

function flagText(flag: string, given: FlagValues[string]): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'boolean') throw new ConfigError(`--${flag} needs a value`);
  if (typeof given === 'string') return given;
  return given.length === 0 ? undefined : given.join(';');
}

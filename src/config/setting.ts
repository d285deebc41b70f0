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

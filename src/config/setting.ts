// What a setting is, and the error of a bad one.

/** A bad setting: its message is the one line the start ends with. */
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
  /** As shown; undefined where there is none. */
  default?: string;
  unit?: string;
  description: string;
  repeatable?: true;
  /** Turns the text into the value, or throws an Error that ends the sentence "… must be". */
  parse(text: string): Group[Name];
}

/** A setting of a group, its name and its value told apart. */
export type Setting<Group> = { [Name in keyof Group]-?: SettingOf<Group, Name> }[keyof Group];

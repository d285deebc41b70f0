// Settings of the feed opticodds: addresses and keys.
import { httpUrl, word } from '../../config/parsers.js';
import type { Setting } from '../../config/setting.js';

export interface OpticOddsSettings {
  opticOddsUrl: string;
  opticOddsKey?: string;
}

export const OPTICODDS_SETTINGS: readonly Setting<OpticOddsSettings>[] = [
  {
    name: 'opticOddsUrl',
    env: 'OPTICODDS_URL',
    default: 'https://api.opticodds.com',
    description: 'URL of OpticOdds, with or without /api/v3',
    parse: httpUrl,
  },
  {
    name: 'opticOddsKey',
    env: 'OPTICODDS_KEY',
    description: 'key for the feed opticodds',
    parse: word('a key without blanks'),
  },
];

// The formats of files there are, in the order in which they are tried.
import type { SourceFile } from '../files/sources.js';
import { headOfTable } from '../files/table.js';
import { betfair } from './betfair/format.js';
import { csv } from './csv/format.js';
import { footballData } from './football-data/format.js';
import type { Beginning, FileFormat } from './format.js';
import { nflverse } from './nflverse/format.js';
import { oddsApi } from './odds-api/format.js';
import { oddsharvester } from './oddsharvester/format.js';
import { tennisData } from './tennis-data/format.js';

export const FORMATS: readonly FileFormat[] = [
  footballData,
  tennisData,
  oddsharvester,
  oddsApi,
  betfair,
  nflverse,
  csv,
];

/** A line of a recording of this program, of polls of The Odds API beside their times, or of an export of history. */
const OWN = /"polled_at"\s*:|"is_prematch"\s*:|"last_updated"\s*:/;

export function beginningOf({ head }: SourceFile): Beginning {
  const text = head.toString();
  return { text, table: headOfTable(text) };
}

/** Undefined for what this program wrote, and for what nothing recognises. */
export function formatOf(beginning: Beginning): FileFormat | undefined {
  if (isRecording(beginning)) return undefined;
  return FORMATS.find((format) => format.recognises(beginning));
}

/** Whether a line of it is one of a recording, or of results. */
export function isRecording({ text, table }: Beginning): boolean {
  if (table !== undefined) return false;
  const first = text.trimStart().split('\n', 1)[0]!;
  return first.startsWith('{') && OWN.test(first);
}

const SHOWN = 60;

/** Why a file is not read, in one line. */
export function unrecognised(name: string, { text, table }: Beginning): string {
  if (isRecording({ text, table })) return `${name} is a recording already: it can be used as it is`;
  const known = `it is none of ${FORMATS.map((format) => format.name).join(', ')}, and no recording`;
  return `${name} is not recognised: ${known}; it looks like ${looksLike(text, table)}`;
}

function looksLike(text: string, table: Beginning['table']): string {
  const begins = text.trim().slice(0, SHOWN).replace(/\s+/g, ' ');
  if (begins === '') return 'an empty file';
  if (text.includes('\0')) return 'a binary file';
  if (/^<(?:!doctype|html)/i.test(begins)) return 'a web page';
  if (/^[[{]/.test(begins)) return `JSON that begins with ${begins}`;
  if (table === undefined) return `a text that begins with ${begins}`;
  const { columns } = table;
  const shown = columns.slice(0, 12).join(', ');
  const more = columns.length > 12 ? `, … (${columns.length})` : '';
  return `a table with the columns ${shown}${more}: overround import --map says which of ours they are`;
}

// A recorded market of two runners. A stream has no names: here its definitions have some, as those of historic files do.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { newFolder } from '../../../temp-folders.js';

const PATH = resolve('../shared/data/betfair_stream/flumine_1.200806927.gz');

/** In order of priority: at home, away. */
export const RUNNERS = [228749, 2857977] as const;
export const isRecorded = existsSync(PATH);

/** Its messages, one each. */
export function recordedLines(): string[] {
  const text = gunzipSync(readFileSync(PATH)).toString('utf8').trim();
  return RUNNERS.reduce((all, id) => all.replaceAll(`"id":${id}}`, `"id":${id},"name":"Side ${id}"}`), text).split(
    '\n',
  );
}

/** Writes these as a file of their own. */
export function recordedFile(lines: readonly string[]): string {
  const path = join(newFolder('overround-recorded-'), 'stream');
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

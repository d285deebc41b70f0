// Files of results: every field that a result may have, as NDJSON and as a table.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readResultFile } from '../../../src/feeds/replay/result-file.js';
import { newFolder } from '../../temp-folders.js';

const PARTS = [{ part: 'set_3', home_score: 10, away_score: 7, tie_break: true, final: true }];
const GAME = { league: 'atp', home_team: 'A', away_team: 'B', start_time: '2026-06-01T12:00:00Z', status: 'final' };
const RESULT = { ...GAME, home_score: 2, away_score: 1, ended: 'retired', winner: 'home', advanced: 'home', innings: 4.5, parts: PARTS }; // biome-ignore format: one result

test('a table says of a result what a line of JSON says', async () => {
  const dir = newFolder('overround-result-file-');
  const cell = (value: unknown): string =>
    typeof value === 'object' ? `"${JSON.stringify(value).replaceAll('"', '""')}"` : String(value);
  const csv = join(dir, 'results.csv');
  writeFileSync(csv, `${Object.keys(RESULT).join(',')},source\n${Object.values(RESULT).map(cell).join(',')},tour\n`);
  const ndjson = join(dir, 'results.ndjson');
  writeFileSync(ndjson, `${JSON.stringify({ source: 'tour', ...RESULT })}\n`);
  for (const file of [csv, ndjson]) {
    const read: unknown[] = [];
    const bad = (line: number, reason: string) => assert.fail(`${file}:${line}: ${reason}`);
    for await (const { message } of readResultFile(file, bad)) read.push(message);
    assert.deepEqual(read, [{ source: 'tour', results: [RESULT] }], file);
  }
});

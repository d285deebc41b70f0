// Files of results: every field that a result may have, as NDJSON and as a table.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readResultFile } from '../../../../src/intake/feeds/replay/result-file.js';
import { newFolder } from '../../../temp-folders.js';

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

async function read(csv: string | Buffer): Promise<{ messages: unknown[]; bad: [number, string][] }> {
  const file = join(newFolder('overround-result-file-'), 'results.csv');
  writeFileSync(file, csv);
  const messages: unknown[] = [];
  const bad: [number, string][] = [];
  for await (const { message } of readResultFile(file, (line, reason) => bad.push([line, reason])))
    messages.push(message);
  return { messages, bad };
}

test('a table of a spreadsheet in any country is read: semicolons or tabs, decimal commas, a byte order mark', async () => {
  const game = { league: 'mlb', home_team: 'A', away_team: 'B', status: 'final' };
  const expected = [{ results: [{ ...game, home_score: 3, away_score: 1, innings: 4.5, stats: { hits: [1, 2] } }] }];
  for (const separator of [';', '\t']) {
    const head = 'league,home_team,away_team,status,home_score,away_score,innings,stats'.replaceAll(',', separator);
    const values = ['mlb', 'A', '"B"', 'final', '3', '1', '4,5', '"{""hits"":[1,2]}"'].join(separator);
    for (const begin of ['', '\ufeff', '\ufeff\r\n'])
      assert.deepEqual(await read(`${begin}${head}\r\n${values}\r\n`), { messages: expected, bad: [] });
  }
});

test('what cannot be read of a table is told by line, and the rest is read', async () => {
  const head = 'league,home_team,away_team,status,home_score,away_score,stats';
  const good = 'mlb,A,B,final,3,1,';
  const lines = [head, good, 'mlb,A,B,final,three,1,', 'mlb,A,B', 'mlb,A,B,final,3,1,{', 'mlb,A,B,,3,1,', good];
  const { messages, bad } = await read(lines.join('\n'));
  assert.equal(messages.length, 2);
  assert.deepEqual(
    bad.sort(([a], [b]) => a - b).map(([line, reason]) => `${line} ${reason.slice(0, 21)}`),
    ['3 home_score is not a n', '4 Invalid Record Length', '5 stats is not JSON', '6 no status'].map((each) =>
      each.slice(0, 23),
    ),
  );
  const strange = await read('a|b|status\n1|2|final\n');
  assert.match(
    strange.bad[0]![1],
    /no column status beside league, .*, separated by a comma, semicolon or tab: a\|b\|status/,
  );
  assert.equal(strange.bad.length, 1);
  const wide = await read(Buffer.from(`\ufeff${head}\n${good}\n`, 'utf16le'));
  assert.deepEqual([wide.messages.length, wide.bad], [1, []]);
});

// The cells of examples/season.ipynb, in order, over a season made here: without Jupyter they print and draw the same.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { newFolder } from './temp-folders.js';

interface Notebook {
  cells: { cell_type: string; source: string[]; outputs?: unknown[] }[];
}

const skip = spawnSync('python3', ['--version']).status === 0 ? false : 'Python is missing';
const TEAMS = ['Arsenal', 'Chelsea', 'Liverpool', 'Everton', 'Man City', 'Man United', 'Tottenham', 'Fulham'];

/** Prices of two books whose opinions move until the close, and results as the closing one has them. */
function season(): string {
  let state = 7;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const moved = (fair: readonly number[]): number[] => {
    const raw = fair.map((each) => each * (0.88 + 0.24 * random()));
    const sum = raw.reduce((a, b) => a + b, 0);
    return raw.map((each) => each / sum);
  };
  const prices = (fair: readonly number[], margin: number): string[] =>
    fair.map((each) => (1 / (each * margin)).toFixed(2));
  const lines = ['Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,B365H,B365D,B365A,PSH,PSD,PSA,PSCH,PSCD,PSCA'];
  for (let week = 0; week < 12; week++)
    for (let game = 0; game < TEAMS.length / 2; game++) {
      const day = new Date(Date.UTC(2025, 7, 16 + 7 * week)).toISOString().slice(0, 10).split('-').reverse().join('/');
      const teams = [TEAMS[(game + week) % 4]!, TEAMS[4 + ((game * 3 + week) % 4)]!];
      const home = 0.3 + 0.25 * random();
      const open = [home, 0.27, 0.73 - home];
      const close = moved(open);
      const draw = random();
      const result =
        draw < close[0]! ? ['2', '0', 'H'] : draw < close[0]! + close[1]! ? ['1', '1', 'D'] : ['0', '1', 'A'];
      const book = prices(moved(open), 1.01);
      lines.push(
        ['E0', day, '15:00', ...teams, ...result, ...book, ...prices(open, 1.02), ...prices(close, 1.02)].join(','),
      );
    }
  return `${lines.join('\n')}\n`;
}

test('the notebook of a season imports it, grades it, and draws CLV against profit', { skip }, () => {
  const { cells } = JSON.parse(readFileSync('examples/season.ipynb', 'utf8')) as Notebook;
  assert.ok(
    cells.every(({ outputs = [] }) => outputs.length === 0),
    'no output is kept in it',
  );
  const program = cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
  const dir = newFolder('overround-season-');
  writeFileSync(join(dir, 'E0.csv'), season());
  const env = { ...process.env, OVERROUND: `${process.execPath} ${resolve('dist/src/main.js')}` };
  const shown = execFileSync('python3', ['-c', program.join('\n')], { cwd: dir, env, encoding: 'utf8' });
  assert.match(shown, /^48 games, \d{3} prices, 48 results$/m);
  const bets = [...shown.matchAll(/^ +\S+% +(\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  assert.ok(bets > 20, shown);
  assert.match(shown, /^\d+ days; closing line value [+-]\d+\.\d\d units, profit [+-]\d+\.\d\d units$/m);
  const drawing = readFileSync(join(dir, 'season.svg'), 'utf8');
  assert.equal([...drawing.matchAll(/<polyline points="[\d., -]{20,}"/g)].length, 2);
});

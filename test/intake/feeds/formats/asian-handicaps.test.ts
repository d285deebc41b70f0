// A season of football-data.co.uk: every Asian handicap of its columns is there, and pays what its line and the score make of it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import type { GameResult } from '../../../../src/base/model/result.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { gradeBet } from '../../../../src/rules/grading/grade.js';
import { returnsOf } from '../../../../src/rules/grading/returns.js';
import { readFolder } from './reading.js';

const SEASON = resolve('../shared/data/soccer/2025-26_E0.csv');
const catalogue = loadCatalogue();
const { types, houseRules } = catalogue;
const resolveTeam = (name: string): string => catalogue.resolveTeam('epl', name).token;
/** Their columns of Asian handicaps, by book. */
const COLUMNS = { bet365: 'B365', pinnacle: 'P', betfair: 'BFE' };

/** What comes back of a stake of 1: half of it is on each of the two lines beside a quarter line. */
function paid(margin: number, line: number, decimal: number): number {
  const halves = Number.isInteger(line * 2) ? [line, line] : [line - 0.25, line + 0.25];
  return halves.reduce((sum, half) => {
    const ahead = margin + half;
    return sum + (ahead > 0 ? decimal : ahead === 0 ? 1 : 0) / 2;
  }, 0);
}

const skip = !existsSync(SEASON) && `${SEASON} is missing`;

test('Asian handicaps of a season are graded as their columns and scores say', { skip }, async () => {
  const text = readFileSync(SEASON, 'utf8').replace(/^\uFEFF/, '');
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const names = head.split(',');
  const { messages, leftOut } = await readFolder({ 'season.csv': text });
  assert.deepEqual(
    leftOut.filter((reason) => !reason.includes("nobody's prices")),
    [],
  );
  const handicaps = handicapsOf(messages);
  let graded = 0;
  const seen = new Set<string>();
  for (const line of lines) {
    const cells = line.split(',');
    const cell = (name: string): string => cells[names.indexOf(name)] ?? '';
    const game = `${resolveTeam(cell('HomeTeam'))} ${resolveTeam(cell('AwayTeam'))}`;
    const [home, away] = [Number(cell('FTHG')), Number(cell('FTAG'))];
    const result: GameResult = {
      status: 'final',
      score: { home, away },
      parts: [],
      regulation: null,
      stats: {},
      players: {},
    };
    for (const [book, column] of Object.entries(COLUMNS))
      for (const closing of ['', 'C'])
        for (const side of ['home', 'away'] as const) {
          const decimal = Number(cell(`${column}${closing}AH${side === 'home' ? 'H' : 'A'}`));
          const stated = Number(cell(`AH${closing}h`));
          if (!(decimal > 1)) continue;
          const own = side === 'home' ? stated : 0 - stated;
          const key = `${book} ${game} ${side}`;
          assert.ok(handicaps.get(key)?.has(`${own} ${decimal}`), `${key} ${own} ${decimal}`);
          const question = {
            rules: types.of('point_spread', 'soccer', 'epl'),
            sport: 'soccer',
            selection: side,
            line: own,
            team: null,
            player: null,
            threeWay: false,
            house: houseRules.of(book, 'soccer', 'epl'),
          };
          const grade = gradeBet(question, result, false);
          const margin = side === 'home' ? home - away : away - home;
          const back = returnsOf(grade, decimal, 1).return_units ?? Number.NaN;
          assert.ok(Math.abs(back - paid(margin, own, decimal)) < 1e-6, `${key} ${own}: ${grade.result} ${back}`);
          seen.add(grade.result);
          graded++;
        }
  }
  assert.ok(graded > 800, `${graded} handicaps`);
  assert.deepEqual([...seen].sort(), ['half_lost', 'half_won', 'lost', 'push', 'won']);
});

/** `line price` by book, game and side. */
function handicapsOf(messages: readonly IngestMessage[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { book, events = [] } of messages)
    for (const { home_team = '', away_team = '', markets } of events)
      for (const { market_type, selections = [] } of markets) {
        if (market_type !== 'point_spread') continue;
        for (const { selection_type, line, odds_decimal } of selections) {
          const key = `${book} ${resolveTeam(home_team)} ${resolveTeam(away_team)} ${selection_type}`;
          found.set(key, (found.get(key) ?? new Set()).add(`${Number(line) + 0} ${odds_decimal}`));
        }
      }
  return found;
}

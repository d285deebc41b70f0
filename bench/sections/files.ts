// How many prices a second files that others wrote become a recording: a table of one price a row, and one with all prices
// of a game in a row.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../src/base/model/clock.js';
import { importFiles } from '../../src/cli/import.js';
import type { Bench, Section } from '../bench.js';
import { median } from '../statistics.js';

const PRICES_PER_SECOND = 100_000;
const BOOKS = ['draftkings', 'fanduel', 'pinnacle'];
const BEGIN_MS = Date.UTC(2026, 10, 1);
const LETTERS = ['B365', 'BW', 'PS', 'WH', 'LB', 'VC'];

export const files: Section = {
  name: 'files',
  about: 'files that others wrote, imported as a recording',
  underLoad: false,
  run: async (bench) => {
    const prices = bench.full ? 1_000_000 : 200_000;
    const tables = [
      ['a row a price', priceRows(prices)],
      ['a row a game', gameRows(prices)],
    ] as const;
    for (const [name, text] of tables) await measure(bench, name, text);
  },
};

async function measure(bench: Bench, name: string, text: string): Promise<void> {
  const file = join(bench.folder, 'prices.csv');
  const out = join(bench.folder, 'prices.ndjson');
  writeFileSync(file, text);
  const rates: number[] = [];
  for (let round = 0; round < 3; round++) {
    let said = '';
    const begun = monotonicMs();
    const note = (line: string): void => {
      said += line;
    };
    await importFiles([file], { out, json: true }, { out: note, terminal: undefined });
    const { prices } = JSON.parse(said) as { prices: number };
    rates.push(prices / ((monotonicMs() - begun) / 1_000));
  }
  bench.figure(`a price imported, ${name}`, 1e6 / median(rates), 'us', 1e6 / PRICES_PER_SECOND);
}

/** Both sides of a game at three books, every ten minutes. */
function priceRows(prices: number): string {
  const head = 'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection,odds_decimal';
  const rows = [head];
  for (let i = 0; rows.length <= prices; i++) {
    const [home, away] = [`Home ${i % 500}`, `Away ${i % 500}`];
    const at = new Date(BEGIN_MS + Math.floor(i / 1_500) * 600_000).toISOString();
    const of = `${at},${BOOKS[i % 3]},nba,${home},${away},2026-12-24T00:30:00Z,moneyline`;
    rows.push(`${of},${home},${(1.5 + (i % 97) / 100).toFixed(2)}`, `${of},${away},${(2 + (i % 89) / 100).toFixed(2)}`);
  }
  return rows.join('\n');
}

/** First and closing prices of six bookmakers. */
function gameRows(prices: number): string {
  const columns = ['', 'C'].flatMap((close) =>
    LETTERS.flatMap((of) => ['H', 'D', 'A'].map((side) => of + close + side)),
  );
  const rows = [`Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,${columns.join(',')}`];
  for (let i = 0; i < prices / columns.length; i++) {
    const day = new Date(BEGIN_MS + Math.floor(i / 50) * 86_400_000).toISOString().slice(0, 10);
    const cells = columns.map((_column, at) => (1.5 + ((i + at) % 300) / 100).toFixed(2));
    rows.push(`E0,${day.split('-').reverse().join('/')},15:00,Home ${i % 50},Away ${i % 50},2,1,${cells.join(',')}`);
  }
  return rows.join('\n');
}

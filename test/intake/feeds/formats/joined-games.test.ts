// `import --match roster`: a game that files name in two ways has one name in the recording.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Imported, importFiles } from '../../../../src/cli/import.js';
import { newFolder } from '../../../temp-folders.js';

const HEAD = 'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,odds_decimal';
const row = (book: string, home: string, away: string, start = '2026-11-21T15:00:00Z') =>
  `2026-11-20T12:00:00Z,${book},epl,${home},${away},${start},moneyline,home,2.1`;

test('a game of a known team that begins when another does has its names; the report says so', async () => {
  const folder = newFolder('overround-roster-');
  const [prices, out] = [join(folder, 'prices.csv'), join(folder, 'out.ndjson')];
  const rows = [
    row('pinnacle', 'Arsenal', 'Chelsea'),
    row('bet365', 'Chlsea Blues', 'Arsenal', '2026-11-21T15:05:00Z'),
    row('pinnacle', 'Arsenal', 'Chelsea Corners'),
    row('betmgm', 'Arsenal', 'Chlsea Women'),
  ];
  writeFileSync(prices, [HEAD, ...rows].join('\n'));
  const read = async (match?: 'roster') => {
    const shown: string[] = [];
    const context = { out: (text: string) => void shown.push(text), err: () => {}, terminal: undefined };
    await importFiles([prices], { out, json: true, ...(match && { match }) }, context);
    const games = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { events: { home_team: string; away_team: string }[] }).events[0]!)
      .map(({ home_team, away_team }) => `${home_team}-${away_team}`);
    return { games, joined: (JSON.parse(shown.join('')) as Imported).joined };
  };
  const apart = ['Arsenal-Chelsea', 'Chlsea Blues-Arsenal', 'Arsenal-Chelsea Corners', 'Arsenal-Chlsea Women'];
  assert.deepEqual(await read(), { games: apart, joined: [] });
  const { games, joined } = await read('roster');
  assert.deepEqual(games, [apart[0], 'Chelsea-Arsenal', apart[2], apart[3]]);
  assert.deepEqual(joined, [{ league: 'epl', name: 'Chlsea Blues', meant: 'Chelsea', times: 1 }]);
});

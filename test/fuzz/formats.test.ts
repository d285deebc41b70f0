// Files of people: whatever a row or a value of them holds, ingest takes the message made of it, and what is sound beside it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rejection } from '../../src/base/model/normal-message.js';
import { readFiles } from '../../src/intake/feeds/formats/read-files.js';
import { ReadReport } from '../../src/intake/feeds/formats/read-report.js';
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import { catalogue } from '../writer/shard/rig.js';
import { runs, spoilt } from './hostile.js';

type Values = Record<string, unknown>;

/** How many prices and results ingest takes of a file. */
async function taken(text: string): Promise<number> {
  const bytes = Buffer.from(text);
  const one = async function* <Each>(each: Each): AsyncGenerator<Each, void> {
    yield each;
  };
  const source = { name: 'file', head: bytes.subarray(0, 65_536), bytes: one(bytes) };
  const context = { leagues: catalogue, settings: { timezone: 'Europe/Berlin' }, report: new ReadReport() };
  let count = 0;
  for await (const { atMs, text } of readFiles(one(source), context)) {
    const message = JSON.parse(text) as IngestMessage;
    assert.ok(Number.isFinite(atMs));
    const clock = { now: () => atMs };
    const rejected: Rejection[] = [];
    const normal = normalise(message, '', { catalogue, clock, leagueOfEvent: () => undefined }, rejected);
    // Of a book or a time that is none a message is nothing.
    if (normal === undefined) {
      assert.match(rejected[0]!.path, /^(?:book|polled_at)$/, text);
      continue;
    }
    for (const { markets } of normal.events) for (const { quotes } of markets) count += quotes.length;
    count += normal.results?.length ?? 0;
  }
  return count;
}

function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const rowText = (names: readonly string[], row: unknown): string =>
  names.map((name) => cell((typeof row === 'object' && row !== null ? (row as Values)[name] : '') ?? '')).join(',');

function table(sample: Values): (rows: readonly unknown[]) => string {
  const names = Object.keys(sample);
  return (rows) => [names.map(cell).join(','), ...rows.map((row) => rowText(names, row))].join('\n');
}

const lines = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value) ?? '').join('\n');

const footballData = {
  ...{ Div: 'E0', Date: '16/08/2025', Time: '12:30', HomeTeam: 'Arsenal', AwayTeam: 'Chelsea', FTHG: '2', FTAG: '1' },
  ...{ HTHG: '1', HTAG: '0', HC: '6', AC: '7', B365H: '2.1', B365D: '3.4', B365A: '3.6', 'P>2.5': '1.9', 'P<2.5': '2' },
  ...{ B365AHH: '1.85', B365AHA: '2.05', AHh: '-0.25' },
};
const tennisData = {
  ...{ ATP: '1', Tournament: 'Brisbane', Date: '31/12/2023', Winner: 'Zhang Z.', Loser: 'Adams A.', W1: '6', L1: '4' },
  ...{ Wsets: '2', Lsets: '1', Comment: 'Completed', B365W: '1.5', B365L: '2.6' },
};
const nflverse = {
  ...{ game_id: '1', gameday: '2024-09-05', gametime: '20:20', away_team: 'BAL', home_team: 'KC', away_score: '20' },
  ...{
    home_score: '27',
    away_moneyline: '124',
    home_moneyline: '-148',
    spread_line: '3',
    total_line: '46',
    overtime: '0',
  },
};
const csv = {
  ...{ at: '2025-01-01 12:00:00', sportsbook: 'bet365', league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' },
  ...{ event_start_time: '2025-01-01T15:00:00Z', market_type: 'total_goals', selection: 'Over', line: '2.5' },
  ...{ odds_american: '', odds_decimal: '1.91', is_active: 'true', commission: '', player_name: '', kind: 'book' },
};
const oddsApi = {
  timestamp: '2025-01-01T12:00:00Z',
  data: [
    {
      ...{ id: '1', sport_key: 'soccer_epl', commence_time: '2025-01-01T15:00:00Z' },
      ...{ home_team: 'Arsenal', away_team: 'Chelsea' },
      bookmakers: [{ key: 'bet365', markets: [{ key: 'h2h', outcomes: [{ name: 'Arsenal', price: 1.9 }] }] }],
    },
  ],
};
const oddsharvester = {
  ...{ match_date: '2025-02-01 15:00:00 UTC', scraped_date: '2025-02-02 15:36:26 UTC', league_name: 'Premier League' },
  ...{ home_team: 'Arsenal', away_team: 'Chelsea', home_score: '2', away_score: '1', partial_results: '(1:0, 1:1)' },
  '1x2_market': [{ '1': '2.10', X: '12/5', '2': '3.60', bookmaker_name: 'bet365', period: 'FullTime' }],
};
const betfair = {
  ...{ op: 'mcm', clk: 'A', pt: 1_735_732_800_000 },
  mc: [
    {
      id: '1.5',
      img: true,
      marketDefinition: {
        ...{
          status: 'OPEN',
          inPlay: false,
          marketType: 'MATCH_ODDS',
          bettingType: 'ODDS',
          eventId: '31',
          eventTypeId: '1',
          numberOfWinners: 1,
        },
        ...{ eventName: 'Arsenal v Chelsea', marketTime: '2025-01-01T15:00:00.000Z', marketBaseRate: 5 },
        runners: [
          { id: 11, status: 'ACTIVE', sortPriority: 1, name: 'Arsenal' },
          { id: 12, status: 'ACTIVE', sortPriority: 2, name: 'Chelsea' },
          { id: 13, status: 'ACTIVE', sortPriority: 3, name: 'The Draw' },
        ],
      },
      rc: [{ id: 11, ltp: 1.9, atb: [[1.96, 100]], atl: [[2.02, 30]] }],
    },
  ],
};

for (const [name, sample, textOf] of [
  ['football-data', footballData, table(footballData)],
  ['tennis-data', tennisData, table(tennisData)],
  ['nflverse', nflverse, table(nflverse)],
  ['csv', csv, table(csv)],
  ['odds-api', oddsApi, lines],
  ['oddsharvester', oddsharvester, lines],
  ['betfair', betfair, lines],
] as const)
  test(`${name}: what is spoilt costs itself alone`, async () => {
    const sound = await taken(textOf([sample]));
    assert.ok(sound > 0);
    await fc.assert(
      fc.asyncProperty(fc.array(spoilt([sample]), { maxLength: 3 }), async (rows) => {
        // A game of another day than the spoilt ones may have.
        const text = textOf([sample, ...rows]);
        assert.ok((await taken(text)) >= (name === 'betfair' ? 0 : sound), text.slice(0, 2_000));
      }),
      { numRuns: runs(3) },
    );
  });

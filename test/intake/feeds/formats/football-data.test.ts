// By the public notes of football-data.co.uk: what its columns mean, when its prices are collected, and how its files differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marketsIn, readFolder } from './reading.js';

const HEAD =
  'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HTHG,HTAG,HTR,HC,AC,HY,AY,HR,AR,B365H,B365D,B365A,PSH,PSD,PSA,MaxH,MaxD,MaxA,P>2.5,P<2.5,AHh,B365AHH,B365AHA,B365CH,B365CD,B365CA,AHCh,B365CAHH,B365CAHA';
const GAME = (date: string, time: string, home = 'Arsenal', away = 'Chelsea') =>
  `E0,${date},${time},${home},${away},2,1,H,1,0,H,6,7,1,2,0,1,2.1,3.4,3.6,2.15,3.5,3.7,2.2,3.6,3.8,1.9,2,-0.25,1.85,2.05,2.0,3.5,3.9,-0.5,2.1,1.8`;

test('first prices are of the last Friday or Tuesday at 17:00 in London, closing ones of a minute before the start', async () => {
  const { messages, assumed, leftOut } = await readFolder({
    // A Saturday, in summer; a Monday, in winter; a Wednesday without a time; a Friday evening.
    'E0.csv': [
      HEAD,
      GAME('16/08/2025', '12:30'),
      GAME('08/12/2025', '20:00'),
      GAME('10/12/2025', ''),
      GAME('12/12/2025', '20:00'),
    ].join('\r\n'),
  });
  const times = messages
    .filter(({ book }) => book === 'bet365')
    .map(({ polled_at, events }) => [polled_at.slice(0, 16), events![0]!.start_time!.slice(0, 16)]);
  assert.deepEqual(times, [
    ['2025-08-15T16:00', '2025-08-16T11:30'],
    ['2025-08-16T11:29', '2025-08-16T11:30'],
    ['2025-12-05T17:00', '2025-12-08T20:00'],
    ['2025-12-08T19:59', '2025-12-08T20:00'],
    ['2025-12-09T17:00', '2025-12-10T15:00'],
    ['2025-12-10T14:59', '2025-12-10T15:00'],
    ['2025-12-12T17:00', '2025-12-12T20:00'],
    ['2025-12-12T19:59', '2025-12-12T20:00'],
  ]);
  assert.deepEqual(assumed, ['1 a start without a time is at 15:00 in London (E0.csv:4)']);
  assert.deepEqual(leftOut, ["12 Max, Avg and Bb… are nobody's prices (E0.csv:2)"]);
});

test('each bookmaker has its winner with the draw, its total and its Asian handicap, at the line of that time', async () => {
  const { messages, results } = await readFolder({ 'E0.csv': [HEAD, GAME('16/08/2025', '12:30')].join('\n') });
  assert.deepEqual(marketsIn(messages), [
    'bet365 2025-08-15T16:00 epl Arsenal-Chelsea moneyline: home 2.1, draw 3.4, away 3.6',
    'bet365 2025-08-15T16:00 epl Arsenal-Chelsea point_spread: home -0.25 1.85, away 0.25 2.05',
    'pinnacle 2025-08-15T16:00 epl Arsenal-Chelsea moneyline: home 2.15, draw 3.5, away 3.7',
    'pinnacle 2025-08-15T16:00 epl Arsenal-Chelsea total_goals: over 2.5 1.9, under 2.5 2',
    'bet365 2025-08-16T11:29 epl Arsenal-Chelsea moneyline: home 2, draw 3.5, away 3.9',
    'bet365 2025-08-16T11:29 epl Arsenal-Chelsea point_spread: home -0.5 2.1, away 0.5 1.8',
  ]);
  const [{ at: _at, ...result } = {}] = results;
  assert.deepEqual(result, {
    league: 'epl',
    home_team: 'Arsenal',
    away_team: 'Chelsea',
    start_time: '2025-08-16T11:30:00.000Z',
    status: 'final',
    home_score: 2,
    away_score: 1,
    parts: [
      { part: 'h1', home_score: 1, away_score: 0 },
      { part: 'h2', home_score: 1, away_score: 1 },
    ],
    stats: {
      corners: { home: 6, away: 7 },
      yellow_cards: { home: 1, away: 2 },
      red_cards: { home: 0, away: 1 },
      cards: { home: 1, away: 3 },
    },
  });
});

test('older seasons: years of two digits, no times, a handicap of two halves, bookmakers that are gone', async () => {
  const head = 'Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,GBH,GBD,GBA,WHH,WHD,WHA,GBAHH,GBAHA,GBAH,BbAvH,BbAvD,BbAvA';
  const { messages, results } = await readFolder({
    'old.csv': [
      head,
      'D1,06/08/04,Werder Bremen,Schalke 04,1,0,H,1.8,3.3,4,1.83,3.25,3.75,1.9,1.95,"-0.5,-1",1.8,3.2,3.9',
    ].join('\n'),
  });
  assert.deepEqual(marketsIn(messages), [
    'gamebookers 2004-08-03T16:00 bundesliga Werder Bremen-Schalke 04 moneyline: home 1.8, draw 3.3, away 4',
    'gamebookers 2004-08-03T16:00 bundesliga Werder Bremen-Schalke 04 point_spread: home -0.75 1.9, away 0.75 1.95',
    'williamhill 2004-08-03T16:00 bundesliga Werder Bremen-Schalke 04 moneyline: home 1.83, draw 3.25, away 3.75',
  ]);
  assert.equal(results[0]!['start_time'], '2004-08-06T14:00:00.000Z');
});

test('the leagues of one file have closing prices and all seasons; two files are put in the order of time', async () => {
  const head = 'Country,League,Season,Date,Time,Home,Away,HG,AG,Res,PSCH,PSCD,PSCA,MaxCH,MaxCD,MaxCA';
  const rows = ['Brazil,Serie A,2024,13/04/2024,22:30,Internacional,Bahia,2,1,H,1.9,3.4,4.2,1.95,3.5,4.4'];
  const { messages, results } = await readFolder({
    'BRA.csv': [head, ...rows].join('\n'),
    'old/E0.csv': [HEAD, GAME('16/08/2023', '12:30')].join('\n'),
  });
  assert.deepEqual(
    messages.map(({ polled_at }) => polled_at),
    messages.map(({ polled_at }) => polled_at).sort(),
  );
  assert.deepEqual(
    marketsIn(messages).at(-1),
    'pinnacle 2024-04-13T21:29 brasileirao Internacional-Bahia moneyline: home 1.9, draw 3.4, away 4.2',
  );
  assert.equal(results.length, 2);
});

test('a game whose date lies a year from the rest, a price that is none and a score that is none cost that part alone', async () => {
  const games = Array.from({ length: 30 }, (_, i) =>
    GAME(`${String(i + 1).padStart(2, '0')}/09/2025`, '15:00', `Home ${i}`, `Away ${i}`),
  );
  games[7] = GAME('08/09/2024', '15:00', 'Wrong', 'Year');
  games[9] = games[9]!.replace(',2.1,3.4,3.6,', ',1.0,x,3.6,');
  games[11] = games[11]!.replace(',2,1,H,1,0,H,', ',2,,H,1,0,H,');
  games[12] = 'E0,31/02/2025,15:00,A,B';
  const { results, leftOut, messages } = await readFolder({ 'E0.csv': [HEAD, ...games, ',,,,,,'].join('\n') });
  assert.ok(!messages.some(({ events }) => events![0]!.home_team === 'Wrong'));
  assert.equal(results.length, 27);
  assert.deepEqual(leftOut.filter((text) => !text.includes('nobody')).sort(), [
    '1 Date is not a day (E0.csv:14)',
    '1 Date lies a year or more from the rest of its season (E0.csv:9)',
    '1 a score is not a whole number (E0.csv:13)',
    '2 a price is not a number above 1 (E0.csv:11)',
  ]);
});

test('semicolons, decimal commas, a mark, Latin-1 and UTF-16 are one file', async () => {
  const text = [HEAD, GAME('16/08/2025', '12:30', 'Atlético', 'Chelsea')].join('\n');
  const local = text
    .replaceAll(',', ';')
    .replaceAll(/(\d)\.(\d)(?=[^>]*(?:;|$))/g, '$1,$2')
    .replace('P>2,5;P<2,5', 'P>2.5;P<2.5');
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const wanted = marketsIn((await readFolder({ 'a.csv': text })).messages);
  assert.equal(wanted.length, 6);
  for (const other of [
    `\ufeff${text}`,
    local,
    Buffer.from(text, 'latin1'),
    utf16,
    Buffer.from(utf16).swap16(),
    text.replaceAll(',', '\t'),
  ])
    assert.deepEqual(marketsIn((await readFolder({ 'a.csv': other })).messages), wanted);
});

test('a bookmaker whose letters are not known is told, and the rest is read', async () => {
  const { messages, leftOut } = await readFolder({
    'E0.csv': 'Div,Date,Time,HomeTeam,AwayTeam,NEWH,NEWD,NEWA,BWH,BWD,BWA\nE0,16/08/2025,12:30,A,B,2,3,4,2,3,4',
  });
  assert.deepEqual(
    messages.map(({ book }) => book),
    ['bwin'],
  );
  assert.deepEqual(leftOut, ['1 no bookmaker is known by the letters NEW (E0.csv:1)']);
});

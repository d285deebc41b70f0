// By the public notes of tennis-data.co.uk and nflverse, and by our own names of columns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipSync } from 'fflate';
import { FileContents } from '../../../../src/intake/feeds/formats/file-contents.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { marketsIn, readFolder } from './reading.js';

const catalogue = loadCatalogue();

const TENNIS =
  'ATP,Location,Tournament,Date,Series,Court,Surface,Round,Best of,Winner,Loser,WRank,LRank,W1,L1,W2,L2,W3,L3,Wsets,Lsets,Comment,B365W,B365L,PSW,PSL,MaxW,MaxL,AvgW,AvgL';
const MATCHES = [
  '1,Brisbane,Brisbane,31/12/2023,ATP250,Outdoor,Hard,1st Round,3,Zhang Z.,Adams A.,50,60,6,4,3,6,7,5,2,1,Completed,1.5,2.6,1.53,2.65,1.55,2.7,1.5,2.6',
  '1,Brisbane,Brisbane,01/01/2024,ATP250,Outdoor,Hard,1st Round,3,Baker B.,Cole C.,50,60,6,4,2,1,,,1,0,Retired,1.8,2,,,1.85,2.1,1.8,2',
  '1,Brisbane,Brisbane,01/01/2024,ATP250,Outdoor,Hard,1st Round,3,Dean D.,Adams A.,50,60,,,,,,,,,Walkover,,,,,,,,',
];

test('tennis: the side does not tell who won; sets, retirements and walkovers are results', async () => {
  const { messages, results, leftOut } = await readFolder({ '2024.csv': [TENNIS, ...MATCHES].join('\n') });
  assert.deepEqual(marketsIn(messages), [
    'bet365 2023-12-31T11:59 atp Adams A.-Zhang Z. moneyline: home 2.6, away 1.5',
    'pinnacle 2023-12-31T11:59 atp Adams A.-Zhang Z. moneyline: home 2.65, away 1.53',
    'bet365 2024-01-01T11:59 atp Baker B.-Cole C. moneyline: home 1.8, away 2',
  ]);
  const said = results.map(({ home_team, home_score, away_score, winner, ended, parts }) => [
    home_team,
    home_score,
    away_score,
    winner,
    ended,
    (parts as unknown[] | undefined)?.length,
  ]);
  assert.deepEqual(said, [
    ['Adams A.', 1, 2, 'away', undefined, 3],
    ['Baker B.', 1, 0, 'home', 'retired', 2],
    ['Adams A.', undefined, undefined, 'away', 'walkover', undefined],
  ]);
  assert.deepEqual(leftOut, ["8 Max and Avg are nobody's prices (2024.csv:2)"]);
});

/** A workbook of one sheet with the cells of a table; columns called Date are days as spreadsheets count them. */
function workbook(table: string): Buffer {
  const rows = table.split('\n').map((line) => line.split(','));
  const isDate = rows[0]!.map((name) => name === 'Date');
  const cells = rows.map(
    (row, y) =>
      `<row r="${y + 1}">${row
        .map((text, x) => {
          if (text === '') return '';
          const at = `${x < 26 ? '' : 'A'}${String.fromCharCode(65 + (x % 26))}${y + 1}`;
          const [day, month, year] = text.split('/');
          if (y > 0 && isDate[x]) {
            const days = Date.parse(`${year}-${month}-${day}T00:00:00Z`) / 86_400_000 + 25_569;
            return `<c r="${at}" s="1"><v>${days}</v></c>`;
          }
          return Number.isNaN(Number(text))
            ? `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
            : `<c r="${at}"><v>${text}</v></c>`;
        })
        .join('')}</row>`,
  );
  const xml = (text: string): Uint8Array => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': xml(
        `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
      ),
      '_rels/.rels': xml(
        `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      ),
      'xl/workbook.xml': xml(
        `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="2024" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': xml(
        `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
      ),
      'xl/styles.xml': xml(
        `<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
      ),
      'xl/worksheets/sheet1.xml': xml(
        `<worksheet xmlns="${main}"><sheetData>${cells.join('')}</sheetData></worksheet>`,
      ),
    }),
  );
}

test('a workbook is the table that it holds', async () => {
  const table = [TENNIS, ...MATCHES].join('\n');
  const wanted = await readFolder({ '2024.csv': table });
  const read = await readFolder({ '2024.xlsx': workbook(table) });
  assert.deepEqual([marketsIn(read.messages), read.results], [marketsIn(wanted.messages), wanted.results]);
  assert.equal(wanted.messages.length, 3);
});

test('nflverse: the closing line is one book, the spread that of the home team, the time New York’s', async () => {
  const head =
    'game_id,season,game_type,gameday,gametime,away_team,away_score,home_team,home_score,overtime,away_moneyline,home_moneyline,spread_line,away_spread_odds,home_spread_odds,total_line,under_odds,over_odds';
  const { messages, results, assumed } = await readFolder({
    'games.csv': [
      head,
      '2024_01_BAL_KC,2024,REG,2024-09-05,20:20,BAL,20,KC,27,0,124,-148,3,-110,-110,46,-110,-110',
      '1999_01_BUF_IND,1999,REG,1999-09-12,NA,BUF,NA,IND,NA,NA,NA,NA,-3.5,NA,NA,NA,NA,NA',
    ].join('\n'),
  });
  assert.deepEqual(marketsIn(messages), [
    'closing_line 1999-09-12T16:59 nfl IND-BUF point_spread: home 3.5 -110, away -3.5 -110',
    'closing_line 2024-09-06T00:19 nfl KC-BAL moneyline: home -148, away 124',
    'closing_line 2024-09-06T00:19 nfl KC-BAL point_spread: home -3 -110, away 3 -110',
    'closing_line 2024-09-06T00:19 nfl KC-BAL total_points: over 46 -110, under 46 -110',
  ]);
  assert.deepEqual([results.length, results[0]!['home_score'], results[0]!['away_score']], [1, 27, 20]);
  assert.equal(assumed.length, 2);
  const seen = new FileContents(catalogue);
  for (const message of messages) seen.see(message);
  assert.equal(seen.prices, 8, 'the engine takes those of the last century, too');
});

test('nflverse: the clubs’ short names of every season are known, those of Oakland, San Diego and both of the Rams too', async () => {
  const clubs =
    'ARI ATL BAL BUF CAR CHI CIN CLE DAL DEN DET GB HOU IND JAX KC LA LAC LV MIA MIN NE NO NYG NYJ PHI PIT SEA SF TB TEN WAS OAK SD STL'.split(
      ' ',
    );
  const { messages, results } = await readFolder({
    'games.csv': [
      'game_id,gameday,gametime,away_team,away_score,home_team,home_score,spread_line,total_line',
      ...clubs.map((club, i) => `x,2015-09-13,13:00,${club},20,${clubs.at(i - 1)!},27,3,46`),
    ].join('\n'),
  });
  const seen = new FileContents(catalogue);
  for (const message of messages) seen.see(message);
  assert.deepEqual([seen.games, seen.unknown.teams], [clubs.length, []]);
  const rams = results.filter(
    ({ home_team }) => catalogue.resolveTeam('nfl', String(home_team)).name === 'Los Angeles Rams',
  );
  assert.equal(rams.length, 2);
});

test('csv: markets under the names of other services are known ones', async () => {
  const { messages } = await readFolder({
    'p.csv': [
      'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,line,odds_decimal',
      ...['h2h,home,', 'totals,over,2.5', 'home_team_total,over,1.5', 'spread,home,-1'].map(
        (market) => `2026-11-20T18:00:00Z,bet365,epl,Arsenal,Chelsea,2026-11-21T15:00:00Z,${market},1.9`,
      ),
    ].join('\n'),
  });
  const seen = new FileContents(catalogue);
  for (const message of messages) seen.see(message);
  assert.deepEqual(
    [seen.prices, seen.unknown.markets],
    [4, [{ name: 'spread', nearest: ['point_spread', 'puck_line', 'run_line'] }]],
  );
});

test('csv: a second line that is not said to be an alternate one is counted as what ingest refuses', async () => {
  const { messages } = await readFolder({
    'p.csv': [
      'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection,line,odds_decimal,is_alternate_line',
      ...['Over,220.5,1.9,', 'Under,220.5,1.9,', 'Over,221.5,2,', 'Over,222.5,2.1,true'].map(
        (price) =>
          `2026-11-20T18:00:00Z,fanduel,nba,Boston Celtics,LA Lakers,2026-11-21T00:30:00Z,total_points,${price}`,
      ),
    ].join('\n'),
  });
  const refused: string[] = [];
  const seen = new FileContents(catalogue, (reason, { file }) => refused.push(`${file}: ${reason}`));
  for (const message of messages) seen.see(message);
  const why = 'total_points: the same selection twice (other lines need is_alternate_line)';
  assert.deepEqual([seen.prices, refused], [3, [`fanduel at 2026-11-20T18:00:00.000Z, events[0]: ${why}`]]);
});

test('csv: one price a row, under our names or mapped ones; a time without a zone needs one', async () => {
  const rows = (start: string) => [
    `2026-11-20T18:00:00Z,DraftKings,nba,Boston Celtics,LA Lakers,${start},moneyline,Boston Celtics,,-150,`,
    `2026-11-20T18:00:00Z,DraftKings,nba,Boston Celtics,LA Lakers,${start},moneyline,LA Lakers,,130,`,
    `2026-11-20T18:00:00Z,DraftKings,nba,Boston Celtics,LA Lakers,${start},total_points,Over,220.5,,1.91`,
    `2026-11-20T18:05:00Z,DraftKings,nba,Boston Celtics,LA Lakers,${start},moneyline,LA Lakers,,50,`,
  ];
  const head =
    'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection,line,odds_american,odds_decimal';
  const wanted = [
    'DraftKings 2026-11-20T18:00 nba Boston Celtics-LA Lakers moneyline: home -150, away 130',
    'DraftKings 2026-11-20T18:00 nba Boston Celtics-LA Lakers total_points: over 220.5 1.91',
  ];
  const plain = await readFolder({ 'p.csv': [head, ...rows('2026-11-21T00:30:00Z')].join('\n') });
  assert.deepEqual(marketsIn(plain.messages), wanted);
  assert.deepEqual(plain.leftOut, ['1 no price above 1 (p.csv:5)']);
  const local = [
    head.replace('event_start_time', 'kickoff').replace('sportsbook', 'bookie'),
    ...rows('20/11/2026 19:30'),
  ];
  const columns = new Map([
    ['event_start_time', 'kickoff'],
    ['sportsbook', 'bookie'],
  ]);
  const named = await readFolder(
    { 'p.csv': local.join('\n') },
    { format: 'csv', columns, timezone: 'America/New_York' },
  );
  assert.deepEqual(named.messages, plain.messages);
  const bare = await readFolder({ 'p.csv': local.join('\n') }, { format: 'csv', columns });
  assert.deepEqual(bare.leftOut, ['4 event_start_time is a time without a zone: --timezone (p.csv:2)']);
});

test('csv: one date tells whether months come first in all of the file; where none does, that is said', async () => {
  const table = (...dates: string[]): string =>
    [
      'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection,odds_decimal',
      ...dates.map((date) => `${date} 12:00,fanduel,nba,Boston Celtics,LA Lakers,${date} 18:00,moneyline,home,1.9`),
    ].join('\n');
  const read = async (...dates: string[]) => {
    const { messages, assumed, leftOut } = await readFolder({ 'p.csv': table(...dates) }, { timezone: 'UTC' });
    return [messages.map(({ polled_at }) => polled_at.slice(0, 10)).sort(), assumed, leftOut];
  };
  assert.deepEqual(await read('01/02/2026', '2/3/26', '05/13/2026'), [
    ['2026-01-02', '2026-02-03', '2026-05-13'],
    [],
    [],
  ]);
  assert.deepEqual(await read('05/13/2026', '01/02/2026'), [['2026-01-02', '2026-05-13'], [], []]);
  assert.deepEqual(await read('01/02/2026', '13/05/2026'), [['2026-02-01', '2026-05-13'], [], []]);
  // A file has one order: what is no date by it is none.
  const [days, , refused] = await read('13.05.2026', '05.14.2026');
  assert.deepEqual([days, refused], [['2026-05-13'], ['1 at is not a time (p.csv:3)']]);
  const said = '1 dates whose month may be the first or the second number are day before month (p.csv:2)';
  assert.deepEqual(await read('01/02/2026', '03/04/2026'), [['2026-02-01', '2026-04-03'], [said], []]);
  assert.deepEqual(await read('2026-05-13', '05/05/2026'), [['2026-05-05', '2026-05-13'], [], []]);
});

test('csv: a price in both forms is the one that the book stated, and two prices are none; every minus is one', async () => {
  const { messages, leftOut } = await readFolder({
    'p.csv': [
      'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,line,odds_american,odds_decimal,kind,indicative',
      ...[
        '1,-110,1.91,,',
        '2,-110,1.905,,',
        '3,\u2212110,,,',
        '4,-110,2.5,,',
        '\u22125.5,EVEN,,book,false',
        '+6,,6/4,,true',
        '7,-110,,layer,',
        '"+7,5",,"1,95",model,',
      ].map(
        (price) =>
          `2026-11-20T18:00:00Z,x,nba,Boston Celtics,LA Lakers,2026-11-21T15:00:00Z,point_spread,home,${price}`,
      ),
    ].join('\n'),
  });
  const told = messages.flatMap(({ kind, events }) =>
    events![0]!.markets[0]!.selections.map(({ line, odds_american, odds_decimal, indicative }) =>
      [line, odds_american, odds_decimal, indicative, kind].join(' '),
    ),
  );
  assert.deepEqual(told, ['1 -110   ', '2  1.905  ', '3 -110   ', '-5.5 100   ', '6  2.5 true ', '7.5  1.95  model']);
  assert.deepEqual(leftOut, [
    '1 odds_american and odds_decimal are two prices (p.csv:5)',
    '1 kind is neither book nor model (p.csv:8)',
  ]);
});

test('csv: yes and no are read as programs, databases, data frames and spreadsheets of any language print them; another word is told', async () => {
  const no = 'f,False,n,0.0,NO,FALSCH,FAUX,FALSO,ONWAAR,FALSKT,EPÄTOSI,FAŁSZ,NEPRAVDA,HAMIS,YANLIŞ,ЛОЖЬ'.split(',');
  const yes = 't,TRUE,1.0,,NaN,WAHR,VRAI,VERDADERO,VERO,VERDADEIRO,WAAR,PRAWDA,PRAVDA,IGAZ,DOĞRU,ИСТИНА'.split(',');
  const words = [...no, ...yes, 'maybe'];
  const row = '2026-11-20T18:00:00Z,x,nba,Boston Celtics,LA Lakers,2026-11-21T15:00:00Z,total_points,over';
  const { messages, leftOut } = await readFolder({
    'p.csv': [
      'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,line,odds_american,is_active',
      ...words.map((word, i) => `${row},${i},"+1,250",${word}`),
    ].join('\n'),
  });
  const selections = messages.flatMap(({ events }) => events![0]!.markets[0]!.selections);
  assert.deepEqual(
    selections.map(({ odds_american, is_active = true }) => [odds_american, is_active]),
    [...no, ...yes].map((_word, i) => [1250, i >= no.length]),
  );
  assert.deepEqual(leftOut, ['1 is_active is neither true nor false (p.csv:34)']);
});

test('csv: a market has the name that people write', async () => {
  const row = '2026-11-20T18:00:00Z,x,epl,Arsenal,Chelsea,2026-11-21T15:00:00Z';
  const { messages } = await readFolder({
    'p.csv': [
      'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection_type,odds_decimal',
      ...['Match Odds', '1X2', ' Full-Time Result', 'moneyline'].map((name) => `${row},${name},home,1.9`),
    ].join('\n'),
  });
  const types = messages.flatMap(({ events }) => events![0]!.markets.map(({ market_type }) => market_type));
  assert.deepEqual(types, ['match_odds', '1x2', 'full_time_result', 'moneyline']);
});

test('csv: a selection that names a team in any spelling, with its line or without, is its side', async () => {
  const bets = [
    ['moneyline,Celtics,', 'home'],
    ['moneyline,LA Lakers,', 'away'],
    ['moneyline,BOSTON CELTICS,', 'home'],
    ['point_spread,Boston Celtics -3.5,-3.5', 'home'],
    ['point_spread,Lakers +3.5,3.5', 'away'],
    ['moneyline,Draw,', 'draw'],
    ['total_points,Over 220.5,220.5', 'over'],
    ['player_to_score,Somebody,', 'somebody'],
  ] as const;
  const { messages } = await readFolder({
    'p.csv': [
      'at,sportsbook,league,home_team,away_team,event_start_time,market_type,selection,line,odds_decimal',
      ...bets.map(
        ([bet], i) => `2026-11-20T18:0${i}:00Z,x,nba,Boston Celtics,Los Angeles Lakers,2026-11-21T15:00:00Z,${bet},1.9`,
      ),
    ].join('\n'),
  });
  assert.deepEqual(
    messages.map(({ events }) => events![0]!.markets[0]!.selections[0]!.selection_type),
    bets.map(([, side]) => side),
  );
});

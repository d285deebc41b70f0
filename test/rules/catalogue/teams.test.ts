import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

const catalogue = loadCatalogue();
const LISTED = [...catalogue.data.teams.keys()];
const TOKEN = /^[a-z0-9-]+$/;

test('every id, name and alias of a team means that team', () => {
  for (const league of LISTED) {
    const teams = catalogue.teams(league);
    assert.ok(teams.length > 0, league);
    for (const team of teams)
      for (const name of [team.id, team.name, ...team.aliases])
        assert.deepEqual(catalogue.resolveTeam(league, name), { token: team.id, name: team.name, known: true }, name);
  }
});

test('leagues have as many teams as they have', () => {
  const counts = ['nfl', 'nba', 'mlb', 'nhl', 'wnba', 'mls'].map((league) => catalogue.teams(league).length);
  assert.deepEqual(counts, [32, 30, 30, 32, 15, 30]);
  assert.ok(catalogue.teams('epl').length >= 20);
  // Both divisions of football's first: about 136 and 129; basketball's whole first division.
  assert.equal(catalogue.teams('ncaaf').length, 266);
  assert.equal(catalogue.teams('ncaab').length, 365);
  assert.deepEqual(catalogue.teams('a-league-without-a-list'), []);
});

const FOOTBALL_DATA = [
  'epl',
  'efl-championship',
  'efl-league-one',
  'efl-league-two',
  'national-league',
  'scottish-premiership',
  'scottish-championship',
  'scottish-league-one',
  'scottish-league-two',
  'bundesliga',
  '2-bundesliga',
  'serie-a',
  'serie-b',
  'la-liga',
  'la-liga-2',
  'ligue-1',
  'ligue-2',
  'eredivisie',
  'belgian-pro-league',
  'primeira-liga',
  'super-lig',
  'super-league-greece',
];
const CUPS = ['fa-cup', 'efl-cup', 'ucl', 'uel', 'uecl', 'world-cup'];
const OTHERS =
  'mls liga-mx brasileirao nba wnba nhl mlb nfl cfl ncaaf ncaab wncaab euroleague eurocup afl ipl big-bash kbo npb';
const FURTHER =
  'austrian-bundesliga danish-superliga allsvenskan eliteserien veikkausliiga league-of-ireland ekstraklasa romanian-superliga russian-premier-league swiss-super-league argentina-primera j-league chinese-super-league a-league';
const ESPORTS = ['cs2', 'lol', 'dota2', 'valorant'];

test('the leagues of European soccer, their cups, those of America, Asia and Australia, and esports have their teams', () => {
  const least: Record<string, number> = { ipl: 10, 'big-bash': 8, cfl: 9, kbo: 10, npb: 12, wnba: 13 };
  for (const league of [...FOOTBALL_DATA, ...CUPS, ...OTHERS.split(' '), ...ESPORTS, ...FURTHER.split(' ')]) {
    assert.ok(catalogue.league(league) !== undefined, league);
    const { length } = catalogue.teams(league);
    assert.ok(length >= (least[league] ?? (FURTHER.includes(league) ? 12 : 18)), `${league}: ${length}`);
  }
});

test('clubs that once played in the first leagues are known there, in the spelling of old seasons', () => {
  const once: Record<string, string> = {
    epl: 'Barnsley,Blackpool,Bolton,Bradford,Charlton,Oldham,Sheffield Weds,Swindon,Wigan',
    'la-liga': 'Cordoba,Hercules,Tenerife,Xerez,Recreativo,Murcia,Numancia,Gimnastic,Albacete',
    bundesliga: 'Braunschweig,Cottbus,Duisburg,Hansa Rostock',
    'serie-a': 'Cesena,Carpi,Pescara,Catania,Siena,Novara,Bari,Livorno,Reggina,Messina,Treviso,Ascoli',
    'ligue-1': 'Ajaccio GFCO,Evian Thonon Gaillard,Sochaux,Valenciennes,Arles,Boulogne,Grenoble,Le Mans,Sedan,Istres',
  };
  for (const [league, names] of Object.entries(once))
    for (const name of names.split(',')) assert.equal(catalogue.resolveTeam(league, name).known, true, name);
  assert.equal(catalogue.resolveTeam('ligue-1', 'Ajaccio').token, 'ajaccio');
});

test("football-data's, The Odds API's and OddsHarvester's spellings find their clubs", () => {
  const named: [league: string, token: string, ...names: string[]][] = [
    ['world-cup', 'united-states', 'USA', 'United States', 'U.S.A.'],
    ['world-cup', 'south-korea', 'South Korea', 'Korea Republic', 'Republic of Korea'],
    ['world-cup', 'ivory-coast', 'Ivory Coast', "Côte d'Ivoire", "Cote d'Ivoire"],
    ['world-cup', 'czech-republic', 'Czechia', 'Czech Republic'],
    ['world-cup', 'turkey', 'Türkiye', 'Turkiye', 'Turkey'],
    ['world-cup', 'bosnia-herzegovina', 'Bosnia & Herzegovina', 'Bosnia and Herzegovina', 'Bosnia-Herzegovina'],
    ['world-cup', 'curacao', 'Curaçao', 'Curacao'],
    ['world-cup', 'dr-congo', 'DR Congo', 'Congo DR', 'D.R. Congo'],
    ['la-liga-2', 'sporting-gijon', 'Sp Gijon', 'Sporting Gijón', 'Gijon'],
    ['la-liga-2', 'deportivo-la-coruna', 'La Coruna', 'Deportivo La Coruña', 'Dep. La Coruna'],
    ['la-liga-2', 'racing-santander', 'Santander', 'Racing Santander'],
    ['la-liga-2', 'villarreal-reserves', 'Villarreal B', 'Villarreal II'],
    ['efl-league-one', 'peterborough', 'Peterboro', 'Peterborough United', 'Peterborough'],
    ['efl-league-one', 'bristol-rovers', 'Bristol Rvs', 'Bristol Rovers'],
    ['efl-league-one', 'mk-dons', 'Milton Keynes Dons', 'MK Dons'],
    ['national-league', 'dagenham', 'Dag and Red', 'Dagenham & Redbridge', 'Dag & Red'],
    ['national-league', 'halifax', 'Halifax', 'FC Halifax Town'],
    ['scottish-championship', 'inverness', 'Inverness C', 'Inverness Caledonian Thistle'],
    ['scottish-championship', 'queen-of-the-south', 'Queen of Sth', 'Queen of the South'],
    ['scottish-championship', 'raith', 'Raith Rvs', 'Raith Rovers'],
    ['scottish-league-two', 'albion-rovers', 'Albion Rvs', 'Albion Rovers'],
    ['2-bundesliga', 'nurnberg', 'Nurnberg', '1. FC Nürnberg'],
    ['2-bundesliga', 'dusseldorf', 'Fortuna Dusseldorf', 'Fortuna Düsseldorf', 'Dusseldorf'],
    ['2-bundesliga', 'furth', 'Greuther Furth', 'SpVgg Greuther Fürth'],
    ['serie-b', 'sudtirol', 'Sudtirol', 'Südtirol'],
    ['serie-b', 'feralpisalo', 'Feralpisalo', 'FeralpiSalò'],
    ['ligue-2', 'st-etienne', 'St Etienne', 'Saint-Étienne'],
    ['ligue-2', 'quevilly', 'Quevilly Rouen'],
    ['belgian-pro-league', 'union-sg', 'St. Gilloise', 'Union Saint-Gilloise'],
    ['belgian-pro-league', 'leuven', 'Oud-Heverlee Leuven', 'OH Leuven'],
    ['belgian-pro-league', 'st-truiden', 'St Truiden', 'Sint-Truidense'],
    ['super-lig', 'basaksehir', 'Buyuksehyr', 'Istanbul Basaksehir'],
    ['super-lig', 'goztepe', 'Goztep', 'Göztepe'],
    ['super-lig', 'erzurumspor', 'Erzurum BB'],
    ['super-league-greece', 'olympiacos', 'Olympiakos', 'Olympiacos Piraeus'],
    ['super-league-greece', 'volos', 'Volos NFC'],
    ['epl', 'nottingham-forest', "Nott'm Forest"],
    ['epl', 'sheffield-united', 'Sheffield United', 'Sheffield Utd'],
    ['ucl', 'bodo-glimt', 'Bodø/Glimt', 'FK Bodo/Glimt'],
    ['ucl', 'atletico-madrid', 'Ath Madrid', 'Atlético Madrid'],
    ['uel', 'crvena-zvezda', 'Red Star Belgrade', 'Crvena zvezda'],
    ['uecl', 'union-sg', 'Union Saint-Gilloise'],
    ['fa-cup', 'wrexham', 'Wrexham AFC', 'Wrexham'],
    ['fa-cup', 'tamworth', 'Tamworth'],
    ['efl-cup', 'grimsby', 'Grimsby Town', 'Grimsby'],
    ['euroleague', 'milano', 'EA7 Emporio Armani Milan', 'Olimpia Milano'],
    ['euroleague', 'crvena-zvezda', 'Crvena Zvezda Meridianbet Belgrade', 'Red Star Belgrade'],
    ['eurocup', 'cluj', 'U-BT Cluj-Napoca'],
    ['wncaab', 'uconn', 'Connecticut Huskies'],
    ['cs2', 'natus-vincere', 'NAVI', 'Natus Vincere', "Na'Vi"],
    ['cs2', 'vitality', 'Vitality', 'Team Vitality'],
    ['lol', 'gen-g', 'Gen.G Esports', 'Gen.G', 'Gen G'],
    ['dota2', 'spirit', 'Team Spirit', 'Spirit'],
    ['valorant', 'paper-rex', 'Paper Rex', 'PRX'],
  ];
  for (const [league, token, ...names] of named)
    for (const name of names) assert.equal(catalogue.resolveTeam(league, name).token, token, `${league}: ${name}`);
});

test('teams of one country whose names are alike stay apart', () => {
  const apart: [league: string, one: string, other: string][] = [
    ['la-liga-2', 'Villarreal', 'Villarreal B'],
    ['fa-cup', 'Oxford United', 'Oxford City'],
    ['fa-cup', 'Sheffield Wednesday', 'Sheffield United'],
    ['fa-cup', 'Newport County', 'Newcastle'],
    ['uecl', 'Aris Limassol', 'Aris'],
    ['uecl', 'AEK Larnaca', 'AEK'],
    ['uel', 'Žalgiris Vilnius', 'FK Riteriai'],
    ['ligue-2', 'AC Ajaccio', 'Gazélec Ajaccio'],
    ['lol', 'Team Secret Whales', 'Team Secret'],
    ['dota2', 'Team Spirit', 'Team Secret'],
  ];
  for (const [league, one, other] of apart)
    assert.notEqual(catalogue.resolveTeam(league, one).token, catalogue.resolveTeam(league, other).token, one);
});

test('a club has one id in every league of its country and in the cups', () => {
  for (const cup of CUPS)
    for (const shared of [catalogue.league(cup)?.teamsOf ?? []].flat())
      for (const { id, name } of catalogue.data.teams.get(shared) ?? [])
        assert.equal(catalogue.resolveTeam(cup, name).token, id, `${cup}: ${name}`);
});

test('the names books really use find their team', () => {
  const named: [league: string, token: string, ...names: string[]][] = [
    ['nba', 'lakers', 'Los Angeles Lakers', 'LA Lakers', 'L.A. Lakers', 'LAL', 'lakers', ' LAL Lakers '],
    ['nba', 'knicks', 'NY Knicks', 'New York Knicks', 'NYK'],
    ['nba', 'trail-blazers', 'Portland', 'POR Trail Blazers', 'Blazers'],
    ['nfl', '49ers', 'San Francisco 49ers', 'SF 49ers', 'Niners', 'SFO'],
    ['nfl', 'commanders', 'WAS Commanders', 'Washington Football Team'],
    ['mlb', 'athletics', 'Athletics', 'Oakland Athletics', "A's", 'Oakland A’s', 'ATH', 'Sacramento Athletics'],
    ['mlb', 'red-sox', 'Boston Red Sox', 'BOS Red Sox', 'Boston'],
    ['mlb', 'white-sox', 'Chicago White Sox', 'CHI White Sox', 'CWS'],
    ['mlb', 'cardinals', 'St. Louis Cardinals', 'St Louis Cardinals', 'Saint Louis Cardinals', 'STL Cardinals'],
    ['nhl', 'maple-leafs', 'Toronto Maple Leafs', 'TOR Maple Leafs', 'Leafs'],
    ['nhl', 'canadiens', 'Montréal Canadiens', 'Montreal Canadiens', 'MTL'],
    ['epl', 'manchester-united', 'Man Utd', 'Man United', 'Manchester United FC'],
    ['epl', 'tottenham', 'Spurs', 'Tottenham', 'Tottenham Hotspur'],
    ['epl', 'wolves', 'Wolves', 'Wolverhampton Wanderers'],
    ['epl', 'nottingham-forest', "Nott'm Forest", 'Nottingham Forest'],
    ['la-liga', 'athletic-bilbao', 'Ath Bilbao', 'Athletic Bilbao', 'Athletic Club'],
    ['la-liga', 'atletico-madrid', 'Ath Madrid', 'Atlético Madrid', 'Atletico Madrid'],
    ['bundesliga', 'monchengladbach', "M'gladbach", 'Borussia Monchengladbach', 'B. Monchengladbach'],
    ['bundesliga', 'koln', 'FC Koln', '1. FC Köln', 'Cologne'],
    ['serie-a', 'inter', 'Inter', 'Inter Milan', 'Internazionale'],
    ['ligue-1', 'psg', 'Paris SG', 'Paris Saint Germain', 'Paris Saint-Germain'],
    ['primeira-liga', 'sporting', 'Sp Lisbon', 'Sporting CP', 'Sporting Lisbon'],
    ['eredivisie', 'fortuna-sittard', 'For Sittard', 'Fortuna Sittard'],
    ['efl-championship', 'sheffield-wednesday', 'Sheffield Weds', 'Sheffield Wednesday'],
    ['brasileirao', 'atletico-mineiro', 'Atletico-MG', 'Atlético Mineiro'],
    ['mls', 'cf-montreal', 'CF Montréal', 'Montreal'],
    ['ncaab', 'north-carolina', 'UNC', 'North Carolina Tar Heels'],
    ['ncaab', 'st-johns', "St. John's Red Storm", 'St Johns'],
    ['ncaab', 'duke', 'Duke', 'Duke Blue Devils'],
    ['ncaaf', 'miami-oh', 'Miami (OH) RedHawks', 'Miami Ohio'],
    ['ncaaf', 'miami', 'Miami Hurricanes', 'Miami (FL)', 'Miami Florida'],
    ['ncaaf', 'texas-am', 'Texas A&M Aggies', 'Texas A&M', 'Texas AM'],
    ['ncaaf', 'ohio-state', 'Ohio State Buckeyes', 'Ohio St.'],
    ['ncaaf', 'bucknell', 'Bucknell', 'Bucknell Bison'],
    ['ncaaf', 'elon', 'Elon', 'Elon Phoenix'],
    ['ncaaf', 'florida-am', 'Florida A&M', 'Florida AM Rattlers', 'FAMU'],
    ['ncaaf', 'texas-southern', 'Texas Southern Tigers', 'Texas Southern'],
    ['ncaaf', 'east-texas-am', 'Texas A&M-Commerce', 'East Texas A&M Lions'],
    ['ncaaf', 'miami', 'Miami-FL'],
    ['ncaaf', 'miami-oh', 'Miami (OH)', 'Miami-OH'],
    ['ncaab', 'liu', 'LIU', 'LIU Sharks', 'Long Island University'],
    ['ncaab', 'uconn', 'UConn', 'Connecticut', 'Connecticut Huskies'],
    ['ncaab', 'ole-miss', 'Ole Miss', 'Mississippi', 'Mississippi Rebels'],
    ['ncaab', 'texas-am-corpus-christi', 'Texas A&M-CC', 'Texas A&M-Corpus Christi Islanders', 'TAMU-CC'],
    ['ncaab', 'saint-francis-pa', 'Saint Francis (PA)', 'St. Francis (PA) Red Flash', 'St Francis'],
    ['ncaab', 'loyola-maryland', 'Loyola (MD)', 'Loyola Maryland'],
    ['ncaab', 'mount-st-marys', "Mt. St. Mary's", "Mount St. Mary's Mountaineers"],
    ['ncaab', 'saint-marys', "Saint Mary's", "St. Mary's (CA)"],
    ['ncaab', 'north-carolina-at', 'N.C. A&T', 'North Carolina A&T Aggies'],
    ['ncaab', 'siu-edwardsville', 'SIUE', 'SIU-Edwardsville Cougars'],
    ['ncaab', 'utrgv', 'UTRGV', 'UT Rio Grande Valley Vaqueros'],
  ];
  for (const [league, token, ...names] of named)
    for (const name of names) assert.equal(catalogue.resolveTeam(league, name).token, token, name);
});

test('a name that two colleges share means neither of them', () => {
  for (const name of ['Loyola', 'USC Trojans Upstate', 'Wildcats', 'Tigers', 'TSU', 'St. Francis Brooklyn'])
    assert.equal(catalogue.resolveTeam('ncaab', name).known, false, name);
});

test('a city of two teams means neither of them', () => {
  const pairs: [league: string, city: string][] = [
    ['nba', 'Los Angeles'],
    ['nfl', 'New York'],
    ['mlb', 'Chicago'],
    ['nhl', 'NY'],
    ['epl', 'Manchester'],
  ];
  for (const [league, city] of pairs) assert.equal(catalogue.resolveTeam(league, city).known, false, city);
});

test('a name that no table has is slugged and shown unchanged', () => {
  assert.deepEqual(catalogue.resolveTeam('atp', ' Félix Auger-Aliassime '), {
    token: 'felix-auger-aliassime',
    name: 'Félix Auger-Aliassime',
    known: false,
  });
  assert.deepEqual(catalogue.resolveTeam('constructor', 'toString'), {
    token: 'tostring',
    name: 'toString',
    known: false,
  });
});

const anyLeague = fc.constantFrom(...LISTED, 'atp', 'nowhere');
const anyName = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    ...LISTED.flatMap((league) => catalogue.teams(league).flatMap((team) => [team.name, ...team.aliases])),
  ),
);

test('a mark of a youth team is one whatever stands before it', () => {
  for (const name of ['Jong Ajax U21', 'Jong Ajax: U21', 'Jong Ajax U/21'])
    assert.equal(catalogue.resolveTeam('nowhere', name).token, 'jong-ajax-u21', name);
});

test('resolving a token gives the same token, whatever the name was', () => {
  fc.assert(
    fc.property(anyLeague, anyName, (league, name) => {
      const { token } = catalogue.resolveTeam(league, name);
      assert.match(token, TOKEN);
      assert.ok(token.length <= 64);
      assert.equal(catalogue.resolveTeam(league, token).token, token);
    }),
    { numRuns: 3_000 },
  );
});

test('blanks around a name and composed or decomposed accents do not matter', () => {
  fc.assert(
    fc.property(anyLeague, anyName, (league, name) => {
      const { token } = catalogue.resolveTeam(league, name);
      assert.equal(catalogue.resolveTeam(league, `  ${name.normalize('NFD')}\t`).token, token);
    }),
    { numRuns: 3_000 },
  );
});

test('case and separators do not matter to a known name', () => {
  for (const league of LISTED)
    for (const team of catalogue.teams(league))
      for (const name of [team.name, ...team.aliases])
        for (const spelling of [
          name.toUpperCase(),
          name.toLowerCase(),
          name.replaceAll(' ', '-'),
          name.replaceAll(' ', ''),
        ])
          assert.equal(catalogue.resolveTeam(league, spelling).token, team.id, spelling);
});

test('more names than fit into the cache resolve as before', () => {
  const small = loadCatalogue();
  for (let i = 0; i < 60_000; i++) small.resolveTeam('atp', `player ${i}`);
  assert.equal(small.resolveTeam('atp', 'player 7').token, 'player-7');
  assert.equal(small.resolveTeam('nba', 'LAL').token, 'lakers');
});

interface Poll {
  payload: { odds: { home_team: string; away_team: string; sport_key: string; bookmakers: { key: string }[] }[] };
}

const POLLS = resolve('../shared/data/mlb_us_polls/polls.ndjson.gz');

test('every team and book of the recorded MLB polls is known', {
  skip: !existsSync(POLLS) && `${POLLS} is missing`,
}, () => {
  const teams = new Set<string>();
  const books = new Set<string>();
  for (const line of gunzipSync(readFileSync(POLLS)).toString('utf8').split('\n')) {
    if (line === '') continue;
    for (const event of (JSON.parse(line) as Poll).payload.odds) {
      assert.ok(['mlb', 'mlb-preseason'].includes(catalogue.leagueOf(event.sport_key)!.id));
      assert.ok(catalogue.teams('mlb-preseason') === catalogue.teams('mlb'));
      teams.add(event.home_team).add(event.away_team);
      for (const bookmaker of event.bookmakers) books.add(bookmaker.key);
    }
  }
  // Some names in such feeds contain both teams or a pitcher: they match no team.
  const clean = [...teams].filter((name) => !/[@()/]| at | v | vs /i.test(name));
  assert.deepEqual(
    clean.filter((name) => !catalogue.resolveTeam('mlb', name).known),
    [],
  );
  assert.equal(new Set(clean.map((name) => catalogue.resolveTeam('mlb', name).token)).size, 30);
  assert.deepEqual(
    [...books].filter((key) => catalogue.book(key) === undefined),
    [],
  );
});

const BOARDS = resolve('../shared/data/betting_splits/action_network_split_boards_2026-08.ndjson.gz');
const MATCHES = resolve('../shared/data/soccer/2025-26_E0.csv');

test('every team of the recorded boards and of the recorded season is known', {
  skip: !(existsSync(BOARDS) && existsSync(MATCHES)) && `${BOARDS} or ${MATCHES} is missing`,
}, () => {
  const football = gunzipSync(readFileSync(BOARDS)).toString('utf8').trim().split('\n');
  const abbreviations = football.flatMap((line) => {
    const { home_team, away_team } = JSON.parse(line) as { home_team: string; away_team: string };
    return [home_team, away_team];
  });
  const clubs = readFileSync(MATCHES, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .flatMap((line) => line.split(',').slice(3, 5));
  for (const [league, names] of [
    ['nfl', abbreviations],
    ['epl', clubs],
  ] as const)
    assert.deepEqual(
      [...new Set(names)].filter((name) => !catalogue.resolveTeam(league, name).known),
      [],
    );
});

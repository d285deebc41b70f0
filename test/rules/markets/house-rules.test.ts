import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type HouseRuleEntry, HouseRuleTable } from '../../../src/rules/markets/house-rules.js';
import { folder } from '../catalogue/folders.js';

const { houseRules, types } = loadCatalogue();
const source = 'an example of a rule';

test('what is named precisely goes before what is named loosely: the book, then the game, then the family', () => {
  const entries: HouseRuleEntry[] = [
    { id: 'all', books: ['*'], sports: ['*'], tie: 'push', postponed_hours: 36, source },
    { id: 'league', books: ['*'], leagues: ['afl'], families: ['winner'], tie: 'loses', postponed_hours: 1, source },
    { id: 'sport', books: ['*'], sports: ['aussie_rules'], tie: 'dead_heat', source },
    { id: 'owner', owners: ['tabcorp'], sports: ['*'], tie: 'half', source },
    { id: 'book', books: ['tab'], sports: ['aussie_rules'], postponed_hours: 48, source },
  ];
  const owners: Record<string, string> = { tab: 'tabcorp', tabtwo: 'tabcorp' };
  const table = new HouseRuleTable(entries, (id) => ({ id, owner: owners[id] ?? id }));
  const of = (book: string, sport: string, league: string) => {
    const { tie, postponed_hours } = table.of(book, sport, league).winner;
    return [tie, postponed_hours];
  };
  assert.deepEqual(of('other', 'soccer', 'epl'), ['push', 36]);
  assert.deepEqual(of('other', 'aussie_rules', 'vfl'), ['dead_heat', 36]);
  assert.deepEqual(of('other', 'aussie_rules', 'afl'), ['loses', 1]);
  assert.equal(table.of('other', 'aussie_rules', 'afl').total.tie, 'dead_heat', 'another family');
  assert.deepEqual(of('tabtwo', 'aussie_rules', 'afl'), ['half', 1], 'an owner before every league');
  assert.deepEqual(of('tab', 'aussie_rules', 'afl'), ['half', 48]);
  assert.deepEqual(of('tab', 'aussie_rules', 'vfl'), ['half', 48]);
  assert.equal(
    table.of('other', 'soccer', 'epl'),
    table.of('another', 'curling', 'x'),
    'one object for the same rules',
  );
  assert.deepEqual(
    table.ofBook('tab').map(({ id }) => id),
    ['owner', 'book'],
  );
});

test('the catalogue has the rules that books publish, and those of a book hold for its skins', () => {
  const tennis = (book: string) => houseRules.of(book, 'tennis', 'atp').winner.retirement;
  assert.deepEqual(
    ['pinnacle', 'ps3838', 'betfair', 'betfair_ex_au', 'bet365', 'bet365_au', 'draftkings', 'nobody'].map(tennis),
    ['first_set', 'first_set', 'first_set', 'first_set', 'started', 'started', 'completed', 'completed'],
  );
  const soccer = (book: string) => houseRules.of(book, 'soccer', 'epl').handicap.score_from;
  assert.deepEqual(['pinnacle', 'bet365_au', 'sbobet', 'unibet', 'betfair'].map(soccer), [
    'bet',
    'bet',
    'bet',
    'match',
    'match',
  ]);
  assert.equal(houseRules.of('pinnacle', 'hockey', 'nhl').handicap.score_from, 'match');
  assert.deepEqual(houseRules.of('x', 'baseball', 'mlb').winner.shortened, { innings: 5 });
  assert.deepEqual(houseRules.of('x', 'baseball', 'kbo').total.shortened, { innings: 9 });
  assert.equal(houseRules.of('x', 'soccer', 'epl').total.shortened, null);
  assert.equal(houseRules.of('draftkings', 'baseball', 'mlb').winner.postponed_hours, 'same_day');
  assert.equal(houseRules.of('hardrockbet_nj', 'baseball', 'mlb').winner.postponed_hours, 'same_day');
  assert.equal(houseRules.of('pinnacle', 'baseball', 'mlb').winner.postponed_hours, 36);
  assert.equal(houseRules.of('kalshi', 'football', 'nfl').winner.tie, 'half');
  assert.equal(houseRules.of('sportsbet', 'aussie_rules', 'afl').winner.tie, 'dead_heat');
});

test('leagues say where a game may end level, and where it cannot', () => {
  const tie = (type: string, sport: string, league: string) => types.of(type, sport, league).tie;
  assert.equal(tie('moneyline', 'baseball', 'mlb'), 'cannot_happen');
  for (const league of ['npb', 'kbo', 'mlb-preseason']) assert.equal(tie('moneyline', 'baseball', league), 'push');
  for (const league of ['euroleague', 'eurocup']) assert.equal(tie('moneyline', 'basketball', league), 'push');
  assert.equal(tie('moneyline', 'football', 'nfl'), 'push');
  assert.equal(tie('moneyline', 'football', 'ncaaf'), 'cannot_happen');
  assert.equal(tie('moneyline_h1', 'football', 'ncaaf'), 'push', 'a half can');
  assert.equal(types.of('moneyline', 'baseball', 'npb'), types.of('moneyline', 'baseball', 'kbo'));
});

test("a new rule of a book is one entry of an operator's overlay, and an impossible one is a line at the start", () => {
  const own = { id: 'corner', books: ['draftkings'], sports: ['tennis'], retirement: 'started', source };
  const with_ = (...entries: object[]) => loadCatalogue(folder({ 'house-rules.overlay.json': entries }));
  assert.equal(with_(own).houseRules.of('draftkings', 'tennis', 'wta').winner.retirement, 'started');
  assert.equal(with_({ id: 'all', postponed_hours: 12 }).houseRules.of('x', 'golf', 'pga').winner.postponed_hours, 12);
  const refused = (entry: object, message: RegExp) => assert.throws(() => with_(entry), { message });
  refused({ ...own, books: ['nobody'] }, /house-rules\.json: "corner": unknown book "nobody"/);
  refused({ ...own, sports: ['curling'] }, /"corner": unknown sport "curling"/);
  refused({ ...own, retirement: 'never' }, /"corner": retirement must be one of/);
  refused({ ...own, source: undefined }, /"corner": .*source/);
  refused({ ...own, colour: 'red' }, /"corner": unknown property colour/);
  refused({ ...own, owners: ['draftkings'] }, /"corner": needs either books or owners/);
  refused({ ...own, leagues: ['atp'] }, /"corner": needs either sports or leagues/);
  refused({ ...own, books: ['*', 'bet365'] }, /"corner": \* stands alone/);
  refused(
    { ...own, books: ['betfair'] },
    /"corner": states what "retirement-after-a-set-on-the-exchange" states already/,
  );
  refused({ id: 'corner', books: ['draftkings'], sports: ['tennis'], source }, /"corner": states none of/);
  refused({ id: 'all', remove: true }, /"overtime": no entry states it for all books and sports/);
});

test('built-in rules of leagues that an operator does not have are no fault', () => {
  const league = { id: 'darts', name: 'Darts', sport: 'other', timeZone: 'Europe/London', aliases: [] };
  assert.equal(
    loadCatalogue(folder({ 'leagues.json': [league] })).houseRules.of('x', 'other', 'darts').winner.tie,
    'push',
  );
});

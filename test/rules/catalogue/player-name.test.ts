import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalPlayerName } from '../../../src/rules/catalogue/player-name.js';

test('spellings of one player share a key', () => {
  const players = [
    ['LaMonte Wade Jr', 'LaMonte Wade Jr.', 'Lamonte Wade, Jr.', 'LAMONTE WADE', 'Lamonte  Wade JR'],
    ['Luka Dončić', 'Luka Doncic', ' luka doncic '],
    ['T.J. Watt', 'TJ Watt', 'T. J. Watt'],
    ["De'Aaron Fox", 'De’Aaron Fox', 'DeAaron Fox'],
    ['Robert Griffin III', 'Robert Griffin', 'Robert Griffin iii'],
    ['Ken Griffey Sr.', 'Ken Griffey Jr.'],
    ['Karl-Anthony Towns', 'Karl Anthony Towns'],
    ['Patrick Mahomes II', 'Patrick Mahomes', 'Patrick Mahomes 2nd'],
    ['Martin Ødegaard', 'Martin Odegaard', 'Ødegaard, Martin'],
    ['Rasmus Højlund', 'Rasmus Hojlund'],
    ['Filip Đuričić', 'Filip Duricic'],
    ['Jakub Błaszczykowski', 'Jakub Blaszczykowski'],
    ['Großkreutz', 'Grosskreutz'],
    ['Jaren Jackson Jr.', 'Jackson Jr., Jaren', 'Jackson, Jaren', 'Jaren Jackson Junior', 'Jaren Jackson'],
    ['Robert Williams V', 'Robert Williams', 'ROBERT WILLIAMS 5TH'],
  ];
  for (const spellings of players) assert.equal(new Set(spellings.map(canonicalPlayerName)).size, 1, spellings[0]);
});

test('different players are not merged', () => {
  const names = [
    'Jalen Williams',
    'Jaylin Williams',
    'Josh Allen',
    'Keenan Allen',
    'Ivan',
    'Iv',
    'Ev',
    'Junior',
    '大谷翔平',
    '山本由伸',
    '...',
  ];
  assert.equal(new Set(names.map(canonicalPlayerName)).size, names.length);
});

test('no name has an empty key unless it is blank', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      fc.pre(name.trim() !== '');
      assert.notEqual(canonicalPlayerName(name), '');
    }),
  );
});

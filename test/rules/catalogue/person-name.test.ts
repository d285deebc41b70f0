import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeSame, personWords } from '../../../src/rules/catalogue/person-name.js';

const same = (a: string, b: string): boolean => {
  const [one, other] = [personWords(a), personWords(b)];
  return one !== null && other !== null && mayBeSame(one, other) && mayBeSame(other, one);
};

test('spellings of one person: initials, surname first, accents, hyphens, compound surnames', () => {
  for (const [a, b] of [
    ['Zverev A.', 'Alexander Zverev'],
    ['A. Zverev', 'Alexander Zverev'],
    ['Zverev, Alexander', 'Alexander Zverev'],
    ['ZVEREV Alexander', 'Alexander Zverev'],
    ['Auger-Aliassime F.', 'Félix Auger Aliassime'],
    ['Carreno Busta P.', 'Pablo Carreño-Busta'],
    ['Carreno P.', 'Pablo Carreno Busta'],
    ['Struff J.L.', 'Jan-Lennard Struff'],
    ['Struff J-L.', 'Jan-Lennard Struff'],
    ['Del Potro J.M.', 'Juan Martin del Potro'],
    ['Li N.', 'Na Li'],
    ['Zhang Zh.', 'Zhizhen Zhang'],
    ['Zhang Zh.', 'Zhang Z.'],
    ['Pliskova Ka.', 'Karolina Pliskova'],
    ['Wang Xin.', 'Xinyu Wang'],
    ['Lee J.Ch.', 'Jae Chul Lee'],
    ['Georges St. Pierre', 'Georges St-Pierre'],
    ['St. Pierre G.', 'Georges St-Pierre'],
    ['Roy Jones Jr.', 'Jones, Roy'],
  ] as const)
    assert.ok(same(a, b), `${a} = ${b}`);
});

test('other persons of a name, pairs, and a surname alone are not taken for one', () => {
  for (const [a, b] of [
    ['Zverev A.', 'Mischa Zverev'],
    ['Alexander Zverev', 'Mischa Zverev'],
    ['Venus Williams', 'Serena Williams'],
    ['Karolina Pliskova', 'Kristyna Pliskova'],
    ['Zverev', 'Alexander Zverev'],
    ['Pliskova Ka.', 'Kristyna Pliskova'],
    ['Pliskova Ka.', 'Pliskova Kr.'],
    ['Zhang Zh.', 'Shuai Zhang'],
    ['Jones Jr.', 'Jrue Jones'],
    ['Tim St. Pierre', 'Steve Pierre'],
    ['St. Pierre', 'Stella Pierre'],
    ['Zverev A.', 'Andrey Rublev'],
    ['Zverev A. / Melo M.', 'Alexander Zverev'],
    ['Maria Garcia', 'Maria Lopez Garcia Perez Diaz'],
  ] as const)
    assert.ok(!same(a, b), `${a} = ${b}`);
});

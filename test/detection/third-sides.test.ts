// A book's two prices of a line that leave a third side out are no market of two sides, whatever the family.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IngestMarket } from '../../src/intake/ingest/message.js';
import { of, show, sides, world } from './one-game.js';

const EPL = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };

type Pair = readonly [first: number, second: number];
type Kind = readonly [name: string, market: (prices: Pair, more?: object) => IngestMarket];

const pairOf =
  (type: string, first: string, second: string, lines: readonly [number, number] | null, fields: object = {}) =>
  ([a, b]: Pair, more: object = {}): IngestMarket => {
    const [lineA, lineB] = lines === null ? [{}, {}] : [{ line: lines[0] }, { line: lines[1] }];
    const both = [
      { selection_type: first, ...lineA, odds_decimal: a, odds_american: undefined, ...more },
      { selection_type: second, ...lineB, odds_decimal: b, odds_american: undefined, ...more },
    ];
    return sides(type, both as never, fields);
  };

const KINDS: readonly Kind[] = [
  ['moneyline', pairOf('moneyline', 'home', 'away', null)],
  ['handicap', pairOf('point_spread', 'home', 'away', [-1, 1])],
  ['total', pairOf('total_points', 'over', 'under', [220, 220])],
  ['team total', pairOf('team_total', 'over', 'under', [110, 110], { team: 'home' })],
  ['player', pairOf('player_points', 'over', 'under', [24, 24], { player_name: 'Al Jones' })],
  ['yes and no', pairOf('overtime', 'yes', 'no', null)],
  ['odd and even', pairOf('odd_even', 'odd', 'even', null)],
];

for (const [name, market] of KINDS)
  test(`${name}: two prices whose inverse sum is below 0.97 are in no set, and no reference`, () => {
    const shard = world();
    // 1/2.9 + 1/2.9 is 0.69: a third side is missing.
    show(shard, { draftkings: [market([2.9, 2.9])], fanduel: [market([1.9, 1.9])], betmgm: [market([1.9, 1.91])] });
    const found = () => [...of(shard, 'arbitrage'), ...of(shard, 'ev'), ...of(shard, 'low_hold')];
    assert.deepEqual(
      found().filter(({ books }) => books.includes('draftkings')),
      [],
    );
    // The sharp book's: nothing is judged by them.
    const sharp = world();
    show(sharp, { pinnacle: [market([2.9, 2.9])], fanduel: [market([1.9, 1.9])], betmgm: [market([2.3, 1.91])] });
    assert.deepEqual(of(sharp, 'ev'), []);
    // Whole again, they count again.
    show(shard, { draftkings: [market([2.2, 1.9])] });
    assert.deepEqual(
      of(shard, 'arbitrage').map(({ books }) => books),
      [['draftkings', 'betmgm']],
    );
    show(shard, { draftkings: [market([2.2, 2.4])] });
    assert.deepEqual(of(shard, 'arbitrage'), []);
  });

test('a main and an alternate price of one line are weighed together', () => {
  const shard = world();
  const over = (odds: number, alternate: boolean) =>
    sides('total_points', [
      { selection_type: 'over', line: 220, odds_decimal: odds, odds_american: undefined, is_alternate_line: alternate },
    ] as never);
  const under = (odds: number) =>
    sides('total_points', [
      { selection_type: 'under', line: 220, odds_decimal: odds, odds_american: undefined },
    ] as never);
  show(shard, { draftkings: [over(2.6, true), under(2.6)], fanduel: [KINDS[2]![1]([1.9, 1.9])] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
  show(shard, { draftkings: [over(1.95, true), under(2.15)] });
  assert.equal(of(shard, 'arbitrage').length, 1);
  show(shard, { draftkings: [over(2.6, true), under(2.15)] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
});

const THIRD: readonly Kind[] = KINDS.filter(([name]) => name !== 'moneyline');

for (const [name, market] of THIRD)
  test(`${name}: a line that showed a third side has two no more, also when that is gone and after a restart`, () => {
    const shard = world();
    const third = (both: IngestMarket): IngestMarket => {
      const { line } = both.selections[0]!;
      const type = line === undefined || name === 'handicap' ? 'draw' : 'exactly';
      const extra = {
        selection: type,
        selection_type: type,
        odds_american: 900,
        ...(line === undefined ? {} : { line }),
      };
      return { ...both, selections: [...both.selections, extra] };
    };
    const fanduel = [market([1.9, 1.92])];
    show(shard, { draftkings: [market([2.2, 1.7])], fanduel });
    assert.equal(of(shard, 'arbitrage').length, 1);
    show(shard, { draftkings: [third(market([2.2, 1.7]))] });
    assert.deepEqual(of(shard, 'arbitrage'), []);
    show(shard, { draftkings: [market([2.2, 1.7])] });
    assert.deepEqual(of(shard, 'arbitrage'), []);
    const anew = shard.fromScratch([{ key: 'sharp', books: null }]).of('sharp');
    assert.deepEqual(
      anew.filter(({ books }) => books.includes('draftkings')),
      [],
    );
  });

test('a half line has two sides at a book that shows `exactly` at whole ones, also once a main row moves there', () => {
  const shard = world();
  const at = (line: number, over: number, under: number, exactly: boolean) =>
    sides('total_goals', [
      { selection_type: 'over', line, odds_decimal: over, odds_american: undefined },
      { selection_type: 'under', line, odds_decimal: under, odds_american: undefined },
      ...(exactly ? [{ selection_type: 'exactly', line, odds_decimal: 4, odds_american: undefined }] : []),
    ] as never);
  show(shard, { draftkings: [at(3, 2.3, 1.75, true)], fanduel: [at(3, 1.8, 2.1, false)] }, EPL);
  assert.deepEqual(of(shard, 'arbitrage'), []);
  show(shard, { draftkings: [at(2.5, 2.3, 1.75, false)], fanduel: [at(2.5, 1.6, 2.1, false)] }, EPL);
  assert.deepEqual(
    of(shard, 'arbitrage').map(({ books }) => books),
    [['draftkings', 'fanduel']],
  );
  show(shard, { draftkings: [at(3, 2.3, 1.75, false)], fanduel: [at(3, 1.8, 2.1, false)] }, EPL);
  assert.deepEqual(of(shard, 'arbitrage'), []);
});

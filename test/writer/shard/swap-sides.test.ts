// What a book states of a game that it lists the other way round, as the shard stores it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, market, message } from '../../intake/ingest/messages.js';
import { type Rig, rig } from './rig.js';

type Written = readonly [name: string, type: string, line?: number];

const EPL = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };
const TURNED = { league: 'epl', home_team: 'Chelsea', away_team: 'Arsenal' };

const of = (market_type: string, written: readonly Written[]) =>
  market(
    written.map(([selection, selection_type, line], at) => ({
      selection,
      selection_type,
      odds_decimal: 2 + at,
      ...(line === undefined ? {} : { line }),
    })),
    { market_type },
  );

/** A book's rows in order of price: type, name, line. */
function rowsOf(shard: Rig, book: string): unknown[][] {
  return [...shard.rows().values()]
    .filter(({ sportsbook }) => sportsbook === book)
    .sort((a, b) => a.odds_decimal - b.odds_decimal)
    .map(({ selection_type, selection, line }) => [selection_type, selection, line]);
}

function begun(t: Parameters<typeof rig>[0]): Rig {
  const shard = rig(t);
  shard.send(message([event([of('moneyline', [['Arsenal', 'home']])], EPL)], { book: 'pinnacle' }));
  return shard;
}

const OUTCOMES: { type: string; plain: readonly Written[]; turned: readonly Written[]; stored: readonly Written[] }[] =
  [
    {
      type: 'double_chance',
      plain: [
        ['1X', '1x'],
        ['Arsenal or Chelsea', 'home_or_away'],
        ['Away or Draw', 'away_or_draw'],
      ],
      turned: [
        ['X2', 'x2'],
        ['12', '12'],
        ['Home or Draw', 'home_or_draw'],
      ],
      stored: [
        ['Arsenal or Draw', 'home_or_draw'],
        ['Arsenal or Chelsea', 'home_or_away'],
        ['Draw or Chelsea', 'draw_or_away'],
      ],
    },
    {
      type: 'half_time_full_time',
      plain: [
        ['Home/Draw', 'home_draw'],
        ['1/2', '1_2'],
      ],
      turned: [
        ['Away/Draw', 'away_draw'],
        ['Arsenal/Chelsea', 'contract'],
      ],
      stored: [
        ['Arsenal/Draw', 'home_draw'],
        ['Arsenal/Chelsea', 'home_away'],
      ].map(([name, type]) => [name!, type!] as const),
    },
    {
      type: 'winning_margin',
      plain: [
        ['Home by 1', 'home_1'],
        ['Chelsea by 2+', 'away_by_2_plus'],
        ['Draw', 'tie'],
      ],
      turned: [
        ['Away by 1', 'away_by_1'],
        ['Home by 2 or more', 'home_2_plus'],
        ['Draw', 'draw'],
      ],
      stored: [
        ['Arsenal by 1', 'home_by_1'],
        ['Chelsea by 2+', 'away_by_2_plus'],
        ['Draw', 'draw'],
      ],
    },
    {
      type: 'correct_score',
      plain: [
        ['2-1', '2_1'],
        ['Chelsea 1-0', 'score'],
      ],
      turned: [
        ['1-2', 'score'],
        ['1:0', '1_0'],
      ],
      stored: [
        ['2-1', '2_1'],
        ['0-1', '0_1'],
      ],
    },
    {
      type: 'point_spread',
      plain: [
        ['Arsenal', 'home', -1],
        ['Draw', 'draw', -1],
        ['Chelsea', 'away', 1],
      ],
      turned: [
        ['Arsenal', 'away', -1],
        ['Draw', 'draw', 1],
        ['Chelsea', 'home', 1],
      ],
      stored: [
        ['Arsenal', 'home', -1],
        ['Draw', 'draw', -1],
        ['Chelsea', 'away', 1],
      ],
    },
    {
      type: 'moneyline_3way_h1',
      plain: [
        ['1', '1'],
        ['X', 'x'],
      ],
      turned: [
        ['2', '2'],
        ['X', 'x'],
      ],
      stored: [
        ['Arsenal', 'home'],
        ['Draw', 'draw'],
      ],
    },
  ];

test('what says two sides or a third way is one outcome of all books, whichever team they list first', (t) => {
  const shard = begun(t);
  for (const { type, plain, turned, stored } of OUTCOMES) {
    const { receipt } = shard.send(
      message([event([of(type, plain)], EPL)], { book: 'draftkings' }),
      message([event([of(type, turned)], TURNED)], { book: 'fanduel' }),
    );
    assert.deepEqual(receipt.rejected, [], type);
    const expected = stored.map(([name, side, line]) => [side, name, line ?? null]);
    assert.deepEqual(rowsOf(shard, 'draftkings'), expected, type);
    assert.deepEqual(rowsOf(shard, 'fanduel'), expected, `${type} turned`);
  }
});

test('a book that turns its list between polls keeps the rows of every outcome', (t) => {
  const shard = begun(t);
  for (const { type, plain, turned } of OUTCOMES) {
    const poll = { book: 'draftkings' };
    shard.send(message([event([of(type, plain)], EPL)], poll));
    const before = shard.rows();
    const { receipt } = shard.send(message([event([of(type, turned)], TURNED)], poll));
    assert.deepEqual([receipt.changed, receipt.removed], [0, 0], type);
    assert.deepEqual(shard.rows(), before, type);
  }
});

test('what a venue settles of a game that it lists the other way round is turned, in words, ids and the line of a draw', (t) => {
  const shard = begun(t);
  const settled = (teams: object, ...of: readonly object[]) =>
    shard.send({
      book: 'kalshi',
      polled_at: '2026-11-20T18:00:00Z',
      scope: 'none',
      settlements: of.map((one) => ({ ...teams, start_time: '2026-11-20T20:00:00Z', ...one })),
    });
  const { receipt, delta } = settled(
    TURNED,
    { market_type: 'double_chance', selection_type: '1x', outcome: 'won' },
    { market_type: 'double_chance', selection: 'Arsenal or Chelsea', outcome: 'lost' },
    { market_type: 'point_spread', selection_type: 'draw', line: -1, outcome: 'half' },
    { market_type: 'half_time_full_time', selection: 'Home/Draw', outcome: 'void' },
    { market_type: 'correct_score', selection: '2-1', outcome: 'won' },
    { market_type: 'double_chance', selection: 'Draw or Arsenal', outcome: 'won' },
  );
  assert.deepEqual(receipt.rejected, []);
  assert.deepEqual(delta!.results![0]!.settlements, {
    'kalshi|double_chance|||draw_or_away|': 'won',
    'kalshi|double_chance|||home_or_away|': 'lost',
    'kalshi|point_spread_contract_kalshi|||draw|1': 'half',
    'kalshi|half_time_full_time|||away_draw|': 'void',
    'kalshi|correct_score|||1_2|': 'won',
    'kalshi|double_chance|||home_or_draw|': 'won',
  });
});

// What the torture rig takes for true, where the truth is hard to know.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { OddsRow } from '../../src/client/types.js';
import { farewellOf, makeSeason, pollOf } from '../../torture/season.js';
import { LastStatements } from '../../torture/storm.js';
import { Truth } from '../../torture/truth.js';
import { Random } from '../world/random.js';
import type { Push } from '../world/world.js';

const NOW_MS = Date.parse('2026-11-29T12:00:00Z');
const AHEAD_MS = 90_000;

const at = (pushes: readonly Push[], ms: number): Push[] =>
  pushes.map(({ message, games }) => ({ message: { ...message, polled_at: new Date(ms).toISOString() }, games }));

test('a game whose last poll was answered after the clock was set back is not forgotten with its season', () => {
  const random = new Random(1);
  for (const backMs of [0, AHEAD_MS]) {
    const truth = new Truth();
    const season = makeSeason(random, ['pinnacle', 'fliff'], 0, NOW_MS);
    truth.addGames(season.games);
    const listed = new Set<number>();
    for (const book of season.books) {
      const polls = at(pollOf(book, random), NOW_MS + backMs);
      for (const push of polls) {
        truth.sent(push);
        truth.acknowledged(push, NOW_MS);
        for (const no of push.games) listed.add(no);
      }
      for (const push of at(farewellOf(book), NOW_MS + 1)) {
        truth.sent(push);
        truth.acknowledged(push, NOW_MS + 1);
      }
    }
    // An answer with their rows may be under way the first time.
    for (const time of [1, 2]) {
      truth.forgetBefore(season.games.length);
      for (const no of listed) {
        const { home, away, startMs } = season.games[no]!;
        const row = { home_team: home, away_team: away, event_start_time: new Date(startMs).toISOString() } as OddsRow;
        assert.equal(truth.place(row) === undefined, backMs === 0 && time === 2, `${home} - ${away}, ${backMs} ms`);
      }
    }
    assert.ok(listed.size > 0);
  }
});

test('after a loss of power a book repeats the prices, too, that its last statement suspends without naming them', () => {
  const total = (line: number, named = true) => ({
    market_type: 'total_points',
    is_active: named,
    selections: named ? [{ selection_type: 'over', line }] : [],
  });
  const winner = { market_type: 'moneyline', selections: [{ selection_type: 'home' }] };
  const push = (markets: readonly object[], suspended = false): Push => ({
    message: { book: 'matchbook', polled_at: '', events: [{ suspended, markets }] } as unknown as Push['message'],
    games: [7],
  });
  const repeated = (...pushes: Push[]): readonly Push[] => {
    const statements = new LastStatements();
    for (const one of pushes) statements.note(one, 1);
    return statements.byBook().get('matchbook')!;
  };
  const [before, priced, without] = [
    push([total(218.5), winner]),
    push([total(219.5), winner]),
    push([total(0, false), winner]),
  ];
  assert.deepEqual(repeated(before, priced), [priced]);
  assert.deepEqual(repeated(before, priced, without, without), [priced, without]);
  assert.deepEqual(repeated(before, priced, push([], true)), [priced, push([], true)]);
  assert.deepEqual(repeated(priced, without, push([], true), before), [before]);
});

// Moves of a game end with it, and none begins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startUniverses } from '../../../src/detection/detection-limits.js';
import { Moves } from '../../../src/detection/moves/moves.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { catalogue } from '../../writer/shard/rig.js';
import { ShardInMemory } from '../shard-in-memory.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const GAME = 'nba_lakers_celtics_2026-11-20';

function world() {
  let nowMs = NOW_MS;
  const shard = new ShardInMemory(NOW_MS, startUniverses(catalogue), new Moves());
  const send = (raw: object): void => {
    nowMs += 5_000;
    shard.apply([{ ...raw, polled_at: new Date(nowMs).toISOString() }], nowMs);
    assert.deepEqual(shard.rejected, []);
  };
  return {
    poll: (book: string, home: number, away: number, fields: object = {}) =>
      send(message([event([moneyline(home, away)], fields)], { book })),
    tell: (status: string) =>
      send({ source: 'league', results: [{ event_id: GAME, status, home_score: 99, away_score: 90 }] }),
    settle: () =>
      send({
        sportsbook: 'kalshi',
        settlements: [{ event_id: GAME, market_type: 'moneyline', selection_type: 'home', outcome: 'won' }],
      }),
    moves: () => shard.published.of('sharp').filter(({ kind }) => kind === 'move').length,
    opportunities: () => shard.published.of('sharp').length,
  };
}

type World = ReturnType<typeof world>;
const WORDS: Readonly<Record<string, (made: World) => void>> = {
  'a final result': ({ tell }) => tell('final'),
  'an abandoned game': ({ tell }) => tell('abandoned'),
  'a cancelled game': ({ tell }) => tell('cancelled'),
  'a postponed game': ({ tell }) => tell('postponed'),
  'a settlement of the winner': ({ settle }) => settle(),
  'a book that says it has ended': ({ poll }) => poll('betmgm', -110, -110, { status: 'ended' }),
};

for (const [word, say] of Object.entries(WORDS))
  test(`${word} ends its moves and all else that is found in it, and prices that go on moving begin none`, () => {
    const made = world();
    made.poll('fanduel', -150, 125);
    made.poll('draftkings', -120, 100);
    made.poll('draftkings', 130, -150);
    assert.ok(made.moves() > 0 && made.opportunities() > made.moves());
    say(made);
    assert.equal(made.opportunities(), 0);
    made.poll('draftkings', -140, 120);
    made.poll('fanduel', 150, -175);
    assert.equal(made.opportunities(), 0);
  });

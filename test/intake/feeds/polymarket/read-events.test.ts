import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VenueTeams } from '../../../../src/intake/feeds/kit/teams.js';
import { readGames, statusOf } from '../../../../src/intake/feeds/polymarket/read-events.js';
import { catalogue } from '../../../writer/shard/rig.js';

const START = '2026-12-01T20:00:00Z';
const MLB = { league: 'mlb', sport: 'baseball', codes: ['mlb'], firstIs: 'away' } as const;

const game = (more: object) => ({
  slug: 'mlb-nyy-bos-2026-12-01',
  startTime: START,
  teams: [{ name: 'Yankees' }, { name: 'Red Sox' }],
  markets: [{ id: '1', sportsMarketType: 'moneyline', outcomes: '["Yankees","Red Sox"]', clobTokenIds: '["11","12"]' }],
  ...more,
});

test('a game that is postponed has no start until it has one ahead, and one that is cancelled is over', () => {
  const [before, after] = [-1, 1].map((hours) => Date.parse(START) + hours * 3_600_000);
  for (const [more, ...statuses] of [
    [{ gameStatus: 'Scheduled' }, undefined, undefined],
    [{ gameStatus: 'Postponed' }, undefined, 'postponed'],
    [{ gameStatus: 'Canceled' }, 'cancelled', 'cancelled'],
    [{ gameStatus: 'Postponed', ended: true }, 'ended', 'ended'],
  ] as const) {
    const [listed] = readGames([game(more)], MLB, new VenueTeams(catalogue));
    assert.deepEqual([statusOf(listed!, before!), statusOf(listed!, after!)], statuses, JSON.stringify(more));
  }
});

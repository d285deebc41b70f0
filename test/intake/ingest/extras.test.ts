// Splits and futures of a message: their times, prices and repetitions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NormalMessage, Rejection } from '../../../src/base/model/normal-message.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { latest, message } from './messages.js';

const EVENT = 'nba_lakers_celtics_2026-11-20';
const context = {
  catalogue: loadCatalogue(),
  clock: latest,
  leagueOfEvent: (id: string) => (id === EVENT ? { league: 'nba', sport: 'basketball' } : undefined),
};

function read(parts: object): { normal: NormalMessage; rejected: Rejection[] } {
  const rejected: Rejection[] = [];
  return { normal: normalise(message([], parts), '', context, rejected)!, rejected };
}

test('splits dated in the future are rejected, and their odds are American prices in any form', () => {
  const of = (fields: object) => {
    const splits = {
      event_id: EVENT,
      sportsbook: 'circa',
      moneyline: { home_odds: -150, handle_pct: { home: 0.6 } },
    };
    const { normal, rejected } = read({ splits: [{ ...splits, ...fields }] });
    return { splits: normal.splits[0], rejected: rejected.map(({ path, reason }) => `${path}: ${reason}`) };
  };
  const ahead = (seconds: number) => new Date(latest.now() + seconds * 1000).toISOString();
  assert.deepEqual(of({ fetched_at: ahead(31) }), {
    splits: undefined,
    rejected: ['splits[0].fetched_at: more than 30 s ahead of the clock'],
  });
  assert.equal(of({ fetched_at: ahead(29) }).splits!.fetchedMs, latest.now());
  const undated = of({ fetched_at: 'noon' });
  assert.deepEqual(undated.rejected, ['splits[0].fetched_at: not an RFC 3339 time']);
  assert.equal(undated.splits!.fetchedMs, of({}).splits!.fetchedMs, 'as if it were absent');
  const odds = (away_odds: unknown) => {
    const { splits, rejected } = of({ moneyline: { away_odds } });
    return [splits!.moneyline!.awayOdds, rejected.length];
  };
  assert.deepEqual(odds('−150'), [-150, 0]);
  assert.deepEqual(odds(-100), [100, 0]);
  for (const bad of [50, 0, 1.5, '', 'x', true]) assert.deepEqual(odds(bad), [null, 1], `${bad}`);
});

test('of a future a second price of a selection, an invalid price and an invalid start are rejected', () => {
  const { normal, rejected } = read({
    futures: [
      {
        league: 'nba',
        market: 'mvp',
        event_start_time: 'June',
        selections: [
          { selection: 'A', odds_american: 500 },
          { selection: 'A ', odds_american: 600 },
          { selection: 'A', odds_american: 700, line: 1.5 },
          { selection: 'B', odds_american: 50, odds_decimal: 3 },
        ],
      },
    ],
  });
  assert.deepEqual(
    normal.futures[0]!.quotes.map(([name, line, american]) => [name, line, american]),
    [
      ['A', null, 500],
      ['A', 1.5, 700],
    ],
  );
  assert.deepEqual(rejected.map(({ path }) => path).sort(), [
    'futures[0].event_start_time',
    'futures[0].selections[1]',
    'futures[0].selections[3].odds_american',
  ]);
});

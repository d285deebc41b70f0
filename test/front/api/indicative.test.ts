// Prices at which something was traded and nothing is on offer: shown wherever rows are, and never a best price, part of
// a hold or a leg.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBacktest } from '../../../src/cli/backtest/backtest.js';
import { DEFAULT_LIMITS } from '../../../src/detection/kinds/caller-thresholds.js';
import { batchRoutes } from '../../../src/front/api/batch.js';
import { bestRoutes, comparisonRoutes } from '../../../src/front/api/best.js';
import { costlyQueue } from '../../../src/front/api/cost.js';
import { oddsRoutes } from '../../../src/front/api/odds.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { newFolder } from '../../temp-folders.js';
import { moneyline, pastOf, serving } from './serving.js';

const GAME = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers' };

const eventOf = (home: number, away: number, indicative?: true) => {
  const market = moneyline(home, away);
  const selections = market.selections.map((each) => ({ ...each, ...(indicative ? { indicative } : {}) }));
  return { ...GAME, start_time: '2026-11-21T00:30:00Z', markets: [{ ...market, selections }] };
};

test('an indicative price is shown and never bet, until its book offers one', async (t) => {
  const server = await serving(t, (deps) => {
    return [
      ...oddsRoutes(deps, pastOf(deps)),
      ...bestRoutes(deps, pastOf(deps)),
      ...comparisonRoutes(deps, pastOf(deps)),
      ...batchRoutes(deps, costlyQueue()),
    ];
  });
  const id = 'nba_celtics_lakers_2026-11-20';
  const poll = async (book: string, home: number, away: number, indicative?: true): Promise<void> => {
    server.clock.set(server.clock.now() + 1_000);
    const polled_at = new Date(server.clock.now()).toISOString();
    await server.ingest({ book, polled_at, events: [eventOf(home, away, indicative)] });
  };
  const rows = async () =>
    ((await server.ok(`/odds?event=${id}`, 'pro')).data as Record<string, unknown>[]).map((row) => [
      row['sportsbook'],
      row['selection_type'],
      row['odds_american'],
      row['indicative'],
    ]);
  await poll('draftkings', 120, -130);
  // With it there would be an arbitrage of ten percent.
  await poll('fanduel', -200, 180, true);
  const shown = await rows();
  assert.deepEqual(shown.filter(([book]) => book === 'fanduel').sort(), [
    ['fanduel', 'away', 180, true],
    ['fanduel', 'home', -200, true],
  ]);
  assert.ok(shown.every(([book, , , indicative]) => book === 'fanduel' || indicative === undefined));
  const best = JSON.stringify((await server.ok(`/odds/best?event=${id}`, 'pro')).data);
  assert.ok(best.includes('draftkings') && !best.includes('fanduel'), best);
  const comparison = JSON.stringify((await server.ok(`/odds/comparison?event=${id}`, 'pro')).data);
  assert.match(comparison, /"fanduel":\{[^}]*"indicative":true/);
  assert.match(comparison, /"by_book":\{"draftkings":[\d.]+\}/);
  // Then it is offered, and again it is not.
  await poll('fanduel', -200, 105);
  assert.ok((await rows()).every(([, , , indicative]) => indicative === undefined));
  assert.match(JSON.stringify((await server.ok(`/odds/best?event=${id}`, 'pro')).data), /fanduel/);
  await poll('fanduel', -200, 105, true);
  assert.doesNotMatch(JSON.stringify((await server.ok(`/odds/best?event=${id}`, 'pro')).data), /fanduel/);
});

test('an indicative price is no leg of anything, in either direction of time', async () => {
  const line = (minute: number, book: string, home: number, away: number, indicative?: true): string =>
    JSON.stringify({
      book,
      polled_at: `2026-11-20T18:0${minute}:00Z`,
      scope: 'event',
      events: [eventOf(home, away, indicative)],
    });
  const found = async (lines: string[]): Promise<string[]> => {
    const file = join(newFolder('overround-indicative-'), 'rec.ndjson');
    writeFileSync(file, lines.join('\n'));
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    await runBacktest({ file, catalogue: loadCatalogue(), books: null, limits: DEFAULT_LIMITS, write });
    return written
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => (JSON.parse(text) as { type: string }).type)
      .filter((type) => type.startsWith('arb'));
  };
  const offered = [line(0, 'draftkings', 120, -130), line(1, 'fanduel', -200, 105)];
  const [detected] = await found(offered);
  assert.match(detected!, /detected/);
  assert.deepEqual(await found([offered[0]!, line(1, 'fanduel', -200, 105, true)]), []);
  const ended = await found([...offered, line(2, 'fanduel', -200, 105, true)]);
  assert.match(ended.join(), /detected,.*expired/);
  assert.equal(
    (await found([offered[0]!, line(1, 'fanduel', -200, 105, true), line(2, 'fanduel', -200, 105)])).length,
    1,
  );
});

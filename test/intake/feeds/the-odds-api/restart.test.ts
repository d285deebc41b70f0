// What another run of the server listed is removed once an answer lacks it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatMs } from '../../../../src/base/model/time.js';
import { TheOddsApiFeed } from '../../../../src/intake/feeds/the-odds-api/poller.js';
import { eventually } from '../../../support/until.js';
import { newFolder } from '../../../temp-folders.js';
import { type Served, served } from '../kit/served.js';
import { feedBench } from '../kit/venue.js';
import { bookmaker, event, h2h, LEAGUES } from './answers.js';
import { json, upstream } from './upstream.js';

/** A server over `data` whose feed is answered with prices of these books. */
async function running(t: TestContext, data: string, books: () => readonly string[]): Promise<Served> {
  const api = await upstream((_request, response) => {
    const now = { last_update: formatMs(Date.now()) };
    const list = books().map((book) => bookmaker(book, [{ ...h2h(-142, 116), ...now }], now));
    json(response, 200, [event('e1', list, { commence_time: formatMs(Date.now() + 3_600_000) })]);
  });
  t.after(() => api.close());
  const options = { sports: ['baseball_mlb'], regions: ['us'], markets: ['h2h'], everyS: 0.05 };
  const access = { apiKey: 'k', baseUrl: api.url, leagues: LEAGUES, random: () => 1 };
  return served(t, new TheOddsApiFeed({ ...options, ...access }), { data });
}

const shown = async (world: Served, books: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const book of books) if ((await world.rows(book)).length > 0) found.push(book);
  return found;
};
const BOOKS = ['fanduel', 'betus', 'draftkings'];

test('a book that left while the server did not run has no rows once the next run has an answer', async (t) => {
  const data = newFolder();
  const first = await running(t, data, () => ['fanduel', 'betus']);
  await eventually(async () => assert.deepEqual(await shown(first, BOOKS), ['fanduel', 'betus']));
  // Of another source, which this feed never listed: it stays.
  await first.server.ingest([
    {
      book: 'draftkings',
      polled_at: formatMs(Date.now()),
      scope: 'none',
      events: [
        {
          ...{ league: 'mlb', home_team: 'River City Herons', away_team: 'Port Vale Otters' },
          start_time: formatMs(Date.now() + 3_600_000),
          markets: [
            {
              market_type: 'moneyline',
              selections: [{ selection: 'River City Herons', selection_type: 'home', odds_american: -140 }],
            },
          ],
        },
      ],
    },
  ]);
  await first.close();
  const second = await running(t, data, () => ['fanduel']);
  await eventually(async () => assert.deepEqual(await shown(second, BOOKS), ['fanduel', 'draftkings']));
  await second.close();
  const third = await running(t, data, () => []);
  await eventually(async () => assert.deepEqual(await shown(third, BOOKS), ['draftkings']));
});

test('a book that left for another feed keeps what that one has listed', async (t) => {
  const api = await upstream((_request, response) => json(response, 200, []));
  t.after(() => api.close());
  const memory = { read: () => ({ mlb: ['betus', 'fanduel'] }), write: async () => {} };
  const bench = feedBench();
  const options = { sports: ['baseball_mlb'], regions: ['us'], markets: ['h2h'], everyS: 60, apiKey: 'k' };
  const feed = new TheOddsApiFeed({ ...options, baseUrl: api.url, leagues: LEAGUES, random: () => 1 });
  const running = feed.run({ ...bench.context, memory, listers: new Map([['betus|mlb', 'another']]) });
  await eventually(() => assert.equal(bench.batches.length, 1));
  feed.stop();
  await running;
  assert.deepEqual(
    bench.batches[0]!.map(({ book, league }) => [book, league]),
    [['fanduel', 'mlb']],
  );
});

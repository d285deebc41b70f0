// Prices at which something was traded and nothing was on offer, as history shows them and as closing value counts them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAKERS, NOW } from '../../front/api/serving.js';
import { api, documentOf, type Json } from '../../front/api.js';
import { FLAGS, json, MINUTE, post, START } from './rig.js';

const BEGIN = Date.parse(NOW);
const CLOSE = Date.parse(START);

test('history, openings and closes say which prices were indicative, and a close on them is a reference', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  await post(made, BEGIN, 'pinnacle', { home: -104, away: -104, indicative: true });
  const csv = await made.fetch('/odds?include=opening&format=csv&fields=line&sort=odds', { key });
  assert.deepEqual(
    (await csv.text()).split('\r\n').map((line) => line.split(',').at(-1)),
    ['opening_indicative', 'true', 'true', ''],
  );
  await post(made, BEGIN + 1000, 'draftkings', { home: 120, away: -140 });
  await post(made, BEGIN + MINUTE, 'pinnacle', { home: -110, away: 100 });
  // The close: the same price as one that was on offer, and no longer is.
  await post(made, CLOSE - 2 * MINUTE, 'pinnacle', { home: -200, away: 200 });
  await post(made, CLOSE - MINUTE, 'pinnacle', { home: -200, away: 200, indicative: true });
  made.clock.set(CLOSE + MINUTE);
  const homeOf = (rows: Json[]): Json => rows.find(({ selection_type }) => selection_type === 'home');

  const { data: rows } = await json(made, `/odds/history?event=${LAKERS}&sportsbook=pinnacle&to=${START}`, key);
  const home = homeOf(rows);
  assert.deepEqual(
    home.points.map((point: Json) => [point.odds_american, point.indicative]),
    [
      [-104, true],
      [-110, undefined],
      [-200, undefined],
      [-200, true],
    ],
  );
  assert.equal(home.opening.indicative, true);
  const { data: hourly } = await json(made, `/odds/history?odds_id=${home.odds_id}&interval=1h&to=${START}`, key);
  assert.deepEqual(
    hourly[0].points.map((candle: Json) => [candle.american.close, candle.indicative]),
    [
      [-110, undefined],
      [-200, true],
    ],
  );

  const opening = await json(made, `/odds/opening?event_id=${LAKERS}`, key);
  assert.equal(homeOf(opening.data.books.pinnacle).indicative, true);
  assert.ok(!('indicative' in homeOf(opening.data.books.draftkings)));
  const { data: closing } = await json(made, `/odds/closing?event_id=${LAKERS}`, key);
  const closed = homeOf(closing.books.pinnacle);
  assert.deepEqual(
    [closed.odds_american, closed.indicative, Date.parse(closed.captured_at) >= CLOSE - MINUTE],
    [-200, true, true],
  );
  assert.ok(!('indicative' in homeOf(closing.books.draftkings)));
  const day = `date=${START.slice(0, 10)}&sport=basketball&league=nba&sportsbook=pinnacle`;
  const { data: listed } = await json(made, `/historical/odds/closing?${day}`, key);
  assert.equal(homeOf(listed.events[0].books[0].lines).indicative, true);

  const at = new Date(BEGIN + 2_000).toISOString();
  const side = { market: 'point_spread', selection: 'home', line: -3.5 };
  const bet = { event: LAKERS, sportsbook: 'draftkings', ...side, odds_american: 120, at };
  const response = await made.fetch('/clv', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bets: [bet] }),
  });
  const [judged] = ((await response.json()) as Json).data;
  // Two thirds at the close: 2/3 * 2.2 - 1.
  assert.deepEqual([judged.clv_percent, judged.devig_book], [46.6667, 'pinnacle']);
});

test('answers of an earlier instant are as the OpenAPI document says', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  await post(made, BEGIN, 'pinnacle', { home: -104, away: -104 });
  const at = new Date(BEGIN + 1000).toISOString();
  made.clock.set(BEGIN + MINUTE);
  const document = await documentOf(made);
  const paths = ['/odds', '/odds?group_by=event', '/odds/best', `/odds/comparison?event_id=${LAKERS}`];
  for (const path of [...paths, `/events/${LAKERS}/odds`]) {
    const name = path.replace(/\?.*/, '').replace(LAKERS, '{eventId}');
    const operation = document.operations.find((one) => one.method === 'get' && one.path === name)!;
    const answer = await made.fetch(`${path}${path.includes('?') ? '&' : '?'}at=${at}`, { key });
    assert.deepEqual([answer.status, await document.complaints(operation, answer)], [200, []], path);
  }
});

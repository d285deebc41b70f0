// Answers that the caller already has are not sent again; pages of odds as CSV.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestRoutes } from '../../../src/front/api/best.js';
import { oddsRoutes } from '../../../src/front/api/odds.js';
import { api, fillWorld } from '../api.js';
import { LAKERS, moneyline, NOW, pastOf, serving, WORLD } from './serving.js';

test('an ETag depends on the content: not on the time of sending or the caller, but on every change the caller sees', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const [pro, sharp] = [made.key('pro'), made.key('sharp')];
  const tag = async (path: string, key = pro) => (await made.fetch(path, { key })).headers.get('etag');
  const paths = [
    '/odds',
    `/events/${LAKERS}/odds`,
    '/odds/best',
    `/odds/comparison?event=${LAKERS}`,
    '/splits',
    `/splits/history?event_id=${LAKERS}`,
    '/futures',
    '/futures/odds?future_id=nba_championship_winner',
  ];
  for (const path of paths) {
    const etag = await tag(path);
    assert.match(etag!, /^W\/"[\w-]+"$/, path);
    made.clock.set(made.clock.now() + 5);
    const again = await made.fetch(path, { key: pro, headers: { 'if-none-match': `"x", ${etag}` } });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag], path);
    const other = await made.fetch(path, { key: pro, headers: { 'if-none-match': 'W/"other"' } });
    assert.equal(other.status, 200, path);
  }
  assert.notEqual(await tag('/odds'), await tag('/odds', sharp), 'a sharp caller sees other books');
  const before = await tag(`/odds?event=${LAKERS}&sportsbook=draftkings`);
  await made.ingest({ book: 'fanduel', events: [{ event_id: LAKERS, markets: [moneyline(-140, 120)] }] });
  assert.equal(await tag(`/odds?event=${LAKERS}&sportsbook=draftkings`), before, 'another book is no news here');
  await made.ingest({ book: 'draftkings', events: [{ event_id: LAKERS, markets: [moneyline(-140, 120)] }] });
  assert.notEqual(await tag(`/odds?event=${LAKERS}&sportsbook=draftkings`), before);
});

test('CSV has a header line, the page’s rows and no formulas; totals and cursors are headers', async (t) => {
  const { ingest, get, ok } = await serving(t, (deps) => [
    ...oddsRoutes(deps, pastOf(deps)),
    ...bestRoutes(deps, pastOf(deps)),
  ]);
  await ingest(...WORLD, {
    book: 'fanduel',
    events: [
      {
        league: 'nba',
        home_team: '=HYPERLINK("http://x")',
        away_team: '+1, "Quoted"',
        start_time: '2026-11-20T23:00:00Z',
        markets: [moneyline(-145, 125)],
      },
    ],
  });
  const response = await get('/odds?format=csv&limit=2', 'pro');
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.match(response.headers.get('content-disposition')!, /^attachment; filename="odds\.csv"$/);
  const json = await ok('/odds?limit=2', 'pro');
  assert.equal(response.headers.get('x-total-count'), String(json.meta.total));
  assert.match(response.headers.get('x-next-cursor')!, /^[\w-]+$/);
  const lines = (await response.text()).split('\r\n');
  assert.deepEqual([lines.length, lines.at(-1)], [4, '']);
  assert.ok(lines[0]!.startsWith('id,event_id,event_start_time,sport'));
  const named = await (
    await get('/odds?format=csv&fields=home_team,away_team,odds_american&sportsbook=fanduel&limit=3', 'pro')
  ).text();
  assert.match(named, /\r\n"'=HYPERLINK\(""http:\/\/x""\)","'\+1, ""Quoted""",125\r\n/);
  assert.match(named, /,-145\r\n/, 'a price is a number, whatever its sign');
  assert.equal((await get('/odds?format=csv&group_by=event', 'pro')).status, 400);
  const best = await get(`/odds/best?format=csv&event=${LAKERS}&market=moneyline`, 'pro');
  const table = (await best.text()).split('\r\n');
  assert.ok(table[1]!.startsWith(`${LAKERS},2026-11-21T00:30:00.000Z,basketball,nba,Boston Celtics`));
  assert.deepEqual([table.length, best.headers.get('x-total-count')], [4, '2']);
  assert.equal((await get('/odds?format=xml', 'pro')).status, 400);
  assert.ok(NOW.length > 0);
});

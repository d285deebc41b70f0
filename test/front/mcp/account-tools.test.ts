// Tools of an account's own, over MCP against a whole server: what they change is changed as over REST, within the same rights.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../accounts/keys-at-once.js';
import { call, connect, type Result } from './clients.js';
import { marketServer } from './market.js';

type Fields = Record<string, unknown>;
const dataOf = ({ structuredContent }: Result) => structuredContent!['data'] as never;

test('a model places a paper bet, sees it, and sums its bets up', async (t) => {
  const { server, url } = await marketServer(t);
  const { key } = atOnce(server.accounts).create({ tier: 'enterprise', requestsPerMinute: 10_000 });
  const client = await connect(t, url, key);
  const odds = await call(client, 'get_odds', { limit: 1, market: 'moneyline', sportsbook: 'pinnacle' });
  const [row] = dataOf(odds) as Fields[];
  const bet = { client_id: 'one', odds_id: row!['id'], stake: 25, odds_american: row!['odds_american'], tag: 'model' };
  const placed = await call(client, 'place_paper_bet', bet);
  assert.equal(placed.isError, undefined, placed.content[0]!.text);
  const [made] = dataOf(placed) as Fields[];
  assert.ok(typeof made!['id'] === 'string' && typeof made!['status'] === 'string');
  // Sent again it is the same bet.
  assert.deepEqual(dataOf(await call(client, 'place_paper_bet', bet)), [made]);
  const bets = dataOf(await call(client, 'get_bets')) as Fields[];
  assert.deepEqual(
    bets.map(({ client_id, mode, stake, tag }) => [client_id, mode, stake, tag]),
    [['one', 'paper', 25, 'model']],
  );
  const rest = await fetch(`${url}/api/v1/account/bets`, { headers: { 'x-api-key': key } });
  assert.equal(((await rest.json()) as { data: Fields[] }).data[0]!['id'], made!['id']);
  const summary = dataOf(await call(client, 'get_bets_summary', { group_by: 'tag' })) as Fields;
  assert.ok(Array.isArray(summary['groups']));
  const wrong = await call(client, 'place_paper_bet', { ...bet, client_id: 'two', stake: -1 });
  assert.deepEqual([wrong.isError, /^invalid_request: .*stake/.test(wrong.content[0]!.text!)], [true, true]);
  const missing = await call(client, 'place_paper_bet', { client_id: 'three' });
  assert.match(missing.content[0]!.text!, /^invalid_request: .*stake/);
});

test('a model makes, tests, pauses and deletes an alert, within the rights of its key', async (t) => {
  const { server, url } = await marketServer(t);
  const target = { type: 'webhook', url: 'https://receiver.example/hook' };
  const client = await connect(t, url, atOnce(server.accounts).create({ tier: 'enterprise' }).key);
  const rule = { name: 'mine', channel: 'arbitrage', filters: { leagues: ['nba'], min_profit: 1 }, target };
  const created = await call(client, 'create_alert', rule);
  assert.equal(created.isError, undefined, created.content[0]!.text);
  const { id, secret } = dataOf(created) as Fields;
  assert.ok(typeof id === 'string' && typeof secret === 'string');
  const listed = async () => dataOf(await call(client, 'get_alerts')) as Fields[];
  assert.deepEqual(
    (await listed()).map(({ id: one, name, channel, paused }) => [one, name, channel, paused]),
    [[id, 'mine', 'arbitrage', false]],
  );
  const change = (action: string) => call(client, 'change_alert', { id, action });
  assert.equal((await change('pause')).isError, undefined);
  assert.equal((await listed())[0]!['paused'], true);
  assert.equal((await change('resume')).isError, undefined);
  assert.equal((await listed())[0]!['paused'], false);
  assert.equal((await change('test')).isError, undefined);
  assert.match((await change('burn')).content[0]!.text!, /^invalid_request: action must be one of pause, resume/);
  assert.equal((await change('delete')).isError, undefined);
  assert.deepEqual(await listed(), []);
  assert.match((await change('delete')).content[0]!.text!, /^not_found/);

  const free = await connect(t, url, atOnce(server.accounts).create({ tier: 'free' }).key);
  for (const [name, args] of [
    ['create_alert', rule],
    ['change_alert', { id, action: 'delete' }],
    ['get_alerts', {}],
  ] as const) {
    const refused = await call(free, name, args);
    assert.deepEqual([refused.isError, /^tier_restricted/.test(refused.content[0]!.text!)], [true, true], name);
  }
});

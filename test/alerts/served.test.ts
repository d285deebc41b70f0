// Alerts through the whole server: rules over HTTP, detected opportunities, signed messages accepted by a receiver.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newFolder } from '../temp-folders.js';
import { type Body, EVEN_GAMES, type Live, serverWith } from './live.js';
import { Receiver } from './receiver.js';

async function receiving(t: TestContext): Promise<Receiver> {
  const receiver = new Receiver();
  await receiver.listen();
  t.after(() => receiver.stop());
  return receiver;
}

function dataDir(_: TestContext): string {
  return newFolder('overround-alerts-');
}

async function made(live: Live, receiver: Receiver, alert: Body, tier: 'pro' | 'sharp' = 'pro'): Promise<string> {
  const body = { name: 'mine', quiet_s: 0, target: { type: 'webhook', url: receiver.url }, ...alert };
  const answer = await live.call('POST', '/account/alerts', tier, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const { id, secret } = answer.body['data'];
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  receiver.secret = secret;
  return id;
}

const itemsOf = (receiver: Receiver): Body[] => receiver.taken.flatMap(({ body }) => body.data.items);

test('an arbitrage that begins is sent to the webhook, signed; one that was active before is not', async (t) => {
  const live = await serverWith(t, dataDir(t));
  const receiver = await receiving(t);
  await live.poll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES[0]);
  const id = await made(live, receiver, { channel: 'arbitrage', filters: { leagues: ['nba'] } });
  await live.poll({ draftkings: [112, -132], fanduel: [-132, 112] }, EVEN_GAMES[1]);
  await receiver.until(() => receiver.taken.length > 0, 'the arbitrage');
  assert.deepEqual(receiver.bad, []);
  const [item] = itemsOf(receiver);
  assert.equal(itemsOf(receiver).length, 1);
  const list = await live.call('GET', '/opportunities/arbitrage', 'pro');
  const listed = list.body['data'].find((one: Body) => one['id'] === item!['id']);
  assert.deepEqual([item!['event_id'], item!['legs']], [listed['event_id'], listed['legs']]);
  assert.equal(receiver.taken[0]!.body.type, 'arbitrage.detected');
  // New numbers of the same opportunity are not sent. One that ended and returned is.
  await live.poll({ draftkings: [113, -132] }, EVEN_GAMES[1]);
  await live.poll({ draftkings: [-110, -110], fanduel: [-110, -110] }, EVEN_GAMES[1]);
  await live.settled();
  await live.poll({ draftkings: [112, -132], fanduel: [-132, 112] }, EVEN_GAMES[1]);
  await receiver.until(() => itemsOf(receiver).length > 1, 'the same one again');
  const status = (await live.call('GET', '/account/alerts', 'pro')).body['data'][0];
  assert.equal(status.id, id);
  assert.equal(status.secret, undefined, 'the secret is shown once');
  assert.equal(status.status.state, 'active');
  assert.equal((await live.call('DELETE', `/account/alerts/${id}`, 'pro')).status, 204);
  assert.equal((await live.call('DELETE', `/account/alerts/${id}`, 'pro')).status, 404);
  assert.deepEqual((await live.call('GET', '/account/alerts', 'pro')).body['data'], []);
});

test('one that was active below the threshold when the rule was made is sent when it first crosses it', async (t) => {
  const live = await serverWith(t, dataDir(t));
  const receiver = await receiving(t);
  await live.poll({ draftkings: [104, -130], fanduel: [-130, 104] }, EVEN_GAMES[0]);
  await made(live, receiver, { channel: 'arbitrage', filters: { min_profit: 3 } });
  await live.poll({ draftkings: [112, -132], fanduel: [-132, 112] }, EVEN_GAMES[0]);
  await receiver.until(() => itemsOf(receiver).length === 1, 'the crossing');
  assert.ok(itemsOf(receiver)[0]!['profit_percent'] >= 3);
});

test("prices above fair at the rule's books are judged by a book that is not among them", async (t) => {
  const live = await serverWith(t, dataDir(t));
  const receiver = await receiving(t);
  await made(live, receiver, { channel: 'ev', filters: { sportsbooks: ['caesars'] } }, 'sharp');
  await live.poll({ pinnacle: [-105, -105], draftkings: [118, -140], caesars: [108, -130] }, EVEN_GAMES[0]);
  await receiver.until(() => receiver.taken.length > 0, 'the price above fair');
  assert.deepEqual(
    itemsOf(receiver).map(({ sportsbook, sharp_book }) => [sportsbook, sharp_book]),
    [['caesars', 'pinnacle']],
  );
});

test('a burst is one message; after it quiet_s apply, and matches in that time are in the next message', async (t) => {
  const live = await serverWith(t, dataDir(t));
  const receiver = await receiving(t);
  await made(live, receiver, { channel: 'arbitrage', quiet_s: 2 });
  await live.pollAll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES.slice(0, 30));
  await receiver.until(() => receiver.taken.length > 0, 'the burst');
  assert.equal(receiver.taken[0]!.body.data.count, 30);
  await live.pollAll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES.slice(30, 33));
  await live.pollAll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES.slice(33, 36));
  await receiver.until(() => receiver.taken.length > 1, 'what came meanwhile');
  const [first, second] = receiver.taken.map(({ body }) => Date.parse(body.timestamp));
  assert.ok(second! - first! >= 2_000, 'not before it was quiet');
  assert.equal(receiver.taken[1]!.body.data.count, 6);
});

test('steam is sent to Slack as lines, prices that reach a limit to a webhook', async (t) => {
  const live = await serverWith(t, dataDir(t));
  const chat = await receiving(t);
  const hook = await receiving(t);
  const texts: string[] = [];
  await made(live, hook, { channel: 'odds', filters: { sportsbooks: ['draftkings'], min_odds: 150 } }, 'sharp');
  const slack = await live.call('POST', '/account/alerts', 'sharp', {
    name: 'steam',
    channel: 'moves',
    filters: { kinds: ['drop'] },
    target: { type: 'slack', url: chat.url },
  });
  assert.equal(slack.status, 201);
  chat.onBody = (text) => texts.push(JSON.parse(text).text);
  // Of the books that may be behind one has not followed in the second game alone.
  const late = await receiving(t);
  await made(live, late, { channel: 'moves', filters: { kinds: ['drop'], laggard: 'fanduel,caesars' } }, 'sharp');
  await live.poll({ draftkings: [100, -120], caesars: [100, -120] }, EVEN_GAMES[1]);
  await live.poll({ draftkings: [160, -190] }, EVEN_GAMES[1]);
  await late.until(() => late.taken.length > 0, 'caesars is behind');
  assert.deepEqual(
    [
      ...new Set(
        itemsOf(late).map(
          ({ event_name, laggards }) => `${event_name} ${(laggards as Body[]).map(({ book }) => book)}`,
        ),
      ),
    ],
    ['Visitors 1 @ Homers 1 caesars'],
  );
  await live.poll({ draftkings: [100, -120] }, EVEN_GAMES[0]);
  await live.poll({ draftkings: [160, -190] }, EVEN_GAMES[0]);
  await hook.until(() => hook.taken.length > 0, 'the price');
  assert.deepEqual(
    itemsOf(hook).map(({ odds_american, sportsbook }) => [odds_american, sportsbook]),
    [[160, 'draftkings']],
  );
  await chat.until(() => texts.length > 0, 'the drop');
  assert.match(texts.join('\n'), /^drop down · .*draftkings 100 to 160/m);
  await live.settled();
  assert.deepEqual([...new Set(itemsOf(late).map(({ event_name }) => event_name))], ['Visitors 1 @ Homers 1']);
  const rules: Body[] = (await live.call('GET', '/account/alerts', 'sharp')).body['data'];
  const shown = rules.find(({ name }) => name === 'steam')!;
  assert.equal(shown['target'].url, `${new URL(chat.url).origin}/…`);
});

test('rules are validated: tier, channel, names, targets, and their number', async (t) => {
  const live = await serverWith(t, dataDir(t), { 'alert-hosts': '' });
  let threads = 0;
  const begun = () => threads++;
  process.on('worker', begun);
  t.after(() => process.off('worker', begun));
  const ask = async (tier: 'free' | 'hobby' | 'pro' | 'sharp', alert: Body) => {
    const target = { type: 'webhook', url: 'https://example.com/hook' };
    const { status, body } = await live.call('POST', '/account/alerts', tier, {
      name: 'n',
      channel: 'arbitrage',
      target,
      ...alert,
    });
    return status === 201 ? 201 : [status, body['error'].code];
  };
  assert.deepEqual(await ask('hobby', {}), [403, 'tier_restricted']);
  assert.deepEqual(await ask('pro', { channel: 'moves' }), [403, 'tier_restricted']);
  assert.deepEqual(await ask('pro', { channel: 'low_hold' }), [403, 'forbidden']);
  for (const wrong of [
    { channel: 'gamestate' },
    { quiet_s: -1 },
    { filters: { colour: ['red'] } },
    { filter: { leagues: ['nba'] } },
    { filters: { leagues: ['xfl'] } },
    { filters: { kinds: ['leap'] } },
    { kinds: ['leap'] },
    { target: { type: 'telegram', chat: '1' } },
    { target: { type: 'webhook' } },
    ...[
      'http://127.0.0.1/x',
      'http://localhost/x',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://169.254.169.254/latest',
      'http://100.100.1.1/',
      'http://metadata.internal/',
      'https://user:pass@example.com/',
      'ftp://example.com/',
      'nonsense',
    ].map((url) => ({ target: { type: 'webhook', url } })),
  ])
    assert.deepEqual(await ask('pro', wrong), [400, 'invalid_request'], JSON.stringify(wrong));
  assert.equal(threads, 0, 'nothing is to be sent yet');
  for (let i = 0; i < 10; i++) assert.equal(await ask('pro', { name: `n${i}` }), 201);
  while (threads === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(threads, 1, 'the thread that sends');
  assert.deepEqual(await ask('pro', {}), [400, 'invalid_request'], 'ten are enough for Pro');
  assert.equal(await ask('sharp', { channel: 'moves' }), 201);
  const nobody = await ask('sharp', { channel: 'moves', filters: { laggards: ['nosuch'] } });
  assert.deepEqual(nobody, [400, 'invalid_request']);
  const unknown = { name: 'n', channel: 'ev', target: { type: 'webhook', url: 'https://example.com/', chut: 'x' } };
  const twice = await live.call('POST', '/account/alerts', 'sharp', {
    name: 'n',
    channel: 'arbitrage',
    min_profit: 1,
    filters: { min_profit: 90 },
    target: { type: 'webhook', url: 'https://example.com/' },
  });
  assert.equal(twice.status, 400);
  assert.match(twice.body['error'].message, /^min_profit: given beside filters/);
  const { body: refused } = await live.call('POST', '/account/alerts', 'sharp', unknown);
  assert.equal(refused['error'].message, 'target.chut is unknown');
});

test('filters have the names that they have elsewhere: singular, plural, and comma lists', async (t) => {
  const live = await serverWith(t, dataDir(t));
  for (const filters of [
    { league: 'nba, nfl', market: 'moneyline' },
    { leagues: ['nba'], league: ['nfl'], markets: 'moneyline', event: null },
  ]) {
    const target = { type: 'webhook', url: 'https://example.com/hook' };
    const { status } = await live.call('POST', '/account/alerts', 'pro', {
      name: 'n',
      channel: 'odds',
      filters,
      target,
    });
    assert.equal(status, 201);
  }
  const { body } = await live.call('GET', '/account/alerts', 'pro');
  const shown = { leagues: ['nba', 'nfl'], markets: ['moneyline'] };
  assert.deepEqual(
    (body['data'] as { filters: object }[]).map(({ filters }) => filters),
    [shown, shown],
  );
  for (const rule of [{ filters: { kind: 'drop, line' } }, { kinds: ['steam'] }]) {
    const target = { type: 'webhook', url: 'https://example.com/hook' };
    const { status } = await live.call('POST', '/account/alerts', 'sharp', {
      name: 'n',
      channel: 'moves',
      target,
      ...rule,
    });
    assert.equal(status, 201);
  }
  const { body: moves } = await live.call('GET', '/account/alerts', 'sharp');
  // Rules of one millisecond are listed in any order.
  const kinds = (moves['data'] as { filters: { kinds: string[] } }[]).map(({ filters }) => filters.kinds.join());
  assert.deepEqual(kinds.sort(), ['drop,line', 'steam']);
});

test('what the channel of a rule has no use for is told where the rule is stored, and refused by strict', async (t) => {
  const live = await serverWith(t, dataDir(t));
  const target = { type: 'webhook', url: 'https://example.com/hook' };
  const rule = {
    name: 'n',
    channel: 'ev',
    min_ev: 3,
    min_profit: 1,
    filters: { kinds: ['drop'], sports: ['soccer'] },
    target,
  };
  const made = await live.call('POST', '/account/alerts', 'sharp', rule);
  assert.deepEqual([made.status, made.body['meta']], [201, { ignored: ['kinds', 'min_profit'] }]);
  const path = `/account/alerts/${made.body['data'].id}`;
  const changed = await live.call('PATCH', path, 'sharp', { channel: 'arbitrage' });
  assert.deepEqual([changed.status, changed.body['meta']], [200, { ignored: ['kinds', 'min_ev'] }]);
  const paused = await live.call('PATCH', `${path}?strict=true`, 'sharp', { paused: true });
  assert.equal(paused.status, 200, 'what is stored is not what a strict request states');
  for (const body of [{ min_ev: 4 }, { channel: 'moves' }, { filters: { kinds: ['drop'] } }])
    assert.equal((await live.call('PATCH', `${path}?strict=true`, 'sharp', body)).status, 400, JSON.stringify(body));
  const whole = await live.call('PATCH', path, 'sharp', { filters: { min_profit: 2 } });
  assert.deepEqual([whole.status, whole.body['meta']], [200, undefined]);
  const odds = await live.call('POST', '/account/alerts', 'sharp', { name: 'n', channel: 'odds', ended: true, target });
  assert.deepEqual([odds.status, odds.body['meta']], [201, { ignored: ['ended'] }]);
  const strict = await live.call('POST', '/account/alerts?strict=true', 'sharp', rule);
  assert.deepEqual([strict.status, strict.body['error'].code], [400, 'invalid_request']);
  assert.match(strict.body['error'].message, /^ev has no kinds, min_profit/);
});

test('with a maximum age an opportunity that is older when it begins to meet the rule is not sent', async (t) => {
  const live = await serverWith(t, dataDir(t));
  const [any, fresh] = [await receiving(t), await receiving(t)];
  const rule = { channel: 'arbitrage', filters: { min_profit: 3 } };
  await made(live, any, { ...rule, max_age_s: 3_600 });
  await made(live, fresh, { ...rule, max_age_s: 1 });
  await live.poll({ draftkings: [104, -130], fanduel: [-130, 104] }, EVEN_GAMES[0]);
  for (let i = 0; i < 2; i++) await live.settled();
  await live.poll({ draftkings: [112, -132], fanduel: [-132, 112] }, EVEN_GAMES[0]);
  await any.until(() => any.taken.length === 1, 'the one that is young enough');
  await live.settled();
  assert.equal(itemsOf(any).length, 1);
  assert.deepEqual([fresh.taken.length, any.bad], [0, []]);
});

test('an example is sent on demand; a paused alert sends nothing, then what begins after; what is over is told', async (t) => {
  const live = await serverWith(t, dataDir(t));
  const receiver = await receiving(t);
  const id = await made(live, receiver, { channel: 'arbitrage', ended: true });
  const path = `/account/alerts/${id}`;
  const tested = await live.call('POST', `${path}/test`, 'pro', {});
  assert.deepEqual([tested.status, tested.body['data'].id], [200, id]);
  await receiver.until(() => receiver.taken.length === 1, 'the example');
  const [example] = receiver.taken;
  assert.deepEqual(
    [example!.body.type, example!.body.data.test, itemsOf(receiver).length],
    ['arbitrage.detected', true, 1],
  );
  assert.deepEqual(receiver.bad, []);
  const change = async (body: Body): Promise<Body> => {
    const answer = await live.call('PATCH', path, 'pro', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body['data'];
  };
  const paused = await change({ paused: true });
  assert.deepEqual([paused['paused'], paused['status'].state], [true, 'paused']);
  await live.settled();
  await live.poll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES[0]);
  await live.settled();
  const resumed = await change({ paused: false, name: 'again' });
  assert.deepEqual([resumed['paused'], resumed['name'], resumed['ended']], [false, 'again', true]);
  await live.settled();
  await live.poll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES[1]);
  await receiver.until(() => receiver.taken.length === 2, 'what began after');
  const sent = receiver.taken[1]!.body.data;
  assert.deepEqual([sent.name, sent.count], ['again', 1]);
  await live.poll({ draftkings: [-110, -110], fanduel: [-110, -110] }, EVEN_GAMES[1]);
  await live.poll({ draftkings: [-110, -110], fanduel: [-110, -110] }, EVEN_GAMES[0]);
  await receiver.until(() => receiver.taken.length === 3, 'that it is over');
  const over = receiver.taken[2]!.body;
  assert.deepEqual([over.type, over.data.ended], ['arbitrage.ended', [sent.items[0]!['id']]]);
  // Other filters: what they begin to meet is reported, what is active at the change is not.
  await live.poll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES[2]);
  await receiver.until(() => receiver.taken.length === 4, 'another one');
  const other = await change({ filters: { leagues: ['nfl'] }, max_age_s: 30 });
  assert.deepEqual([other['filters'], other['max_age_s']], [{ leagues: ['nfl'] }, 30]);
  await live.settled();
  await live.poll({ draftkings: [110, -130], fanduel: [-130, 110] }, EVEN_GAMES[3]);
  await live.settled();
  assert.equal(receiver.taken.length, 4);
  for (const [method, wrong, body] of [
    ['PATCH', 'al_none', { paused: true }],
    ['POST', 'al_none/test', {}],
  ] as const)
    assert.equal((await live.call(method, `/account/alerts/${wrong}`, 'pro', body)).status, 404);
  assert.equal((await live.call('PATCH', path, 'pro', { min_profitt: 1 })).status, 400);
  assert.equal((await live.call('PATCH', path, 'sharp', { paused: true })).status, 404, 'of another account');
});

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { test } from 'node:test';
import { Addresses, isPublic } from '../../../src/accounts/outbox/addresses.js';
import { Sender } from '../../../src/accounts/outbox/sender.js';
import { systemClock } from '../../../src/base/model/clock.js';
import { Receiver } from '../../alerts/receiver.js';
import { ruleFor } from './rules.js';

test('addresses of private, local and special networks are not public, however they are written', () => {
  const closed = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '::ffff:0:127.0.0.1',
    '100::1',
    '2001::1',
    '2001:20::1',
    '2620:4f:8000::1',
    '3ffe::1',
    '5f00::1',
    'fd00:ec2::254',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'nonsense',
  ];
  assert.deepEqual(closed.filter(isPublic), []);
  const open = ['8.8.8.8', '168.63.129.17', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'];
  assert.deepEqual(open.filter(isPublic), open);
});

test('targets are http or https, of a host that may be public; those the operator names may be anywhere', () => {
  const addresses = new Addresses(['hooks.lan:9000', '10.0.0.5']);
  const parse = (url: string) => {
    try {
      return addresses.parse(url).host;
    } catch (error) {
      return (error as Error).name;
    }
  };
  assert.equal(parse('https://example.com/a'), 'example.com');
  assert.equal(parse('http://hooks.lan:9000/a'), 'hooks.lan:9000');
  assert.equal(parse('http://hooks.lan:9001/a'), 'AddressRefused');
  assert.equal(parse('http://10.0.0.5:80/'), '10.0.0.5');
  for (const url of [
    'http://017700000001/',
    'http://127.1/',
    'http://[::ffff:7f00:1]/',
    'http://intranet/',
    'http://x.local./',
  ])
    assert.equal(parse(url), 'AddressRefused', url);
  for (const url of ['file:///etc/passwd', 'https://a:b@example.com/', '//example.com'])
    assert.equal(parse(url), 'Error', url);
});

test('a name is checked by all its addresses at the time of the connection, whatever they were before', async (t) => {
  const receiver = new Receiver();
  await receiver.listen();
  t.after(() => receiver.stop());
  const PUBLIC = { address: '93.184.215.14', family: 4 };
  const HERE = { address: '127.0.0.1', family: 4 };
  for (const meant of [[HERE], [PUBLIC, HERE], [HERE, PUBLIC]]) {
    const addresses = new Addresses([], (_host, _options, callback) => callback(null, meant));
    const telegram = { url: '', token: undefined };
    const sender = new Sender({ addresses, timeoutMs: 30_000, telegram, now: () => systemClock.now() });
    const rule = ruleFor(receiver.url.replace('127.0.0.1', 'rebind.example.com'));
    const outcome = await sender.send(rule, { seq: 1, queuedMs: 0, body: Buffer.from('{}') });
    await sender.close();
    assert.match((outcome as { reason: string }).reason, /not on the public internet/);
  }
  assert.equal(receiver.requests, 0);
});

test('a redirect is not followed, a hanging or endless answer ends in time, and the target’s text is reported', async (t) => {
  const receiver = new Receiver();
  await receiver.listen();
  t.after(() => receiver.stop());
  const addresses = new Addresses(['127.0.0.1']);
  const telegram = { url: receiver.url.replace('/hook', ''), token: '123:secret' };
  const senderOf = (timeoutMs: number): Sender => {
    const made = new Sender({ addresses, timeoutMs, telegram, now: () => systemClock.now() });
    t.after(() => made.close());
    return made;
  };
  const sender = senderOf(30_000);
  const message = { seq: 1, queuedMs: 0, body: Buffer.from('{}') };
  const send = async (behaviour: 'hang' | number, by = sender) => {
    receiver.behaviour = () => behaviour;
    return await by.send(ruleFor(receiver.url), message);
  };
  assert.deepEqual(await send(302), { kind: 'failed', reason: '302 not now', waitMs: 0 });
  assert.equal(receiver.requests, 1);
  assert.equal((await send('hang', senderOf(300))).kind, 'failed');
  assert.deepEqual(await send(410), { kind: 'gone', reason: '410 not now' });
  receiver.behaviour = () => 404;
  const chat = { ...ruleFor(receiver.url), target: { type: 'telegram' as const, url: null, chat: '1' } };
  assert.deepEqual(await sender.send(chat, message), { kind: 'failed', reason: '404 not now', waitMs: 0 });
});

test('a caller’s target at the origin of the operator’s own Telegram server is checked like any other', async (t) => {
  const receiver = new Receiver();
  await receiver.listen();
  t.after(() => receiver.stop());
  // A name of the operator's network, which the system resolves.
  const url = `http://bots.example.com:${new URL(receiver.url).port}`;
  const here = { address: '127.0.0.1', family: 4 };
  t.mock.method(dns, 'lookup', (_host: string, options: dns.LookupOptions, done: (...found: unknown[]) => void) =>
    options.all === true ? done(null, [here]) : done(null, here.address, here.family),
  );
  const sender = new Sender({
    addresses: new Addresses([], (_host, _options, callback) => callback(null, [here])),
    timeoutMs: 30_000,
    telegram: { url, token: 'x' },
    now: () => systemClock.now(),
  });
  t.after(() => sender.close());
  const message = { seq: 1, queuedMs: 0, body: Buffer.from('{}') };
  const telegram = { ...ruleFor(url), target: { type: 'telegram' as const, url: null, chat: '1' } };
  await sender.send(telegram, message);
  assert.equal(receiver.requests, 1, 'the operator’s own may be anywhere');
  const target = await sender.send(ruleFor(url), message);
  assert.match((target as { reason: string }).reason, /not on the public internet/);
  await sender.send(telegram, message);
  assert.equal(receiver.requests, 2);
});

// Discord, Slack and Telegram: what is posted to them, how they ask to wait, and how they report that the recipient is
// gone. Local receivers simulate them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Addresses } from '../../../src/accounts/outbox/addresses.js';
import { Deliveries } from '../../../src/accounts/outbox/deliveries.js';
import { Sender } from '../../../src/accounts/outbox/sender.js';
import { messagesOf } from '../../../src/alerts/messages.js';
import type { AlertRule } from '../../../src/base/model/alert.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { ruleFor } from './rules.js';
import { storedAlerts } from './stored-alerts.js';

const TOKEN = '12345:secret-token';
const CHAT = '-1009876543210';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: object | string;
}

/** Answers posts in turn, repeating the last answer; stores the posts. */
async function chat(t: TestContext, answers: readonly Answer[]) {
  const posts: { path: string; type: string | undefined; body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      const { status, headers, body = '' } = answers[Math.min(posts.length, answers.length - 1)]!;
      posts.push({ path: request.url!, type: request.headers['content-type'], body: JSON.parse(text) });
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, posts };
}

function senderTo(t: TestContext, url: string, clock: ManualClock): Sender {
  const sender = new Sender({
    addresses: new Addresses(['127.0.0.1']),
    timeoutMs: 5_000,
    telegram: { url, token: TOKEN },
    now: () => clock.now(),
  });
  t.after(() => sender.close());
  return sender;
}

function ruleTo(type: 'discord' | 'slack' | 'telegram', url: string): AlertRule {
  const target = type === 'telegram' ? { type, url: null, chat: CHAT } : { type, url: `${url}/hook/1`, chat: null };
  return { ...ruleFor(url), name: 'Steam & <drops>', target };
}

const bodyTo = (rule: AlertRule, lines: readonly string[]): Uint8Array =>
  messagesOf(
    rule,
    lines.map((line) => JSON.stringify(line)),
    0,
    (_, item) => String(item),
  )[0]!;

const RATE_LIMITS = {
  discord: { status: 429, body: { message: 'You are being rate limited.', retry_after: 64.57, global: false } },
  telegram: {
    status: 429,
    body: {
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 34',
      parameters: { retry_after: 34 },
    },
  },
  slack: { status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' },
} as const;
const TAKEN = {
  discord: { status: 204 },
  telegram: { status: 200, body: { ok: true, result: { message_id: 7 } } },
  slack: { status: 200, body: 'ok' },
} as const;
const WAITS = { discord: 64_570, telegram: 34_000, slack: 30_000 } as const;
const GONE = {
  discord: { status: 404, body: { message: 'Unknown Webhook', code: 10015 } },
  telegram: {
    status: 403,
    body: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' },
  },
  slack: { status: 404, body: 'no_service' },
} as const;

for (const type of ['discord', 'telegram', 'slack'] as const) {
  test(`${type}: a message waits as long as a 429 requires and is sent before the next; a target that is gone is off`, async (t) => {
    const { url, posts } = await chat(t, [RATE_LIMITS[type], TAKEN[type], TAKEN[type], GONE[type]]);
    const clock = new ManualClock(1_000_000);
    const path = newFolder('overround-chats-');
    const alerts = storedAlerts(path, clock);
    const { store } = alerts;
    const rule = ruleTo(type, url);
    alerts.add(rule);
    let off = '';
    const opened = (): Deliveries => {
      const deliveries = new Deliveries({
        store,
        sender: senderTo(t, url, clock),
        clock,
        schedule: { waitsMs: [1], giveUpMs: 3_600_000 },
        onOff: (_, reason) => {
          off = reason;
        },
        onError: (error) => {
          throw error;
        },
      });
      deliveries.readRules();
      return deliveries;
    };
    let deliveries = opened();
    t.after(async () => {
      await deliveries.close();
      await alerts.close();
    });
    const left = () => JSON.stringify({ posts, off });
    const bodies = ['first', 'second', 'third'].map((line) => bodyTo(rule, [line]));
    await store.put(rule.id, { position: 1, begun: [], untold: [], ended: [], bodies });
    deliveries.added(rule.id);
    await until(left, () => store.delivery(rule.id)?.state === 'failing');
    const { nextAttemptMs } = store.delivery(rule.id)!;
    assert.equal(nextAttemptMs, 1_000_000 + WAITS[type]);
    assert.equal(posts.length, 1);
    // The timer uses the system's clock: after a restart at that time the message is sent at once.
    await deliveries.close();
    clock.set(nextAttemptMs!);
    deliveries = opened();
    await until(left, () => off !== '');
    assert.deepEqual(
      posts.map(({ body }) => String(body['content'] ?? body['text']).split('\n')[1]),
      ['first', 'first', 'second', 'third'],
    );
    assert.match(off, /^40[34] /);
    assert.ok(!off.includes(TOKEN));
    for (const { type: content } of posts) assert.equal(content, 'application/json');
  });
}

test('posts have the shape that each of them accepts', async (t) => {
  const clock = new ManualClock(0);
  const { url, posts } = await chat(t, [{ status: 200 }]);
  const sender = senderTo(t, url, clock);
  const line = '@everyone <b>Lakers & Celtics</b> ';
  const lines = Array.from({ length: 90 }, (_, n) => `${line}${n} ${'x'.repeat(80)}`);
  for (const type of ['discord', 'telegram', 'slack'] as const) {
    const rule = ruleTo(type, url);
    const outcome = await sender.send(rule, { seq: 1, body: bodyTo(rule, lines) } as never);
    assert.deepEqual(outcome, { kind: 'taken' });
  }
  const [discord, telegram, slack] = posts as [(typeof posts)[0], (typeof posts)[0], (typeof posts)[0]];
  assert.equal(discord.path, '/hook/1');
  assert.deepEqual(Object.keys(discord.body), ['content', 'allowed_mentions']);
  assert.deepEqual(discord.body['allowed_mentions'], { parse: [] });
  assert.ok(String(discord.body['content']).length <= 2_000);
  assert.match(String(discord.body['content']), /… and \d+ more$/);
  assert.equal(telegram.path, `/bot${TOKEN}/sendMessage`);
  assert.deepEqual(Object.keys(telegram.body), ['chat_id', 'text', 'link_preview_options']);
  assert.equal(telegram.body['chat_id'], CHAT);
  assert.ok(String(telegram.body['text']).length <= 4_096);
  assert.equal(slack.path, '/hook/1');
  assert.deepEqual(Object.keys(slack.body), ['text', 'mrkdwn']);
  assert.match(String(slack.body['text']), /^Steam &amp; &lt;drops&gt;\n@everyone &lt;b&gt;/);
});

test('a name that a feed states becomes no link, mention or formatting, and no line of its own', () => {
  const name = '[Lakers](https://evil.example) <@1> `x` **b** <t:0>\n# Sure bet: evil.example/win';
  const told = (type: 'discord' | 'slack' | 'telegram') => {
    const body = JSON.parse(Buffer.from(bodyTo({ ...ruleTo(type, 'http://x'), name: 'rule' }, [name])).toString());
    return String(body.content ?? body.text);
  };
  for (const type of ['discord', 'slack', 'telegram'] as const) {
    const text = told(type);
    assert.equal(text.split('\n').length, 2, text);
    assert.doesNotMatch(text, /:\/\/|evil\.example/, type);
  }
  const discord = told('discord').split('\n')[1]!;
  assert.equal(discord.replaceAll(/\\[^\w\s]/g, '').match(/[*_~`|<>[\]()#@:]/), null, discord);
  assert.doesNotMatch(told('slack'), /[<>]|&(?!amp;|lt;|gt;)/);
});

test('an error keeps its text, without the token of the bot', async (t) => {
  const clock = new ManualClock(0);
  const error = { ok: false, error_code: 400, description: `Bad Request: chat not found (/bot${TOKEN}/)` };
  const { url } = await chat(t, [{ status: 400, body: error }]);
  const rule = ruleTo('telegram', url);
  const outcome = await senderTo(t, url, clock).send(rule, { seq: 1, body: bodyTo(rule, ['x']) } as never);
  assert.ok(outcome.kind === 'failed' && outcome.waitMs === 0);
  assert.match(outcome.reason, /^400 .*chat not found/);
  assert.ok(!outcome.reason.includes(TOKEN));
});

test('a date in Retry-After is a wait, too', async (t) => {
  const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));
  const { url } = await chat(t, [{ status: 503, headers: { 'retry-after': 'Fri, 20 Nov 2026 12:02:00 GMT' } }]);
  const rule = ruleTo('slack', url);
  const outcome = await senderTo(t, url, clock).send(rule, { seq: 1, body: bodyTo(rule, ['x']) } as never);
  assert.deepEqual(outcome, { kind: 'failed', reason: '503', waitMs: 120_000 });
});

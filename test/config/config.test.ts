import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConfigError,
  parseConfig,
  SETTINGS,
  type Setting,
  settingsHelp,
  settingsTable,
} from '../../src/config/config.js';
import { withPath } from '../../src/config/parsers.js';

test('without flags and environment the defaults apply', () => {
  const config = parseConfig({}, {}, 4);
  assert.deepEqual(config, {
    nativeCode: 'pinned',
    host: '127.0.0.1',
    port: 8080,
    dataDir: './data-simulated',
    dataDirGiven: false,
    feeds: ['sim'],
    depth: 5,
    workers: 3,
    logLevel: 'info',
    durability: 'commit',
    logRetentionS: 900,
    logBytesMax: 512 * 1024 ** 2,
    mapBytesMax: 4 * 1024 ** 3,
    commissions: {},
    rates: { GBP: 1.31, EUR: 1.08 },
    match: 'names',
    ingestQueueMax: 200_000,
    bodyBytesMax: 8 * 1024 ** 2,
    deeplinkFallbackHosts: [],
    trustProxy: false,
    compress: true,
    cluster: [],
    role: 'all',
    clusterName: 'overround',
    historyDays: 7,
    historyBytesMax: 4 * 1024 ** 3,
    resultSources: [],
    alertHosts: [],
    telegramApiUrl: 'https://api.telegram.org',
    fronts: 0,
    betDelays: {},
    paperMax: 100,
    lockstep: false,
    replaySpeed: 1,
  });
});

test('one core still makes one worker', () => {
  assert.equal(parseConfig({}, {}, 1).workers, 1);
});

test('a flag beats the environment, which beats the default', () => {
  assert.equal(parseConfig({ port: '1' }, { PORT: '2' }).port, 1);
  assert.equal(parseConfig({}, { PORT: '2' }).port, 2);
  assert.equal(parseConfig({ port: undefined }, { PORT: '2' }).port, 2);
});

test('an empty environment variable counts as not set', () => {
  assert.equal(parseConfig({}, { PORT: '', THE_ODDS_API_KEY: '' }).port, 8080);
});

test('feeds may be given several times, or separated by semicolons in the environment', () => {
  const several = ['sim:seed=7,books=28', 'replay:./a file.ndjson,speed=60'];
  assert.deepEqual(parseConfig({ feed: several }, {}).feeds, several);
  assert.deepEqual(parseConfig({}, { FEED: several.join(' ; ') }).feeds, several);
  assert.deepEqual(parseConfig({ feed: [] }, { FEED: 'none' }).feeds, ['none']);
});

test('an address may be a base URL, or include the path or a beginning of it', () => {
  assert.equal(withPath('wss://venue', '/ws/market'), 'wss://venue/ws/market');
  assert.equal(withPath('wss://venue/ws', '/ws/market'), 'wss://venue/ws/market');
  assert.equal(withPath('ws://127.0.0.1:1/ws/market', '/ws/market'), 'ws://127.0.0.1:1/ws/market');
  assert.equal(withPath('http://venue/proxy', '/trade-api/v2'), 'http://venue/proxy/trade-api/v2');
});

test('sizes may be written with KiB, MiB and GiB', () => {
  assert.equal(parseConfig({ 'map-size': '16GiB' }, {}).mapBytesMax, 16 * 1024 ** 3);
  assert.equal(parseConfig({ 'body-limit': '2048' }, {}).bodyBytesMax, 2048);
});

const BAD: [Record<string, string | boolean>, Record<string, string>, RegExp][] = [
  [{ prot: '1' }, {}, /unknown setting --prot/],
  [{ port: 'eighty' }, {}, /^--port must be a whole number from 0 to 65535, not "eighty"$/],
  [{ port: '65536' }, {}, /^--port must be/],
  [{ port: '-1' }, {}, /^--port must be/],
  [{ port: '80.5' }, {}, /^--port must be/],
  [{ port: ' 80' }, {}, /^--port must be/],
  [{ port: '' }, {}, /^--port must be/],
  [{ host: true }, {}, /^--host needs a value$/],
  [{ commission: 'betfair=2' }, {}, /^--commission must be BOOK=RATE, .*, not "betfair=2"$/],
  [{}, { COMMISSION: 'betfair' }, /^COMMISSION must be BOOK=RATE, /],
  [{}, { PORT: 'x' }, /^PORT must be/],
  [{}, { WORKERS: '0' }, /^WORKERS must be/],
  [{}, { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of trace, /],
  [{}, { FEED: 'none;sim' }, /^FEED must be/],
  [{}, { MAP_SIZE: '4GB' }, /^MAP_SIZE must be/],
  [{}, { DURABILITY: 'maybe' }, /^DURABILITY must be/],
  [{}, { DEEPLINK_FALLBACK_HOSTS: 'a b' }, /^DEEPLINK_FALLBACK_HOSTS must be/],
  [{}, { TRUST_PROXY: 'perhaps' }, /^TRUST_PROXY must be yes or no/],
];

for (const [flags, env, message] of BAD) {
  test(`${JSON.stringify(flags)} with ${JSON.stringify(env)} stops the start with one clear line`, () => {
    assert.throws(
      () => parseConfig(flags, env),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, message);
        assert.ok(!error.message.includes('\n'));
        return true;
      },
    );
  });
}

test('a mistyped secret is not repeated in the message', () => {
  assert.throws(
    () => parseConfig({}, { TELEGRAM_BOT_TOKEN: 'se cret' }),
    (error) => error instanceof ConfigError && !error.message.includes('cret'),
  );
});

test('help and the README table name every setting', () => {
  for (const setting of SETTINGS as readonly Setting[]) {
    for (const text of [settingsTable([]), settingsHelp([])]) {
      assert.ok(text.includes(setting.env) && text.includes(setting.description), setting.env);
      if (setting.flag !== undefined) assert.ok(text.includes(`--${setting.flag}`), setting.flag);
    }
  }
});

test('a recording is served by one shard, without feeds, and its settings need it', () => {
  const config = parseConfig({ replay: 'night.ndjson', speed: 'max', from: '2026-10-20T18:00:00Z' }, {}, 8);
  assert.deepEqual([config.feeds, config.workers, config.replaySpeed], [['none'], 1, Number.POSITIVE_INFINITY]);
  assert.equal(config.replayFrom, Date.UTC(2026, 9, 20, 18));
  assert.equal(parseConfig({ replay: 'night.ndjson', workers: '3' }, {}, 8).workers, 3);
  const refused = (flags: Record<string, string>, message: RegExp): void =>
    assert.throws(() => parseConfig(flags, {}), message);
  refused({ speed: '2' }, /--speed needs --replay/);
  refused({ lockstep: 'yes' }, /--lockstep needs --replay/);
  refused({ replay: 'x', feed: 'sim' }, /--feed has no effect with --replay/);
  refused({ replay: 'x', speed: '0' }, /--speed must be max, or a number above 0/);
  refused({ replay: 'x', from: 'noon' }, /--from must be a day or an RFC 3339 time/);
  refused({ replay: 'x', lockstep: 'yes', workers: '2' }, /--lockstep needs --workers 1/);
  refused({ replay: 'x', lockstep: 'yes', speed: '2' }, /--speed has no effect with --lockstep/);
});

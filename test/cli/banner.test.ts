import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBanner } from '../../src/cli/banner.js';

const testKeys = [
  { tier: 'free' as const, key: 'sk_test_free' },
  { tier: 'enterprise' as const, key: 'sk_test_enterprise' },
];

test('it says if odds are simulated, and shows every address and a key per tier', () => {
  const banner = startBanner({
    host: '127.0.0.1',
    port: 8080,
    simulated: true,
    testKeys,
    makeKey: 'overround keys create',
  });
  assert.match(banner, /SIMULATED/);
  for (const part of [
    'http://127.0.0.1:8080/api/v1',
    'http://127.0.0.1:8080/api/v1/stream',
    'ws://127.0.0.1:8080/ws',
    'http://127.0.0.1:8080/mcp',
    'http://127.0.0.1:8080/docs',
    'http://127.0.0.1:8080/dashboard#key=sk_test_enterprise',
  ]) {
    assert.ok(
      banner.split('\n').some((line) => line.endsWith(part)),
      part,
    );
  }
  assert.equal(banner.match(/^ +curl/gm)?.length, 5);
  for (const { tier, key } of testKeys) assert.match(banner, new RegExp(`^  ${tier} +${key}$`, 'm'));
});

test('with real odds no key is shown', () => {
  const banner = startBanner({ host: '::', port: 1, simulated: false, testKeys, makeKey: 'overround keys create' });
  assert.match(banner, /^ {2}overround keys create$/m);
  assert.doesNotMatch(banner, /sk_test|SIMULATED/);
  assert.match(banner, /http:\/\/\[::1\]:1\/api\/v1/);
  assert.match(banner, /"X-API-Key: \$KEY"/);
});

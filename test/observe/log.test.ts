import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../src/observe/log.js';

test('lines are JSON with level and message, below the level nothing is written', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.debug('not this');
  log.info({ host: '127.0.0.1', port: 8080 }, 'listening');
  assert.equal(lines.length, 1);
  const { time, ...rest } = JSON.parse(lines[0]!) as Record<string, unknown>;
  assert.deepEqual(rest, { level: 'info', host: '127.0.0.1', port: 8080, msg: 'listening' });
  assert.ok(Date.parse(String(time)) > 0);
});

test('text that looks like a key is cut', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info({ api_key: 'sk_live_a', headers: { authorization: 'Bearer sk_live_b', 'x-api-key': 'sk_live_c' } }, 'x');
  assert.ok(!lines[0]!.includes('sk_live'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/base/model/errors.js';
import { createLog } from '../../../src/server/observe/log.js';

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

test('an error of the program has its stack, one that is only passed on has none', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.error({ err: new ApiError('unavailable', 'there is no engine') }, 'not stored');
  log.error({ err: new Error('a fault') }, 'not stored');
  const [passedOn, fault] = lines.map((line) => JSON.parse(line).err as Record<string, string>);
  assert.deepEqual(passedOn, { type: 'ApiError', message: 'there is no engine' });
  assert.match(fault!['stack']!, /log\.test/);
});

test('text that looks like a key is cut', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info({ api_key: 'sk_live_a', headers: { authorization: 'Bearer sk_live_b', 'x-api-key': 'sk_live_c' } }, 'x');
  assert.ok(!lines[0]!.includes('sk_live'));
});

test('keys, tokens and secrets are cut from every text, in whatever form they were sent', () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  const key = `sk_live_${'Ab9-_'.repeat(8)}xyz`;
  const encoded = key.replaceAll('_', '%5F').replaceAll('-', '%2D');
  for (const query of [
    `API_KEY=${key}`,
    `a=1;api_key=${key}`,
    `Api-Key=${encoded}`,
    `api%5Fkey=${encoded}`,
    `x=${key}`,
    `token=vt_eyJhbGciOi.c2lnbmF0dXJl&b=2`,
    'secret=whsec_c2VjcmV0c2VjcmV0',
    'TOKEN=plain-old-secret-value',
  ])
    log.debug({ query, path: `/api/v1/${query}`, err: new Error(query) }, query);
  for (const line of lines) {
    JSON.parse(line);
    for (const secret of ['Ab9', 'eyJhbGci', 'c2VjcmV0c2', 'plain-old-secret']) assert.ok(!line.includes(secret), line);
  }
  log.info({ id: 'key_0123456789abcdef', masked: 'sk_live_abcd…wxyz', query: 'sport=nba&limit=5' }, 'x');
  assert.match(lines.at(-1)!, /key_0123456789abcdef.*sk_live_abcd…wxyz.*sport=nba&limit=5/);
});

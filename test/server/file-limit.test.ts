import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsMax, fileLimit } from '../../src/server/process-limits.js';

test('the limit of open files is read, and is above the number of open files', {
  skip: process.platform === 'win32',
}, () => {
  const { limit, open } = fileLimit();
  assert.ok(open > 2 && (limit === null || limit > open), `${open} of ${limit}`);
});

test('connections leave room for files, stay within the setting, and are at least one', () => {
  assert.equal(connectionsMax(null, { limit: 1_024, open: 76 }), 900);
  assert.equal(connectionsMax(100, { limit: 1_024, open: 76 }), 100);
  assert.equal(connectionsMax(5_000, { limit: 1_024, open: 76 }), 900);
  assert.equal(connectionsMax(null, { limit: 64, open: 60 }), 16);
  assert.equal(connectionsMax(null, { limit: null, open: 60 }), Number.POSITIVE_INFINITY);
  assert.equal(connectionsMax(7, { limit: null, open: 60 }), 7);
});

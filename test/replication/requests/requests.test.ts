import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, noWriter } from '../../../src/base/model/errors.js';
import { encode } from '../../../src/base/wire/codec.js';
import {
  decodeAnswer,
  decodeRequest,
  encodeAnswer,
  encodeFailure,
  encodeRequest,
} from '../../../src/replication/requests/requests.js';

test('a request arrives unchanged, and one of another version is refused', () => {
  const body = { front: 'a', keys: ['pro', 'draftkings,fanduel'] };
  assert.deepEqual(decodeRequest(encodeRequest('lease', body)), { kind: 'lease', body });
  assert.throws(() => decodeRequest(encode([99, null])), /unknown kind/);
});

test('a command is understood by a server of release 0.2.0, which is not upgraded yet', () => {
  const command = { name: 'keys.list', args: {} };
  assert.deepEqual(encodeRequest('control', command), encode([7, command]));
  assert.deepEqual(encodeRequest('unmatched', null), encode([6, null]));
});

test('an answer arrives unchanged, including null, and a failure as the same error', () => {
  for (const answer of [{ missing: [] }, null, [1, 'two']])
    assert.deepEqual(decodeAnswer(encodeAnswer(answer)), answer);
  const full = new ApiError('ingest_queue_full', 'the ingest queue is full', { retryAfter: 1 });
  for (const failure of [full, noWriter()])
    assert.throws(
      () => decodeAnswer(encodeFailure(failure)),
      (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.code, error.message, error.detail], [failure.code, failure.message, failure.detail]);
        return true;
      },
    );
});

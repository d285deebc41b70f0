import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SseParser } from '../../src/client/sse-connect.js';

const FLOW =
  'retry: 3000\n\nevent: connected\ndata: {"a":1}\n\n:\n\n: a comment\nevent: x\r\ndata: one\r\ndata: two\r\nid: evt_7\r\n\r\nid: 8\n\ndata:bare\n\ndata\n\n';

test('events are the same wherever the flow is cut', () => {
  const whole = new SseParser().push(FLOW);
  assert.deepEqual(whole, [
    { event: 'message', data: '', id: undefined, retry: 3000 },
    { event: 'connected', data: '{"a":1}', id: undefined, retry: undefined },
    { event: 'x', data: 'one\ntwo', id: 'evt_7', retry: undefined },
    { event: 'message', data: 'bare', id: undefined, retry: undefined },
    { event: 'message', data: '', id: undefined, retry: undefined },
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(FLOW.length), { maxLength: 30 }), (cuts) => {
      const parser = new SseParser();
      const at = [0, ...cuts.sort((a, b) => a - b), FLOW.length];
      const events = at.slice(1).flatMap((end, i) => parser.push(FLOW.slice(at[i]!, end)));
      assert.deepEqual(events, whole);
    }),
  );
});

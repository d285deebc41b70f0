import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { ResponseStream } from '../../../src/front/http/context.js';
import { route } from '../../../src/front/http/context.js';
import { running } from './harness.js';

function streaming(open: (stream: ResponseStream, lastEventId: string) => void) {
  return route({
    method: 'GET',
    path: '/stream',
    auth: 'required',
    streaming: true,
    headers: ['last-event-id'],
    handler: (context) => {
      const lastEventId = context.header('last-event-id');
      const stream = context.stream();
      stream.writeHead(Buffer.from('text/event-stream\r\nCache-Control: no-cache, no-transform'));
      open(stream, lastEventId);
    },
  });
}

test('a stream has the headers of every answer, then what is written', async (t) => {
  const streams: ResponseStream[] = [];
  const ids: string[] = [];
  const stream = streaming((opened, id) => {
    ids.push(id);
    opened.response.write('data: first\n\n');
    streams.push(opened);
  });
  const { url, key, server } = await running(t, [stream]);
  const headers = { 'x-api-key': key('enterprise'), 'last-event-id': 'evt_7' };
  const response = await fetch(`${url}/stream`, { headers });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.equal(response.headers.get('cache-control'), 'no-cache, no-transform');
  assert.equal(response.headers.get('x-tier'), 'enterprise');
  assert.ok(response.headers.get('x-request-id'));
  assert.deepEqual(ids, ['evt_7']);
  assert.equal(server.streamCount(), 1);
  const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await body.read()).value, 'data: first\n\n');
  const opened = streams[0]!;
  opened.response.cork(() => opened.response.write('data: second\n\n'));
  assert.equal((await body.read()).value, 'data: second\n\n');
  opened.end();
  opened.end();
  assert.equal((await body.read()).done, true);
  assert.equal(server.streamCount(), 0);
});

test('the end of a stream by its client is reported once, also to handlers registered later', async (t) => {
  let closes = 0;
  let gone: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  });
  let response: ResponseStream | undefined;
  const stream = streaming((opened) => {
    response = opened;
    opened.response.write('x');
    opened.onClose(() => {
      closes++;
      gone();
    });
  });
  const { url, key, server } = await running(t, [stream]);
  const abort = new AbortController();
  await fetch(`${url}/stream`, { headers: { 'x-api-key': key('enterprise') }, signal: abort.signal });
  abort.abort();
  await closed;
  assert.equal(response!.closed, true);
  response!.end();
  response!.onClose(() => closes++);
  assert.equal(closes, 2);
  assert.equal(server.streamCount(), 0);
});

test('close ends the streams, accepts no new connection, and lets answers finish', async (t) => {
  let release: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const here = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const slow = route({
    method: 'GET',
    path: '/slow',
    auth: 'public',
    handler: async (context) => {
      arrived();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      context.sendJson({ done: true });
    },
  });
  let streamClosed = false;
  const stream = streaming((opened) => {
    opened.response.write('x');
    opened.onClose(() => {
      streamClosed = true;
    });
  });
  const { url, port, key, server } = await running(t, [slow, stream]);
  const open = await fetch(`${url}/stream`, { headers: { 'x-api-key': key('enterprise') } });
  const answer = fetch(`${url}/slow`);
  await here;
  let closed = false;
  const closing = server.close(5000).then(() => {
    closed = true;
  });
  const refused = await new Promise((resolve) => {
    const late = connect(port, '127.0.0.1');
    late.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    late.on('connect', () => resolve('connected'));
  });
  assert.equal(refused, 'ECONNREFUSED');
  assert.deepEqual([closed, streamClosed], [false, true]);
  assert.equal(await open.text(), 'x', 'its body ends as it should');
  release();
  const response = await answer;
  assert.equal(response.headers.get('connection'), 'close');
  assert.deepEqual(await response.json(), { done: true });
  await closing;
});

test('close waits no longer than its grace', async (t) => {
  const never = route({ method: 'GET', path: '/never', auth: 'public', handler: () => new Promise(() => undefined) });
  const { url, server } = await running(t, [never]);
  const answer = assert.rejects(fetch(`${url}/never`));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server.close(50);
  await answer;
});

test('a port in use is refused with its address', async (t) => {
  const { port } = await running(t, []);
  const other = await running(t, []);
  await assert.rejects(other.server.listen('127.0.0.1', port), new RegExp(`127.0.0.1:${port}`));
});

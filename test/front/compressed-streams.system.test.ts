// Compressed streams over real sockets, read by zlib from their first byte: what they say is what plain ones say.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { test } from 'node:test';
import { constants, createGunzip, createInflateRaw } from 'node:zlib';
import { OverroundClient } from '../../src/client/client.js';
import { fromSse, fromWs } from '../../src/client/events.js';
import { LiveTable } from '../../src/client/live-table.js';
import { SseParser } from '../../src/client/sse-connect.js';
import { RawWebSocket, WebSocketClass } from '../client/ws-package.js';
import type { Ending } from '../shared.js';
import { until } from '../support/until.js';
import { type Api, api, fillWorld } from './api.js';
import { ladder } from './stream-rig.js';

/** Enough for ticks of SSE to be compressed. */
const CLIENTS = 24;

class Reader {
  readonly table = new LiveTable();
  coding: string | undefined;
  text = '';
  bytes = 0;
  position = 0;

  rows(): string[] {
    return [...this.table.odds.values()].map((row) => `${row.id} ${row.odds_american}`).sort();
  }
}

/** An SSE client; zlib reads its body as one gzip member if it is compressed. */
function sse(t: Ending, made: Api, key: string, headers: Record<string, string>, query = ''): Reader {
  const reader = new Reader();
  const parser = new SseParser();
  const url = `${made.url}/api/v1/stream?channel=odds${query}`;
  const request = get(url, { agent: false, headers: { 'x-api-key': key, ...headers } }, (response) => {
    reader.coding = response.headers['content-encoding'];
    response.on('data', (part: Buffer) => (reader.bytes += part.length));
    response.on('error', () => undefined);
    const body = reader.coding === 'gzip' ? response.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH })) : response;
    body.on('error', (error) => (reader.text += `ERROR ${error.message}`));
    body.on('data', (part: Buffer) => {
      reader.text += part.toString();
      for (const { event, data, id } of parser.push(part.toString())) {
        if (data === '') continue;
        const { events, position } = fromSse(event, data, id);
        for (const each of events) reader.table.apply(each);
        reader.position = position ?? reader.position;
      }
    });
  });
  request.on('error', () => undefined);
  t.after(() => request.destroy());
  return reader;
}

/** A WebSocket client that inflates every message as it arrives. */
function socket(t: Ending, made: Api, key: string, protocol: string, query = ''): Reader {
  const reader = new Reader();
  const url = `${made.url.replace('http', 'ws')}/ws?channels=odds&api_key=${key}${query}`;
  const raw = new RawWebSocket(url, protocol);
  const inflate = createInflateRaw({ flush: constants.Z_SYNC_FLUSH });
  let rest = '';
  inflate.on('data', (part: Buffer) => {
    const lines = (rest + part.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      reader.text += `${line}\n`;
      const { events, position } = fromWs(JSON.parse(line));
      for (const each of events) reader.table.apply(each);
      reader.position = position ?? reader.position;
    }
  });
  raw.on('open', () => (reader.coding = raw.protocol));
  raw.on('error', () => undefined);
  raw.on('message', (data, isBinary) => {
    assert.ok(isBinary);
    assert.deepEqual([...data.subarray(-4)], [0, 0, 0xff, 0xff]);
    reader.bytes += data.length;
    inflate.write(data);
  });
  t.after(() => raw.terminate());
  return reader;
}

test('compressed streams say what plain ones say, whoever joins, resumes or follows', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  await made.ingest(ladder(1, 60, -110));
  const key = made.key('enterprise', { maxStreams: 200 });
  const plain = sse(t, made, key, {});
  const gzip = Array.from({ length: CLIENTS }, () => sse(t, made, key, { 'accept-encoding': 'gzip, deflate, br' }));
  const sockets = [1, 2].map(() => socket(t, made, key, 'overround.deflate'));
  const readers = () => [plain, ...gzip, ...sockets];
  const all = () => made.server.engine.table.rowCount;
  const level = async (what: string): Promise<void> => {
    await until(what, () => readers().every(({ position }) => position === made.server.engine.table.position));
    const rows = plain.rows();
    assert.equal(rows.length, all());
    for (const reader of readers()) assert.deepEqual(reader.rows(), rows, what);
  };
  await level('snapshots');
  assert.deepEqual(new Set(gzip.map(({ coding }) => coding)), new Set(['gzip']));
  assert.equal(plain.coding, undefined);
  assert.deepEqual(
    sockets.map(({ coding }) => coding),
    ['overround.deflate', 'overround.deflate'],
  );
  assert.ok(gzip[0]!.bytes * 4 < plain.bytes, `${gzip[0]!.bytes} of ${plain.bytes} bytes`);
  const before = { plain: plain.bytes, gzip: gzip[0]!.bytes, socket: sockets[0]!.bytes };
  for (let i = 2; i < 12; i++) {
    await made.ingest(ladder(i, 60, -110 - i));
    if (i === 5) gzip.push(sse(t, made, key, { 'accept-encoding': 'gzip' }));
    if (i === 6) sockets.push(socket(t, made, key, 'overround.deflate'));
    await level(`tick ${i}`);
  }
  for (const [name, reader] of [
    ['gzip', gzip[0]!],
    ['socket', sockets[0]!],
  ] as const)
    assert.ok((reader.bytes - before[name]) * 3 < plain.bytes - before.plain, `${name}: live changes are compressed`);
  const at = plain.position;
  await made.ingest(ladder(20, 60, 105));
  const back = { 'accept-encoding': 'gzip', 'last-event-id': `evt_${at}` };
  const resumed = sse(t, made, key, back, '&resume=true');
  const resumedSocket = socket(t, made, key, 'overround.deflate', `&resume=true&from_seq=${at}`);
  await until('resumes', () => [resumed, resumedSocket].every(({ position }) => position > at));
  assert.match(resumed.text, /"resumed":true/);
  assert.match(resumedSocket.text, /"replay":true/);
  assert.doesNotMatch(resumedSocket.text, /"seq":/);
  await level('the end');
  for (const { text } of readers()) assert.doesNotMatch(text, /ERROR/);
});

test('the client asks for compressed frames by itself, and does without where the server sends none', async (t) => {
  for (const compress of ['on', 'off']) {
    const made = await api(t, { compress });
    await fillWorld(made);
    const key = made.key('enterprise');
    let protocol: string | undefined;
    class Noted extends (WebSocketClass as unknown as new (url: string, protocols: string[]) => { protocol: string }) {
      constructor(url: string, protocols: string[]) {
        super(url, protocols);
        queueMicrotask(() =>
          (this as unknown as EventTarget).addEventListener('open', () => (protocol = this.protocol)),
        );
      }
    }
    const client = new OverroundClient({ url: made.url, apiKey: key, WebSocket: Noted as never });
    const stream = client.socket(['odds']);
    t.after(() => stream.close());
    await stream.ready;
    assert.equal(protocol, compress === 'on' ? 'overround.deflate' : 'overround.json');
    assert.equal(stream.table.odds.size, made.server.engine.table.rowCount);
    await made.ingest(ladder(2, 3, 120));
    await until('live changes', () => stream.position === made.server.engine.table.position);
    assert.equal(stream.table.odds.size, made.server.engine.table.rowCount);
    const reader = sse(t, made, key, { 'accept-encoding': 'gzip' });
    await until('a snapshot', () => reader.position > 0);
    assert.equal(reader.coding, compress === 'on' ? 'gzip' : undefined);
  }
});

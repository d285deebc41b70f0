import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../../../src/base/wire/codec.js';
import { RawWebSocket } from '../../client/ws-package.js';
import { until } from '../../support/until.js';
import { api } from '../api.js';
import { ladder } from '../stream-rig.js';

const UINT32 = 0xce;
const INT64 = 0xd3;

/** The MessagePack type byte of the value of a key of the outermost map; undefined where the map does not have it. */
function markOf(frame: Buffer, name: string): number | undefined {
  const key = Buffer.concat([Uint8Array.of(0xa0 + name.length), Buffer.from(name)]);
  const at = frame.indexOf(key);
  return at < 0 ? undefined : frame[at + key.length];
}

test('numbers of frames and positions are integers, those beyond 32 bits in 64', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2, -110));
  const url = `${server.url.replace('http', 'ws')}/ws?channels=odds&api_key=${server.key('enterprise')}`;
  const frames: Buffer[] = [];
  const socket = new RawWebSocket(url, ['overround.msgpack']);
  t.after(() => socket.terminate());
  socket.on('message', (data) => frames.push(Buffer.from(data)));
  const types = () => frames.map((frame) => (decode(frame) as { type: string }).type);
  await until('complete', () => types().includes('snapshot:complete'));
  await server.ingest(ladder(2, 2, -120));
  await until('the update', () => types().includes('odds:update'));
  server.server.broadcaster.beat();
  await until('a heartbeat', () => types().includes('heartbeat'));
  const marks = new Map(frames.map((frame, i) => [types()[i]!, frame]));
  for (const frame of frames) assert.equal(markOf(frame, 'seq'), UINT32);
  for (const type of ['snapshot:complete', 'odds:update']) assert.equal(markOf(marks.get(type)!, 'global_seq'), INT64);
  for (const type of ['connected', 'subscribed']) assert.equal(markOf(marks.get(type)!, 'position'), INT64);
  assert.equal(markOf(marks.get('initial')!, 'global_seq'), 0, 'none within a snapshot');
  const { odds_decimal } = (decode(marks.get('initial')!) as { data: { odds_decimal: number }[] }).data[0]!;
  assert.ok(!Number.isInteger(odds_decimal), 'a decimal stays one');
});

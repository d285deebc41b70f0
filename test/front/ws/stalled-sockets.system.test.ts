// Sockets whose clients stop reading: traffic until all buffers on the way are full.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.js';
import { api } from '../api.js';
import { ladder, rowsOf, served, untilStuck } from '../stream-rig.js';
import { RawWs } from './raw-ws.js';

test('a client that stops reading delays no other, catches up exactly, and is closed with 4008 if it stays stuck', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 400, -110));
  const api_key = server.key('enterprise');
  const sockets = [
    new RawWs(server, { api_key, channels: 'odds' }),
    new RawWs(server, { api_key, channels: 'odds' }, ['overround.msgpack']),
  ];
  const stuck = new RawWs(server, { api_key, channels: 'odds' });
  for (const socket of [...sockets, stuck]) await socket.frame('snapshot:complete');
  for (const socket of [...sockets, stuck]) socket.socket.pause();
  const { broadcaster } = server.server;
  let second = 2;
  for (; broadcaster.fullCount < 3; second++) await server.ingest(ladder(second, 400, -110 - (second % 50)));
  second = await untilStuck(server, second, 3);
  await server.ingest(ladder(second, 390, -200));
  for (const socket of sockets) socket.socket.resume();
  await until('both have caught up', () =>
    sockets.every((socket) => rowsOf(socket.table).join() === served(server).join()),
  );
  // The kernel may still accept a little after it refused: then the ten seconds start again.
  await until('the one that is stuck is given up', () => {
    server.clock.set(server.clock.now() + 10_500);
    broadcaster.sweep();
    return broadcaster.subscriberCount === 2;
  });
  stuck.socket.resume();
  await until('closed', () => stuck.closed !== null);
  assert.equal(stuck.closed, 4008);
  assert.equal(stuck.frames.at(-1)!['code'], 'backpressure');
  for (const socket of sockets) socket.socket.terminate();
});

test('with single small frames, too, none is lost or numbered twice when one of several clients stops reading', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 12, -110));
  const api_key = server.key('enterprise');
  const sockets = Array.from({ length: 3 }, () => new RawWs(server, { api_key, channels: 'odds', league: 'nba' }));
  for (const socket of sockets) await socket.frame('snapshot:complete');
  const [slow, ...others] = sockets as [RawWs, RawWs, RawWs];
  slow.socket.pause();
  const { broadcaster } = server.server;
  let second = 2;
  for (; broadcaster.fullCount === 0; second++) {
    assert.ok(second < 5_000, 'no frame of many found the socket full');
    await server.ingest(ladder(second, 12, -110 - (second % 50)));
  }
  for (let more = 0; more < 5; more++, second++) await server.ingest(ladder(second, 12, -200 - more));
  slow.socket.resume();
  const nba = served(server).filter((row) => others[0]!.table.odds.has(row.split(' ')[0]!));
  await until('all hold what is served', () => sockets.every((socket) => rowsOf(socket.table).join() === nba.join()));
  await server.ingest(ladder(second, 12, -300));
  await until('all receive the next', () =>
    sockets.every(({ table }) => rowsOf(table).every((row) => / -300$/.test(row))),
  );
  assert.equal(nba.length, 24);
  for (const socket of sockets) socket.socket.terminate();
});

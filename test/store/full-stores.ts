// A process of its own: writes each store until it has refused often, and prints what became of them.

import { StorageFull } from '../../src/base/model/storage-error.js';
import { encode } from '../../src/base/wire/codec.js';
import { LmdbControlStore } from '../../src/store/control-store.js';
import { DelayedStore } from '../../src/store/delayed-store.js';
import { EventLogFile } from '../../src/store/event-log-store.js';
import { HistoryFile } from '../../src/store/history-store.js';
import { WriteBehind } from '../../src/store/write-behind.js';
import { event, message, moneyline, total } from '../intake/ingest/messages.js';
import { Rig, textsOf } from '../writer/shard/rig.js';

const REFUSALS = 10;
const TRIES = 5_000;
const SOME = Buffer.alloc(6_000, 1);
const dir = process.argv[2]!;

async function refusals(write: (i: number) => Promise<void> | void): Promise<number> {
  let refused = 0;
  for (let i = 1; i < TRIES && refused < REFUSALS; i++)
    try {
      await write(i);
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error;
      refused++;
    }
  return refused;
}

/** It ends with what is still to be tried again. */
function ifFull(error: unknown): void {
  if (!(error instanceof StorageFull)) throw error;
}

async function shard(): Promise<object> {
  const rig = new Rig(Date.parse('2026-11-20T18:00:00Z'), {}, dir);
  const refused = await refusals((i) => {
    rig.nowMs += 100;
    const polled_at = new Date(rig.nowMs).toISOString();
    const lines = Array.from({ length: 20 }, (_, line) => total(200 + line, -110 - (i % 80), -110, true));
    const teams = { home_team: `Home ${i}`, away_team: `Away ${i}`, league: 'moon-cup' };
    rig.send(message([event([moneyline(-110, 100), ...lines], teams)], { polled_at }));
  });
  const before = textsOf(rig.table);
  await rig.restart();
  const readable = JSON.stringify([...textsOf(rig.table)]) === JSON.stringify([...before]);
  await rig.close();
  return { refused, readable };
}

async function control(): Promise<object> {
  const store = new LmdbControlStore(`${dir}/control`);
  const refused = await refusals((i) => store.commit(i, [[`entry|${i}`, encode(SOME)]]));
  const readable = [...store.entries('entry')].length > 10;
  await store.close();
  return { refused, readable };
}

async function history(): Promise<object> {
  const commits = new WriteBehind();
  const store = new HistoryFile(dir, false, commits);
  const none = { events: [], rows: [], ids: [], predictions: [], results: [], droppedPages: [], droppedEvents: [] };
  const state = { epoch: 'e', cursors: [0], keptFromUs: 0, nextHno: 1, gaps: [] };
  let taken = 0;
  const refused = await refusals(async (i) => {
    // What was refused behind is tried again.
    if (!commits.isWriting) {
      store.write({ ...none, ...state, pages: [{ hno: 1, firstUs: i, bytes: SOME }] } as never, i % 2 === 0);
      taken++;
    }
    await commits.ended();
  });
  const readable = taken > 10 && [...store.pageKeys()].length === taken;
  await store.close().catch(ifFull);
  return { refused, readable };
}

async function eventLog(): Promise<object> {
  const commits = new WriteBehind();
  const store = new EventLogFile(dir, commits);
  const bytes = Buffer.from(Array.from({ length: 6_000 }, (_, i) => (i * i * 7919) & 0xff));
  const packed = store.packedState(bytes);
  const none = { epoch: 'e', keptFromUs: 0, events: [], chunks: [], cut: [], dropped: [] };
  let last = 0;
  const refused = await refusals(async (i) => {
    if (!commits.isWriting) {
      store.write({ ...none, cursors: [i], states: [{ key: 1, position: i, bytes: packed }] }, i % 2 === 0);
      last = i;
    }
    await commits.ended();
  });
  const readable = last > 10 && store.stateBefore(1, TRIES)?.position === last && store.state()?.cursors[0] === last;
  await store.close().catch(ifFull);
  return { refused, readable };
}

async function delayed(): Promise<object> {
  const store = new DelayedStore(dir);
  const refused = await refusals((i) =>
    store.write({ position: i, events: [], droppedEvents: [], slabs: [[`0|${i}|book`, SOME]] }),
  );
  const readable = store.slabKeys().length > 10;
  await store.close();
  return { refused, readable };
}

const results = { shard: await shard(), control: await control(), history: await history() };
process.stdout.write(JSON.stringify({ ...results, eventLog: await eventLog(), delayed: await delayed() }));

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { runBacktest } from '../../../src/cli/backtest/backtest.js';
import { DEFAULT_LIMITS } from '../../../src/detection/kinds/caller-thresholds.js';
import { shardOfLeague } from '../../../src/writer/pool/shard-queues.js';
import { recording } from '../../intake/feeds/replay/recordings.js';
import { catalogue } from '../../writer/shard/rig.js';
import { at, wandering, wanderingMessages } from './recordings.js';
import { eventsOf, type Replayed, replayed } from './rig.js';

const SECONDS = 140;

/** An opportunity as it was shown at a time, without what depends on who is shown it. */
function seen(time: string, type: string, item: Record<string, unknown>): string {
  const { detected_at, alt_side1: _others1, alt_side2: _others2, ...rest } = item;
  // Within an instant batches of several universes take positions of their own.
  return JSON.stringify([time, type, String(detected_at).slice(0, 23), rest]);
}

async function foundByBacktest(file: string): Promise<string[]> {
  const found: string[] = [];
  await runBacktest({
    file,
    catalogue,
    books: null,
    limits: DEFAULT_LIMITS,
    write: (lines) => {
      for (const line of lines.split('\n').filter(Boolean)) {
        const { at: time, type, id, data = { id } } = JSON.parse(line) as Record<string, string> & { data?: object };
        found.push(seen(time!, type!, data as Record<string, unknown>));
      }
    },
  });
  return found.sort();
}

function shownIn(text: string): string[] {
  const shown: string[] = [];
  for (const { event, data, at: time } of eventsOf(text)) {
    const detected = event.endsWith(':detected') ? (data as Record<string, unknown>[]) : [];
    const expired = event.endsWith(':expired') ? (data as { expired: string[] }).expired : [];
    for (const item of [...detected, ...expired.map((id) => ({ id }))]) shown.push(seen(time, event, item));
  }
  return shown.sort();
}

/** What a stream is sent while the recording is played in steps, and the answers to the steps. */
async function stepped(
  t: TestContext,
  file: string,
  steps: readonly object[],
  query = 'channel=all',
  between: (server: Replayed) => Promise<unknown> = async () => undefined,
) {
  const server = await replayed(t, { replay: file, lockstep: 'yes' });
  const { dataDir } = server.running;
  const stream = await server.stream(query);
  const answers: unknown[] = [];
  for (const step of steps) {
    answers.push((await server.act({ action: 'step', ...step })).body);
    await between(server);
  }
  await server.running.close();
  assert.ok(!existsSync(dataDir), 'its directory is removed');
  return { text: await stream.text, answers };
}

test('a stream in lockstep is sent the opportunities that a backtest finds, each at its time', async (t) => {
  const file = wandering(7, SECONDS);
  const expected = await foundByBacktest(file);
  assert.ok(expected.length > 100, `${expected.length} are too few to compare`);
  const { text } = await stepped(
    t,
    file,
    [{ until: at(100) }, { messages: 7 }, { until: at(SECONDS) }],
    'channel=opportunities',
  );
  assert.deepEqual(shownIn(text), expected);
});

test('however it is played, a recording has the opportunities that a backtest finds', async (t) => {
  const file = wandering(17, SECONDS);
  const expected = await foundByBacktest(file);
  const { act, get, stream, running } = await replayed(t, { replay: file, speed: '0.001' });
  const { text } = await stream('channel=opportunities');
  const playedTo = async (s: number) => {
    while (Date.parse((await get('/health'))['replay'].at) < Date.parse(at(s))) await pause(5);
  };
  await act({ action: 'seek', to: at(80) });
  await act({ action: 'speed', speed: 1_000 });
  await playedTo(125);
  await act({ action: 'pause' });
  await act({ action: 'step', messages: 5 });
  await act({ action: 'speed', speed: 'max' });
  await act({ action: 'resume' });
  await playedTo(SECONDS - 5);
  await running.close();
  assert.deepEqual(shownIn(await text), expected);
});

test('played ahead in several shards, a recording has the opportunities that it has instant by instant', async (t) => {
  const teams = ['Las Vegas Aces', 'Seattle Storm', 'Chicago Sky', 'Phoenix Mercury', 'Indiana Fever', 'Dallas Wings'];
  const messages = wanderingMessages(23, 150).flatMap((message) => {
    const { events } = message as { events: object[] };
    const named = (i: number) => ({ league: 'wnba', home_team: teams[2 * i], away_team: teams[2 * i + 1] });
    return [message, { ...message, events: events.map((event, i) => ({ ...event, ...named(i) })) }];
  });
  assert.notEqual(shardOfLeague('nba', 2), shardOfLeague('wnba', 2));
  const file = recording(messages);
  const shown = await Promise.all(
    ['max', '1000000'].map(async (speed) => {
      const { act, get, stream, running } = await replayed(t, { replay: file, workers: '2', speed: '0.001' });
      const { text } = await stream('channel=opportunities');
      await act({ action: 'speed', speed: speed === 'max' ? speed : Number(speed) });
      for (let state = ''; state !== 'ended'; ) ({ state } = (await get('/health'))['replay']);
      await running.close();
      return shownIn(await text);
    }),
  );
  assert.ok(shown[0]!.length > 500, `${shown[0]!.length} are too few to compare`);
  assert.deepEqual(shown[0], shown[1]);
});

test('a recording served from a time has the opportunities of a backtest from then on', async (t) => {
  const file = wandering(19, SECONDS);
  const later = (shown: string) => JSON.parse(shown)[0] > at(100);
  const expected = (await foundByBacktest(file)).filter(later);
  assert.ok(expected.length > 50, `${expected.length} are too few to compare`);
  const { act, stream, running } = await replayed(t, { replay: file, from: at(100), speed: '0.001' });
  const { text } = await stream('channel=opportunities');
  await act({ action: 'seek', to: at(SECONDS) });
  await running.close();
  assert.deepEqual(shownIn(await text).filter(later), expected);
});

test('two runs in lockstep are the same to the byte, whatever is asked between the steps', async (t) => {
  const file = wandering(11, 200);
  const steps = [{ messages: 3 }, { until: at(90) }, { messages: 1 }, { until: at(200) }, { until: at(500) }];
  // What an account used is stored, each time at a position.
  const asking = async ({ get, running }: Replayed): Promise<void> => {
    for (const path of ['/odds', '/account/usage', '/opportunities/ev']) await get(path);
    await running.server.usage.flush();
  };
  const [one, other] = [await stepped(t, file, steps), await stepped(t, file, steps, undefined, asking)];
  assert.ok(one.text.includes('event: heartbeat'), 'heartbeats follow the clock of the recording');
  assert.equal(one.text, other.text);
  assert.deepEqual(one.answers, other.answers);
  assert.deepEqual(one.answers.at(-1), {
    success: true,
    data: { at: at(195), speed: 1, state: 'ended' },
    updated_at: at(195),
  });
});

test('a step plays exactly so many messages, and its answer shows them in every read', async (t) => {
  const { act, get } = await replayed(t, { replay: wandering(3, 1_000), lockstep: 'yes' });
  assert.equal((await get('/odds'))['pagination'].total, 0);
  await act({ action: 'step', messages: 1 });
  const rows = async () => (await get('/odds?limit=200'))['data'] as { last_seen_at: string }[];
  assert.equal((await rows()).length, 12);
  await act({ action: 'step', until: at(52) });
  assert.deepEqual((await get('/health'))['replay'], {
    at: at(52),
    speed: 1,
    state: 'lockstep',
  });
  const [list] = ['/opportunities/low_hold?limit=3'];
  const { data, meta } = await get(`${list}&at=${at(52)}`);
  assert.deepEqual([data, meta.as_of], [(await get(list))['data'], at(52)]);
  for (const path of [
    list,
    '/opportunities/ev?',
    '/opportunities/middles/summary?',
    '/opportunities/middles/0123456789abcdef?',
  ])
    for (const other of [at(10), at(53)]) {
      const { error } = await get(`${path}&at=${other}`);
      assert.equal(error.code, 'invalid_request');
      assert.match(error.message, new RegExp(`^at: the recording stands at ${at(52)},`));
    }
  const found = (await get('/opportunities/ev?min_ev=0.01&limit=200'))['data'] as { id: string; event_id: string }[];
  const noted = await get(`/historical/predictions?event=${found.map((one) => one.event_id).join(',')}&limit=200`);
  const notedIds = new Set((noted['data'] as { id: string }[]).map(({ id }) => id));
  assert.ok(found.length > 0 && found.every(({ id }) => notedIds.has(id)), 'what was just found is a prediction');
  const polls = (await rows()).map((row) => row.last_seen_at);
  assert.equal(polls.sort().at(-1), at(50));
  assert.equal((await act({ action: 'pause' })).status, 400);
  assert.equal((await act({ action: 'step' })).status, 400);
  assert.equal((await act({ action: 'step', messages: 1, until: at(60) })).status, 400);
  assert.equal((await act({ action: 'seek', to: at(10) })).status, 400, 'nothing can start this server anew');
  const long = act({ action: 'step', until: at(1_000) });
  assert.equal((await act({ action: 'step', messages: 1 })).status, 409, 'one at a time');
  assert.equal((await long).status, 200);
});

test('once a seek back is answered, nothing is played that would be lost with what was there', async (t) => {
  const sought: number[] = [];
  const run = { restart: (toMs: number) => void sought.push(toMs) };
  const { act } = await replayed(t, { replay: wandering(4, 100), lockstep: 'yes' }, run);
  await act({ action: 'step', until: at(50) });
  assert.equal((await act({ action: 'seek', to: at(10) })).body.data.state, 'seeking');
  for (const more of [
    { action: 'step', messages: 1 },
    { action: 'step', until: at(60) },
    { action: 'seek', to: at(20) },
    { action: 'seek', to: at(60) },
  ])
    assert.equal((await act(more)).status, 409, JSON.stringify(more));
  while (sought.length === 0) await pause(20);
  assert.deepEqual(sought, [Date.parse(at(10))]);
});

test('speed, pause, resume and seek move the clock; from plays what was before', async (t) => {
  const { act, get } = await replayed(t, { replay: wandering(5, 4_000, 50), speed: '10', from: at(1_000) });
  const now = async () => Date.parse((await act({ action: 'pause' })).body['data'].at) - Date.parse(at(0));
  const begun = await now();
  assert.ok(begun >= 1_000_000 && begun < 1_700_000, String(begun));
  assert.equal(await now(), begun, 'time stands');
  assert.equal((await act({ action: 'speed', speed: 0 })).status, 400);
  await act({ action: 'seek', to: at(2_000) });
  assert.equal(await now(), 2_000_000);
  await act({ action: 'step', messages: 1 });
  assert.equal(await now(), 2_050_000);
  await act({ action: 'speed', speed: 'max' });
  await act({ action: 'resume' });
  for (let state = ''; state !== 'ended'; ) ({ state } = (await get('/health'))['replay']);
  assert.equal((await get('/odds'))['updated_at'], at(3_950));
});

test('results are stated at their time, and those of after the recording at its end', async (t) => {
  const game = { league: 'nba', home_team: 'Denver Nuggets', away_team: 'Utah Jazz', start_time: at(50) };
  const score = { home_score: 101, away_score: 99 };
  const results = recording(
    [
      { ...game, status: 'live', home_score: 20, away_score: 30, at: at(60), source: 'desk' },
      { ...game, status: 'final', ...score, at: at(9_000), source: 'desk' },
    ],
    'results.ndjson',
  );
  const file = recording(wanderingMessages(2, 100));
  const { act, get } = await replayed(t, { replay: file, results, lockstep: 'yes' });
  const shown = async () => (await get('/results'))['data'] as { status: string; home_score: number }[];
  await act({ action: 'step', until: at(59) });
  assert.deepEqual(await shown(), []);
  await act({ action: 'step', until: at(70) });
  assert.deepEqual(
    (await shown()).map(({ status, home_score }) => [status, home_score]),
    [['live', 20]],
  );
  await act({ action: 'step', until: at(10_000) });
  assert.deepEqual(
    (await shown()).map(({ status, home_score }) => [status, home_score]),
    [['final', 101]],
  );
});

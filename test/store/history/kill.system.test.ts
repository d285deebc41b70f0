// kill -9 while prices change and history writes: after a restart it has every acknowledged change once and in order,
// those before its last write and those it had to read from the log again.
import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/model/clock.js';
import { openDataDirectory } from '../../../src/store/data-directory.js';
import { EventLogFile } from '../../../src/store/event-log-store.js';
import { HistoryFile } from '../../../src/store/history-store.js';
import { LONG } from '../../long.js';
import { newFolder } from '../../temp-folders.js';
import type { FromServer, ToServer } from './child.js';
import { readHistory } from './stored-log.js';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));
const WRITING_CHILD = fileURLToPath(new URL('./writing-child.js', import.meta.url));
const ROUNDS = LONG ? 6 : 2;
const WRITING_ROUNDS = LONG ? 150 : 30;
const WRITTEN_GAMES = 500;
/** Messages by which the prices of each game still change once history has written. */
const FURTHER = 5;
const LEAGUES = ['nba', 'nhl', 'mlb', 'nfl'];
/** Each lane sends its prices one after the other, so that a batch has at most one of them. */
const LANES = 8;
/** The process is started with this number. */
const SHARDS = 2;
/** Pause before the next price of a lane until history has written: more prices would prove nothing more. */
const PACE_MS = 50;

interface Lane {
  league: string;
  event: string;
  /** The last price sent; acknowledged, except possibly the very last one before a kill. */
  sent: number;
}

/** Different from its neighbours. */
const price = (n: number): number => 101 + (n % 800);

function messageOf({ league, sent }: Lane, lane: number, aheadMs = 0): object {
  return {
    book: 'draftkings',
    polled_at: new Date(Date.now() + aheadMs).toISOString(),
    scope: 'event',
    events: [
      {
        league,
        home_team: `Home ${lane}`,
        away_team: `Away ${lane}`,
        start_time: '2090-01-02T00:00:00Z',
        markets: [
          {
            market_type: 'moneyline',
            selections: [
              { selection: 'Home', selection_type: 'home', odds_american: price(sent) },
              { selection: 'Away', selection_type: 'away', odds_american: -1000 },
            ],
          },
        ],
      },
    ],
  };
}

/** Sends prices until history has written, and a few more; then the process is dead. */
async function storm(dir: string, lanes: readonly Lane[]): Promise<void> {
  const child: ChildProcess = fork(CHILD, [dir, String(SHARDS)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const send = (lane: number, again = false): void => {
    if (!again) lanes[lane]!.sent++;
    child.send({ lane, message: messageOf(lanes[lane]!, lane) } satisfies ToServer);
  };
  let left = Number.POSITIVE_INFINITY;
  child.on('message', (values: FromServer) => {
    // Messages under way at the last kill may or may not be there: they are sent again, which changes no price.
    if (values.kind === 'ready') for (const lane of lanes.keys()) send(lane, true);
    if (values.kind === 'written') left = LANES * FURTHER;
    if (values.kind !== 'done') return;
    if (--left <= 0) child.kill('SIGKILL');
    else if (left === Number.POSITIVE_INFINITY) setTimeout(() => child.connected && send(values.lane), PACE_MS);
    else send(values.lane);
  });
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [null, 'SIGKILL']);
}

const READS_ON_MS = 700;

/** Sends one price and kills the process as soon as it is acknowledged, at a clock that far ahead. */
async function pushed(dir: string, lane: Lane, aheadMs: number): Promise<void> {
  const args = [dir, '1', String(aheadMs), '60'];
  const child: ChildProcess = fork(CHILD, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', ({ kind }: FromServer) => {
    const message = messageOf(lane, 0, aheadMs);
    // Not before the delayed table has read on; history writes two seconds after its start.
    if (kind === 'ready') setTimeout(() => child.send({ lane: 0, message } satisfies ToServer), READS_ON_MS);
    if (kind === 'done') child.kill('SIGKILL');
  });
  await once(child, 'exit');
}

test('killed right after each change, started long after the log’s retention, history has all of them', async (t) => {
  const dir = newFolder();
  const lane: Lane = { league: 'nba', event: 'nba_home-0_away-0_2090-01-01', sent: 0 };
  for (; lane.sent < 3; lane.sent++) await pushed(dir, lane, lane.sent * 125_000);
  const directory = openDataDirectory(dir, 1, systemClock);
  t.after(() => directory.close());
  const { file, recorder } = readHistory(dir, directory);
  t.after(() => file.close());
  const event = recorder.find(lane.event)!;
  const values: number[] = [];
  recorder.changes(event, 0, Number.MAX_SAFE_INTEGER, (row, _, american) => {
    if (event.rows[row]!.selectionType === 'home') values.push(american);
  });
  assert.deepEqual(values, [price(0), price(1), price(2)]);
});

test('killed while LMDB’s thread writes, each file is as of one write, and the log of events not before history', async () => {
  const dir = newFolder();
  let [rounds, last] = [0, 0];
  while (rounds < WRITING_ROUNDS) {
    const child = spawn(process.execPath, [WRITING_CHILD, dir, String(WRITTEN_GAMES)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const lines of child.stdout) {
      last = Number(String(lines).trim().split('\n').at(-1));
      // At any moment of the write after it.
      if (++rounds % 3 === 0) setTimeout(() => child.kill('SIGKILL'), (rounds * 7) % 23);
    }
    const [file, events] = [new HistoryFile(dir), new EventLogFile(dir)];
    const [written] = file.state()!.cursors;
    const [ofEvents] = events.state()!.cursors;
    assert.ok(written! >= last && ofEvents! >= written!, `${last} was reported, then ${written} and ${ofEvents}`);
    for (let no = 1; no <= WRITTEN_GAMES; no++) {
      assert.equal(file.page(no, 1)![0], written! % 256, `game ${no} of ${WRITTEN_GAMES}`);
      assert.equal(events.stateBefore(no, 2)!.bytes[0], ofEvents! % 256, `game ${no} of ${WRITTEN_GAMES}`);
    }
    await Promise.all([file.close(), events.close()]);
  }
});

test('killed while it writes, history has every acknowledged change once and in order', async (t) => {
  const dir = newFolder();
  const lanes = Array.from({ length: LANES }, (_, lane): Lane => {
    const league = LEAGUES[lane % LEAGUES.length]!;
    return { league, event: `${league}_home-${lane}_away-${lane}_2090-01-01`, sent: 1 };
  });
  for (let round = 0; round < ROUNDS; round++) await storm(dir, lanes);
  const directory = openDataDirectory(dir, SHARDS, systemClock);
  t.after(() => directory.close());
  const { file, recorder } = readHistory(dir, directory);
  t.after(() => file.close());
  for (const { event: id, sent } of lanes) {
    assert.ok(sent > 5, `${sent} prices of ${id}`);
    const event = recorder.find(id)!;
    const values: number[] = [];
    const times: number[] = [];
    recorder.changes(event, 0, Number.MAX_SAFE_INTEGER, (row, atUs, american) => {
      if (event.rows[row]!.selectionType !== 'home') return;
      values.push(american);
      times.push(atUs);
    });
    const all = Array.from({ length: sent }, (_, n) => price(n + 1));
    // The last price was sent, but not acknowledged.
    assert.deepEqual(values, values.length === all.length ? all : all.slice(0, -1), id);
    assert.deepEqual(
      times,
      [...new Set(times)].sort((a, b) => a - b),
    );
  }
});

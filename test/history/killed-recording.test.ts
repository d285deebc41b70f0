// kill -9 in the middle of a recording, again and again: opened again, history has every price and close of the polls.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { loadCatalogue } from '../../src/catalogue/load.js';
import { type RecordedPoll, readRecording } from '../../src/feeds/replay/recording.js';
import { Recorder } from '../../src/history/recorder.js';
import { systemClock } from '../../src/model/clock.js';
import { openDataDirectory } from '../../src/store/data-directory.js';
import { HistoryLog } from '../../src/store/history-log.js';
import { HistoryFile } from '../../src/store/history-store.js';
import { tempFolder } from '../engine-rig.js';
import { LONG } from '../long.js';
import { compare, POLLS, skip } from './polls.js';
import type { PollToServer, ToldOfPoll } from './recording-child.js';

const CHILD = fileURLToPath(new URL('./recording-child.js', import.meta.url));
const POLLS_MAX = 300;
/** Polls that are taken before each kill. */
const KILLED_AFTER = [7, 41, 42, 120, 121, 204, 260];

/** Hands polls in one after the other; dead while the one at `until` is on its way. */
async function played(dir: string, polls: readonly RecordedPoll[], from: number, until: number): Promise<void> {
  const child = fork(CHILD, [dir, String(polls[from]!.atMs)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const send = (poll: number): void => {
    const { atMs, messages } = polls[poll]!;
    child.send({ poll, atMs, messages } satisfies PollToServer, () => {
      if (poll === until) child.kill('SIGKILL');
    });
  };
  child.on('message', (told: ToldOfPoll) => {
    if (told.kind === 'ready') send(from);
    else if (told.poll < until) send(told.poll + 1);
  });
  const [code, signal] = await once(child, 'exit');
  assert.deepEqual([code, signal], [null, 'SIGKILL']);
}

test('killed in the middle of a recording, history has every price and every close of the polls', {
  skip: LONG ? skip : 'OVERROUND_LONG_TESTS=1 runs it',
  timeout: 300_000,
}, async (t) => {
  const catalogue = loadCatalogue();
  const polls: RecordedPoll[] = [];
  for await (const poll of readRecording(POLLS, { leagues: catalogue })) polls.push(poll);
  assert.equal(polls.length, POLLS_MAX);
  const dir = tempFolder(t);
  let from = 0;
  for (const until of [...KILLED_AFTER, polls.length - 1]) {
    await played(dir, polls, from, until);
    // What was on its way may be there or not, or by half: it is sent again.
    from = until;
  }
  await played(dir, [...polls, polls.at(-1)!], from, polls.length);
  const directory = openDataDirectory(dir, 1, systemClock);
  t.after(() => directory.close());
  const file = new HistoryFile(dir);
  t.after(() => file.close());
  const recorder = new Recorder(file);
  const fail = (...told: unknown[]): never => assert.fail(JSON.stringify(told));
  const { envs, epoch, createdPosition } = directory;
  const log = new HistoryLog({ envs, recorder, epoch, createdPosition, onGap: fail, onReadError: fail });
  assert.equal(log.read(), true);
  recorder.flush();
  assert.deepEqual(recorder.gaps.list, []);
  const { compared, closes } = compare(catalogue, file, recorder);
  assert.ok(compared > 3_000 && closes > 3_000, `${compared} rows and ${closes} closes`);
});

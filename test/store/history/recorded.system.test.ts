// History of recorded polls compared with an independent reading of them, with the recorder lost and restarted in
// between.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline } from '../../../src/cli/backtest/timeline.js';
import { readRecording } from '../../../src/intake/feeds/replay/recording.js';
import { type Delta, decodeDelta, encodeDelta } from '../../../src/log/delta/delta.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { Recorder } from '../../../src/store/history/recorder.js';
import { HistoryFile } from '../../../src/store/history-store.js';
import { newFolder } from '../../temp-folders.js';
import { compare, POLLS, skip } from './polls.js';

test('every price and every close is that of the polls, although unwritten changes were lost and read again', {
  skip,
}, async (t) => {
  const catalogue = loadCatalogue();
  const file = new HistoryFile(newFolder());
  t.after(() => file.close());
  let recorder = new Recorder(file);
  recorder.begin('one', 1);
  recorder.flush();
  let unwritten: Buffer[] = [];
  const log = {
    take: (delta: Delta) => {
      unwritten.push(encodeDelta(delta));
      recorder.take(delta);
    },
  };
  const timeline = new Timeline(catalogue, { key: 'none', books: [] }, () => undefined, log);
  let polls = 0;
  for await (const poll of readRecording(POLLS, { leagues: catalogue })) {
    timeline.play(poll);
    if (++polls % 7 === 0) {
      recorder.flush();
      unwritten = [];
    }
    if (polls % 45 !== 0) continue;
    recorder = new Recorder(file);
    assert.ok(recorder.load());
    for (const bytes of unwritten) recorder.take(decodeDelta(bytes));
  }
  recorder.flush();
  const { compared, closes } = compare(catalogue, file, recorder);
  assert.ok(compared > 3_000 && closes > 3_000, `${compared} rows and ${closes} closes`);
});

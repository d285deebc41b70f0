// The simulated market on a manual clock: history has its games opening, moving, starting and being graded as in its
// messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NewsListener, Timeline } from '../../../src/cli/backtest/timeline.js';
import { SimMarket } from '../../../src/intake/feeds/sim/market.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { Grader } from '../../../src/store/clv/grader.js';
import { type Prediction, predictionOf } from '../../../src/store/clv/prediction.js';
import { closingLines, openingLines } from '../../../src/store/history/answers.js';
import { memoryHistoryStore } from '../../../src/store/history/memory-store.js';
import { Recorder } from '../../../src/store/history/recorder.js';
import { LONG } from '../../long.js';

const EVENING_MS = Date.parse('2026-11-20T22:00:00Z');
/**
 * Observed for a while every ten minutes, at the market's own rate of polls; what is found is committed at its own
 * time.
 */
const HOURS = 6;
const EVERY_MS = 600_000;
const LOOK_MS = 20_000;
const STEP_MS = 250;
const OPTIONS = { seed: 5, books: 8, events: 40, rate: 80 };

interface Recorded {
  opening: number;
  closing: number;
  isLive: boolean;
  startMs: number;
}

const skip = LONG ? false : 'OVERROUND_LONG_TESTS=1 runs it';

test('games of the simulated market open, move, close and are graded', { skip }, () => {
  const catalogue = loadCatalogue();
  const market = new SimMarket(OPTIONS, catalogue, EVENING_MS);
  const store = memoryHistoryStore();
  const recorder = new Recorder(store);
  recorder.begin('simulated', 1);
  const predictions = new Map<string, Prediction>();
  const predict: NewsListener = (_atMs, _position, news) => {
    for (const { detected } of news)
      for (const found of detected)
        if (found.kind === 'ev' && !predictions.has(found.id))
          predictions.set(found.id, predictionOf(found, undefined));
  };
  const timeline = new Timeline(catalogue, { key: 'all', books: null, kept: { minEv: 0 } }, predict, recorder);
  /**
   * By `home|away|book|side`: moneylines according to the messages, until their book says that the game is live or it
   * starts.
   */
  const recorded = new Map<string, Recorded>();
  const note = ({ book, polled_at, events = [] }: IngestMessage): void => {
    for (const { league = '', home_team = '', away_team = '', start_time = '', is_live, markets } of events)
      for (const { market_type, selections } of markets)
        for (const { selection_type: side, odds_american: odds } of market_type === 'moneyline' ? selections : []) {
          const names = [home_team, away_team].map((name) => catalogue.resolveTeam(league, name).name);
          const key = [...names, book, side].join('|');
          const price = Number(odds);
          if (!Number.isFinite(price)) continue;
          const known = recorded.get(key) ?? { opening: price, closing: price, isLive: is_live === true, startMs: 0 };
          recorded.set(key, known);
          known.startMs = Date.parse(start_time);
          known.isLive ||= is_live === true || Date.parse(polled_at) >= known.startMs;
          if (!known.isLive) known.closing = price;
        }
  };
  let atMs = EVENING_MS;
  for (let lookMs = EVENING_MS; lookMs < EVENING_MS + HOURS * 3_600_000; lookMs += EVERY_MS)
    for (atMs = lookMs; atMs <= lookMs + LOOK_MS; atMs += STEP_MS) {
      const messages = market.step(atMs);
      if (messages.length === 0) continue;
      for (const message of messages) note(message);
      timeline.play({ atMs, messages });
    }
  let closes = 0;
  let moved = 0;
  recorder.flush();
  for (const { hno } of store.events()) {
    const event = recorder.event(hno)!;
    const lines = new Map(
      closingLines(recorder, event, atMs * 1000, () => false).map(({ row, point }) => [row.id, point]),
    );
    for (const { row, point: opening } of openingLines(event)) {
      const says = recorded.get([event.home, event.away, row.book, row.selectionType].join('|'));
      const closing = lines.get(row.id);
      if (row.market !== 'moneyline' || closing === undefined || says === undefined) continue;
      assert.deepEqual([opening.american, closing.american], [says.opening, says.closing], `${event.id} ${row.book}`);
      closes++;
      if (says.opening !== says.closing) moved++;
    }
  }
  assert.ok(closes >= 10 && moved >= 5, `${closes} closed, ${moved} of them moved`);
  const grader = new Grader(recorder, catalogue);
  const graded = [...predictions.values()].map((one) => grader.grade(recorder.find(one.event)!, one, atMs * 1000));
  const judged = graded.filter(({ clv }) => clv !== null);
  assert.ok(judged.length >= 5, `${judged.length} of ${graded.length} graded`);
  // An edge of a few percent at first is about as large at the close: the market does not reverse within hours.
  for (const { clv, ev } of judged) assert.ok(Math.abs(clv! - ev) < 40, `${ev} % became ${clv} %`);
});

// History's answers on random changes, compared with a plain reading of them: points, candles and pages, of written and
// unwritten changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { americanFromDecimal, decimalFromAmerican } from '../../../src/base/model/price.js';
import { NO_DETAILS } from '../../../src/base/model/row-details.js';
import { round6 } from '../../../src/base/model/row-json.js';
import { formatUs } from '../../../src/base/model/time.js';
import type { EventDelta } from '../../../src/log/delta/delta.js';
import { MarketTypes } from '../../../src/rules/markets/market-types.js';
import {
  answerGames,
  answerHistory,
  type HistoryAnswer,
  type HistoryQuestion,
} from '../../../src/store/history/answers.js';
import type { HistoryRow, Point } from '../../../src/store/history/event-record.js';
import { memoryHistoryStore } from '../../../src/store/history/memory-store.js';
import { Recorder, type StandingRow } from '../../../src/store/history/recorder.js';
import type { Json } from '../../front/api.js';
import { runs } from '../../long.js';

const BEGIN_US = Date.parse('2026-11-20T23:58:00Z') * 1000;
const SECOND_US = 1e6;
const MARKETS = ['moneyline', 'point_spread', 'total_points'];
const EVENT = 'nba_home_away_2026-11-21';
const RUNS = runs(5);
/** More than fit into a page. */
const CHANGES = { minLength: 520, maxLength: 900 };

/** As books state them: whole American odds, decimal odds, and prices that are neither. */
const odds = fc.oneof(
  fc.integer({ min: 100, max: 900 }).map((american) => ({ american, decimal: decimalFromAmerican(american) })),
  fc.integer({ min: -900, max: -101 }).map((american) => ({ american, decimal: decimalFromAmerican(american) })),
  fc.integer({ min: 1_010, max: 90_000 }).map((thousandths) => priceOf(thousandths / 1_000)),
  fc.double({ min: 1.01, max: 50, noNaN: true }).map(priceOf),
);
const change = fc.record({
  row: fc.nat(5),
  afterUs: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(400 * SECOND_US)),
  odds,
  line: fc.constantFrom(null, -3.5, 0, 3.1, 219.25),
  live: fc.boolean(),
  active: fc.boolean(),
  indicative: fc.boolean(),
  written: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
});
const asked = fc.record({
  row: fc.option(fc.nat(5)),
  market: fc.option(fc.constantFrom(...MARKETS)),
  line: fc.option(fc.constantFrom(-3.5, 0, 3.1)),
  from: fc.oneof(fc.constant(0), fc.nat(6_000)),
  to: fc.oneof(fc.constant(86_400), fc.nat(6_000)),
  intervalUs: fc.constantFrom(0, 0, 60 * SECOND_US),
  limit: fc.integer({ min: 7, max: 300 }),
});

function priceOf(decimal: number): { american: number; decimal: number } {
  return { american: americanFromDecimal(decimal), decimal };
}

const marketOf = (row: number): string => MARKETS[row % MARKETS.length]!;
const idOf = (row: number): string => String(row).padStart(19, '1');

function rowOf(row: number, opening: Point): HistoryRow {
  return {
    place: -1,
    id: idOf(row),
    book: `book-${row % 2}`,
    market: marketOf(row),
    selection: `Side ${row}`,
    selectionType: 'home',
    player: null,
    stat: null,
    team: 'home',
    alternate: false,
    no: row,
    removedUs: 0,
    opening,
    seenMs: 0,
    lastBeforeClose: null,
  };
}

const pointText = ({ atUs, american, decimal, line, live, active, indicative }: Point): Json => ({
  at: formatUs(atUs),
  odds_american: american,
  odds_decimal: round6(decimal),
  line,
  is_live: live,
  is_active: active,
  ...(indicative ? { indicative } : {}),
});

function candlesOf(points: readonly Point[], intervalUs: number): Json[] {
  const candles = new Map<number, Point[]>();
  for (const point of points) {
    const us = Math.floor(point.atUs / intervalUs) * intervalUs;
    candles.set(us, [...(candles.get(us) ?? []), point]);
  }
  return [...candles].map(([us, of]) => {
    const [open, close] = [of[0]!, of.at(-1)!];
    const high = of.find(({ decimal }) => decimal === Math.max(...of.map((each) => each.decimal)))!;
    const low = of.find(({ decimal }) => decimal === Math.min(...of.map((each) => each.decimal)))!;
    const american = { open: open.american, high: high.american, low: low.american, close: close.american };
    const [first, most, least, last] = [open, high, low, close].map(({ decimal }) => round6(decimal));
    const prices = { open: first, high: most, low: least, close: last, american };
    const { line, live, active, indicative } = close;
    const state = { is_live: live, is_active: active, ...(indicative ? { indicative } : {}) };
    return { at: formatUs(us), ...prices, line, changes: of.length, ...state };
  });
}

test('answers about random changes equal a plain reading of them, on pages of any size', () => {
  fc.assert(
    fc.property(fc.array(change, CHANGES), fc.array(asked, { minLength: 4 }), (changes, all) => {
      const recorder = new Recorder(memoryHistoryStore());
      recorder.begin('one', 1);
      const event = { no: 1, id: EVENT, sport: 'basketball', league: 'nba', home: 'Home', away: 'Away', startMs: 0 };
      recorder.stated(0, { ...event, status: 'upcoming', live: false } as EventDelta, BEGIN_US);
      /** By place: rows are numbered as they appear. */
      const known: { row: number; points: Point[] }[] = [];
      let atUs = BEGIN_US;
      const batch: StandingRow[] = [];
      const stands = (): void => recorder.standing(0, 1, batch.splice(0), 0, atUs);
      for (const { row, afterUs, odds, line, live, active, indicative, written } of changes) {
        const found = known.find((each) => each.row === row);
        // No row changes twice in one batch.
        const passedUs = found?.points.at(-1)?.atUs === atUs ? Math.max(1, afterUs) : afterUs;
        if (passedUs > 0 || written) stands();
        if (written) recorder.flush();
        atUs += written ? Math.max(1, passedUs) : passedUs;
        const price: Point = { atUs, ...odds, line, live, active, indicative };
        batch.push({ row: rowOf(row, price), price, details: NO_DETAILS });
        if (found === undefined) known.push({ row, points: [price] });
        else found.points.push(price);
      }
      stands();
      for (const { row, market, line, from, to, intervalUs, limit } of all) {
        const fromUs = BEGIN_US + from * SECOND_US;
        const toUs = fromUs + to * SECOND_US;
        const one = row !== null && known.some((each) => each.row === row) ? row : null;
        const question: HistoryQuestion = {
          oddsId: one === null ? null : idOf(one),
          everyGame: false,
          sports: null,
          leagues: null,
          events: one === null ? [EVENT] : null,
          markets: market === null ? null : { exact: [market], props: false },
          books: null,
          selection: null,
          line,
          fromUs,
          toUs,
          intervalUs,
          limit,
          removals: false,
          after: null,
        };
        const expected = known
          .filter(({ row: each }) => (one === null || each === one) && (market === null || marketOf(each) === market))
          .map(({ row, points }) => {
            const wanted = points.filter(
              (at) => at.atUs >= fromUs && at.atUs <= toUs && (line === null || at.line === line),
            );
            return {
              id: idOf(row),
              points: intervalUs === 0 ? wanted.map(pointText) : candlesOf(wanted, intervalUs),
            };
          })
          .filter(({ points }) => points.length > 0);
        assert.deepEqual(allPages(recorder, question), expected);
        // Of all games: there is one.
        if (one === null)
          assert.deepEqual(allPages(recorder, { ...question, everyGame: true, events: null }), expected);
      }
    }),
    { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
  );
});

function allPages(recorder: Recorder, question: HistoryQuestion): { id: string; points: Json[] }[] {
  const returned: { id: string; points: Json[] }[] = [];
  let { after } = question;
  let count = 0;
  for (;;) {
    const asked = { ...question, after };
    const answer = question.everyGame
      ? answerGames(recorder, asked, new MarketTypes(), Number.POSITIVE_INFINITY)
      : (answerHistory(recorder, asked, new MarketTypes()) as HistoryAnswer);
    assert.ok(answer.count <= question.limit);
    count += answer.count;
    for (const { odds_id: id, points } of JSON.parse(answer.rows) as Json[]) {
      const last = returned.at(-1);
      if (last?.id === id) last!.points.push(...points);
      else returned.push({ id, points });
    }
    after = answer.next;
    if (after !== null) continue;
    assert.equal(answer.total, question.everyGame ? null : count);
    return returned;
  }
}

// Bets graded by the close, on a recorder fed by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlayerResult, ResultRecord, ResultWord } from '../../../src/base/model/result.js';
import { Timeline } from '../../../src/cli/backtest/timeline.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type Bet, Grader } from '../../../src/store/clv/grader.js';
import { Settler } from '../../../src/store/clv/settler.js';
import { memoryHistoryStore } from '../../../src/store/history/memory-store.js';
import { Recorder } from '../../../src/store/history/recorder.js';
import { event, message, moneyline, total } from '../../intake/ingest/messages.js';

const CLOSE_MS = Date.parse('2026-11-21T00:00:00Z');

test('a close that is requested before its last prices are recorded is graded by them afterwards', () => {
  const catalogue = loadCatalogue();
  const recorder = new Recorder(memoryHistoryStore());
  recorder.begin('test', 1);
  const timeline = new Timeline(catalogue, { key: 'all', books: null, kept: { minEv: 0 } }, () => undefined, recorder);
  const grader = new Grader(recorder, catalogue);
  const say = (atMs: number, book: string, home: number, away: number): void => {
    const start_time = new Date(CLOSE_MS).toISOString();
    const polled_at = new Date(atMs).toISOString();
    const messages = [message([event([moneyline(home, away)], { start_time })], { book, polled_at })];
    timeline.play({ atMs, messages });
  };
  const clv = (): number | null => {
    const bet: Bet = {
      oddsId: recorder.event(1)!.rows[0]!.id,
      event: null,
      market: null,
      selection: null,
      sportsbook: null,
      line: null,
      american: null,
      atUs: (CLOSE_MS - 60_000) * 1000,
    };
    return grader.gradeBet(bet, (CLOSE_MS + 5) * 1000).clv;
  };
  say(CLOSE_MS - 1_200_000, 'pinnacle', 100, 100);
  assert.equal(clv(), 0);
  // It is committed after the question, at a position before the close.
  say(CLOSE_MS - 10, 'pinnacle', -200, 200);
  // 2/3 * 2 - 1
  assert.ok(Math.abs(clv()! - 100 / 3) < 0.01, String(clv()));
  say(CLOSE_MS + 1_000, 'pinnacle', -300, 300);
  assert.ok(Math.abs(clv()! - 100 / 3) < 0.01, String(clv()));
});

test('until when a quiet book was polled, and a market’s own commission, survive a restart', () => {
  const { catalogue, store, recorder, timeline } = recordedTimeline();
  const say = (atMs: number, book: string, home: number, away: number, more: object = {}): void => {
    const start_time = new Date(CLOSE_MS).toISOString();
    const polled_at = new Date(atMs).toISOString();
    const markets = [{ ...moneyline(home, away), ...more }];
    timeline.play({ atMs, messages: [message([event(markets, { start_time })], { book, polled_at })] });
  };
  // The sharp book's price is hours old and was polled to the end; the other market charges 10 % where the book charges 5 %.
  say(CLOSE_MS - 7_200_000, 'betfair', 120, -120, { commission: { model: 'winnings', rate: 0.1 } });
  for (let minutes = 120; minutes > 0; minutes -= 5) say(CLOSE_MS - minutes * 60_000, 'pinnacle', 100, 100);
  recorder.flush();
  const again = new Recorder(store);
  assert.equal(again.load(), true);
  const grader = new Grader(again, catalogue);
  const bet: Bet = {
    oddsId: null,
    event: recorder.event(1)!.id,
    market: 'moneyline',
    selection: 'home',
    sportsbook: 'betfair',
    line: null,
    american: 120,
    atUs: (CLOSE_MS - 60_000) * 1000,
  };
  const { clv, decimalNet } = grader.gradeBet(bet, (CLOSE_MS + 5) * 1000);
  assert.equal(decimalNet, 2.08);
  assert.ok(Math.abs(clv! - 4) < 1e-6, String(clv));
});

function recordedTimeline() {
  const catalogue = loadCatalogue();
  const store = memoryHistoryStore();
  const recorder = new Recorder(store);
  recorder.begin('test', 1);
  const timeline = new Timeline(catalogue, { key: 'all', books: null, kept: { minEv: 0 } }, () => undefined, recorder);
  return { catalogue, store, recorder, timeline };
}

test('until when a few rows of a book were polled, and a commission stated after the price, survive a restart', () => {
  const { catalogue, store, recorder, timeline } = recordedTimeline();
  const start_time = new Date(CLOSE_MS).toISOString();
  const say = (minutes: number, book: string, markets: readonly object[]): void => {
    const atMs = CLOSE_MS - minutes * 60_000;
    const polled_at = new Date(atMs).toISOString();
    timeline.play({ atMs, messages: [message([event(markets, { start_time })], { book, polled_at, scope: 'none' })] });
    recorder.flush();
  };
  const sharp = moneyline(100, 100);
  const charged = { ...moneyline(120, -120), commission: { model: 'winnings', rate: 0.1 } };
  say(170, 'betfair', [moneyline(120, -120)]);
  say(165, 'betfair', [charged]);
  say(160, 'pinnacle', [sharp, total(220.5, -110, -110)]);
  for (let minutes = 155; minutes > 0; minutes -= 5) {
    // Keeps the game in memory.
    say(minutes + 0.5, 'draftkings', [moneyline(110 + minutes, -150)]);
    say(minutes, 'pinnacle', [sharp]);
  }
  const again = new Recorder(store);
  assert.equal(again.load(), true);
  const bet: Bet = {
    oddsId: null,
    event: recorder.event(1)!.id,
    market: 'moneyline',
    selection: 'home',
    sportsbook: 'betfair',
    line: null,
    american: 120,
    atUs: (CLOSE_MS - 60_000) * 1000,
  };
  const { clv, decimalNet, reason } = new Grader(again, catalogue).gradeBet(bet, (CLOSE_MS + 5) * 1000);
  assert.deepEqual([decimalNet, reason], [2.08, null]);
  assert.ok(Math.abs(clv! - 4) < 1e-6, String(clv));
});

test('that next to nothing could be had at a price when its book closed survives a restart', () => {
  const { catalogue, store, recorder, timeline } = recordedTimeline();
  const start_time = new Date(CLOSE_MS).toISOString();
  const say = (minutes: number, book: string, size: number | null): void => {
    const atMs = CLOSE_MS - minutes * 60_000;
    const { selections, ...market } = moneyline(120, -120);
    const markets = [{ ...market, selections: selections.map((each) => ({ ...each, size })) }];
    const polled_at = new Date(atMs).toISOString();
    timeline.play({ atMs, messages: [message([event(markets, { start_time })], { book, polled_at })] });
    recorder.flush();
  };
  const reason = (): string | null => {
    const again = new Recorder(store);
    assert.equal(again.load(), true);
    const bet = { event: recorder.event(1)!.id, market: 'moneyline', selection: 'home', sportsbook: 'draftkings' };
    const made = { oddsId: null, line: null, american: 120, atUs: 0 };
    return new Grader(again, catalogue).gradeBet({ ...bet, ...made }, (CLOSE_MS + 900_000) * 1000).reason;
  };
  say(30, 'draftkings', null);
  say(20, 'pinnacle', 500);
  assert.equal(reason(), null);
  say(10, 'pinnacle', 19);
  assert.equal(reason(), 'no_reference');
  say(-10, 'pinnacle', 500);
  assert.equal(reason(), 'no_reference');
});

test('a game that is polled shortly before its start is not read again after each write', () => {
  const catalogue = loadCatalogue();
  const stored = memoryHistoryStore();
  const store = {
    ...stored,
    reads: 0,
    rows: (hno: number) => {
      store.reads++;
      return stored.rows(hno);
    },
  };
  const recorder = new Recorder(store);
  recorder.begin('test', 1);
  const timeline = new Timeline(catalogue, { key: 'all', books: null, kept: { minEv: 0 } }, () => undefined, recorder);
  const start_time = new Date(CLOSE_MS).toISOString();
  for (let atMs = CLOSE_MS - 3_600_000; atMs < CLOSE_MS - 3_000_000; atMs += 5_000) {
    const fields = { polled_at: new Date(atMs).toISOString() };
    timeline.play({ atMs, messages: [message([event([moneyline(100, 100)], { start_time })], fields)] });
    recorder.flush();
  }
  assert.ok(store.reads < 3, String(store.reads));
});

test('a player of a result that an earlier version recorded is found by his name', () => {
  const told = (name: string, points: number): PlayerResult => ({ name, played: true, stats: { points } });
  const word: ResultWord = {
    ...{
      source: 'league',
      atMs: 1,
      status: 'final',
      score: { home: 100, away: 90 },
      parts: [],
      regulation: null,
      stats: {},
    },
    players: {
      martinødegaard: told('Martin Ødegaard', 12),
      waldojunior: told('Waldo Junior', 8),
      smith: told('Smith', 8),
      smithv: told('Smith V', 12),
    },
  };
  const game = {
    eventId: 'e1',
    league: 'nba',
    sport: 'basketball',
    home: 'Boston Celtics',
    away: 'Denver Nuggets',
    startMs: 0,
  };
  const record: ResultRecord = { ...game, words: { league: word }, settlements: {}, revision: 1, updatedPosition: 1 };
  const catalogue = loadCatalogue();
  const recorder = new Recorder(memoryHistoryStore());
  const settler = new Settler(recorder, catalogue, { resultOf: () => record }, []);
  const bet = { oddsId: null, event: 'e1', selection: 'over', team: null, decimal: 2 };
  const ends = (market: string, player: string, line: number) => {
    const { result, reason } = settler.settleBet({ ...bet, market, player, line, sportsbook: 'draftkings' }, 2);
    return reason === null ? result : `${result} ${reason}`;
  };
  assert.deepEqual(
    [
      ends('player_points', 'Martin Odegaard', 9.5),
      ends('player_points', 'Martin Ødegaard', 9.5),
      ends('player_points', 'Waldo Jr.', 9.5),
      ends('player_points', 'Smith', 9.5),
      ends('player_points', 'Constructor', 9.5),
      ends('player_points', 'Odegaard, Martin', 12.5),
    ],
    ['won', 'won', 'lost', 'lost', 'pending player_not_told', 'lost'],
  );
});

test('who wins a tournament is graded by the name that is the selection, and no to it the other way round', () => {
  const placed = (name: string, position: number): PlayerResult => ({ name, played: true, stats: { position } });
  const word: ResultWord = {
    ...{ source: 'league', atMs: 1, status: 'final', score: null, parts: [], regulation: null, stats: {} },
    players: { rorymcilroy: placed('Rory McIlroy', 1), jonrahm: placed('Jon Rahm', 2) },
  };
  const game = { eventId: 'e1', league: 'pga', sport: 'golf', home: 'Masters', away: 'Field', startMs: 0 };
  const record: ResultRecord = { ...game, words: { league: word }, settlements: {}, revision: 1, updatedPosition: 1 };
  const settler = new Settler(new Recorder(memoryHistoryStore()), loadCatalogue(), { resultOf: () => record }, []);
  const bet = {
    oddsId: null,
    event: 'e1',
    market: 'outrights',
    line: null,
    team: null,
    decimal: 2,
    sportsbook: 'fanduel',
  };
  const ends = (selection: string, player: string | null) => settler.settleBet({ ...bet, selection, player }, 2).result;
  assert.deepEqual(
    [ends('Rory McIlroy', null), ends('Jon Rahm', null), ends('Nobody', null)],
    ['won', 'lost', 'pending'],
  );
  assert.deepEqual(
    [ends('yes', 'Rory McIlroy'), ends('no', 'Rory McIlroy'), ends('no', 'Jon Rahm')],
    ['won', 'lost', 'won'],
  );
});

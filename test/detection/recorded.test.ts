import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readRecording } from '../../src/intake/feeds/replay/recording.js';
import type { RawEvent } from '../answers/recorded-polls.js';
import { catalogue } from '../writer/shard/rig.js';
import type { PublishedOpportunity } from './published.js';
import { ShardInMemory } from './shard-in-memory.js';

const DATA = resolve(process.cwd(), '../shared/data');
const MLB = resolve(DATA, 'mlb_us_polls');
const SOCCER = resolve(DATA, 'soccer/2025-26_E0.csv');
const ALL = [{ key: 'sharp', books: null }];

interface Poll {
  atMs: number;
  events: RawEvent[];
}

function linesOf(path: string): unknown[] {
  return gunzipSync(readFileSync(path))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** With microseconds, because ages are compared with the poll's time. */
function instant(text: string): number {
  const us = /\.(\d+)/.exec(text)?.[1]?.padEnd(6, '0').slice(0, 6) ?? '000000';
  return Date.parse(`${text.slice(0, 19)}Z`) + Number(us) / 1000;
}

const decimalOf = (american: number) => (american > 0 ? 1 + american / 100 : 1 + 100 / -american);

interface Quote {
  book: string;
  american: number;
  seenMs: number;
}

/** Prices by side for each market and line of one event, by brute force from the raw poll. */
function sidesOf(event: RawEvent, atMs: number, maxAgeS: number): Map<string, Map<string, Quote[]>> {
  const markets = new Map<string, Map<string, Quote[]>>();
  for (const { key: book, last_update, markets: shown } of event.bookmakers)
    for (const { key, last_update: updated, outcomes } of shown) {
      if (key !== 'h2h' && key !== 'totals') continue;
      const seenMs = Date.parse(updated ?? last_update ?? new Date(atMs).toISOString());
      if (atMs - seenMs > maxAgeS * 1000) continue;
      for (const { name, price, point } of outcomes) {
        const line = key === 'totals' ? point : null;
        const sides = markets.get(`${key}|${line}`) ?? new Map<string, Quote[]>();
        markets.set(`${key}|${line}`, sides);
        const quotes = sides.get(name) ?? [];
        sides.set(name, quotes);
        quotes.push({ book, american: Number(price), seenMs });
      }
    }
  return markets;
}

/** The best pair at two books, as `home-or-over price|away-or-under price`, and its profit in percent. */
function bestArbitrage(first: readonly Quote[], second: readonly Quote[]): { key: string; profit: number } | undefined {
  let best: { key: string; profit: number } | undefined;
  for (const a of first)
    for (const b of second) {
      if (a.book === b.book) continue;
      const sum = 1 / decimalOf(a.american) + 1 / decimalOf(b.american);
      if (sum >= 1 || (best !== undefined && 100 * (1 / sum - 1) <= best.profit)) continue;
      best = { key: `${a.american}|${b.american}`, profit: 100 * (1 / sum - 1) };
    }
  return best;
}

/**
 * `external id|market|line|prices` of every arbitrage of a poll. `live`: prices of games that have begun are stale
 * after 60 s.
 */
function bruteForce({ atMs, events }: Poll, live: boolean): Map<string, number> {
  const found = new Map<string, number>();
  for (const event of events) {
    const begun = live && Date.parse(event.commence_time) <= atMs;
    for (const [market, sides] of sidesOf(event, atMs, begun ? 60 : 300)) {
      const names = market.startsWith('h2h') ? [event.home_team, event.away_team] : ['Over', 'Under'];
      const best = bestArbitrage(sides.get(names[0]!) ?? [], sides.get(names[1]!) ?? []);
      if (best !== undefined) found.set(`${event.id}|${market}|${best.key}`, best.profit);
    }
  }
  return found;
}

function recordedPolls(): Poll[] {
  return (linesOf(resolve(MLB, 'polls.ndjson.gz')) as { payload: { last_updated: string; odds: RawEvent[] } }[]).map(
    ({ payload }) => ({ atMs: instant(payload.last_updated), events: payload.odds }),
  );
}

/** The reference's arbitrages of one poll in the same form. */
function keyOf(answer: OracleArbitrage[], { events }: Poll): Map<string, number> {
  const found = new Map<string, number>();
  for (const { event: id, market, line, legs, profit_percent } of answer) {
    const event = events.find((one) => one.id === id)!;
    const first = market === 'h2h' ? event.home_team : 'Over';
    const prices = [...legs].sort((a) => (a[0] === first ? -1 : 1)).map((leg) => leg[2]);
    found.set(`${id}|${market}|${line}|${prices.join('|')}`, profit_percent);
  }
  return found;
}

interface OracleArbitrage {
  event: string;
  market: string;
  line: number | null;
  legs: [string, string, number][];
  profit_percent: number;
}

const skipMlb = existsSync(MLB) ? false : 'the recorded polls are not here';

test('after each of 300 recorded polls exactly the arbitrages of an independent reference are active', {
  skip: skipMlb,
}, async () => {
  const polls = recordedPolls();
  const oracle = linesOf(resolve(MLB, 'oracle_detect.ndjson.gz')) as { arbs_fresh300s: OracleArbitrage[] }[];
  const shard = new ShardInMemory(polls[0]!.atMs - 1, ALL);
  let at = 0;
  let compared = 0;
  for await (const { atMs, messages } of readRecording(resolve(MLB, 'polls.ndjson.gz'), { leagues: catalogue })) {
    const poll = polls[at]!;
    // The reference has neither the 60 s rule of live games nor the bound on credible profits; the brute force has
    // both.
    assert.deepEqual(
      [...keyOf(oracle[at]!.arbs_fresh300s, poll).keys()].sort(),
      [...bruteForce(poll, false).keys()].sort(),
    );
    const wanted = [...bruteForce(poll, true)].filter(([, profit]) => profit <= 10).map(([key]) => key);
    shard.apply(messages, atMs);
    shard.flush();
    const alive = shard.published.of('sharp').filter(({ kind, suspicious }) => kind === 'arbitrage' && !suspicious);
    assert.deepEqual(alive.map((one) => wordsOf(one, poll)).sort(), wanted.sort(), `poll ${at}`);
    compared += wanted.length;
    at++;
  }
  assert.equal(at, 300);
  assert.ok(compared > 20, String(compared));
});

/**
 * The engine's opportunity in the same form; its event in the poll is the one of the same teams with the nearest start.
 */
function wordsOf({ item, market, startMs }: PublishedOpportunity, { events }: Poll): string {
  const legs = item['legs'] as { odds_american: number }[];
  const team = (name: string) => catalogue.resolveTeam('mlb', name).name;
  const distanceMs = (event: RawEvent) => Math.abs(Date.parse(event.commence_time) - startMs);
  const [event] = events
    .filter((one) => team(one.home_team) === item['home_team'] && team(one.away_team) === item['away_team'])
    .sort((a, b) => distanceMs(a) - distanceMs(b));
  const key = market === 'moneyline' ? 'h2h|null' : `totals|${item['line'] as number}`;
  return `${event?.id}|${key}|${legs.map((leg) => leg.odds_american).join('|')}`;
}

const skipSoccer = existsSync(SOCCER) ? false : 'the recorded closing prices are not here';

test('the hold of 100 recorded soccer games is that of the best of their books', {
  skip: skipSoccer,
}, () => {
  const [head, ...rows] = readFileSync(SOCCER, 'utf8')
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const books = ['B365', 'BFD', 'BMGM', 'BV', 'BW', 'CL', 'LB'];
  const nowMs = Date.parse('2025-08-01T12:00:00Z');
  const cell = (row: string[], name: string) => Number(row[head!.indexOf(name)] || Number.NaN);
  for (const row of rows) {
    const [, date, , home, away] = row;
    const [day, month, year] = date!.split('/');
    const event = (book: string) => ({
      league: 'epl',
      home_team: home,
      away_team: away,
      start_time: `${year}-${month}-${day}T15:00:00Z`,
      markets: [
        {
          market_type: 'moneyline',
          selections: (['home', 'draw', 'away'] as const).flatMap((type) => {
            const price = cell(row, `${book}${type[0]!.toUpperCase()}`);
            return price > 1 ? [{ selection: type, selection_type: type, odds_decimal: price }] : [];
          }),
        },
      ],
    });
    const shard = new ShardInMemory(nowMs, ALL);
    const polled_at = new Date(nowMs).toISOString();
    shard.apply(
      books.map((book) => ({ book: book.toLowerCase(), polled_at, scope: 'none', events: [event(book)] })),
      nowMs,
    );
    let sum = 0;
    for (const type of ['H', 'D', 'A']) {
      const best = Math.max(...books.map((book) => cell(row, book + type) || 0));
      sum += 1 / best;
    }
    const found = shard.published.of('sharp').filter(({ kind }) => kind === 'low_hold' || kind === 'arbitrage');
    assert.equal(found.length, 1, `${home}-${away}`);
    const [{ kind, edge }] = found as [PublishedOpportunity];
    assert.ok(Math.abs(edge - 100 * (kind === 'low_hold' ? sum - 1 : 1 / sum - 1)) < 1e-5, `${home}-${away}: ${edge}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejection } from '../../../../src/base/model/normal-message.js';
import { decimalFromAmerican } from '../../../../src/base/model/price.js';
import { SimMarket, type SimOptions } from '../../../../src/intake/feeds/sim/market.js';
import type { IngestEvent, IngestMessage } from '../../../../src/intake/ingest/message.js';
import { normalise } from '../../../../src/intake/ingest/normalise.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { expandMarkets } from '../../../../src/rules/markets/categories.js';
import { strikeBase } from '../../../../src/rules/markets/derive.js';
import { LONG } from '../../../long.js';
import { latest } from '../../ingest/messages.js';
import { PriceTable } from './price-table.js';
import { EVENING_MS, SMALL_CATALOGUE } from './small-catalogue.js';

const CATALOGUE = loadCatalogue();
const MINUTE_MS = 60_000;

function* steps(
  market: SimMarket,
  minutes: number,
  stepMs = 250,
  fromMs = EVENING_MS,
): Iterable<[number, IngestMessage[]]> {
  for (let ms = fromMs + stepMs; ms <= fromMs + minutes * MINUTE_MS; ms += stepMs) yield [ms, market.step(ms)];
}

function run(
  options: Partial<SimOptions>,
  minutes: number,
  stepMs = 250,
  catalogue = SMALL_CATALOGUE,
): IngestMessage[] {
  const market = new SimMarket(options, catalogue, EVENING_MS);
  return [...steps(market, minutes, stepMs)].flatMap(([, messages]) => messages);
}

function* polledEvents(
  messages: readonly IngestMessage[],
): Iterable<{ message: IngestMessage; event: IngestEvent; key: string }> {
  for (const message of messages)
    for (const event of message.events ?? [])
      yield { message, event, key: `${message.book} ${event.league} ${event.external_id}` };
}

/** Eight minutes of many polls, made once. */
let livelyRun: IngestMessage[] | undefined;
const lively = (): IngestMessage[] => {
  livelyRun ??= run({ seed: 9, rate: 1_500, events: 40 }, 8);
  return livelyRun;
};

test('the same seed and clock make the same bytes, another seed makes another market', () => {
  const options = { seed: 11, events: 30, rate: 600 };
  const bytes = (given: Partial<SimOptions>): string => JSON.stringify(run(given, 1));
  const first = bytes(options);
  assert.ok(first.length > 100_000);
  assert.equal(bytes(options), first);
  assert.notEqual(bytes({ ...options, seed: 12 }), first);
});

test('how often the market is stepped does not change its prices', () => {
  const options = { seed: 4, events: 20, rate: 400 };
  assert.deepEqual(
    run(options, 2, 1_750),
    run(options, 2, 250).filter(({ polled_at }) => Date.parse(polled_at) <= EVENING_MS + 119_000),
  );
});

test('returned messages are not changed afterwards', () => {
  const market = new SimMarket({ seed: 2, events: 15, rate: 800 }, SMALL_CATALOGUE, EVENING_MS);
  const early: [IngestMessage, string][] = [];
  for (const [ms, messages] of steps(market, 6))
    if (ms < EVENING_MS + 2 * MINUTE_MS) for (const message of messages) early.push([message, JSON.stringify(message)]);
  assert.ok(early.length > 100);
  for (const [message, text] of early) assert.equal(JSON.stringify(message), text);
});

test('the engine accepts every quote and knows every team and market, with the built-in catalogue', () => {
  const market = new SimMarket({ seed: 1, rate: 3_000 }, CATALOGUE, EVENING_MS);
  const rejected: Rejection[] = [];
  const context = { catalogue: CATALOGUE, clock: latest, leagueOfEvent: () => undefined };
  let quotes = 0;
  let splits = 0;
  let futures = 0;
  for (const [, messages] of steps(market, 0.5))
    for (const [i, message] of messages.entries()) {
      const normal = normalise(message, `[${i}].`, context, rejected);
      assert.ok(normal !== undefined);
      splits += normal.splits.length;
      futures += normal.futures.length;
      for (const event of normal.events) {
        assert.notEqual(event.sport, 'other');
        const teams = CATALOGUE.teams(event.league).length > 0;
        if (teams)
          for (const name of [event.home, event.away]) assert.ok(CATALOGUE.resolveTeam(event.league, name).known, name);
        for (const { type, quotes: own } of event.markets) {
          const known = CATALOGUE.marketType(strikeBase(type) ?? type);
          assert.ok(known?.sports.includes(event.sport), `${type} in ${event.sport}`);
          quotes += own.length;
        }
      }
    }
  assert.deepEqual(rejected, []);
  assert.ok(quotes > 50_000);
  assert.ok(splits > 50 && futures > 20);
});

test('every event has teams, start, league and the book’s id; times of a book’s polls only increase', () => {
  const polledAt = new Map<string, string>();
  let count = 0;
  for (const { message, event, key } of polledEvents(run({ seed: 3, events: 40, rate: 900 }, 4))) {
    count++;
    assert.equal(message.scope, 'event');
    assert.ok(event.league && event.home_team && event.away_team && event.external_id);
    assert.ok(Math.abs(Date.parse(event.start_time!) - EVENING_MS) < 8 * 24 * 60 * MINUTE_MS);
    assert.equal(event.is_live, event.status === 'live');
    assert.ok((polledAt.get(key) ?? '') < message.polled_at, key);
    polledAt.set(key, message.polled_at);
  }
  assert.ok(count > 500);
});

test('no price is out of bounds and no market of a book is an arbitrage against itself', () => {
  const seen = new Set<unknown>();
  for (const { event, key } of polledEvents(run({ seed: 8, rate: 4_000, events: 60 }, 1)))
    for (const market of event.markets) {
      if (seen.has(market)) continue;
      seen.add(market);
      const lines = new Map<number, number>();
      for (const { selection_type: side, line, odds_american, odds_decimal } of market.selections) {
        assert.ok((odds_american === undefined) !== (odds_decimal === undefined));
        const decimal = odds_decimal === undefined ? decimalFromAmerican(Number(odds_american)) : Number(odds_decimal);
        assert.ok(decimal > 1 && decimal < 100, `${key} ${market.market_type} ${odds_american ?? odds_decimal}`);
        assert.notEqual(odds_american, -100);
        const at = side === 'home' && line != null ? 0 - line : (line ?? 0);
        lines.set(at, (lines.get(at) ?? 0) + 1 / decimal);
      }
      for (const [line, sum] of lines) assert.ok(sum > 1 && sum < 1.2, `${key} ${market.market_type} ${line}: ${sum}`);
    }
  assert.ok(seen.size > 3_000);
});

test('soccer is three-way, all else two-way; limits, ticket counts and links are where they belong', () => {
  const kinds = new Set<string>();
  for (const { message, event } of polledEvents(run({ seed: 5, rate: 4_000, events: 60 }, 1)))
    for (const market of event.markets) {
      kinds.add(market.market_type);
      assert.equal(market.max_bet !== undefined, message.book === 'pinnacle');
      assert.equal(market.player_name !== undefined, market.market_type.startsWith('player_'));
      assert.equal(market.team !== undefined, market.market_type === 'team_total');
      if (market.market_type === 'moneyline') assert.equal(market.selections.length, event.league === 'epl' ? 3 : 2);
      let tickets = 0;
      for (const selection of market.selections) {
        const main = selection.is_alternate_line !== true && market.player_name === undefined;
        assert.equal(selection.public_bet_pct !== undefined, message.book === 'draftkings' && main);
        tickets += selection.public_bet_pct ?? 0;
        assert.equal(selection.deep_link !== undefined, message.book === 'draftkings');
        if (selection.deep_link !== undefined)
          assert.equal(
            selection.deep_link,
            `https://dk.example/event/${event.external_id}?outcomes=${selection.external_id}`,
          );
        if (message.book === 'fanduel') assert.match(selection.external_id!, /^[\d.]+\/\d+$/);
        assert.equal(selection.odds_decimal !== undefined, ['exchange', 'european'].includes(message.book));
      }
      if (message.book === 'draftkings' && market.player_name === undefined) assert.ok(Math.abs(tickets - 1) < 1e-9);
    }
  const totals = expandMarkets(['total']).exact.filter((type) => type !== 'total');
  for (const kind of ['moneyline', 'point_spread', 'puck_line', 'run_line', ...totals, 'player_points'])
    assert.ok(kinds.has(kind), kind);
});

test('books of one owner show one price', () => {
  const prices = new Map<string, string>();
  let same = 0;
  let different = 0;
  for (const { message, event } of polledEvents(run({ seed: 6, rate: 1_000, events: 40 }, 2))) {
    if (!message.book.startsWith('twin_') || event.is_live) continue;
    for (const market of event.markets) {
      const key = `${event.home_team} ${event.away_team} ${market.market_type} ${market.player_name} ${market.team}`;
      const text = market.selections.map(({ line, odds_american }) => `${line}@${odds_american}`).join(' ');
      const other = prices.get(`${message.book === 'twin_one' ? 'twin_two' : 'twin_one'} ${key}`);
      if (other !== undefined) other === text ? same++ : different++;
      prices.set(`${message.book} ${key}`, text);
    }
  }
  assert.ok(same > 500 && different < same * 0.15, `${same} alike, ${different} not yet`);
});

test('books suspend betting and resume: most lock their prices, some remove them', () => {
  const locked = new Map<string, number>();
  const down = new Set<string>();
  let markets = 0;
  let reopened = 0;
  const paused = new Set<string>();
  for (const { message, event, key } of polledEvents(lively())) {
    if (event.suspended === true) {
      assert.deepEqual(event.markets, []);
      assert.ok(event.status === 'live' || event.status === 'upcoming');
      locked.set(message.book, (locked.get(message.book) ?? 0) + 1);
      paused.add(key);
    } else if (event.markets.length > 0) {
      if (paused.delete(key)) reopened++;
    } else if (event.status === 'live') down.add(message.book);
    for (const market of event.markets)
      if (market.is_active === false) {
        assert.ok(market.selections.length > 0);
        markets++;
      }
  }
  assert.ok(locked.size > down.size && down.size > 0, `${locked.size} books lock, ${down.size} take down`);
  for (const book of down) assert.ok(!locked.has(book) || book === 'prematch_only', `${book} does both`);
  assert.ok(reopened > 10 && markets > 10, `${reopened} opened again, ${markets} single markets locked`);
});

test('markets are removed and return', () => {
  const shown = new Map<string, boolean>();
  let gone = 0;
  let back = 0;
  let alone = 0;
  for (const { event, key } of polledEvents(lively())) {
    if (event.status === 'ended' || event.status === 'postponed') continue;
    const shows = event.markets.some(({ market_type }) => market_type === 'moneyline');
    const before = shown.get(key);
    if (before === true && !shows) gone++;
    if (before === false && shows) back++;
    shown.set(key, shows);
    if (shows && !event.is_live && !event.markets.some(({ market_type }) => /^total/.test(market_type))) alone++;
  }
  assert.ok(gone > 10 && back > 5, `${gone} gone, ${back} back`);
  assert.ok(alone > 5, `${alone} with all but the total`);
});

test('games end with a final state, are never listed again, and others replace them', () => {
  const market = new SimMarket({ seed: 7, events: 40, rate: 60 }, SMALL_CATALOGUE, EVENING_MS);
  const over = new Map<string, string>();
  const live = new Map<string, number>();
  let finals = 0;
  let offersMost = 0;
  for (const [, messages] of steps(market, LONG ? 240 : 100, 2_000)) {
    offersMost = Math.max(offersMost, market.offerCount);
    for (const { message, event, key } of polledEvents(messages)) {
      assert.ok(!over.has(key), `${key} was over`);
      if (event.status === 'ended' || event.status === 'postponed') {
        assert.deepEqual(event.markets, []);
        over.set(key, event.status);
      }
      const state = event.game_state;
      if (state === undefined) continue;
      assert.ok(event.status === 'live' || event.status === 'ended');
      assert.notEqual(message.book, 'prematch_only');
      const score = (state.home_score ?? 0) + (state.away_score ?? 0);
      assert.ok(score >= (live.get(key) ?? 0));
      live.set(key, score);
      if (event.status === 'ended') finals += state.period === 'Final' ? 1 : -1_000;
    }
  }
  assert.ok(finals > 20, `${finals} final states`);
  assert.ok(market.events.length >= 38, `${market.events.length} events`);
  assert.ok(market.events.some((event) => event.live));
  for (const event of market.events) assert.ok(event.versions.length <= 32);
  assert.ok(offersMost <= 9 * 55, `${offersMost} offers`);
});

test('a long pause moves the games on without making up the polls slept through', () => {
  const market = new SimMarket({ seed: 7, events: 30, rate: 500 }, SMALL_CATALOGUE, EVENING_MS);
  for (const _ of steps(market, 1));
  const messages = market.step(EVENING_MS + 90 * MINUTE_MS);
  const quotes = [...polledEvents(messages)].flatMap(({ event }) =>
    event.markets.flatMap(({ selections }) => selections),
  );
  assert.ok(quotes.length < 3_000, `${quotes.length} quotes`);
  for (const { polled_at } of messages) assert.ok(Date.parse(polled_at) > EVENING_MS + 90 * MINUTE_MS - 2_001);
  assert.ok(market.events.length >= 28);
});

test('the rate is as configured once every book has been seen, and about one quote in twelve is a new price', () => {
  const market = new SimMarket({ seed: 1, rate: 1_000, events: 40 }, CATALOGUE, EVENING_MS);
  const before = new Map<string, string>();
  let quotes = 0;
  let changed = 0;
  for (const [ms, messages] of steps(market, 3)) {
    const counted = ms > EVENING_MS + 2 * MINUTE_MS;
    for (const { event, key } of polledEvents(messages))
      for (const market of event.markets)
        for (const selection of market.selections) {
          const { selection_type: side, line, odds_american, odds_decimal } = selection;
          const alternate = selection.is_alternate_line === true ? line : '';
          const row = `${key} ${market.market_type} ${market.player_name} ${market.team} ${side} ${alternate}`;
          const price = `${line}@${odds_american ?? odds_decimal}`;
          if (counted) {
            quotes++;
            if (before.has(row) && before.get(row) !== price) changed++;
          }
          before.set(row, price);
        }
  }
  assert.ok(quotes / 60 > 900 && quotes / 60 < 1_100, `${quotes / 60} a second`);
  assert.ok(changed / quotes > 0.04 && changed / quotes < 0.16, `${changed / quotes} changed`);
});

test('with the defaults there are always opportunities, and never a flood', () => {
  const market = new SimMarket({}, CATALOGUE, EVENING_MS);
  const table = new PriceTable(CATALOGUE);
  const found = { arbitrages: 0, large: 0, values: 0, middles: 0, samples: 0 };
  for (const [ms, messages] of steps(market, LONG ? 4 : 2)) {
    table.apply(messages);
    const sinceMs = ms - EVENING_MS;
    if (sinceMs < 90_000 || sinceMs % 30_000 !== 0) continue;
    const counts = table.count(ms);
    found.samples++;
    found.arbitrages += counts.arbitrages.filter((profit) => profit >= 0.5).length;
    found.large += counts.arbitrages.filter((profit) => profit > 5).length;
    found.values += counts.values.length;
    found.middles += counts.middles.length;
    assert.ok(counts.lowHolds > 100);
    assert.ok(counts.arbitrages.length < 60 && counts.values.length < 400 && counts.middles.length < 150);
  }
  const mean = (total: number): number => total / found.samples;
  const text = JSON.stringify(found);
  assert.ok(mean(found.arbitrages) >= 1 && mean(found.arbitrages) <= 15, text);
  assert.ok(mean(found.large) <= 2, text);
  assert.ok(mean(found.values) >= 5 && mean(found.values) <= 90, text);
  assert.ok(mean(found.middles) >= 1 && mean(found.middles) <= 40, text);
});

test('fewer books are the ones most callers see, with the sharp book among them', () => {
  const booksOf = (books: number): string[] => [
    ...new Set(run({ seed: 1, events: 10, rate: 500, books }, 1).map(({ book }) => book)),
  ];
  assert.deepEqual(booksOf(3).sort(), ['draftkings', 'fanduel', 'pinnacle']);
  assert.deepEqual(booksOf(1), ['draftkings']);
});

test('options out of their limits are refused by name', () => {
  for (const [options, name] of [
    [{ rate: 0 }, 'rate'],
    [{ events: 1.5 }, 'events'],
    [{ books: -1 }, 'books'],
    [{ seed: Number.NaN }, 'seed'],
  ] as const)
    assert.throws(() => new SimMarket(options, SMALL_CATALOGUE, EVENING_MS), new RegExp(`sim: ${name} `));
});

test('a game that is over has one result, with the score its books showed last', () => {
  const messages = run({ seed: 3, events: 90, rate: 120 }, 45, 2_000);
  const results = messages.flatMap(({ results = [] }) => results as Record<string, unknown>[]);
  assert.ok(results.length > 3, `${results.length} results`);
  const keyOf = (game: { league?: unknown; home_team?: unknown; start_time?: unknown }): string =>
    `${game.league} ${game.home_team} ${game.start_time}`;
  assert.equal(new Set(results.map(keyOf)).size, results.length);
  const last = new Map<string, IngestEvent>();
  for (const { event } of polledEvents(messages))
    if (event.status === 'ended' && event.game_state) last.set(keyOf(event), event);
  let compared = 0;
  for (const result of results) {
    const state = last.get(keyOf(result))?.game_state;
    if (state?.home_score == null) continue;
    compared++;
    assert.deepEqual(
      [result['home_score'], result['away_score'], result['status']],
      [state.home_score, state.away_score, 'final'],
    );
  }
  assert.ok(compared > 0);
  const rejected: Rejection[] = [];
  const context = { catalogue: CATALOGUE, clock: latest, leagueOfEvent: () => undefined };
  for (const message of messages) if (message.results !== undefined) normalise(message, '', context, rejected);
  assert.deepEqual(rejected, []);
});

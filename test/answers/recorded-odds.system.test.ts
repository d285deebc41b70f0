// Best, comparison and batch of recorded polls against an independent computation from the raw polls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBatch } from '../../src/answers/batch.js';
import { BestReader } from '../../src/answers/best.js';
import { ComparisonReader } from '../../src/answers/comparison.js';
import { BestQuery, ComparisonQuery } from '../../src/schema/odds.js';
import type { TableEvent } from '../../src/tables/events.js';
import { type Universe, universeOf } from '../../src/tables/filter/universe.js';
import { requestedParameters } from '../requested-parameters.js';
import { catalogue } from '../writer/shard/rig.js';
import { decimalOf, type RawEvent, recordedPolls, skip } from './recorded-polls.js';
import { Spine } from './spine.js';

interface RawPrice {
  book: string;
  decimal: number;
  seenMs: number;
  /** home, away, over or under, and the total. */
  side: string;
}

/** The recorded prices of a game: `home`, `away`, `over 8.5`, `under 8.5`. Null if the table has no such game. */
function rawPrices(event: RawEvent): RawPrice[] {
  return event.bookmakers.flatMap(({ key, markets }) =>
    markets.flatMap((market) =>
      market.outcomes.flatMap(({ name, price, point }) => {
        if (market.key !== 'h2h' && market.key !== 'totals') return [];
        const side =
          market.key === 'totals' ? `${name.toLowerCase()} ${point}` : name === event.home_team ? 'home' : 'away';
        const book = catalogue.book(key)?.id ?? key;
        return { book, decimal: decimalOf(price), seenMs: Date.parse(market.last_update), side };
      }),
    ),
  );
}

/** The event of a recorded game: the one with the id under which every book recorded it. */
function tableEvent(spine: Spine, raw: RawEvent): TableEvent | undefined {
  return spine.table.events.ordered().find((event) => Object.values(event.externalIds).includes(raw.id));
}

function sideOf(item: { selection_type: string; line: number | null }): string {
  return item.line === null ? item.selection_type : `${item.selection_type} ${item.line}`;
}

function near(actual: number | null | undefined, expected: number, places: number, what: string): void {
  assert.ok(
    actual !== null && actual !== undefined && Math.abs(actual - expected) <= 0.5000001 * 10 ** -places,
    `${what}: ${actual} is not ${expected}`,
  );
}

interface Checked {
  prices: number;
  best: number;
  holds: number;
}

function checkPoll(spine: Spine, atMs: number, raw: readonly RawEvent[], universe: Universe, checked: Checked): void {
  const { table } = spine;
  const best = new BestReader(catalogue).page({
    table,
    universe,
    params: { limit: 100_000, offset: 0 },
    asked: requestedParameters(BestQuery, {}),
    asOfMs: atMs,
  });
  const bestOf = new Map(best.items.map((item) => [`${item.event_id} ${sideOf(item)}`, item]));
  for (const game of raw) {
    const event = tableEvent(spine, game);
    if (event === undefined) continue;
    const prices = rawPrices(game).filter(({ book }) => universe.allows(book));
    const { events } = readBatch(catalogue, { table, universe, eventIds: [event.id], market: undefined });
    const [first] = events;
    assert.ok(typeof first === 'object', game.id);
    assert.equal(first.odds.length, prices.length, game.id);
    checked.prices += prices.length;
    const ageMs = Date.parse(game.commence_time) <= atMs ? 60_000 : 300_000;
    const fresh = prices.filter(({ seenMs }) => atMs - seenMs <= ageMs);
    for (const side of new Set(fresh.map((price) => price.side))) {
      const ofSide = fresh.filter((price) => price.side === side);
      const top = Math.max(...ofSide.map(({ decimal }) => decimal));
      const worst = Math.min(...ofSide.map(({ decimal }) => decimal));
      const item = bestOf.get(`${event.id} ${side}`);
      assert.ok(item !== undefined, `${event.id} ${side} has no best price`);
      bestOf.delete(`${event.id} ${side}`);
      near(item.best_odds.decimal, top, 6, 'best price');
      const tied = ofSide.filter(({ decimal }) => decimal === top).map(({ book }) => book);
      tied.sort((a, b) => catalogue.bookOrder(a) - catalogue.bookOrder(b) || (a < b ? -1 : 1));
      assert.equal(item.best_book, tied[0]);
      assert.deepEqual(item.all_books.map(({ book }) => book).sort(), ofSide.map(({ book }) => book).sort());
      for (const { book, edge } of item.all_books) {
        const { decimal } = ofSide.find((price) => price.book === book)!;
        near(edge, 100 / worst - 100 / decimal, 4, 'edge');
      }
      checked.best++;
    }
    checkComparison(spine, event, atMs, universe, prices, fresh, checked);
  }
  assert.deepEqual([...bestOf.keys()], [], 'best prices that no fresh price stands behind');
}

function checkComparison(
  spine: Spine,
  event: TableEvent,
  asOfMs: number,
  universe: Universe,
  prices: readonly RawPrice[],
  fresh: readonly RawPrice[],
  checked: Checked,
): void {
  const { comparison } = new ComparisonReader(catalogue).compare({
    table: spine.table,
    universe,
    event,
    market: undefined,
    asked: requestedParameters(ComparisonQuery, {}),
    asOfMs,
  });
  const shown = comparison.markets.flatMap(({ selections }) =>
    selections.flatMap((each) => Object.keys(each.books).map((book) => `${sideOf(each)} ${book}`)),
  );
  assert.deepEqual(shown.sort(), prices.map(({ side, book }) => `${side} ${book}`).sort());
  const priceOf = (book: string, side: string) => fresh.find((price) => price.book === book && price.side === side);
  const lines = [...new Set(fresh.flatMap(({ side }) => (side.startsWith('over ') ? side.slice(5) : [])))];
  const pairs = { moneyline: [['home', 'away']], total_runs: lines.map((line) => [`over ${line}`, `under ${line}`]) };
  for (const market of comparison.markets) {
    const ofMarket = pairs[market.market_type as keyof typeof pairs];
    const byBook = new Map<string, number>();
    let main: { hold: number; books: number } | undefined;
    for (const [first, second] of ofMarket) {
      const best = [first, second].map((side) =>
        Math.max(...fresh.filter((price) => price.side === side).map(({ decimal }) => decimal)),
      );
      const both = [...new Set(fresh.map(({ book }) => book))].filter(
        (book) => priceOf(book, first!) && priceOf(book, second!),
      );
      for (const book of both)
        byBook.set(book, 100 / priceOf(book, first!)!.decimal + 100 / priceOf(book, second!)!.decimal - 100);
      const hold = 100 / best[0]! + 100 / best[1]! - 100;
      if (best.includes(Number.NEGATIVE_INFINITY)) continue;
      if (main === undefined || both.length > main.books || (both.length === main.books && hold < main.hold))
        main = { hold, books: both.length };
    }
    assert.deepEqual(Object.keys(market.hold.by_book).sort(), [...byBook.keys()].sort());
    for (const [book, hold] of byBook) near(market.hold.by_book[book], hold, 4, `hold of ${book}`);
    if (main === undefined) assert.equal(market.hold.best_available, null);
    else {
      near(market.hold.best_available, main.hold, 4, 'best hold');
      checked.holds++;
    }
  }
}

test('best, comparison and batch of every tenth recorded poll equal the raw polls', { skip }, async () => {
  const polls = await recordedPolls();
  const spine = new Spine(polls[0]!.atMs);
  const universes = (['free', 'pro', 'sharp'] as const).map((tier) =>
    universeOf(catalogue, tier, undefined, () => true),
  );
  const checked: Checked = { prices: 0, best: 0, holds: 0 };
  for (const [no, { atMs, raw, messages }] of polls.entries()) {
    spine.nowMs = atMs;
    spine.send(...messages);
    if (no % 10 !== 0) continue;
    for (const universe of universes) checkPoll(spine, atMs, raw, universe, checked);
  }
  assert.ok(checked.prices > 5_000 && checked.best > 1_000 && checked.holds > 300, JSON.stringify(checked));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bookStyle } from '../../../../src/intake/feeds/sim/book-style.js';
import { Fixtures } from '../../../../src/intake/feeds/sim/fixtures.js';
import { Offer, PollPlan } from '../../../../src/intake/feeds/sim/market.js';
import { EVENING_MS, SMALL_CATALOGUE } from './small-catalogue.js';

const TICK_MS = 250;

function offers(count: number): Offer[] {
  const fixtures = new Fixtures(3, SMALL_CATALOGUE, 30);
  const styles = SMALL_CATALOGUE.books.map((book) => bookStyle(book, 3, 5));
  const events = Array.from({ length: count }, () => fixtures.open('later', EVENING_MS)!);
  return events.flatMap((event) => styles.map((style, i) => new Offer(style, i, event)));
}

/** Runs the plan for `ticks` ticks; polls by offer, and quotes seen. */
function run(plan: PollPlan, ticks: number, from = 1): { polls: Map<Offer, number>; quotes: number } {
  const polls = new Map<Offer, number>();
  let quotes = 0;
  for (let tick = from; tick < from + ticks; tick++) {
    plan.turn(tick, 1);
    for (let offer = plan.take(); offer !== undefined; offer = plan.take()) {
      plan.spend(offer.quotes);
      quotes += offer.quotes;
      polls.set(offer, (polls.get(offer) ?? 0) + 1);
      plan.plan(offer, tick, EVENING_MS + tick * TICK_MS);
    }
  }
  return { polls, quotes };
}

for (const rate of [40, 400, 4_000])
  test(`a rate of ${rate} quotes a second is reached, and no offer starves`, () => {
    const plan = new PollPlan(rate, TICK_MS);
    const all = offers(12);
    for (const [i, offer] of all.entries()) plan.plan(offer, 0, EVENING_MS, (i * 15_000) / all.length);
    const warm = 1_200;
    run(plan, warm);
    const ticks = Math.ceil((all.length * 40 * 4) / Math.min(rate, 400)) * 4;
    const { polls, quotes } = run(plan, ticks, warm + 1);
    const seen = quotes / ((ticks * TICK_MS) / 1_000);
    assert.ok(seen > rate * 0.85 && seen < rate * 1.15, `${seen} quotes a second`);
    assert.equal(polls.size, all.length);
  });

test('a poll that is brought forward happens once, and its old slot stays empty', () => {
  const plan = new PollPlan(100_000, TICK_MS);
  const [offer] = offers(1);
  plan.plan(offer!, 0, EVENING_MS, 10_000);
  plan.hurry(offer!, 0, EVENING_MS, 1_000);
  plan.hurry(offer!, 0, EVENING_MS, 5_000);
  const polledAt: number[] = [];
  for (let tick = 1; tick <= 60; tick++) {
    plan.turn(tick, 1);
    while (plan.take() !== undefined) polledAt.push(tick);
  }
  assert.deepEqual(polledAt, [4]);
});

test('an offer that is dropped is never polled again and weighs nothing', () => {
  const plan = new PollPlan(100_000, TICK_MS);
  const [first, second] = offers(1);
  plan.plan(first!, 0, EVENING_MS, 500);
  plan.plan(second!, 0, EVENING_MS, 500);
  plan.drop(first!);
  plan.turn(2, 1);
  assert.equal(plan.take(), second);
  assert.equal(plan.take(), undefined);
  plan.drop(second!);
  assert.ok(Math.abs(plan.load) < 1e-9);
  assert.equal(plan.size, 0);
});

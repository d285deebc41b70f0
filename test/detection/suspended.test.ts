// A suspended price is excluded from legs, references and the consensus, from the batch that suspends it on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpportunityKind } from '../../src/base/model/opportunity.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import type { IngestMarket } from '../../src/intake/ingest/message.js';
import { event, market, message, moneyline, selection } from '../intake/ingest/messages.js';
import { catalogue } from '../writer/shard/rig.js';
import type { PublishedOpportunity } from './published.js';
import { ShardInMemory } from './shard-in-memory.js';

const START_MS = Date.parse('2026-11-20T18:00:00Z');

class World {
  readonly shard = new ShardInMemory(START_MS, startUniverses(catalogue));
  #nowMs = START_MS;

  show(books: Record<string, readonly IngestMarket[]>, fields: object = {}): void {
    this.#nowMs += 1_000;
    const polled_at = new Date(this.#nowMs).toISOString();
    this.shard.apply(
      Object.entries(books).map(([book, markets]) => message([event(markets, fields)], { book, polled_at })),
      this.#nowMs,
    );
    assert.deepEqual(this.shard.rejected, []);
  }

  of(kind: OpportunityKind, universe = 'sharp'): PublishedOpportunity[] {
    return this.shard.published.of(universe).filter((opportunity) => opportunity.kind === kind);
  }
}

const locked = (home: number, away: number): IngestMarket => ({ ...moneyline(home, away), is_active: false });
const three = (home: number, draw: number | null, away: number): IngestMarket =>
  market([
    selection({ selection: 'home', selection_type: 'home', odds_american: home }),
    selection({
      selection: 'draw',
      selection_type: 'draw',
      ...(draw === null ? { odds_american: undefined, is_active: false } : { odds_american: draw }),
    }),
    selection({ selection: 'away', selection_type: 'away', odds_american: away }),
  ]);

test('an arbitrage ends with the suspension of a leg, and returns when the leg reopens at the same price', () => {
  const world = new World();
  world.show({ draftkings: [moneyline(110, -130)], fanduel: [moneyline(-130, 105)] });
  assert.equal(world.of('arbitrage').length, 1);
  const [{ id } = { id: '' }] = world.of('arbitrage');
  world.show({ draftkings: [locked(110, -130)] });
  assert.deepEqual(world.of('arbitrage'), []);
  world.show({ draftkings: [moneyline(110, -130)] });
  assert.deepEqual(
    world.of('arbitrage').map((one) => one.id),
    [id],
  );
  world.show({ draftkings: [] }, { suspended: true });
  assert.deepEqual(world.of('arbitrage'), []);
});

test('the next best price replaces a suspended one', () => {
  const world = new World();
  world.show({ draftkings: [moneyline(110, -130)], betmgm: [moneyline(115, -140)], fanduel: [moneyline(-130, 105)] });
  const books = () => world.of('arbitrage').map((one) => one.books);
  assert.deepEqual(books(), [['betmgm', 'fanduel']]);
  world.show({ betmgm: [locked(115, -140)] });
  assert.deepEqual(books(), [['draftkings', 'fanduel']]);
});

test('a suspended sharp book is no reference: the edge over it ends, and the consensus of the others applies', () => {
  const world = new World();
  world.show({ pinnacle: [moneyline(-150, 135)], draftkings: [moneyline(-110, -110)] });
  const edges = () => world.of('ev').map(({ item }) => (item as { sharp_book?: string }).sharp_book);
  assert.deepEqual(edges(), ['pinnacle']);
  world.show({ pinnacle: [locked(-150, 135)] });
  assert.deepEqual(edges(), [], 'nothing else says that -110 is too long');
});

test('one suspended side makes a book no reference for the other', () => {
  const world = new World();
  world.show({ pinnacle: [moneyline(-150, 135)], draftkings: [moneyline(-110, -110)] });
  assert.equal(world.of('ev').length, 1);
  const half = moneyline(-150, 135);
  world.show({
    pinnacle: [
      { ...half, selections: half.selections.map((one, i) => (i === 1 ? { ...one, is_active: false } : one)) },
    ],
  });
  assert.deepEqual(world.of('ev'), []);
});

test('a suspended draw leaves its book three-way: its home and away make no two-way arbitrage', () => {
  const world = new World();
  const hockey = { league: 'nhl', home_team: 'Boston Bruins', away_team: 'Toronto Maple Leafs' };
  world.show({ draftkings: [three(160, 300, 170)], fanduel: [moneyline(-125, 105)] }, hockey);
  assert.deepEqual(world.of('arbitrage'), []);
  world.show({ draftkings: [three(160, null, 170)] }, hockey);
  assert.deepEqual(world.of('arbitrage'), []);
});

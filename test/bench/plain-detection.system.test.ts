// The control of the detection bench finds what the program finds: otherwise their rates would not be comparable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW_MS, type Scenario, World } from '../../bench/detection-world.js';
import { plainEvaluation } from '../../bench/plain-detection.js';
import { BET_KINDS, type OpportunityKind } from '../../src/base/model/opportunity.js';
import { NUMBER, readRecord } from '../../src/base/model/opportunity-record.js';
import type { PackedNews } from '../../src/log/delta/opportunity.js';

const EVENTS = 6;
/** Each batch has this many changes. */
const BATCHES = { count: 120, changes: 12 };
/** Longer than changed opportunities are delayed, and long enough for some rows to become stale. */
const BATCH_MS = 15_000;

/** The book of an EV opportunity, otherwise empty, because legs of the other kinds may be tied. */
interface Found {
  kind: OpportunityKind;
  edge: number;
  book: string;
}

/** Sorted by kind, book and edge. */
function ordered(found: Iterable<{ kind: OpportunityKind; edge: number; books: readonly string[] }>): Found[] {
  return [...found]
    .map(({ kind, edge, books }) => ({ kind, edge, book: kind === 'ev' ? books[0]! : '' }))
    .sort((a, b) => a.kind.localeCompare(b.kind) || a.book.localeCompare(b.book) || a.edge - b.edge);
}

interface Active {
  kind: OpportunityKind;
  edge: number;
  eventNo: number;
  books: readonly string[];
}

/** The active opportunities by universe and event, according to what detection published. */
class Alive {
  readonly #alive = new Map<string, Map<string, Active>>();
  readonly #bookOf: (row: number) => string;

  constructor(world: World) {
    this.#bookOf = (row) => world.bookOf(row);
    this.take(world.first);
  }

  take({ records, universes }: PackedNews): void {
    for (const { universe, put, expired } of universes) {
      const alive = this.#alive.get(universe) ?? new Map<string, Active>();
      this.#alive.set(universe, alive);
      for (const { id } of expired) alive.delete(id);
      for (let i = 0; i < put.length; i += 3) {
        const { id, kind, eventNo, numbers, rows } = readRecord(records, put[i]!);
        alive.set(id, { kind, eventNo, edge: numbers[NUMBER.edge]!, books: rows.map(this.#bookOf) });
      }
    }
  }

  of(universe: string, eventNo: number): Active[] {
    return [...(this.#alive.get(universe)?.values() ?? [])].filter((one) => one.eventNo === eventNo);
  }
}

/**
 * Sometimes a price is too good, so that opportunities of every kind begin and end. Returns the number found of each.
 */
function compareOver(scenario: Scenario): Map<OpportunityKind, number> {
  const world = new World(scenario, EVENTS);
  const alive = new Alive(world);
  const counts = new Map<OpportunityKind, number>();
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  for (let batch = 1; batch <= BATCHES.count; batch++) {
    const nowMs = NOW_MS + batch * BATCH_MS;
    for (let i = batch * BATCHES.changes; i < (batch + 1) * BATCHES.changes; i++) {
      const row = world.change(i);
      const fair = scenario.kind === 'total' ? 2 : { home: 2.4, away: 3.1, draw: 3.4 }[row.selectionType]!;
      row.decimal = Math.round(100 * fair * (0.9 + (random() < 0.2 ? 0.22 : 0.08) * random())) / 100;
      row.seenMs = nowMs;
      const { decimal, seenMs } = row;
      Object.assign(world.changePlain(i), { decimal, seenMs });
      world.tell(i, row);
    }
    alive.take(world.detector.evaluate(nowMs * 1000));
    for (const [no, market] of world.plain.entries())
      for (const [at, universe] of market.universes.entries()) {
        const ours = ordered(alive.of(at === 0 ? 'all' : `u${at}`, no));
        const plain = ordered(plainEvaluation({ ...market, universes: [universe] }, nowMs, world.kinds));
        const where = `${JSON.stringify(scenario)}: event ${no}, universe ${at}, batch ${batch}`;
        const named = (found: readonly Found[]) => found.map(({ kind, book }) => `${kind} ${book}`);
        assert.deepEqual(named(plain), named(ours), where);
        for (const [i, { kind, edge }] of ours.entries()) {
          assert.ok(Math.abs(edge - plain[i]!.edge) < 1e-6, `${where}: ${kind} ${edge} and ${plain[i]!.edge}`);
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
        }
      }
  }
  return counts;
}

const THREE_WAY: Scenario = { kind: 'three-way', books: 10, universes: 3, sharp: true, news: true };
const MARKETS = [THREE_WAY, { ...THREE_WAY, kind: 'total' }] as const;

test('plain objects have the same opportunities as the detector after every batch, with a sharp reference and with a consensus', () => {
  for (const market of MARKETS)
    for (const sharp of [true, false]) {
      const counts = compareOver({ ...market, sharp });
      for (const kind of BET_KINDS)
        if (kind !== 'middle' || market.kind === 'total')
          assert.ok((counts.get(kind) ?? 0) > 20, `${kind} hardly came`);
    }
});

test('one kind looked for alone is as many as among all of them, and nothing looked for is nothing', () => {
  for (const market of MARKETS) {
    const all = compareOver(market);
    for (const kind of BET_KINDS) {
      const alone = compareOver({ ...market, kinds: new Set([kind]) });
      assert.deepEqual([...alone], all.has(kind) ? [[kind, all.get(kind)]] : []);
    }
    assert.deepEqual([...compareOver({ ...market, kinds: new Set() })], []);
  }
});

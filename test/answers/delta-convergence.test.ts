// Pollers of /odds/delta against /odds under random storms of messages that run between any two of their requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DeltaPages, DeltaReader, parseSince } from '../../src/answers/delta.js';
import { selectInOrder } from '../../src/answers/select.js';
import { DeltaQuery } from '../../src/schema/odds.js';
import { RowFilter } from '../../src/tables/filter/filter.js';
import { universeOf } from '../../src/tables/filter/universe.js';
import { runs } from '../long.js';
import { requestedParameters } from '../requested-parameters.js';
import { catalogue } from '../writer/shard/rig.js';
import { STORM_START_MS, type StormBatch, toMessage, wildStorm } from '../writer/shard/storm.js';
import { Spine } from './spine.js';

/** Applies the storm's next batch; its games begin 6 seconds after the start. */
function play(spine: Spine, batch: StormBatch): void {
  spine.nowMs += batch.passMs;
  spine.send(...batch.messages.map((message) => toMessage(message, 0.1)));
}

type Paging =
  /** Never requests a second page, only again from server_time. */
  | 'none'
  /** Reads all pages and continues from the server_time of the last one, or of the first. */
  | 'last'
  | 'first';

interface PollerPlan {
  paging: Paging;
  limit: number;
  filters: {
    live?: boolean;
    is_active?: boolean;
    min_odds?: number;
    market?: string;
    sportsbook?: string;
    sort?: string;
  };
  /** True where the server forgets its lists between pages. */
  forgetful: boolean;
}

type Row = Record<string, unknown> & { id: string };

interface DeltaAnswer {
  data: Row[];
  removed: string[];
  overflow?: true;
  pagination: { has_more: boolean; next_offset: number | null; total: number };
  meta: { server_time: string; total: number };
}

class Poller {
  readonly rows = new Map<string, Row>();
  readonly #spine: Spine;
  readonly #plan: PollerPlan;
  #reader = new DeltaReader(catalogue, new DeltaPages());
  #since: string;
  #offset = 0;
  #firstServerTime = '';

  constructor(spine: Spine, plan: PollerPlan) {
    this.#spine = spine;
    this.#plan = plan;
    this.#since = new Date(STORM_START_MS - 1).toISOString();
  }

  /** One request; true if the poller is up to date as far as it knows. */
  request(): boolean {
    const { table } = this.#spine;
    const { filters, limit, paging, forgetful } = this.#plan;
    if (forgetful) this.#reader = new DeltaReader(catalogue, new DeltaPages());
    const answer = this.#reader.delta({
      table,
      universe: universeOf(catalogue, 'sharp', filters.sportsbook, () => true),
      params: { ...filters, limit, offset: this.#offset },
      since: parseSince(this.#since)!,
      oldest: 0,
      caller: 'poller',
      asked: requestedParameters(DeltaQuery, filters),
    });
    const { data, removed, pagination, meta, overflow } = JSON.parse(answer.bytes.toString()) as DeltaAnswer;
    assert.equal(overflow, undefined);
    assert.ok(data.length <= limit);
    const ids = new Set(data.map(({ id }) => id));
    assert.ok(!removed.some((id) => ids.has(id)), 'an id is a row or gone, not both');
    for (const id of removed) this.rows.delete(id);
    for (const row of data) this.rows.set(row.id, row);
    if (this.#offset === 0) this.#firstServerTime = meta.server_time;
    if (paging !== 'none' && pagination.has_more) {
      this.#offset = pagination.next_offset!;
      return false;
    }
    const next = paging === 'first' ? this.#firstServerTime : meta.server_time;
    assert.ok(next >= this.#since || this.#offset > 0, 'time never runs back');
    this.#since = next;
    this.#offset = 0;
    return !pagination.has_more;
  }

  /** What /odds shows with the same filters, by id. */
  expected(): Map<string, Row> {
    const { table } = this.#spine;
    const { sportsbook, ...filters } = this.#plan.filters;
    const universe = universeOf(catalogue, 'sharp', sportsbook, () => true);
    const filter = new RowFilter(table, catalogue, universe, filters);
    const { slots } = selectInOrder(table, filter, { offset: 0, limit: 1e9, after: null });
    return new Map(slots.map((slot) => [table.columns.id.at(slot), JSON.parse(table.json.text(slot)) as Row]));
  }
}

/** Without last_seen_at and timestamp, which change with every poll of a book but are not part of a delta. */
function comparable(rows: ReadonlyMap<string, Row>): unknown {
  return [...rows.values()]
    .map(({ last_seen_at: _seen, timestamp: _timestamp, ...row }) => row)
    .sort((a, b) => ((a as Row).id < (b as Row).id ? -1 : 1));
}

const plan: fc.Arbitrary<PollerPlan> = fc.record({
  paging: fc.constantFrom('none', 'last', 'first'),
  limit: fc.constantFrom(6, 10, 50, 200),
  forgetful: fc.constant(false),
  filters: fc.record(
    {
      live: fc.boolean(),
      is_active: fc.boolean(),
      min_odds: fc.constantFrom(-110, 100, 200),
      market: fc.constantFrom('main', 'props', 'moneyline,team_total'),
      sportsbook: fc.constantFrom('draftkings', 'fanduel,corner_shop'),
      sort: fc.constantFrom('-odds_american', 'last_seen_at', 'sportsbook'),
    },
    { requiredKeys: [] },
  ),
});

/** Batches of the storm, and the pollers (by number) that request between them. */
const course = fc.record({
  batches: wildStorm,
  plans: fc.array(plan, { minLength: 1, maxLength: 3 }),
  asking: fc.array(fc.array(fc.nat(2), { maxLength: 4 }), { minLength: 25, maxLength: 25 }),
});

function converges(batches: StormBatch[], plans: readonly PollerPlan[], asking: readonly number[][]): void {
  const spine = new Spine(STORM_START_MS);
  // With a sort of its own, a poller without pages would read the same rows again and again.
  const pollers = plans.map(
    ({ filters: { sort, ...filters }, ...each }) =>
      new Poller(spine, {
        ...each,
        filters: each.paging === 'last' && sort !== undefined ? { ...filters, sort } : filters,
      }),
  );
  for (const [i, batch] of batches.entries()) {
    play(spine, batch);
    for (const no of asking[i] ?? []) pollers[no % pollers.length]!.request();
  }
  for (const poller of pollers) {
    for (let request = 0; !poller.request(); request++) assert.ok(request < 500, 'a poller never gets to the end');
    for (let page = 0; page < 20; page++) poller.request();
    assert.deepEqual(comparable(poller.rows), comparable(poller.expected()));
  }
}

test('a poller that merges by id ends with exactly what /odds shows, however it pages, in hundreds of storms', () => {
  fc.assert(
    fc.property(course, ({ batches, plans, asking }) => converges(batches, plans, asking)),
    { numRuns: runs(40) },
  );
});

test('pages whose list the server has dropped cost a repetition but no row', () => {
  const forgetful = plan.map((each) => ({ ...each, forgetful: true, paging: 'last' as const, filters: {} }));
  fc.assert(
    fc.property(wildStorm, forgetful, course, (batches, each, { asking }) => {
      const spine = new Spine(STORM_START_MS);
      const poller = new Poller(spine, each);
      for (const [i, batch] of batches.entries()) {
        play(spine, batch);
        for (const _ of asking[i] ?? []) poller.request();
      }
      for (let request = 0; request < 60; request++) poller.request();
      assert.deepEqual(comparable(poller.rows), comparable(poller.expected()));
    }),
    { numRuns: runs(20) },
  );
});

// The Free tier's table against what the live table showed a minute earlier, through random changes and restarts.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { ManualClock } from '../../../src/base/model/clock.js';
import type { EngineLog } from '../../../src/base/model/log.js';
import { Engine } from '../../../src/engine/engine.js';
import { bootId } from '../../../src/store/checkpoints.js';
import { openDataDirectoryToRead } from '../../../src/store/data-directory.js';
import { DelayedStore } from '../../../src/store/delayed-store.js';
import { DelayedTable } from '../../../src/tables/delayed/delayed-table.js';
import type { OddsTable } from '../../../src/tables/table.js';
import { shardOfLeague } from '../../../src/writer/pool/shard-queues.js';
import { engineOptions } from '../../engine-rig.js';
import { runs } from '../../long.js';
import { newFolder } from '../../temp-folders.js';

const START_MS = Date.UTC(2026, 10, 20, 18);
const FREE_BOOKS = ['draftkings', 'fanduel'];
const silent = { info: () => {}, warn: () => {}, error: () => {} };

function openEngine(
  dataDir: string,
  clock: ManualClock,
  log: EngineLog = silent,
  logSeconds = 900,
  workers = 1,
): Engine {
  const retention = { logSeconds, logBytesMax: 2 ** 30, fileBytesMax: 2 ** 40 };
  return new Engine({ ...engineOptions(dataDir), clock, workers, retention, delaySeconds: 60, log });
}

/** A folder for several engines, one after the other, and their clock and log. */
function rig() {
  const warnings: string[] = [];
  const log = { ...silent, warn: (_fields: object, text: string) => void warnings.push(text) };
  return { dataDir: newFolder(), clock: new ManualClock(START_MS), warnings, log };
}

/** The complete rows of the Free tier's books by id, with their entries in the activity column. */
function freeRows(table: OddsTable): Map<string, string> {
  const rows = new Map<string, string>();
  for (let slot = 1; slot < table.columns.limit; slot++) {
    const id = table.columns.id.at(slot);
    if (id === undefined || id === '') continue;
    if (FREE_BOOKS.includes(table.books.name(table.columns.book[slot]!)))
      rows.set(id, `${table.json.text(slot)} ${table.columns.activity[slot]}`);
  }
  return rows;
}

interface Step {
  afterS: number;
  book: string;
  game: number;
  startsInS: number;
  prices: number[];
  /** Suspends the whole event, or its last market. */
  suspended?: 'event' | 'market' | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  afterS: fc.integer({ min: 1, max: 25 }),
  book: fc.constantFrom('draftkings', 'fanduel', 'pinnacle'),
  game: fc.integer({ min: 1, max: 3 }),
  startsInS: fc.constantFrom(40, 4_000),
  prices: fc.array(fc.integer({ min: 100, max: 140 }), { maxLength: 3 }),
  suspended: fc.constantFrom(undefined, undefined, undefined, 'event', 'market'),
});

function message({ book, game, startsInS, prices, suspended }: Step, nowMs: number): object {
  const markets = ['moneyline', 'draw_no_bet', 'player_points'].slice(0, prices.length).map((market_type, i) => ({
    market_type,
    ...(suspended === 'market' && i === prices.length - 1 ? { is_active: false } : {}),
    ...(market_type === 'player_points' ? { player_name: 'José Núñez Jr.' } : {}),
    selections: [
      market_type === 'player_points'
        ? { selection: 'Over', selection_type: 'over', line: 20.5, odds_american: prices[i] }
        : { selection: 'Home', selection_type: 'home', odds_american: prices[i] },
    ],
  }));
  const start_time = new Date(START_MS + startsInS * 1000).toISOString();
  const teams = { home_team: `Home ${game}`, away_team: `Away ${game}` };
  const event = { league: 'nba', ...teams, start_time, markets, suspended: suspended === 'event' };
  return { book, polled_at: new Date(nowMs).toISOString(), scope: 'event', events: [event] };
}

test('a Free caller sees exactly the table of 60 s before, also after restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.integer({ min: 0, max: 13 }),
      async (steps, restartAt) => {
        const dataDir = newFolder('overround-delayed-');
        const clock = new ManualClock(START_MS);
        let engine = openEngine(dataDir, clock);
        const history: { atMs: number; rows: Map<string, string> }[] = [{ atMs: START_MS, rows: new Map() }];
        try {
          for (const [i, change] of steps.entries()) {
            // Never exactly 60 s apart: at that very instant both answers would be right.
            clock.set(clock.now() + change.afterS * 1000 + 7 * (i + 1));
            if (i === restartAt) {
              await engine.close();
              engine = openEngine(dataDir, clock);
            }
            await engine.ingest([message(change, clock.now())]);
            history.push({ atMs: clock.now(), rows: freeRows(engine.table) });
            engine.tick();
            const thenMs = clock.now() - 60_000;
            const expected = history.findLast((entry) => entry.atMs <= thenMs)?.rows ?? new Map();
            assert.deepEqual(freeRows(engine.tableFor('free')), expected);
          }
          const last = freeRows(engine.table);
          clock.set(clock.now() + 60_001);
          await engine.close();
          engine = openEngine(dataDir, clock);
          assert.deepEqual(freeRows(engine.tableFor('free')), last);
          assert.equal(engine.tableFor('pro'), engine.table);
        } finally {
          await engine.close();
        }
      },
    ),
    { numRuns: runs(3) },
  );
});

test('removals are stored as long as the log’s retention', async (t) => {
  const dataDir = newFolder('overround-delayed-');
  const clock = new ManualClock(START_MS);
  const engine = openEngine(dataDir, clock, silent, 3_600);
  t.after(async () => {
    await engine.close();
  });
  const poll = { afterS: 0, book: 'fanduel', game: 1, startsInS: 40_000 };
  await engine.ingest([message({ ...poll, prices: [110, 120] }, clock.now())]);
  clock.set(clock.now() + 1_000);
  await engine.ingest([message({ ...poll, prices: [110] }, clock.now())]);
  const removedAt = clock.now() * 1000;
  const { tombstones } = engine.tableFor('free');
  for (const [afterS, remembered] of [
    [2_000, 1],
    [2_000, 0],
  ]) {
    clock.set(clock.now() + afterS! * 1000);
    for (; engine.reachedFor('pro') < clock.now() * 1000; await sleep(5)) engine.tick();
    engine.tick();
    assert.equal(tombstones.after(removedAt - 1).length, remembered);
    assert.equal(tombstones.completeFrom < removedAt, remembered === 1);
  }
});

test('quiet books are remembered while the log of the others is cut', async (t) => {
  const { dataDir, clock, warnings, log } = rig();
  const poll = { afterS: 0, game: 1, startsInS: 40_000 };
  let engine = openEngine(dataDir, clock, log, 1);
  await engine.ingest([message({ ...poll, book: 'fanduel', prices: [110] }, clock.now())]);
  for (let i = 0; i < 60; i++) {
    clock.set(clock.now() + 5_000);
    await engine.ingest([message({ ...poll, book: 'pinnacle', prices: [100 + (i % 2)] }, clock.now())]);
    engine.tick();
  }
  const rows = freeRows(engine.tableFor('free'));
  assert.equal(rows.size, 1);
  await engine.close();
  clock.set(clock.now() + 1);
  // An engine that is closed before it has filled its table leaves everything unchanged.
  await openEngine(dataDir, clock, log, 1).close();
  engine = openEngine(dataDir, clock, log, 1);
  t.after(() => engine.close());
  assert.deepEqual(freeRows(engine.tableFor('free')), rows);
  assert.deepEqual(warnings, []);
});

test('changes of the minute before a machine slept for hours are shown completely', async (t) => {
  const dataDir = newFolder('overround-delayed-');
  const clock = new ManualClock(START_MS);
  const engine = openEngine(dataDir, clock);
  t.after(() => engine.close());
  const poll = { afterS: 0, book: 'fanduel', startsInS: 40_000 };
  const ingest = (game: number, price: number) =>
    engine.ingest([message({ ...poll, game, prices: [price] }, clock.now())]);
  await ingest(1, 110);
  clock.set(clock.now() + 1_000);
  await ingest(1, 120);
  const before = freeRows(engine.table);
  clock.set(clock.now() + 2 * 3_600_000);
  // The first batch makes entries from two hours ago the oldest of the log.
  await ingest(2, 130);
  await ingest(2, 140);
  engine.tick();
  assert.deepEqual(freeRows(engine.tableFor('free')), before);
  clock.set(clock.now() + 61_000);
  engine.tick();
  assert.deepEqual(freeRows(engine.tableFor('free')), freeRows(engine.table));
  assert.equal(engine.tableFor('free').rowCount, 2);
});

/** Five minutes of changes, of which the log keeps two. */
async function changesCut(engine: Engine, clock: ManualClock): Promise<void> {
  // This fills the table if it is not filled yet: entries that it has still to read are not cut.
  engine.tableFor('free');
  for (let i = 0; i < 30; i++) {
    clock.set(clock.now() + 10_000);
    const change = { afterS: 0, book: 'fanduel', game: i % 4, startsInS: 40_000, prices: [100 + (i % 7), 110] };
    await engine.ingest([message(change, clock.now())]);
    engine.tick();
  }
}

for (const behindS of [0, 120])
  test(`a state from before the log begins is lost, which is reported, with a clock ${behindS} s behind the last change`, async (t) => {
    const { dataDir, clock, warnings, log } = rig();
    let engine = openEngine(dataDir, clock, log, 1);
    await changesCut(engine, clock);
    await engine.close();
    const file = join(dataDir, 'delayed', 'data.mdb');
    const stored = readFileSync(file);
    engine = openEngine(dataDir, clock, log, 1);
    await changesCut(engine, clock);
    await engine.close();
    assert.deepEqual(warnings, []);
    writeFileSync(file, stored);
    const later = new ManualClock(clock.now() - behindS * 1_000);
    engine = openEngine(dataDir, later, log, 1);
    t.after(() => engine.close());
    assert.match(warnings.join(), /^the delayed table has lost its state/);
    const before = freeRows(engine.table);
    const startedMs = later.now();
    assert.throws(() => engine.tableFor('free'), { code: 'unavailable', detail: { retryAfter: 60 } });
    later.set(startedMs + 59_000);
    const change = { afterS: 0, book: 'fanduel', game: 0, startsInS: 40_000, prices: [150, 160] };
    await engine.ingest([message(change, later.now())]);
    engine.tick();
    assert.throws(() => engine.tableFor('free'), { code: 'unavailable', detail: { retryAfter: 1 } });
    later.set(startedMs + 60_000);
    engine.tick();
    assert.deepEqual(freeRows(engine.tableFor('free')), before, 'a minute later it is what was there then');
    await changesCut(engine, later);
    later.set(later.now() + 61_000);
    engine.tick();
    assert.deepEqual(freeRows(engine.tableFor('free')), freeRows(engine.table));
  });

test('a reader in another process that was suspended while the log was cut reads what the writer has stored', async (t) => {
  const dataDir = newFolder('overround-delayed-');
  const clock = new ManualClock(START_MS);
  const engine = openEngine(dataDir, clock, silent, 1);
  t.after(() => engine.close());
  engine.start();
  await changesCut(engine, clock);
  const directory = openDataDirectoryToRead(dataDir);
  const store = new DelayedStore(dataDir, true);
  const stored = async (): Promise<void> => {
    while (store.position !== engine.positionFor('free')) await sleep(50);
  };
  await stored();
  const warnings: string[] = [];
  const reader = new DelayedTable({
    clock,
    envs: directory.envs,
    store,
    readOnly: true,
    delaySeconds: 60,
    logSeconds: 1,
    keepBook: (book) => FREE_BOOKS.includes(book),
    catalogue: engine.catalogue,
    completeTo: () => Number.POSITIVE_INFINITY,
    createdPosition: directory.createdPosition,
    fellBack: false,
    log: { ...silent, warn: (_fields: object, text: string) => void warnings.push(text) },
  });
  await changesCut(engine, clock);
  await stored();
  const prices = (table: OddsTable) => [...table.columns.decimal.subarray(1, table.columns.limit)].sort();
  const before = reader.table;
  reader.advance();
  assert.match(warnings.join(), /^the log was cut past the delayed table/);
  assert.notEqual(reader.table, before);
  assert.equal(reader.position, engine.positionFor('free'));
  assert.deepEqual([...freeRows(reader.table).keys()].sort(), [...freeRows(engine.tableFor('free')).keys()].sort());
  assert.deepEqual(prices(reader.table), prices(engine.tableFor('free')));
  await reader.close();
  await directory.close();
});

test('if the shards fell back behind what it showed, it shows their state, a minute late', async (t) => {
  const boot = bootId();
  if (boot === null) return t.skip('this system has no boot id');
  const dir = newFolder('overround-delayed-');
  const clock = new ManualClock(START_MS);
  const ingest = async (engine: Engine, game: number): Promise<void> => {
    clock.set(clock.now() + 1_000);
    const step = { afterS: 0, book: 'draftkings', game, startsInS: 4_000, prices: [100 + game, 120] };
    const { accepted } = await engine.ingest([message(step, clock.now())]);
    assert.equal(accepted, 2);
  };
  const pass = (engine: Engine): void => {
    clock.set(clock.now() + 61_000);
    engine.tick();
  };
  let engine = openEngine(dir, clock);
  await ingest(engine, 1);
  await engine.close();
  const files = ['data.mdb', 'safe-point'].map((name) => join(dir, 'shard-0', name));
  const contents = files.map((file) => readFileSync(file));
  engine = openEngine(dir, clock);
  await ingest(engine, 2);
  pass(engine);
  await engine.close();
  // The disk refused every checkpoint in between, and then the machine lost power.
  contents[1]!.write('another boot', contents[1]!.indexOf(boot), 'latin1');
  for (const [i, file] of files.entries()) writeFileSync(file, contents[i]!);
  for (const last of [false, true]) {
    engine = openEngine(dir, clock);
    assert.equal(engine.directory.fellBack, !last);
    // The game gets the number of the one that was lost.
    if (last) await ingest(engine, 3);
    pass(engine);
    const shown = freeRows(engine.tableFor('free'));
    assert.deepEqual(shown, freeRows(engine.table));
    assert.equal(shown.size, last ? 4 : 2);
    await engine.close();
  }
});

test('after a loss of power the Free tier is as late as before, although the log was cut and a shard has long been quiet', async (t) => {
  const boot = bootId();
  if (boot === null) return t.skip('this system has no boot id');
  const dataDir = newFolder();
  const clock = new ManualClock(START_MS);
  const open = (): Engine => openEngine(dataDir, clock, silent, 1, 2);
  const say = async (engine: Engine, league: string, price: number): Promise<void> => {
    clock.set(clock.now() + 1_000);
    const step = { afterS: 0, book: 'draftkings', game: 1, startsInS: 40_000, prices: [price] };
    const original = message(step, clock.now()) as { events: { league: string }[] };
    const receipt = await engine.ingest([{ ...original, events: original.events.map((one) => ({ ...one, league })) }]);
    assert.deepEqual(receipt.rejected, []);
  };
  const american = (table: OddsTable): number[] =>
    [...freeRows(table).values()]
      .map((text) => /"odds_american":(-?\d+)/.exec(text)![1]!)
      .map(Number)
      .sort();
  let engine = open();
  // One league for each of the two shards.
  const leagues = ['nba', 'nfl', 'mlb', 'nhl'];
  const [quiet, busy] = [0, 1].map((shard) => leagues.find((league) => shardOfLeague(league, 2) === shard));
  await say(engine, quiet!, 111);
  for (let price = 120; price < 126; price++) {
    await say(engine, busy!, price);
    clock.set(clock.now() + 61_000);
    engine.tick();
  }
  await say(engine, busy!, 130);
  await engine.close();
  for (const shard of [0, 1]) {
    const file = join(dataDir, `shard-${shard}`, 'safe-point');
    const content = readFileSync(file);
    content.write('another boot', content.indexOf(boot), 'latin1');
    writeFileSync(file, content);
  }
  engine = open();
  t.after(() => engine.close());
  assert.ok(engine.directory.fellBack);
  assert.deepEqual(american(engine.table), [111, 130]);
  assert.deepEqual(american(engine.tableFor('free')), [111, 125], 'what is a second old is not shown');
  clock.set(clock.now() + 61_000);
  engine.tick();
  assert.deepEqual(american(engine.tableFor('free')), [111, 130]);
});

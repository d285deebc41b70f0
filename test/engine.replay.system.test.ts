// Three hundred recorded polls through adapter, intake, shard threads, store and table; after every fifteenth the table
// is compared with a reading of the poll's raw JSON that shares no code with the engine. The recordings are private and
// lie beside the project, if present.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Engine } from '../src/engine/engine.js';
import { readRecording } from '../src/intake/feeds/replay/recording.js';
import { loadTable } from '../src/tables/load.js';
import type { RawEvent } from './answers/recorded-polls.js';
import { openEngine } from './engine-rig.js';
import { LONG } from './long.js';
import { newTable, type ReadRow, rowsOf, textsOf } from './writer/shard/rig.js';

const POLLS = join(process.cwd(), '..', 'shared', 'data', 'mlb_us_polls', 'polls.ndjson.gz');
const skip = existsSync(POLLS) ? false : 'no recorded data beside the project';
const CHECK_EVERY = LONG ? 5 : 15;

interface RawPoll {
  last_updated: string;
  odds: RawEvent[];
}

const BOOKS: Record<string, string> = { betonlineag: 'betonline', mybookieag: 'mybookie', williamhill_us: 'caesars' };
const MARKETS: Record<string, string> = { h2h: 'moneyline', totals: 'total_runs', h2h_lay: 'moneyline_lay' };

/** The rows of a raw poll: `event id of the source|book|market|side` -> price, line and time. */
function rowsOfPoll(poll: RawPoll): Map<string, object> {
  const rows = new Map<string, object>();
  const utc = (time: string): number => Date.parse(/Z$|[+-]\d\d:\d\d$/.test(time) ? time : `${time.slice(0, 23)}Z`);
  for (const game of poll.odds)
    for (const book of game.bookmakers)
      for (const market of book.markets)
        for (const { name, price, point } of market.outcomes) {
          const american = Number(price);
          if (!(Math.abs(american) >= 100)) continue;
          const total = market.key === 'totals';
          const side = total ? name.toLowerCase() : name === game.home_team ? 'home' : 'away';
          rows.set(`${game.id}|${BOOKS[book.key] ?? book.key}|${MARKETS[market.key]}|${side}`, {
            american: american === -100 ? 100 : american,
            decimal: Number((american > 0 ? (100 + american) / 100 : (american - 100) / american).toFixed(6)),
            line: total ? point : null,
            seen: new Date(utc(market.last_update ?? book.last_update ?? poll.last_updated)).toISOString(),
          });
        }
  return rows;
}

function rowsOfTable(engine: Engine): Map<string, object> {
  const rows = new Map<string, object>();
  for (const row of rowsOf(engine.table).values()) {
    const id = engine.table.events.get(row.event_id)!.externalIds[row.sportsbook];
    const key = `${id}|${row.sportsbook}|${row.market_type}|${row.selection_type}`;
    assert.ok(!rows.has(key), `two rows for ${key}`);
    assert.equal(row.is_alternate_line, false);
    assert.match(String(row['league']), /^mlb(?:-preseason)?$/);
    rows.set(key, { american: row.odds_american, decimal: row.odds_decimal, line: row.line, seen: row.last_seen_at });
  }
  return rows;
}

test('after every poll of a recording the table equals the poll', { skip }, async (t) => {
  const engine = openEngine(t, { workers: 1 });
  const polls = gunzipSync(readFileSync(POLLS))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { payload: RawPoll }).payload);
  const ids = new Map<string, string>();
  const games = new Map<string, string>();
  let no = 0;
  let checked = 0;
  for await (const { messages } of readRecording(POLLS, { leagues: engine.catalogue })) {
    const receipt = await engine.ingest(messages);
    assert.deepEqual(receipt.rejected, [], `poll ${no}`);
    const poll = polls[no]!;
    if (no % CHECK_EVERY === 0 || no > 290) {
      const expected = rowsOfPoll(poll);
      assert.equal(receipt.accepted, expected.size);
      assert.deepEqual(new Map([...rowsOfTable(engine)].sort()), new Map([...expected].sort()), `poll ${no}`);
      checked += expected.size;
      for (const row of rowsOf(engine.table).values()) checkRow(engine, row, ids, games);
    }
    no++;
  }
  assert.equal(no, polls.length);
  assert.ok(checked > 8_000);
  const fresh = newTable();
  for (const env of engine.directory.envs) env.root.resetReadTxn();
  loadTable(fresh, engine.directory.envs);
  assert.deepEqual(new Map([...textsOf(fresh)].sort()), new Map([...textsOf(engine.table)].sort()));
});

/** A price of a game of the source always has the same odds id, and a game of the source the same event. */
function checkRow(engine: Engine, row: ReadRow, ids: Map<string, string>, games: Map<string, string>): void {
  const event = engine.table.events.get(row.event_id)!;
  const source = event.externalIds[row.sportsbook]!;
  assert.equal(games.get(source) ?? row.event_id, row.event_id, 'a game of the source is always the same event');
  games.set(source, row.event_id);
  const key = `${source}|${row.sportsbook}|${row.market_type}|${row.selection_type}`;
  assert.equal(ids.get(key) ?? row.id, row.id);
  ids.set(key, row.id);
  assert.match(row.event_id, /^mlb(?:-preseason)?_/);
  assert.equal(row.event_id.includes(` `), false);
  // All games are long past and no feed says that they ended, so they are live by their start time.
  assert.deepEqual([row.is_live, row.status], [true, 'live']);
}

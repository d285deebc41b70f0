// The table updated by deltas equals the table loaded from the store, byte for byte, and its order of changes is
// complete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isActive, isIndicative, isPregamePrice, previousPrice } from '../../src/base/model/activity.js';
import { feedIdFields } from '../../src/base/model/feed-ids.js';
import { round6 } from '../../src/base/model/row-json.js';
import { formatMs, formatUs } from '../../src/base/model/time.js';
import { readRow } from '../../src/tables/columns.js';
import type { OddsTable } from '../../src/tables/table.js';
import { event, message, moneyline, total } from '../intake/ingest/messages.js';
import { runs } from '../long.js';
import { Rig, rig, textsOf } from '../writer/shard/rig.js';
import { STORM_START_MS, type StormBatch, toMessage, wildStorm } from '../writer/shard/storm.js';

/** The games begin while the storm lasts. */
const START_MINUTES = 0.2;

async function weather(batches: readonly StormBatch[], afterEach: (rig: Rig) => void | Promise<void>): Promise<void> {
  const rig = new Rig(STORM_START_MS);
  try {
    for (const batch of batches) {
      rig.nowMs += batch.passMs;
      rig.send(...batch.messages.map((each) => toMessage(each, START_MINUTES)));
      await afterEach(rig);
    }
  } finally {
    await rig.close();
  }
}

/** Everything that readers use of a row except its bytes. */
function columnsOf(table: OddsTable): Map<string, object> {
  const c = table.columns;
  const rows = new Map<string, object>();
  for (const [id] of textsOf(table)) {
    const slot = table.slotOf(id)!;
    rows.set(id, {
      event: table.eventOf(slot).id,
      book: table.books.name(c.book[slot]!),
      market: table.markets.name(c.market[slot]!),
      flags: c.flags[slot],
      no: c.no[slot],
      american: c.american[slot],
      decimal: c.decimal[slot],
      activity: c.activity[slot],
      line: c.line[slot],
      seenMs: c.seenMs[slot],
      changedUs: c.changedUs[slot],
      createdPosition: c.createdPosition[slot],
      updatedPosition: c.updatedPosition[slot],
      selection: c.selection.at(slot),
      type: c.selectionType.at(slot),
      player: c.player.at(slot),
      stat: c.stat.at(slot),
      team: c.team.at(slot),
      delta: deltaOf(table, slot),
    });
  }
  return rows;
}

function deltaOf({ json }: OddsTable, slot: number): string {
  const into = Buffer.alloc(1_000);
  return into.toString('utf8', 0, json.copyDelta(slot, into, 0));
}

function eventsOf(table: OddsTable): object[] {
  return table.events.ordered().map(({ index: _index, version: _version, rows, byBook, ...event }) => ({
    stateBooks: [],
    ...event,
    rows: [...rows.sorted()].map((slot) => table.columns.id.at(slot)),
    books: [...byBook].map(([book, slots]) => `${table.books.name(book)} ${slots.length}`).sort(),
  }));
}

function booksOf(table: OddsTable): string[] {
  return table.books.names
    .map((name, no) => `${name} ${table.bookRows[no] ?? 0}`)
    .filter((text) => !text.endsWith(' 0'));
}

function assertSame(table: OddsTable, fresh: OddsTable): void {
  assert.equal(table.rowCount, fresh.rowCount);
  assert.deepEqual(new Map([...textsOf(table)].sort()), new Map([...textsOf(fresh)].sort()));
  assert.deepEqual(new Map([...columnsOf(table)].sort()), new Map([...columnsOf(fresh)].sort()));
  assert.deepEqual(eventsOf(table), eventsOf(fresh));
  assert.deepEqual(booksOf(table).sort(), booksOf(fresh).sort());
}

test('at any moment of any storm the table equals one freshly loaded, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, (batches) =>
      weather(batches, (rig) => {
        const fresh = rig.freshTable();
        assertSame(rig.table, fresh);
        for (const text of textsOf(fresh).values()) JSON.parse(text);
      }),
    ),
    { numRuns: runs(10) },
  );
});

test('a row is the JSON of its fields, whenever it is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, fc.array(fc.boolean(), { minLength: 1 }), (batches, asks) => {
      let at = 0;
      return weather(batches, ({ table }) => {
        // Rows that nothing has requested yet are composed when they are requested later.
        if (!asks[at++ % asks.length]) return;
        for (const event of table.events.ordered())
          for (const slot of event.rows.unsorted())
            assert.equal(table.json.text(slot), JSON.stringify(fieldsOf(table, slot)));
      });
    }),
    { numRuns: runs(10) },
  );
});

/** As the interface has them, in its order. */
function fieldsOf(table: OddsTable, slot: number): object {
  const row = readRow(table, slot);
  const event = table.eventOf(slot);
  const book = table.bookHead(table.books.name(table.columns.book[slot]!));
  const { link, details, ids } = table.restOf(slot);
  const [size, volume, interest, token] = details.exchange ?? [null, null, null, null];
  const seenAt = formatMs(row.seenMs);
  const known = (name: string, value: unknown): object => (value === null ? {} : { [name]: value });
  return {
    id: row.id,
    sportsbook: book.id,
    sportsbook_name: book.name,
    currency: book.currency,
    event_id: event.id,
    sport: event.sport,
    league: event.league,
    home_team: event.home,
    away_team: event.away,
    market_type: row.market,
    selection: row.selection,
    selection_type: row.selectionType,
    ...known('player_name', row.player),
    ...known('stat_category', row.stat),
    ...(row.team === null ? {} : { team: row.team, team_name: event[row.team] }),
    is_alternate_line: row.alternate,
    odds_american: row.american,
    odds_decimal: round6(row.decimal),
    odds_probability: round6(1 / row.decimal),
    line: row.line,
    is_live: event.live,
    odds_changed_at: formatUs(row.changedUs),
    is_active: isActive(row.activity),
    ...(isIndicative(row.activity) ? { indicative: true } : {}),
    is_main_line: !row.alternate,
    ...(event.live ? { is_stale_pregame_price: isPregamePrice(row.activity) } : {}),
    odds_american_previous: previousPrice(row.activity),
    probability: round6(1 / row.decimal),
    last_seen_at: seenAt,
    timestamp: seenAt,
    event_start_time: formatMs(event.startMs),
    status: event.status,
    deep_link: link,
    ...known('public_bet_pct', details.publicBetPct),
    ...known('max_bet', details.maxBet),
    ...known('size', size),
    ...known('volume_24h', volume),
    ...known('open_interest', interest),
    ...known('exchange_token_id', token),
    ...feedIdFields(ids),
  };
}

test('a shard that restarts in a storm continues as if it had not', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, (batches) => {
      const steady = new Rig(STORM_START_MS);
      const restless = new Rig(STORM_START_MS);
      return (async () => {
        try {
          for (const batch of batches) {
            const messages = batch.messages.map((each) => toMessage(each, START_MINUTES));
            const receipts = [steady, restless].map((each) => {
              each.nowMs += batch.passMs;
              return each.send(...messages).receipt;
            });
            assert.deepEqual(receipts[1], receipts[0]);
            assert.deepEqual(new Map([...textsOf(restless.table)].sort()), new Map([...textsOf(steady.table)].sort()));
            await restless.restart();
          }
        } finally {
          await steady.close();
          await restless.close();
        }
      })();
    }),
    { numRuns: runs(8) },
  );
});

test('recency and tombstones since any position turn the table of then into the table of now', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, async (batches) => {
      const past: { position: number; texts: Map<string, string> }[] = [{ position: 1, texts: new Map() }];
      await weather(batches, (rig) => {
        for (const table of [rig.table, rig.freshTable()]) {
          const now = textsOf(table);
          for (const { position, texts } of past) {
            const rebuilt = new Map(texts);
            const gone = table.tombstones.since(position);
            assert.ok(gone.every((each) => each.position > position && each.createdPosition <= position));
            for (const { id } of gone) rebuilt.delete(id);
            const changed = table.recency.since(position);
            for (const slot of changed) rebuilt.set(table.columns.id.at(slot), table.json.text(slot));
            assert.deepEqual(withoutSeen(rebuilt), withoutSeen(now));
            // The list has only changed rows.
            for (const slot of changed) assert.ok(table.columns.updatedPosition[slot]! > position);
          }
        }
        past.push({ position: rig.position, texts: textsOf(rig.table) });
      });
    }),
    { numRuns: runs(8) },
  );
});

/** Without last_seen_at and timestamp, which change with every poll and are not part of a delta. */
function withoutSeen(texts: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...texts].map(([id, text]) => [id, text.replace(/"(?:last_seen_at|timestamp)":"[^"]*"/g, '')] as const).sort(),
  );
}

test('a part of the changes since a position is its oldest part', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, (batches) =>
      weather(batches, ({ table }) => {
        const all = table.recency.since(0);
        assert.equal(all.length, table.rowCount);
        const moved = all.map((slot) => table.columns.updatedPosition[slot]!);
        assert.deepEqual(
          moved,
          [...moved].sort((a, b) => a - b),
        );
      }),
    ),
    { numRuns: runs(8) },
  );
});

test('a row that is removed in one batch and returns in the next is reported as removed and as added', (t) => {
  const shard = rig(t);
  const at = (seconds: number) => ({ polled_at: new Date(shard.nowMs + seconds * 1000).toISOString() });
  shard.send(message([event([moneyline(-110, 100), total(220.5, -110, -110)])], at(0)));
  const then = shard.position;
  const { id } = shard.row('draftkings', 'total_points', 'over')!;
  shard.send(message([event([moneyline(-110, 100)])], at(1)));
  shard.send(message([event([moneyline(-110, 100), total(220.5, -110, -110)])], at(2)));
  assert.equal(shard.row('draftkings', 'total_points', 'over')!.id, id);
  const { table } = shard;
  assert.deepEqual(
    table.tombstones
      .since(then)
      .map((each) => each.id)
      .includes(id),
    true,
  );
  assert.ok(table.recency.since(then).includes(table.slotOf(id)!));
  assert.deepEqual(table.tombstones.since(shard.position), []);
});

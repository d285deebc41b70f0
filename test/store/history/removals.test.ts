// Every time at which a book took a row down, beside its changes.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { type Served, served } from '../../intake/feeds/kit/served.js';

const BEGIN_MS = Date.now() - 60_000;
const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000).toISOString();

/** A price, or null for its removal, of each side. */
function poll(second: number, over: number | null, under: number | null): IngestMessage {
  const side = (selection: string, price: number | null) => ({
    selection,
    selection_type: selection.toLowerCase(),
    line: 220.5,
    ...(price === null ? { is_removed: true } : { odds_decimal: price }),
  });
  const markets = [{ market_type: 'total_points', selections: [side('Over', over), side('Under', under)] }];
  const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'LA Lakers', start_time: START };
  const polled_at = new Date(BEGIN_MS + second * 1_000).toISOString();
  return { book: 'fanduel', polled_at, scope: 'none', events: [{ ...game, markets }] };
}

interface Told {
  selection: string;
  line: number | null;
  points: { at: string; odds_decimal: number }[];
  removals?: string[];
}
interface Page {
  data: Told[];
  pagination: { next_cursor?: string; total?: number };
}

async function market(t: TestContext): Promise<Served> {
  const world = await served(t, [], { settings: { history: '1' } });
  const prices = [
    [1.9, 1.9],
    [null, 1.95],
    [1.8, null],
    [null, null],
    [2, null],
    [null, 1.7],
  ] as const;
  for (const [second, [over, under]] of prices.entries()) await world.server.ingest([poll(second, over, under)]);
  return world;
}

test('history tells every removal of a row where it is asked to, on pages of any size, of one game and of all', async (t) => {
  const world = await market(t);
  const { event_id } = (await world.rows('fanduel'))[0]!;
  for (const of of [`event=${event_id}`, `from=${new Date(BEGIN_MS - 1_000).toISOString()}`]) {
    const { data: plain } = (await world.read(`/odds/history?${of}`)) as unknown as Page;
    assert.deepEqual(
      plain
        .map(({ selection, points, removals }) => [selection, points.map((one) => one.odds_decimal), removals])
        .sort(),
      [
        ['Over', [1.9, 1.8, 2], undefined],
        ['Under', [1.9, 1.95, 1.7], undefined],
      ],
    );
    const order = ({ points, removals }: Told): string =>
      [...points.map(({ at, odds_decimal }) => `${at} ${odds_decimal}`), ...removals!.map((at) => `${at} -`)]
        .sort()
        .map((one) => one.split(' ')[1])
        .join(' ');
    const whole = (await world.read(`/odds/history?${of}&include=removals`)) as unknown as Page;
    assert.deepEqual(whole.data.map((row) => [row.selection, row.line, order(row)]).sort(), [
      ['Over', 220.5, '1.9 - 1.8 - 2 -'],
      ['Under', 220.5, '1.9 1.95 - 1.7'],
    ]);
    if (of.startsWith('event')) assert.equal(whole.pagination.total, 10);
    for (const limit of [1, 2, 3, 7]) {
      const paged = new Map<string, Told>();
      for (let cursor = ''; ; ) {
        const query = `${of}&include=removals&limit=${limit}${cursor}`;
        const { data, pagination } = (await world.read(`/odds/history?${query}`)) as unknown as Page;
        for (const row of data) {
          const known = paged.get(row.selection) ?? { ...row, points: [], removals: [] };
          known.points.push(...row.points);
          known.removals!.push(...row.removals!);
          paged.set(row.selection, known);
        }
        if (pagination.next_cursor === undefined) break;
        cursor = `&cursor=${pagination.next_cursor}`;
      }
      const sorted = (rows: Told[]) => rows.map((row) => [row.selection, order(row)]).sort();
      assert.deepEqual(sorted([...paged.values()]), sorted(whole.data), `${limit} a page`);
    }
  }
  for (const other of ['interval=1m', 'line=220.5', 'format=csv'])
    assert.match(
      JSON.stringify(await world.read(`/odds/history?event=${event_id}&include=removals&${other}`)),
      /include=removals: not with line, interval or format=csv/,
    );
});

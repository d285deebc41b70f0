// By Betfair's descriptions of its historic data: BASIC has the last price traded once a minute, ADVANCED and PRO ladders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readFolder } from './reading.js';

const START = Date.parse('2026-03-01T15:00:00Z');
const definition = (more: object = {}) => ({
  bspMarket: false,
  marketBaseRate: 5,
  eventId: '9001',
  eventTypeId: '1',
  numberOfWinners: 1,
  bettingType: 'ODDS',
  marketType: 'MATCH_ODDS',
  marketTime: '2026-03-01T15:00:00.000Z',
  status: 'OPEN',
  inPlay: false,
  eventName: 'Team A v Team B',
  name: 'Match Odds',
  runners: [
    { id: 5, status: 'ACTIVE', sortPriority: 1, name: 'Team A' },
    { id: 6, status: 'ACTIVE', sortPriority: 2, name: 'Team B' },
    { id: 7, status: 'ACTIVE', sortPriority: 3, name: 'The Draw' },
  ],
  ...more,
});
const line = (minute: number, change: object): string =>
  JSON.stringify({ op: 'mcm', clk: '1', pt: START + minute * 60_000, mc: [{ id: '1.1', ...change }] });

async function read(lines: string[], settings = {}) {
  const { messages, leftOut } = await readFolder({ '1.1.gz': gzipSync(lines.join('\n')) }, settings);
  const said = messages.map(({ polled_at, events = [], settlements }) => [
    Math.round((Date.parse(polled_at) - START) / 60_000),
    ...events.flatMap(({ league, markets }) =>
      markets
        .filter(({ market_type }) => !market_type.endsWith('_lay'))
        .map(
          ({ selections }) =>
            `${league} ${selections
              .map(({ selection, odds_decimal, indicative, is_active, size }) =>
                [selection, odds_decimal, size, indicative && 'traded', is_active === false && 'suspended']
                  .filter((part) => part !== undefined && part !== false)
                  .join(' '),
              )
              .join(', ')}`,
        ),
    ),
    ...(settlements ?? []).map((each) => (each as { outcome: string }).outcome),
  ]);
  return { said, leftOut };
}

test('BASIC: prices traded are indicative, also those that stood when the market was suspended', async () => {
  const { said, leftOut } = await read([
    line(-60, { marketDefinition: definition(), rc: [{ id: 5, ltp: 2.1 }] }),
    line(-30, { rc: [{ id: 7, ltp: 3.4 }] }),
    line(0, { marketDefinition: definition({ status: 'SUSPENDED', inPlay: true }) }),
    line(110, {
      marketDefinition: definition({
        status: 'CLOSED',
        inPlay: true,
        runners: [
          { id: 5, status: 'WINNER', sortPriority: 1, name: 'Team A' },
          { id: 6, status: 'LOSER', sortPriority: 2, name: 'Team B' },
          { id: 7, status: 'LOSER', sortPriority: 3, name: 'The Draw' },
        ],
      }),
    }),
  ]);
  assert.deepEqual(said.slice(0, 4), [
    [-60, 'betfair-1 Team A 2.1 traded'],
    [-30, 'betfair-1 Team A 2.1 traded, Draw 3.4 traded'],
    [0, 'betfair-1 Team A 2.1 traded, Draw 3.4 traded'],
    [0, 'betfair-1 Team A 2.1 traded suspended, Draw 3.4 traded suspended'],
  ]);
  assert.ok(
    said.some((entry) => entry.join() === '110,won,lost,lost'),
    JSON.stringify(said),
  );
  assert.deepEqual(leftOut, []);
});

test('while Betfair says that its own data is late nothing is on offer', async () => {
  const late = (minute: number, change: object) => line(minute, change).replace('{"op"', '{"status":503,"op"');
  const { said } = await read([
    line(-9, { marketDefinition: definition(), rc: [{ id: 5, batb: [[0, 2.1, 30]] }] }),
    late(-8, { rc: [{ id: 5, batb: [[0, 2.5, 30]] }] }),
    line(-7, { rc: [{ id: 6, batb: [[0, 3, 40]] }] }),
  ]);
  assert.deepEqual(said, [
    [-9, 'betfair-1 Team A 2.1 30'],
    [-8, 'betfair-1 Team A 2.1 suspended'],
    [-7, 'betfair-1 Team A 2.5 30, Team B 3 40'],
  ]);
});

test('a change that is none is counted, and the file goes on', async () => {
  const changes = (mc: unknown[]) => JSON.stringify({ op: 'mcm', clk: '1', pt: START, mc });
  const { said, leftOut } = await read([
    changes([null, 7]),
    line(1, { marketDefinition: definition(), rc: [{ id: 5, ltp: 2.1 }] }),
  ]);
  assert.deepEqual(said, [[1, 'betfair-1 Team A 2.1 traded']]);
  assert.deepEqual(leftOut.length, 1);
});

test('a part that cannot be is counted, and what stands beside it is read', async () => {
  const { said, leftOut } = await read([
    line(-61, { rc: [{ id: 5, ltp: 2.1 }] }),
    line(-60, { marketDefinition: definition(), rc: null }),
    line(-59, {
      rc: [
        { id: 5, batb: [[0, 2, 100]] },
        { id: 6, batb: [[0, 4, 30]] },
        { id: 7, batb: [[0, 3.5, 20]] },
      ],
    }),
    line(-58, {
      rc: [
        {
          id: 5,
          batb: [
            [1, 1001, 5],
            [2, 2.123, 5],
            [0, 2.2, 70],
          ],
        },
      ],
    }),
    'not a message',
  ]);
  assert.match(said.at(-1)!.join(), /Team A 2\.2 70/);
  assert.match(said.at(-1)!.join(), /Team B 4 30/);
  assert.deepEqual(leftOut.sort(), [
    '1 a change before the image of its market (1.1.gz:1)',
    '1 no message of the stream (1.1.gz:5)',
    "2 a price that is not on Betfair's ladder, or another part that cannot be (1.1.gz:4)",
  ]);
});

test('a league that is given is that of the games; runners that nothing names are counted', async () => {
  const runners = ['Arsenal', 'Chelsea', 'The Draw'].map((name, i) => ({
    id: i + 5,
    status: 'ACTIVE',
    sortPriority: i,
    name,
  }));
  const known = definition({ eventName: 'Arsenal v Chelsea', runners });
  const named = await read([line(-60, { marketDefinition: known, rc: [{ id: 5, ltp: 2.1 }] })], { league: 'epl' });
  assert.equal(named.said[0]![1], 'epl Arsenal 2.1 traded');
  const { eventName: _event, ...nameless } = definition({
    runners: [5, 6, 7].map((id) => ({ id, status: 'ACTIVE', sortPriority: id })),
  });
  const { said, leftOut } = await read([line(-60, { marketDefinition: nameless, rc: [{ id: 5, ltp: 2.1 }] })]);
  assert.deepEqual([said, leftOut[0]], [[], '1 a market whose runners nothing names (1.1.gz)']);
});

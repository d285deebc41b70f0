// Recorded streams pass through the same cache and listing as a live one.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { newFolder } from '../../../temp-folders.js';
import { Random } from '../../../world/random.js';
import { feedIn } from '../access.js';
import { feedBench } from '../kit/venue.js';
import { isRecorded, RUNNERS, recordedFile, recordedLines } from './recorded.js';
import { catalogueEntry } from './venue.js';
import { makeMarkets } from './worlds.js';

async function replayed(spec: string) {
  const bench = feedBench();
  await (await feedIn(spec)).run(bench.context);
  return { messages: bench.batches.flat(), log: bench.log };
}

const pricesIn = (messages: readonly IngestMessage[]) =>
  messages.flatMap(({ events = [] }) =>
    events.flatMap(({ markets }) =>
      markets.flatMap(({ market_type, selections }) =>
        selections.map(({ selection_type, odds_decimal, is_active }) => [
          market_type,
          selection_type,
          odds_decimal,
          is_active !== false,
        ]),
      ),
    ),
  );

interface RecordedMessage {
  pt: number;
  mc: {
    marketDefinition?: { status: string };
    rc?: { id: number; atb?: [number, number][]; atl?: [number, number][] }[];
  }[];
}

/** By time: the best price to back of each of the two runners, read from the recording without the feed's code. */
function shownIn(texts: readonly string[]): Map<string, string> {
  const lines = texts.map((line) => JSON.parse(line) as RecordedMessage);
  const ids = RUNNERS;
  const ladders = new Map(
    ids.flatMap((id) => ['atb', 'atl'].map((side) => [`${id} ${side}`, new Map<number, number>()])),
  );
  const shown = new Map<string, string>();
  let status = '';
  for (const { pt, mc } of lines) {
    for (const { marketDefinition, rc = [] } of mc) {
      status = marketDefinition?.status ?? status;
      for (const runner of rc)
        for (const side of ['atb', 'atl'] as const) {
          const ladder = ladders.get(`${runner.id} ${side}`)!;
          for (const [price, size] of runner[side] ?? [])
            if (size === 0) ladder.delete(price);
            else ladder.set(price, size);
        }
    }
    const best = ids.map((id, i) => {
      // What together is less than half a cent cannot be had.
      const sizes = new Map<string, number>();
      const add = (price: number, size: number) =>
        sizes.set(price.toFixed(6), (sizes.get(price.toFixed(6)) ?? 0) + size);
      for (const [price, size] of ladders.get(`${id} atb`)!) add(price, size);
      for (const [price, size] of ladders.get(`${ids[1 - i]} atl`)!) add(price / (price - 1), size * (price - 1));
      const price = Math.max(...[...sizes].filter(([, size]) => Math.round(100 * size) > 0).map(([at]) => Number(at)));
      return status === 'OPEN' && price > 1 ? price.toFixed(6) : 'none';
    });
    shown.set(new Date(pt).toISOString(), JSON.stringify(best));
  }
  return shown;
}

const definition = (names: readonly (string | undefined)[], more: object = {}) => ({
  ...{ bspMarket: false, marketBaseRate: 5, eventId: '9001', eventTypeId: '1', numberOfWinners: 1 },
  ...{ bettingType: 'ODDS', marketType: 'MATCH_ODDS', marketTime: '2026-03-01T15:00:00.000Z', status: 'OPEN' },
  ...{ inPlay: false, runners: names.map((name, i) => ({ id: 5 + i, status: 'ACTIVE', sortPriority: i + 1, name })) },
  ...more,
});

async function replayedLines(changes: readonly (object | undefined)[]) {
  const path = join(newFolder('overround-betfair-lines-'), 'stream');
  const lines = changes.map((change, i) =>
    JSON.stringify({ op: 'mcm', id: 1, clk: `c${i}`, pt: 1_772_366_400_000 + 1_000 * i, mc: change && [change] }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  const bench = feedBench();
  await (await feedIn(`betfair-stream:replay=${path},speed=0,timestamps=shift`)).run(bench.context);
  return bench;
}

test('levels that cannot be are left out and counted, good ones behind them in the same list are kept', async () => {
  const best = (id: number, ...batb: unknown[]) => ({ id, batb });
  const named = definition(['Team A', 'Team B', 'The Draw'], { eventName: 'Team A v Team B' });
  const bench = await replayedLines([
    { id: '1.1', rc: [{ id: 5, ltp: 2.1 }] },
    { id: '1.1', marketDefinition: named, rc: null },
    undefined,
    { id: '1.1', rc: [best(5, [0, 1001, 5])] },
    { id: '1.1', rc: [best(5, [0, 2, 100]), best(6, [0, 4, 30]), best(7, [0, 3.5, 20])] },
    { id: '1.1', rc: [best(5, [1, 1001, 5], [0, 2.2, 70])] },
  ]);
  const last = new Map(pricesIn(bench.batches.flat()).map(([type, side, ...price]) => [`${type} ${side}`, price]));
  assert.deepEqual(
    ['home', 'away', 'draw'].map((side) => last.get(`moneyline ${side}`)),
    [
      [2.2, true],
      [4, true],
      [3.5, true],
    ],
  );
  assert.equal(bench.counts.get('refused_parts'), 2);
  assert.equal(bench.counts.get('left_out'), undefined);
});

test('a recording whose runners nothing names says how many markets that leaves out, and what would name them', async () => {
  const best = (id: number, price: number) => ({ id, batb: [[0, price, 50]] });
  const rc = [best(5, 2), best(6, 4), best(7, 3.4)];
  const nameless = definition([undefined, undefined, undefined]);
  // The draw's id is the same everywhere, and a market of two runners could be listed by their numbers: no names either.
  const withDraw = definition([]);
  withDraw.runners = [5, 6, 58_805].map((id, i) => ({ id, status: 'ACTIVE', sortPriority: i + 1, name: undefined }));
  const ofTwo = definition([undefined, undefined], { marketType: 'MONEY_LINE', eventTypeId: '7522' });
  const bench = await replayedLines([
    { id: '1.1', img: true, marketDefinition: nameless, rc },
    { id: '1.2', img: true, marketDefinition: withDraw, rc: [best(5, 2), best(6, 4), best(58_805, 3.5)] },
    { id: '1.3', img: true, marketDefinition: ofTwo, rc: [best(5, 1.9), best(6, 1.9)] },
  ]);
  assert.deepEqual(pricesIn(bench.batches.flat()), []);
  assert.match(
    [...bench.failures.values()].join(),
    /3 markets are left out, as nothing names their runners: catalogue=FILE/,
  );
  assert.ok(bench.log.some(({ message }) => /nothing names their runners/.test(message)));
});

test('a recorded market of 18,529 messages passes through each of its states, and is removed when it closes', {
  skip: !isRecorded && 'no recorded stream',
}, async () => {
  const lines = recordedLines();
  const { messages, log } = await replayed(`betfair-stream:replay=${recordedFile(lines)},speed=0`);
  const over = log.at(-1)!;
  assert.equal(over.fields['messages'], 18_529);
  assert.equal(over.fields['bad_lines'], 0);
  const [first] = messages;
  assert.equal(first!.events![0]!.start_time, '2022-07-11T11:00:00.000Z');
  const prices = pricesIn(messages);
  assert.ok(prices.length > 5_000, String(prices.length));
  assert.ok(
    prices.every(
      ([market, side, price]) => market === 'moneyline' && (side === 'home' || side === 'away') && Number(price) > 1,
    ),
  );
  assert.ok(
    messages.some(({ events }) => events![0]!.is_live === true),
    'it goes in play',
  );
  assert.ok(
    prices.some(([, , , active]) => !active),
    'it is suspended in between',
  );
  assert.deepEqual(messages.at(-1)!.events![0]!.markets, [], 'closed, it leaves');
  assert.equal(messages.at(-1)!.scope, 'event');
  const published = new Map<string, unknown>([
    ['home', 'none'],
    ['away', 'none'],
  ]);
  const publishedAt = new Map<string, string>();
  for (const message of messages) {
    for (const [, side, price, active] of pricesIn([message]))
      published.set(String(side), active ? Number(price).toFixed(6) : 'none');
    publishedAt.set(message.polled_at, JSON.stringify([published.get('home'), published.get('away')]));
  }
  for (const [at, shown] of shownIn(lines)) if (publishedAt.has(at)) assert.equal(publishedAt.get(at), shown, at);
  const times = messages.map(({ polled_at }) => polled_at);
  assert.deepEqual(times, [...times].sort(), 'dated by the recording');
});

test('with a catalogue a recording has its games, moved to now on request', async () => {
  const dir = newFolder('overround-betfair-replay-');
  const atMs = Date.parse('2024-03-01T12:00:00Z');
  const [market] = makeMarkets(new Random(3), atMs);
  writeFileSync(join(dir, 'catalogue.json'), JSON.stringify({ jsonrpc: '2.0', result: [catalogueEntry(market!)] }));
  const runners = market!.runners.map(({ id, status }) => ({ id, status }));
  const marketDefinition = {
    status: 'OPEN',
    marketType: 'MATCH_ODDS',
    bettingType: 'ODDS',
    eventId: market!.eventId,
    eventTypeId: '7522',
    marketTime: new Date(market!.startMs).toISOString(),
    inPlay: false,
    runners,
  };
  const line = (pt: number, mc: object) =>
    `${JSON.stringify({ op: 'mcm', pt, clk: 'a', mc: [{ id: market!.id, ...mc }] })}\r\n`;
  const rc = [
    {
      id: market!.runners[0]!.id,
      atb: [
        [2.5, 10],
        [2.4, 5],
      ],
    },
  ];
  writeFileSync(
    join(dir, 'stream'),
    line(atMs, { img: true, marketDefinition, rc }) + line(atMs + 50, { rc: [{ ...rc[0], atb: [[2.5, 0]] }] }),
  );
  const spec = `betfair-stream:replay=${join(dir, 'stream')},catalogue=${join(dir, 'catalogue.json')},speed=0,timestamps=shift`;
  const { messages } = await replayed(spec);
  const [event] = messages[0]!.events!;
  assert.deepEqual(
    [event!.league, event!.home_team, event!.away_team],
    ['nba', 'Boston Celtics', 'Los Angeles Lakers'],
  );
  const ahead = Date.parse(event!.start_time!) - Date.now();
  assert.ok(Math.abs(ahead - 3 * 3_600_000) < 60_000, 'as far from now as it was then');
  assert.deepEqual(pricesIn(messages), [
    ['moneyline', 'away', 2.5, true],
    ['moneyline', 'away', 2.4, true],
  ]);
});

test('without a catalogue "Away @ Home" and "Home v Away" tell who is at home', async () => {
  const dir = newFolder('overround-betfair-replay-');
  const definition = (eventId: string, eventName: string) => ({
    status: 'OPEN',
    marketType: 'MONEY_LINE',
    bettingType: 'ODDS',
    eventId,
    eventTypeId: '7522',
    eventName,
    marketTime: '2024-03-01T12:00:00.000Z',
    inPlay: false,
    runners: [
      { id: 1, status: 'ACTIVE', sortPriority: 1, name: 'LA Lakers' },
      { id: 2, status: 'ACTIVE', sortPriority: 2, name: 'Boston Celtics' },
    ],
  });
  const rc = [{ id: 1, atb: [[2.5, 10]] }];
  const mc = ['LA Lakers @ Boston Celtics', 'Boston Celtics v LA Lakers'].map((name, i) => ({
    id: `1.${i}`,
    img: true,
    marketDefinition: definition(String(i), name),
    rc,
  }));
  writeFileSync(join(dir, 'stream'), `${JSON.stringify({ op: 'mcm', pt: 1_700_000_000_000, clk: 'a', mc })}\n`);
  const { messages } = await replayed(`betfair-stream:replay=${join(dir, 'stream')},speed=0`);
  assert.deepEqual(
    messages.flatMap(({ events = [] }) => events).map(({ home_team, away_team }) => [home_team, away_team]),
    Array(2).fill(['Boston Celtics', 'LA Lakers']),
  );
});

test('missing or invalid files are one clear line', async () => {
  await assert.rejects(
    feedIn('betfair-stream'),
    /needs the environment variables BETFAIR_APP_KEY, BETFAIR_USERNAME, BETFAIR_PASSWORD$/,
  );
  const env = { BETFAIR_APP_KEY: 'k', BETFAIR_USERNAME: 'u', BETFAIR_PASSWORD: 'p w' };
  await assert.rejects(feedIn('betfair-stream', { ...env, BETFAIR_CERT: '/no/file' }), /BETFAIR_CERT_KEY$/);
  await assert.rejects(
    feedIn('betfair-stream', { ...env, BETFAIR_CERT: '/no/file', BETFAIR_CERT_KEY: '/no/key' }),
    /BETFAIR_CERT: the file cannot be read/,
  );
  await assert.rejects(
    feedIn('betfair-stream:sports=chess', env),
    /sports are soccer, football, baseball, basketball, hockey/,
  );
  await assert.rejects(feedIn('betfair-stream:speed=2', env), /speed is for replay=FILE/);
  const { name } = await feedIn('betfair-stream:sports=soccer,hockey', env);
  assert.equal(name, 'betfair-stream:sports=soccer,hockey');
  const file = join(newFolder('overround-betfair-replay-'), 'nonsense');
  writeFileSync(file, 'not a stream\n');
  await assert.rejects(replayed(`betfair-stream:replay=${file}`), /no recording of the stream/);
});

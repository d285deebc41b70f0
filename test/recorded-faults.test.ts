// Small recordings in which sources said what had once gone wrong: a resumed game, a start that is a day late, lines that stand
// for none, names with marks, a historic file with values that cannot be.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { type Api, api, type Json } from './front/api.js';
import { readFolder } from './intake/feeds/formats/reading.js';

const CASES = resolve('../shared/cases');
const skip = !existsSync(CASES) && `${CASES} is missing`;
const FLAGS = { history: '7', 'log-retention': '604800' };

interface Polled {
  polled_at: string;
}
const linesOf = (name: string): Polled[] =>
  readFileSync(join(CASES, `${name}.ndjson`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Polled);

/** Each message at its time. Returns the reasons for what was refused. */
async function play(made: Api, messages: readonly Polled[], after?: () => Promise<void>): Promise<string[]> {
  const refused: string[] = [];
  for (const message of messages) {
    made.clock.set(Date.parse(message.polled_at));
    const { rejected } = await made.server.engine.ingest([message]);
    refused.push(...rejected.map(({ reason }) => reason));
    made.server.engine.tick();
    await after?.();
  }
  return refused;
}

function readerOf(made: Api): (path: string) => Promise<Json[]> {
  const key = made.key('enterprise', { scopes: ['read', 'ingest'] });
  return async (path) => ((await (await made.fetch(path, { key })).json()) as Json).data;
}

test('a suspended game that is resumed the next day stays its event, with both books', { skip }, async (t) => {
  const made = await api(t, FLAGS);
  const get = readerOf(made);
  await play(made, linesOf('15-mlb-resumed'));
  const events = await get('/events?league=mlb');
  assert.equal(events.length, 2);
  const resumed = await get('/odds?event=mlb_orioles_tigers_2026-06-10');
  assert.deepEqual([...new Set(resumed.map(({ sportsbook }) => sportsbook))].sort(), ['draftkings', 'fanduel']);
});

test('a start that is a day late is told, also once the other game has ended', { skip }, async (t) => {
  const made = await api(t, FLAGS);
  const get = readerOf(made);
  await play(made, linesOf('16-start-a-day-late'));
  made.clock.set(Date.parse('2026-02-22T12:31:00Z'));
  made.server.engine.tick();
  const late = (await get('/ingest/unmatched?kind=time')).filter(({ reason }) => reason === 'apart');
  assert.equal(late.length, 1, JSON.stringify(late));
  for (const kind of ['arbitrage', 'ev']) assert.deepEqual(await get(`/opportunities/${kind}`), [], kind);
});

test('lines that stand for none are refused, and make no middle', { skip }, async (t) => {
  const made = await api(t, FLAGS);
  const get = readerOf(made);
  const refused = await play(made, linesOf('31-sentinel-lines'), async () => {
    assert.deepEqual(await get('/opportunities/middles'), []);
  });
  assert.ok(refused.length >= 4, JSON.stringify(refused));
  const lines = new Set((await get('/odds')).map(({ line }) => line));
  for (const line of [0.0001, -220.5, 22.05, 0]) assert.equal(lines.has(line), false, String(line));
});

test('marks of women, youth and reserves keep teams apart, and no overlay joins them', { skip }, async (t) => {
  const made = await api(t, FLAGS);
  const get = readerOf(made);
  await play(made, linesOf('24-women-youth-names'));
  const tokens = (await get('/events?league=epl')).map(({ event_id }) => event_id);
  // `II` and `B` are one team.
  assert.equal(tokens.length, 4, tokens.join(', '));
  for (const { name, candidates } of await get('/ingest/unmatched'))
    if (/\((?:W|SL)\)|\bW$|Women|U\d\d|\bII$|\bB$|Reserves/.test(name))
      assert.deepEqual(
        candidates.filter(({ overlay }: Json) => overlay !== null),
        [],
        name,
      );
});

test('a historic file with values that cannot be goes on without them, and counts them', { skip }, async () => {
  const { messages, leftOut } = await readFolder({
    '1.1': readFileSync(join(CASES, '20-betfair-historic.ndjson'), 'utf8'),
  });
  const last = new Map<string, number>();
  for (const { events = [] } of messages)
    for (const { markets } of events)
      for (const { market_type, selections = [] } of markets)
        if (market_type === 'moneyline')
          for (const { selection_type, odds_decimal } of selections)
            if (odds_decimal !== undefined) last.set(selection_type!, Number(odds_decimal));
  assert.deepEqual([...last].sort(), [
    ['away', 4],
    ['draw', 3.5],
    ['home', 2.2],
  ]);
  assert.ok(leftOut.length > 0, 'the impossible levels are counted');
});

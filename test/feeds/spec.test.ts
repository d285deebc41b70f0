// `--feed`: every form of the contract, clear errors, and no secret in any of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { replayFromSpec, theOddsApiFromSpec } from '../../src/feeds/from-spec.js';
import { listArg, numberArg, parseFeedSpec } from '../../src/feeds/spec.js';
import { LEAGUES } from './the-odds-api/answers.js';

test('every form of the contract is read', () => {
  assert.deepEqual(parseFeedSpec('none'), { kind: 'none', args: {} });
  assert.deepEqual(parseFeedSpec('sim'), { kind: 'sim', args: {} });
  assert.deepEqual(parseFeedSpec('sim:seed=7,books=28,events=400,rate=5000'), {
    kind: 'sim',
    args: { seed: '7', books: '28', events: '400', rate: '5000' },
  });
  assert.deepEqual(parseFeedSpec('replay:odds.ndjson.gz,speed=60'), {
    kind: 'replay',
    path: 'odds.ndjson.gz',
    args: { speed: '60' },
  });
});

test('lists contain commas, and so may the name of a recording', () => {
  const spec = parseFeedSpec('the-odds-api:sports=baseball_mlb,basketball_nba,regions=us,us2,markets=h2h,every=45');
  assert.deepEqual(listArg(spec, 'sports'), ['baseball_mlb', 'basketball_nba']);
  assert.deepEqual(listArg(spec, 'regions'), ['us', 'us2']);
  assert.equal(numberArg(spec, 'every', 1, 100), 45);
  assert.equal(parseFeedSpec('replay:C:\\my odds, may.gz,speed=2').path, 'C:\\my odds, may.gz');
});

test('an invalid feed is refused with the valid ones', () => {
  for (const [text, reason] of [
    [
      'simm',
      /unknown feed "simm"; known: sim, replay, the-odds-api, polymarket, kalshi, betfair-stream, opticodds, sharpapi, none/,
    ],
    ['', /unknown feed; known/],
    ['none:x=1', /none: unknown parameter "x"; it takes none/],
    ['sim:sead=7', /sim: unknown parameter "sead"; known: seed, books, events, rate/],
    ['sim:seed', /sim: expected name=value/],
    ['sim:seed=1,2', /sim: expected name=value/],
    ['sim:seed=1,seed=2', /sim: seed is given twice/],
    ['sim:seed=', /sim: seed is empty/],
    ['sim:toString=1', /sim: unknown parameter/],
    ['replay', /replay: the recording is missing/],
    ['replay:,speed=60', /replay: the recording is missing/],
    ['replay:f,sped=60', /replay: unknown parameter "sped"/],
    ['the-odds-api:regions=us', /sports=… is missing/],
    ['the-odds-api:sports=a', /regions=… \(or bookmakers=…\) is missing/],
    ['the-odds-api:sports=a,,regions=us', /expected name=value/],
  ] as [string, RegExp][])
    assert.throws(() => parseFeedSpec(text), { message: reason }, text);
});

test('a key on the command line is refused without being repeated', () => {
  const key = '0123456789abcdef0123456789abcdef';
  for (const text of [
    `the-odds-api:sports=a,regions=us,apiKey=${key}`,
    `the-odds-api:${key}`,
    `the-odds-api:${key}=1`,
    `sim:seed=1,${key}`,
    key,
    'sk_live_abcdef',
  ])
    assert.throws(
      () => parseFeedSpec(text),
      (error: Error) => {
        return !error.message.includes(key) && !error.message.includes('sk_live');
      },
    );
  assert.throws(() => parseFeedSpec(`the-odds-api:sports=a,regions=us,key=${key}`), /set THE_ODDS_API_KEY/);
});

test('no text makes it throw anything but one clear line', () => {
  const part = fc.constantFrom(
    'sim',
    'replay',
    'the-odds-api',
    'none',
    ':',
    ',',
    '=',
    'seed',
    'sports',
    'speed',
    'a',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      try {
        const spec = parseFeedSpec(parts.join(''));
        for (const value of Object.values(spec.args)) assert.equal(typeof value, 'string');
      } catch (error) {
        assert.match((error as Error).message, /^(unknown feed|sim|replay|the-odds-api|none)/);
        assert.ok(!(error as Error).message.includes('\n'));
      }
    }),
  );
});

test('feeds are created from specs, with defaults and limits', () => {
  const access = { leagues: LEAGUES, apiKey: 'k', random: () => 0.5 };
  const feed = theOddsApiFromSpec(parseFeedSpec('the-odds-api:sports=a,b,regions=us'), access);
  assert.equal(feed.name, 'the-odds-api:sports=a,b,regions=us,markets=h2h,spreads,totals,every=30');
  const noKey = { ...access, apiKey: '' };
  assert.throws(() => theOddsApiFromSpec(parseFeedSpec('the-odds-api:sports=a,regions=us'), noKey), /THE_ODDS_API_KEY/);
  const often = parseFeedSpec('the-odds-api:sports=a,regions=us,every=0');
  assert.throws(() => theOddsApiFromSpec(often, access), /every is not a number from 1 to 86400/);
  assert.equal(replayFromSpec(parseFeedSpec('replay:f'), LEAGUES, false).name, 'replay:f,speed=1');
  const shifted = replayFromSpec(parseFeedSpec('replay:f,timestamps=shift,speed=0'), LEAGUES, false);
  assert.equal(shifted.name, 'replay:f,speed=0,timestamps=shift');
  assert.throws(
    () => replayFromSpec(parseFeedSpec('replay:f,timestamps=now'), LEAGUES, false),
    /one of recorded, shift/,
  );
});

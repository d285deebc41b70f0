import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../../src/base/model/clock.js';
import type { NormalMessage, Rejection } from '../../../src/base/model/normal-message.js';
import { readMessages } from '../../../src/front/api/ingest.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { event, latest, market, message, moneyline, selection, total } from './messages.js';

const catalogue = loadCatalogue();
const knownEvent = { league: 'nba', sport: 'basketball', id: 'nba_lakers_celtics_2026-11-20', rows: new Map([[1, 2]]) };
const context = {
  catalogue,
  clock: latest,
  leagueOfEvent: (id: string) => (id === knownEvent.id ? knownEvent : undefined),
};

function read(raw: unknown): { normal: NormalMessage | undefined; rejected: Rejection[] } {
  const rejected: Rejection[] = [];
  return { normal: normalise(raw, '', context, rejected), rejected };
}

/** The rejections of one quote in an otherwise valid message, whose other quote must be accepted. */
function rejectionOf(quote: unknown, marketType = 'moneyline'): Rejection | undefined {
  const good = selection({ selection: 'Celtics', selection_type: 'away', line: 1.5 });
  const { normal, rejected } = read(message([event([market([good, quote], { market_type: marketType })])]));
  const quotes = normal!.events[0]!.markets[0]!.quotes;
  assert.equal(quotes[0]![0], 'Celtics');
  assert.equal(quotes.length + rejected.length, 2, JSON.stringify(rejected));
  return rejected[0];
}

test('a line that is not a message is rejected by its number', () => {
  const rejected: Rejection[] = [];
  assert.equal(normalise('no object', '[3].', context, rejected), undefined);
  assert.deepEqual(rejected, [{ path: '[3]', reason: 'not an object' }]);
});

test('an invalid price is rejected alone, with its path and the reason', () => {
  const path = 'events[0].markets[0].selections[1]';
  const american = [
    99,
    -99,
    0,
    50.5,
    -1,
    Number.NaN,
    Infinity,
    '',
    'abc',
    '-',
    '99',
    true,
    {},
    [],
    'PK',
    '1e99',
    1e300,
  ];
  for (const price of american) {
    const rejection = rejectionOf(selection({ odds_american: price }));
    assert.deepEqual(rejection?.path, `${path}.odds_american`, `odds_american ${String(price)}`);
    assert.match(rejection.reason, /not an American price/);
  }
  for (const price of [1, 0.5, 0, -2, Number.NaN, Infinity, '', 'abc', '1', '+150', '-110', true, {}, []]) {
    const rejection = rejectionOf(selection({ odds_american: undefined, odds_decimal: price }));
    assert.deepEqual(rejection?.path, `${path}.odds_decimal`, `odds_decimal ${String(price)}`);
  }
  assert.match(rejectionOf({ selection: 'X', selection_type: 'home' })?.reason ?? '', /no price/);
});

test('prices written as books write them are read', () => {
  const cases: [unknown, number][] = [
    ['-110', -110],
    ['+104', 104],
    ['104', 104],
    ['EVEN', 100],
    ['even', 100],
    ['\u2212115', -115],
    [' \u2013120 ', -120],
    [-100, 100],
    [100, 100],
    [-100000, -100000],
    [-110.5, -110.5],
  ];
  for (const [price, expected] of cases) {
    const { normal, rejected } = read(message([event([market([selection({ odds_american: price })])])]));
    assert.deepEqual(rejected, []);
    assert.equal(normal!.events[0]!.markets[0]!.quotes[0]![3], expected);
  }
  const decimal = read(message([event([market([selection({ odds_decimal: '1.91' })])])])).normal!;
  assert.equal(decimal.events[0]!.markets[0]!.quotes[0]![4], 1.91);
  assert.equal(decimal.events[0]!.markets[0]!.quotes[0]![3], -110);
});

test('a quote without a line, name or type is rejected if it needs one', () => {
  const over = { selection: 'Over', selection_type: 'over', odds_american: -110 };
  assert.match(rejectionOf(over, 'total_points')?.reason ?? '', /needs a line/);
  assert.match(rejectionOf(selection(), 'point_spread')?.reason ?? '', /needs a line/);
  for (const line of ['x', '', ' ', true, {}, Number.NaN, Infinity, 10_001, '1,5'])
    assert.match(rejectionOf(selection({ line }), 'point_spread')?.path ?? '', /\.line$/, `line ${String(line)}`);
  for (const name of [
    '',
    '  ',
    5,
    null,
    'a\u0000b',
    'line\nbreak',
    'x'.repeat(201),
    '\u2028',
    'Home\u009b2J',
    'Home\u202e',
    '\u200bHome',
    'Ho\u00adme',
    '\u2067Home\u2069',
    '\ufeffHome',
  ])
    assert.match(rejectionOf(selection({ selection: name }))?.path ?? '', /\.selection$/, `name ${String(name)}`);
  for (const type of ['', 'Home', 'h o', 5, null, '../x', 'x'.repeat(33)])
    assert.match(rejectionOf(selection({ selection_type: type }))?.path ?? '', /\.selection_type$/);
  for (const quote of [null, 5, 'x', [], true]) assert.match(rejectionOf(quote)?.reason ?? '', /not an object/);
});

test('a line of zero is never minus zero, a line as text is a number, a moneyline has none', () => {
  const lineOf = (line: unknown, type: string): unknown =>
    read(message([event([market([selection({ line })], { market_type: type })])])).normal!.events[0]!.markets[0]!
      .quotes[0]![2];
  assert.ok(Object.is(lineOf(-0, 'point_spread'), 0));
  assert.ok(Object.is(lineOf('-0', 'point_spread'), 0));
  assert.equal(lineOf('-3.5', 'point_spread'), -3.5);
  assert.equal(lineOf(5, 'moneyline'), null);
});

test('an event without teams, league or time is rejected, the others are accepted', () => {
  const bad: [object, RegExp][] = [
    [{ home_team: '' }, /home_team/],
    [{ home_team: '   ' }, /home_team/],
    [{ away_team: undefined }, /away_team/],
    [{ away_team: 7 }, /away_team/],
    [{ away_team: 'LA Lakers' }, /away_team/],
    [{ away_team: 'los angeles lakers ' }, /away_team/],
    [{ league: undefined }, /league/],
    [{ league: 'no such league!' }, /league/],
    [{ start_time: undefined }, /start_time/],
    [{ start_time: 'tomorrow' }, /start_time/],
    [{ start_time: '2026-11-20T20:00:00' }, /start_time/],
    [{ start_time: '2026-02-30T20:00:00Z' }, /start_time/],
    [{ start_time: 1_795_204_800 }, /start_time/],
    [{ event_id: 'nba_unknown' }, /event_id/],
    [{ event_id: 5 }, /event_id/],
  ];
  for (const [fields, path] of bad) {
    const { normal, rejected } = read(message([event([moneyline(-110, -110)], fields), event([total(220, 1, -110)])]));
    assert.equal(normal!.events.length, 1, JSON.stringify(fields));
    assert.equal(normal!.events[0]!.markets[0]!.quotes.length, 1);
    assert.equal(rejected.length, 2);
    assert.match(rejected[0]!.path, path);
    assert.match(rejected[0]!.path, /^events\[0\]/);
    assert.match(rejected[1]!.path, /^events\[1\]\.markets\[0\]\.selections\[0\]\.odds_american$/);
  }
});

test('ambiguous markets are rejected', () => {
  const of = (fields: object) => read(message([event([market([selection({ line: 1 })], fields)])])).rejected[0]?.path;
  assert.match(of({ market_type: 'player_points' }) ?? '', /player_name$/);
  assert.match(of({ market_type: 'team_total' }) ?? '', /team$/);
  assert.match(of({ market_type: 'team_total', team: 'Lakers' }) ?? '', /team$/);
  assert.match(of({ market_type: 'Money Line' }) ?? '', /market_type$/);
  assert.match(of({ market_type: undefined }) ?? '', /market_type$/);
  assert.match(of({ selections: {} }) ?? '', /selections$/);
  assert.equal(of({ market_type: 'team_total', team: 'home' }), undefined);
  assert.equal(of({ market_type: 'anything_new', max_bet: 500 }), undefined);
  assert.match(of({ max_bet: -1 }) ?? '', /max_bet$/);
  assert.match(of({ last_seen_at: 'noon' }) ?? '', /last_seen_at$/);
});

test('a message that cannot be parsed is rejected with the reason', () => {
  const bad: [unknown, RegExp][] = [
    [null, /^$/],
    [[], /^$/],
    ['text', /^$/],
    [7, /^$/],
    [{}, /book/],
    [message([], { book: '' }), /book/],
    [message([], { book: 5 }), /book/],
    [message([], { book: 'no such book!' }), /book/],
    [message([], { book: '__proto__' }), /book/],
    [message([], { polled_at: undefined }), /polled_at/],
    [message([], { polled_at: '2026-11-20' }), /polled_at/],
    [message([], { polled_at: 1_795_204_800_000 }), /polled_at/],
    [message([], { scope: 'all' }), /scope/],
    [message([], { scope: 'league' }), /league/],
    [message([], { scope: 'league', league: 5 }), /league/],
  ];
  for (const [raw, path] of bad) {
    const { normal, rejected } = read(raw);
    assert.equal(normal, undefined, JSON.stringify(raw));
    assert.equal(rejected.length, 1);
    assert.match(rejected[0]!.path, path);
  }
});

test('a message none of whose lists can be read is rejected', () => {
  for (const part of ['events', 'splits', 'futures', 'game_states', 'results', 'settlements'])
    for (const list of [{}, 'x', 5, true, [5], [null]]) {
      const { normal, rejected } = read({ ...message([]), events: undefined, [part]: list });
      assert.equal(normal, undefined, `${part} ${JSON.stringify(list)}`);
      assert.equal(rejected.length, 1);
      assert.match(rejected[0]!.path, new RegExp(`^${part}`));
    }
  const { normal, rejected } = read({ ...message({} as never), results: [] });
  assert.deepEqual([normal?.events, rejected.map(({ path }) => path)], [[], ['events']]);
});

test('a future whose selections cannot be read is rejected: its prices stay', () => {
  const future = { league: 'nba', market: 'champion', selections: [{ selection: 'Celtics', odds_american: 300 }] };
  const of = (selections: unknown) => read({ ...message([]), futures: [{ ...future, selections }] }).normal?.futures;
  assert.deepEqual(of([])?.[0]?.quotes, []);
  for (const list of [{}, 'x', undefined, null, [5], [future.selections[0], null]])
    assert.deepEqual(of(list), [], JSON.stringify(list));
});

test('books and leagues are recognised by their aliases, and accepted unchanged if the catalogue lacks them', () => {
  const alias = read(message([event([moneyline(-110, -110)], { league: 'basketball_nba' })], { book: 'DraftKings' }));
  assert.equal(alias.normal!.book, 'draftkings');
  assert.equal(alias.normal!.events[0]!.league, 'nba');
  const unknown = read(message([event([moneyline(-110, -110)], { league: 'moon-cup' })], { book: 'Corner_Shop' }));
  assert.deepEqual(unknown.rejected, []);
  assert.equal(unknown.normal!.book, 'corner_shop');
  assert.equal(unknown.normal!.events[0]!.league, 'moon-cup');
  assert.equal(unknown.normal!.events[0]!.sport, 'other');
});

test('a league message accepts no events of other leagues', () => {
  const { normal, rejected } = read(
    message([event([moneyline(-110, -110)]), event([moneyline(-110, -110)], { league: 'wnba' })], {
      scope: 'league',
      league: 'nba',
    }),
  );
  assert.equal(normal!.events.length, 1);
  assert.match(rejected[0]!.path, /^events\[1\]\.league$/);
});

test('an event named by its id brings its league and sport and nothing else of the table', () => {
  const named = { event_id: knownEvent.id, markets: [moneyline(-110, -110)] };
  const splits = {
    event_id: knownEvent.id,
    sportsbook: 'circa',
    moneyline: { handle_pct: { home: 0.6, away: 0.4 } },
  };
  const { normal, rejected } = read(message([named], { splits: [splits] }));
  assert.deepEqual(rejected, []);
  assert.equal(normal!.events[0]!.league, 'nba');
  for (const part of [normal!.events[0]!, normal!.splits[0]!]) {
    assert.equal(part.eventId, knownEvent.id);
    assert.ok(!('rows' in part) && !('id' in part));
  }
});

test('a flag or a time of the wrong type is rejected, not read as absent', () => {
  for (const value of ['true', 1, {}]) {
    const rejection = rejectionOf(selection({ line: 3.5, is_alternate_line: value }), 'point_spread');
    assert.equal(rejection?.path, 'events[0].markets[0].selections[1].is_alternate_line');
  }
  const { rejected } = read(message([event([market([selection()], { last_seen_at: 5 })])]));
  assert.deepEqual(
    rejected.map(({ path }) => path),
    ['events[0].markets[0].last_seen_at'],
  );
});

test('a name with bytes that are not UTF-8 is rejected: it would be another team', () => {
  const body = Buffer.from(JSON.stringify(message([event([moneyline(-110, -110)], { home_team: 'Bayern M@nchen' })])));
  const latin1 = Buffer.from(body.map((byte) => (byte === 0x40 ? 0xfc : byte)));
  const names = [...readMessages(latin1, 'application/json'), '\ud800 Bayern'].map((raw) =>
    typeof raw === 'string' ? message([event([moneyline(-110, -110)], { home_team: raw })]) : raw,
  );
  for (const raw of names)
    assert.deepEqual(
      read(raw).rejected.map(({ path }) => path),
      ['events[0].home_team'],
    );
  for (const home_team of ['Bayern München', '🏀 United'])
    assert.deepEqual(read(message([event([moneyline(-110, -110)], { home_team })])).rejected, []);
  const rejected: Rejection[] = [];
  const [line] = readMessages(Buffer.from('{"book"'), 'application/x-ndjson');
  normalise(line, '[0].', context, rejected);
  assert.deepEqual(rejected, [{ path: '[0]', reason: 'not JSON' }]);
});

test('hostile objects leave nothing behind and throw nothing', () => {
  const proto = JSON.parse(
    '{"__proto__":{"polluted":1},"book":"draftkings","polled_at":"2026-11-20T18:00:00Z","events":[{"__proto__":{"league":"nba"},"constructor":{"prototype":{"polluted":1}},"home_team":{"toString":1},"markets":{"length":5}}]}',
  );
  assert.equal(read(proto).normal!.events.length, 0);
  let deep: unknown = 1;
  for (let i = 0; i < 20_000; i++) deep = i % 2 ? [deep] : { events: deep };
  for (const field of ['book', 'polled_at', 'events', 'splits', 'futures', 'game_states', 'league', 'scope'])
    read({ ...message([event([moneyline(-110, -110)])]), [field]: deep });
  assert.ok(!('polluted' in {}));
  assert.equal(read(message([event([moneyline(-110, -110)])], { book: 'Constructor' })).rejected[0]?.path, 'book');
});

test('anything at all in place of any part is refused or read, never thrown', () => {
  const any = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true });
  fc.assert(
    fc.property(any, fc.constantFrom(0, 1, 2, 3, 4), fc.string(), (junk, depth, field) => {
      const inner: unknown[] = [junk];
      inner[1] = { ...selection(), [field]: junk, odds_american: depth > 2 ? -110 : junk };
      inner[2] = { ...market([junk, inner[1]]), [field]: junk };
      inner[3] = { ...event([junk, inner[2]]), [field]: junk, game_state: junk };
      inner[4] = { ...message([junk, inner[3]]), [field]: junk, splits: [junk], futures: [junk], game_states: [junk] };
      const { normal } = read(inner[depth]);
      for (const { markets } of normal?.events ?? [])
        for (const { quotes, active } of markets)
          for (const [name, , line, american, decimal, , , , , selectionActive] of quotes) {
            assert.ok(name.length > 0);
            if (american === null || decimal === null) assert.ok(american === decimal && !(active && selectionActive));
            else assert.ok(decimal > 1 && Math.abs(american) >= 100);
            assert.ok(line === null || Number.isFinite(line));
          }
    }),
    { numRuns: 300 },
  );
});

test('a message of nothing but nonsense is answered in bounded size', () => {
  const { normal, rejected } = read(message(new Array(50_000).fill(5)));
  assert.equal(normal, undefined);
  assert.equal(rejected.length, 1_001);
  assert.match(rejected[1_000]!.reason, /more than 1000/);
});

test('links, ids and shares that are unsafe or senseless are dropped with a rejection, the price stays', () => {
  const bad: [string, unknown][] = [
    ['deep_link', 'javascript:alert(1)'],
    ['deep_link', 'https://a b'],
    ['deep_link', 'https://x/"><script>'],
    ['deep_link', 5],
    ['deep_link', `https://x/${'y'.repeat(3_000)}`],
    ['external_id', {}],
    ['external_id', 'a\nb'],
    ['public_bet_pct', 1.5],
    ['public_bet_pct', 'half'],
  ];
  for (const [field, value] of bad) {
    const { normal, rejected } = read(message([event([market([selection({ [field]: value })])])]));
    assert.equal(normal!.events[0]!.markets[0]!.quotes.length, 1);
    assert.equal(rejected.length, 1, `${field} ${String(value).slice(0, 40)}`);
    assert.match(rejected[0]!.path, new RegExp(`${field}$`));
  }
});

test('a message dated more than 30 s ahead of the clock is rejected without effect; less ahead counts as now', () => {
  const nowMs = Date.parse('2026-11-20T18:00:00Z');
  const at = (seconds: number) => new Date(nowMs + seconds * 1000).toISOString();
  const readAt = (raw: unknown) => {
    const rejected: Rejection[] = [];
    return { normal: normalise(raw, '', { ...context, clock: new ManualClock(nowMs) }, rejected)!, rejected };
  };
  const game = event([moneyline(-110, 100)]);
  for (const [seconds, polledS] of [
    [-3600, -3600],
    [0, 0],
    [12, 0],
    [30, 0],
  ] as const) {
    const { normal, rejected } = readAt(message([game], { polled_at: at(seconds) }));
    assert.deepEqual(rejected, []);
    assert.equal(normal.polledUs, (nowMs + polledS * 1000) * 1000);
  }
  for (const seconds of [30.001, 3600, 10 * 365 * 86_400]) {
    const whole = { polled_at: at(seconds), scope: 'league', league: 'nba', futures: [{}], splits: [{}] };
    const { normal, rejected } = readAt(message([game], whole));
    assert.deepEqual(rejected, [{ path: 'polled_at', reason: 'more than 30 s ahead of the clock' }]);
    // With the scope of a league, an empty list would remove everything.
    assert.deepEqual([normal.scope, normal.league, normal.events.length], ['none', null, 0]);
    assert.ok(normal.polledUs <= nowMs * 1000);
  }
});

test('a market seen more than 30 s ahead of the clock is rejected, the others are accepted', () => {
  const nowMs = Date.parse('2026-11-20T18:00:00Z');
  const seen = (seconds: number) => ({
    ...moneyline(-110, 100),
    last_seen_at: new Date(nowMs + seconds * 1000).toISOString(),
  });
  const rejected: Rejection[] = [];
  const markets = [seen(31), seen(29), seen(-40)];
  const raw = message([event(markets)], { polled_at: '2026-11-20T18:00:00Z' });
  const normal = normalise(raw, '', { ...context, clock: new ManualClock(nowMs) }, rejected)!;
  assert.deepEqual(rejected, [
    { path: 'events[0].markets[0].last_seen_at', reason: 'more than 30 s ahead of the clock' },
  ]);
  assert.deepEqual(
    normal.events[0]!.markets.map(({ seenMs }) => seenMs),
    [nowMs, nowMs - 40_000],
  );
});

// Which of Betfair's markets join which market type, which are excluded, and lines cut into packets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gameOf, Listing } from '../../../../src/intake/feeds/betfair/listing.js';
import { type MarketBook, MarketCache, readDefinition } from '../../../../src/intake/feeds/betfair/market-cache.js';
import { Names } from '../../../../src/intake/feeds/betfair/names.js';
import { planMarket } from '../../../../src/intake/feeds/betfair/questions.js';
import { keepAliveUrl, Session } from '../../../../src/intake/feeds/betfair/session.js';
import { LineSplitter } from '../../../../src/intake/feeds/betfair/stream-part.js';
import { VenueGames } from '../../../../src/intake/feeds/kit/games.js';
import { VenuePause } from '../../../../src/intake/feeds/kit/rest.js';
import { until } from '../../../support/until.js';
import { catalogue } from '../../../writer/shard/rig.js';
import { feedBench } from '../kit/venue.js';
import { json, upstream } from '../the-odds-api/upstream.js';

const names = new Names(catalogue);

type Runner = [name: string, hc?: number, status?: string];

/** `type side line` of each selection with the runner's number, or the reason for the exclusion. */
function planned(
  sport: string,
  marketType: string,
  runners: readonly Runner[],
  fields: object = {},
): string[] | string {
  const soccer = sport === 'soccer';
  const teams = soccer ? { home: 'Arsenal', away: 'Chelsea' } : { home: 'Boston Celtics', away: 'Los Angeles Lakers' };
  const definition = readDefinition({
    status: 'OPEN',
    marketType,
    bettingType: 'ODDS',
    runners: runners.map(([, hc, status = 'ACTIVE'], id) => ({ id, status, ...(hc === undefined ? {} : { hc }) })),
    ...fields,
  });
  const runnerNames = new Map(runners.map(([name, hc = 0], id) => [`${id}|${hc + 0}`, name]));
  const scene = { sport, league: soccer ? 'epl' : 'nba', teams, runnerNames, names };
  const found = planMarket(definition!, scene);
  if (typeof found === 'string') return found;
  return found.map(({ marketType: type, type: side, line, runner, opposite, lay }) =>
    [
      type,
      side,
      line ?? '',
      runner.split('|')[0],
      opposite === null ? '' : `or lay ${opposite.split('|')[0]}`,
      lay ? 'laid' : '',
    ]
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

const asian = { bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE' };

test('a winner of two is a moneyline whose lays are prices of the other side; of three, lays are a market of their own', () => {
  assert.deepEqual(planned('basketball', 'MATCH_ODDS', [['Los Angeles Lakers'], ['Boston Celtics']]), [
    'moneyline home 1 or lay 0',
    'moneyline away 0 or lay 1',
  ]);
  assert.deepEqual(planned('soccer', 'MATCH_ODDS', [['Arsenal'], ['Chelsea'], ['The Draw']]), [
    'moneyline home 0',
    'moneyline away 1',
    'moneyline draw 2',
    'moneyline_lay home 0 laid',
    'moneyline_lay away 1 laid',
    'moneyline_lay draw 2 laid',
  ]);
  assert.match(String(planned('soccer', 'MATCH_ODDS', [['Arsenal'], ['Chelsea']])), /no draw/);
  assert.equal(
    (planned('basketball', 'MATCH_ODDS', [['LA Lakers'], ['Boston Celtics'], ['Draw']])[0] ?? '').split(' ')[0],
    'moneyline_3way',
  );
});

test('handicaps and totals pair at one line, whether a runner carries it or its name does', () => {
  assert.deepEqual(
    planned(
      'soccer',
      'ASIAN_HANDICAP',
      [
        ['Arsenal', -0.25],
        ['Chelsea', 0.25],
        ['Arsenal', 0],
      ],
      asian,
    ),
    ['point_spread home -0.25 0 or lay 1', 'point_spread away 0.25 1 or lay 0', 'point_spread home 0 2'],
  );
  assert.deepEqual(planned('basketball', 'HANDICAP', [['Boston Celtics -4.5'], ['LA Lakers +4.5']]), [
    'point_spread home -4.5 0 or lay 1',
    'point_spread away 4.5 1 or lay 0',
  ]);
  assert.deepEqual(planned('soccer', 'OVER_UNDER_25', [['Under 2.5 Goals'], ['Over 2.5 Goals']]), [
    'total_goals under 2.5 0 or lay 1',
    'total_goals over 2.5 1 or lay 0',
  ]);
  assert.deepEqual(
    planned(
      'basketball',
      'COMBINED_TOTAL',
      [
        ['Over', 220.5],
        ['Under', 220.5],
      ],
      asian,
    ),
    ['total_points over 220.5 0 or lay 1', 'total_points under 220.5 1 or lay 0'],
  );
});

test('a settled starting price is in a market of its own', () => {
  const runners = [
    { id: 0, status: 'ACTIVE', bsp: 2.14 },
    { id: 1, status: 'ACTIVE', bsp: 'NaN' },
  ];
  const found = planned('basketball', 'MATCH_ODDS', [['Boston Celtics'], ['LA Lakers']], { runners });
  assert.deepEqual(
    (found as string[]).filter((each) => each.startsWith('moneyline_sp')),
    ['moneyline_sp home 0 or lay 1'],
  );
});

test('markets with another question are excluded, whatever their runners are called', () => {
  const winner: Runner[] = [['Arsenal'], ['Chelsea']];
  for (const type of [
    'DRAW_NO_BET',
    'HALF_TIME',
    'DOUBLE_CHANCE',
    'WINNER',
    'FIRST_HALF_GOALS_05',
    'OVER_UNDER_25_CARDS',
    'TO_QUALIFY',
    '',
  ])
    assert.match(String(planned('soccer', type, winner)), /another question/, type);
  assert.match(String(planned('basketball', 'OVER_UNDER_25', winner)), /another question/);
  assert.match(
    String(planned('soccer', 'MATCH_ODDS', [['Arsenal'], ['Chelsea'], ['The Draw']], { numberOfWinners: 2 })),
    /several/,
  );
  assert.match(String(planned('basketball', 'COMBINED_TOTAL', [['Over', 220.5]], { bettingType: 'LINE' })), /LINE/);
  assert.match(String(planned('basketball', 'MATCH_ODDS', [['Utah Jazz'], ['Boston Celtics']])), /neither/);
  assert.match(
    String(planned('basketball', 'HANDICAP', [['Boston Celtics'], ['LA Lakers']])),
    /no number/,
    'a handicap of nothing is none',
  );
  assert.match(String(planned('basketball', 'COMBINED_TOTAL', [['Over 221.5', 220.5]], asian)), /two lines/);
  assert.match(
    String(planned('basketball', 'MATCH_ODDS', [['LA Lakers', 0, 'REMOVED'], ['Boston Celtics']])),
    /missing/,
  );
});

test('a game is one of two teams that are known, in a league of its own sport', () => {
  const game = (eventTypeId: string, competition: string, eventName: string) =>
    gameOf({ id: '1.1', eventId: '1', eventName, eventTypeId, competition, startMs: 0, runnerNames: new Map() }, names);
  assert.deepEqual(game('1', 'English Premier League', 'Man City v Nottm Forest'), {
    sport: 'soccer',
    league: 'epl',
    teams: { home: 'Manchester City', away: 'Nottingham Forest' },
  });
  assert.deepEqual(game('7522', 'NBA', 'LA Lakers @ Boston Celtics')?.teams, {
    home: 'Boston Celtics',
    away: 'Los Angeles Lakers',
  });
  assert.equal(game('1', 'NBA', 'LA Lakers @ Boston Celtics'), undefined, 'another sport');
  assert.equal(game('1', 'Austrian 2. Liga', 'SKN St Polten v Admira Wacker'), undefined, 'a league that is not known');
  assert.equal(game('7522', 'NBA', 'NBA Championship 2026/27'), undefined, 'no two teams');
  assert.equal(game('7522', 'NBA', 'Harlem Globetrotters @ Boston Celtics'), undefined, 'a team that is not known');
  assert.equal(game('4', 'Indian Premier League', 'Mumbai v Chennai'), undefined, 'a sport that is not followed');
});

test('a session is kept alive where Betfair documents it, whichever way it was logged in', () => {
  for (const [login, host] of [
    ['https://identitysso-cert.betfair.com/api/certlogin', 'identitysso.betfair.com'],
    ['https://identitysso-cert.betfair.it/api/certlogin', 'identitysso.betfair.it'],
    ['https://identitysso.betfair.com/api/login', 'identitysso.betfair.com'],
    ['http://127.0.0.1:8080/api/login', '127.0.0.1:8080'],
  ] as const)
    assert.equal(keepAliveUrl(new URL(login)).href.replace(/^https?:\/\//, ''), `${host}/api/keepAlive`);
});

test('a login that is refused by its status is not tried again soon, one that was one of too many is', async (t) => {
  for (const [status, retry_ms] of [
    [403, 7_500],
    [429, 375],
  ] as const) {
    const betfair = await upstream((_, response) => json(response, status, {}));
    const { context, log } = feedBench();
    const stopping = new AbortController();
    const loginUrl = new URL('/api/login', betfair.url);
    const session = new Session({
      ...{ loginUrl, appKey: 'app', username: 'user', password: 'p&w' },
      ...{ context, random: () => 0.5, pause: new VenuePause(), signal: stopping.signal },
    });
    const token = session.token();
    t.after(() => betfair.close());
    await until('the refusal', () => log.length === 1);
    stopping.abort();
    assert.equal(await token, undefined);
    assert.equal(log[0]!.fields['retry_ms'], retry_ms);
  }
});

test('lines of a stream are read whole, however packets cut them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 })),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (texts, cuts) => {
        const lines = texts.map((text) => JSON.stringify(text));
        const bytes = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
        const splitter = new LineSplitter(1_000_000);
        const found: string[] = [];
        for (let at = 0; at < bytes.length; ) {
          const size = cuts.next().value!;
          found.push(...splitter.push(bytes.subarray(at, at + size)));
          at += size;
        }
        assert.deepEqual(found, lines);
      },
    ),
    { numRuns: 100 },
  );
  assert.throws(() => new LineSplitter(10).push(Buffer.from('x'.repeat(11))), /longer than 10 bytes/);
});

/** A game of soccer as the catalogue names it, and what the stream says of its markets. */
function listing() {
  const games = new VenueGames();
  const shown = new Listing(games, names, catalogue);
  const cache = new MarketCache(10);
  const stated = { eventId: '7', eventTypeId: '1', competition: 'English Premier League', startMs: 0 };
  const name = (id: string, runners: readonly string[], eventName = 'Arsenal v Chelsea'): void => {
    const market = { ...stated, id, eventName, runnerNames: new Map(runners.map((each, i) => [`${i + 1}`, each])) };
    shown.name(market, gameOf(market, names)!);
  };
  const say = (id: string, definition: object, hcs: readonly number[]): void => {
    const runners = hcs.map((hc, i) => ({ id: (i % 2) + 1, hc, status: 'ACTIVE', sortPriority: i + 1 }));
    const marketDefinition = { status: 'OPEN', eventId: '7', eventTypeId: '1', runners, ...definition };
    const rc = hcs.map((hc, i) => ({ id: (i % 2) + 1, hc, batb: [[0, 1.5 + i / 10, 20]] }));
    const touched = new Set<MarketBook>();
    assert.equal(cache.apply([{ id, img: true, marketDefinition, rc }], touched), 0);
    for (const book of touched) shown.show(book);
  };
  const lines = () =>
    [...(games.get('7')?.markets.values() ?? [])].flatMap(({ outcomes }) =>
      outcomes.map(({ facts, decimal }) => `${facts.marketId} ${facts.selectionType} ${facts.line} ${decimal}`),
    );
  return { name, say, lines, game: () => games.get('7')?.facts };
}

test('a line of two markets is told by the other one once the first closes', () => {
  const { name, say, lines } = listing();
  const goals = ['Under', 'Over'];
  name('1.1', goals);
  name('1.2', ['Under 2.5 Goals', 'Over 2.5 Goals']);
  const both = { marketType: 'ALT_TOTAL_GOALS', bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE' };
  say('1.1', both, [2.5, 2.5, 3, 3]);
  say('1.2', { marketType: 'OVER_UNDER_25' }, [0, 0]);
  assert.deepEqual(lines(), ['1.1 under 2.5 1.5', '1.1 over 2.5 1.6', '1.1 under 3 1.7', '1.1 over 3 1.8']);
  say('1.1', { ...both, status: 'CLOSED' }, [2.5, 2.5, 3, 3]);
  assert.deepEqual(lines(), ['1.2 under 2.5 1.5', '1.2 over 2.5 1.6']);
});

test('a game whose sides the catalogue changes is another pair of home and away', () => {
  const { name, say, lines, game } = listing();
  const runners = ['Arsenal', 'Chelsea'];
  name('1.1', [...runners, 'The Draw']);
  say('1.1', { marketType: 'ASIAN_HANDICAP', bettingType: 'ASIAN_HANDICAP_DOUBLE_LINE' }, [-1, 1]);
  assert.deepEqual(lines(), ['1.1 home -1 1.5', '1.1 away 1 1.6']);
  name('1.1', [...runners, 'The Draw'], 'Chelsea v Arsenal');
  assert.deepEqual([game()?.home, game()?.away], ['Chelsea', 'Arsenal']);
  assert.deepEqual(lines(), ['1.1 away -1 1.5', '1.1 home 1 1.6']);
});

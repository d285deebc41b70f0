// Answers of venues and The Odds API: valid parts are read, others omitted, and prices are valid whatever arrives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../src/base/model/clock.js';
import type { Rejection } from '../../src/base/model/normal-message.js';
import { readCatalogueFile } from '../../src/intake/feeds/betfair/catalogue-api.js';
import { MarketCache } from '../../src/intake/feeds/betfair/market-cache.js';
import { readMessage } from '../../src/intake/feeds/betfair/messages.js';
import { ContractBook } from '../../src/intake/feeds/kalshi/contract-book.js';
import { addEvent, type ListedGame } from '../../src/intake/feeds/kalshi/read-events.js';
import { seriesOf } from '../../src/intake/feeds/kalshi/series.js';
import { takeChanges } from '../../src/intake/feeds/kit/publisher.js';
import { RowMirror } from '../../src/intake/feeds/kit/row-mirror.js';
import { VenueTeams } from '../../src/intake/feeds/kit/teams.js';
import { opticRow, slugOf } from '../../src/intake/feeds/opticodds/rows.js';
import { readGames } from '../../src/intake/feeds/polymarket/read-events.js';
import { TokenBook } from '../../src/intake/feeds/polymarket/token-book.js';
import { sharpRow } from '../../src/intake/feeds/sharpapi/feed.js';
import { mapPoll } from '../../src/intake/feeds/the-odds-api/mapper.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import { bookmaker, event, LEAGUES, market, POLLED_AT } from '../intake/feeds/the-odds-api/answers.js';
import { catalogue } from '../writer/shard/rig.js';
import { garbled, runs, spoilt } from './hostile.js';

const teams = new VenueTeams(catalogue);
const CONTEXT = { catalogue, clock: new ManualClock(Date.parse(POLLED_AT)), leagueOfEvent: () => undefined };
const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

test('The Odds API: every mapped message is accepted by ingest as a message', () => {
  const outcomes = [
    { name: 'River City Herons', price: -110, point: -3.5, link: 'https://x.example', sid: '1' },
    { name: 'Port Vale Otters', price: 104, point: 3.5, description: 'Al Jones' },
  ];
  const sample = [
    event('e1', [bookmaker('fanduel', [market('h2h', outcomes), market('spreads', outcomes)])]),
    event('e2', [bookmaker('draftkings', [market('player_points', outcomes), market('team_totals', outcomes)])]),
  ];
  fc.assert(
    fc.property(spoilt([sample]), (events) => {
      const { messages } = mapPoll({ events, polledAt: POLLED_AT, complete: true }, LEAGUES);
      for (const each of messages) assert.ok(normalise(each, '', CONTEXT, [] as Rejection[]) !== undefined);
    }),
    { numRuns: runs(1) },
  );
});

type Say = (mirror: RowMirror, raw: Record<string, unknown>) => void;

/** Ingest takes every message of a mirror's rows, with the row that nothing is wrong with. */
function mirrorsSoundly(
  samples: readonly Record<string, unknown>[],
  sound: (price: number) => Record<string, unknown>,
  say: Say,
): void {
  const tell = (mirror: RowMirror, price: number): void => {
    say(mirror, sound(price));
    const prices: (number | null)[] = [];
    for (const each of takeChanges(mirror, 'service', POLLED_AT).messages) {
      const normal = normalise(each, '', CONTEXT, [] as Rejection[]);
      assert.ok(normal !== undefined, JSON.stringify(each));
      for (const { markets } of normal.events)
        for (const { quotes } of markets) for (const { 3: american } of quotes) prices.push(american);
    }
    assert.ok(prices.includes(price), JSON.stringify(prices));
  };
  fc.assert(
    fc.property(fc.array(spoilt(samples), { maxLength: 4 }), (spoiltOnes) => {
      const mirror = new RowMirror();
      for (const each of samples) say(mirror, each);
      tell(mirror, 777);
      for (const each of spoiltOnes) say(mirror, fields(each));
      tell(mirror, 888);
    }),
    { numRuns: runs(1) },
  );
}

test('OpticOdds and SharpAPI: ingest takes every message, and what is sound in it', () => {
  const startMs = Date.parse(POLLED_AT);
  const game = { id: 'g1', league: 'nba', home: 'Los Angeles Lakers', away: 'Boston Celtics', startMs };
  const optic = {
    ...{ id: '1', fixture_id: 'g1', sportsbook: 'DraftKings', market_id: 'point_spread', selection: game.home },
    ...{ name: `${game.home} -2.5`, selection_line: null, points: -2.5, price: -110, is_main: true, timestamp: 1 },
    ...{ limits: { max: 500 }, source_ids: { selection_id: '7', market_id: '8' } },
    deep_link: { desktop: 'https://x.example' },
  };
  const player = { market_id: 'player_points', selection: 'Al Jones', selection_line: 'over', points: 20.5 };
  const optics = [
    optic,
    { ...optic, id: '2', ...player },
    { ...optic, id: '3', market_id: 'team_total', selection_line: 'under', points: 110.5, order_book: [[1.9, 10]] },
    { ...optic, id: '4', market_id: '1st_half_race_to_20', points: null },
  ];
  mirrorsSoundly(
    optics,
    (price) => ({ ...optic, id: 'sound', market_id: 'moneyline', points: null, price }),
    (mirror, raw) => {
      mirror.putGame(game);
      const bookId = (name: string): string => catalogue.book(name)?.id ?? slugOf(name);
      const row = opticRow(raw, { ...game, sport: 'basketball' }, bookId, true, 0);
      if (row !== undefined) mirror.put(row);
      else mirror.lock(String(raw['id']));
    },
  );
  const sharp = {
    ...{ id: '1', sportsbook: 'fanduel', event_id: 'g1', league: 'nba', home_team: game.home, away_team: game.away },
    ...{ market_type: 'player_points', player_name: 'Al Jones', stat_category: 'points', team: 'home', max_bet: 100 },
    ...{ selection: 'Over', selection_type: 'over', line: 20.5, odds_american: -110, odds_decimal: 1.909091, size: 40 },
    ...{ is_live: false, is_active: true, is_main_line: true, event_start_time: POLLED_AT, timestamp: POLLED_AT },
    ...{ commission: { model: 'winnings', rate: 0.02 }, market_id: 'm', selection_id: 's' },
    deep_link: 'https://x.example',
  };
  const home = {
    market_type: 'moneyline',
    selection: game.home,
    selection_type: 'home',
    player_name: null,
    line: null,
  };
  mirrorsSoundly(
    [sharp],
    (price) => ({ ...sharp, ...home, id: 'sound', odds_american: price, odds_decimal: 1 + price / 100 }),
    (mirror, raw) => {
      const read = sharpRow(raw);
      if (read === undefined) return mirror.lock(String(raw['id']));
      mirror.putGame(read.game);
      mirror.put(read.row);
    },
  );
});

test("Polymarket's events and books: no outcome without a token, no invalid best price", () => {
  const listed = {
    id: '1',
    slug: 'nba-bos-lal-2026-11-22',
    title: 'Celtics vs. Lakers',
    startTime: '2026-11-22T20:00:00Z',
    gameId: 5,
    teams: [
      { name: 'Celtics', abbreviation: 'bos', ordering: 'away' },
      { name: 'Lakers', abbreviation: 'lal', ordering: 'home' },
    ],
    markets: ['moneyline', 'spreads', 'totals'].map((sportsMarketType, i) => ({
      id: String(10 + i),
      conditionId: `0x${i}`,
      outcomes: sportsMarketType === 'totals' ? '["Over","Under"]' : '["Celtics","Lakers"]',
      clobTokenIds: `["${i}1","${i}2"]`,
      sportsMarketType,
      line: -3.5 + 100 * i,
      gameStartTime: '2026-11-22 20:00:00+00',
      feeSchedule: { rate: 0.03, exponent: 1 },
      acceptingOrders: true,
    })),
  };
  const source = { league: 'nba', sport: 'basketball', codes: ['nba'], firstIs: 'away' as const };
  fc.assert(
    fc.property(spoilt([[listed]]), (events) => {
      const games = readGames(Array.isArray(events) ? events : [events], source, teams);
      for (const { home, away, startMs, markets } of games) {
        assert.ok(home !== away && Number.isFinite(startMs));
        for (const { id, question } of markets)
          for (const { token, line } of question.outcomes)
            assert.ok(id !== '' && token !== '' && (line === undefined || Number.isFinite(line)));
      }
    }),
    { numRuns: runs(0.5) },
  );
  const book = {
    asset_id: '1',
    timestamp: '1795300000000',
    hash: 'h',
    bids: [{ price: '0.48', size: '30' }],
    asks: [{ price: '0.52', size: '25.5' }],
  };
  fc.assert(
    fc.property(spoilt([book]), (message) => {
      const book = new TokenBook();
      book.carry(0);
      if (!book.replace(fields(message), 1)) assert.ok(!book.good);
      for (const best of [book.asks.best, book.bids.best]) assert.ok(best === null || (best > 0 && best < 1e6));
    }),
    { numRuns: runs(0.2) },
  );
});

test("Kalshi's events and books: no contract without a ticker, no invalid ask", () => {
  const listed = {
    event_ticker: 'KXNBAGAME-26NOV22LALBOS',
    title: 'Game 1: Los Angeles L at Boston',
    milestones: [{ start_date: '2026-11-22T20:00:00Z', related_event_tickers: ['KXNBAGAME-26NOV22LALBOS'] }],
    markets: ['Lakers', 'Boston'].map((yes_sub_title, i) => ({
      ticker: `KXNBAGAME-26NOV22LALBOS-${i}`,
      yes_sub_title,
      market_type: 'binary',
      status: 'active',
      floor_strike: 4.5,
      volume_24h_fp: '10.50',
      expected_expiration_time: '2026-11-23T03:00:00Z',
    })),
  };
  const [series] = seriesOf(['KXNBAGAME']);
  fc.assert(
    fc.property(spoilt([listed]), (raw) => {
      const games = new Map<string, ListedGame>();
      addEvent(fields(raw), series!, () => 'basketball', teams, games);
      for (const { home, away, contracts } of games.values()) {
        assert.notEqual(home.token, away.token);
        for (const { ticker, outcomes } of contracts) assert.ok(ticker.length > 0 && outcomes.length > 0);
      }
    }),
    { numRuns: runs(0.5) },
  );
  const snapshot = {
    market_ticker: 'T',
    yes_dollars_fp: [['0.4400', '25.00']],
    no_dollars_fp: [
      ['0.5400', '10.50'],
      ['0.5300', '1'],
    ],
  };
  const delta = { market_ticker: 'T', price_dollars: '0.4400', delta_fp: '-5.00', side: 'yes' };
  fc.assert(
    fc.property(spoilt([snapshot]), fc.array(spoilt([delta]), { maxLength: 4 }), (first, changes) => {
      const book = new ContractBook();
      book.snapshot(fields(first));
      for (const change of changes) book.delta(fields(change));
      for (const side of ['yes', 'no'] as const) {
        const ask = book.ask(side);
        assert.ok(ask === null || (ask.priceMicros > 0 && ask.priceMicros < 1e6 && ask.countMicros > 0));
      }
    }),
    { numRuns: runs(0.5) },
  );
});

test("Betfair's lines and catalogue: unreadable parts are reported, offers are prices, and memory is bounded", () => {
  const definition = {
    status: 'OPEN',
    inPlay: false,
    marketType: 'MATCH_ODDS',
    bettingType: 'ODDS',
    eventId: '31',
    marketTime: '2026-11-22T20:00:00Z',
    marketBaseRate: 5,
    runners: [{ id: 11, status: 'ACTIVE', sortPriority: 1, hc: 0 }],
  };
  const rc = [
    {
      id: 11,
      hc: 0,
      batb: [
        [0, 1.96, 100],
        [1, 1.95, 5],
      ],
      batl: [[0, 2.02, 30]],
    },
  ];
  const mcm = {
    op: 'mcm',
    id: 2,
    ct: 'SUB_IMAGE',
    clk: 'A',
    initialClk: 'B',
    pt: 1,
    mc: [{ id: '1.5', img: true, marketDefinition: definition, rc }],
  };
  const status = { op: 'status', id: 1, statusCode: 'SUCCESS', connectionClosed: false };
  const isSound = (line: string): void => {
    const message = readMessage(line);
    if (message?.op !== 'mcm') return;
    const cache = new MarketCache(10);
    cache.apply(message.changes, new Set());
    assert.ok(cache.markets.size <= 10);
    for (const { runners } of cache.markets.values())
      for (const { back, lay } of runners.values())
        for (const offer of [back, lay])
          assert.ok(
            offer === undefined ||
              (offer.price > 1 && offer.size > 0 && Number.isFinite(offer.price) && Number.isFinite(offer.size)),
          );
  };
  fc.assert(
    fc.property(fc.array(spoilt([mcm, mcm, status]), { maxLength: 3 }), (lines) => {
      for (const line of lines) isSound(JSON.stringify(line) ?? '');
    }),
    { numRuns: runs(0.5) },
  );
  fc.assert(
    fc.property(garbled([Buffer.from(JSON.stringify(mcm))]), (bytes) => isSound(String(bytes))),
    { numRuns: runs(0.2) },
  );
  const named = {
    marketId: '1.5',
    marketName: 'Match Odds',
    marketStartTime: '2026-11-22T20:00:00Z',
    competition: { id: '1', name: 'NBA' },
    event: { id: '31', name: 'A @ B', openDate: '2026-11-22T20:00:00Z' },
    runners: [{ selectionId: 11, handicap: 0, runnerName: 'A' }],
  };
  fc.assert(
    fc.property(spoilt([[named], { result: [named] }]), (value) => {
      try {
        for (const { id, eventId, startMs } of readCatalogueFile(JSON.stringify(value) ?? ''))
          assert.ok(id !== '' && eventId !== '' && Number.isFinite(startMs));
      } catch (error) {
        assert.match(String(error), /no list of markets|JSON/);
      }
    }),
    { numRuns: runs(0.5) },
  );
});

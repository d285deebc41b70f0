// Venues of the bench: the local ones of the tests with as many markets as are asked for. A question is an outcome whose
// best price comes and goes; what is offered there names the update, so that it is known again wherever it arrives.

import { HOUR_MS } from '../src/base/model/time.js';
import { BetfairVenue, type VenueRunner } from '../test/intake/feeds/betfair/venue.js';
import { KalshiVenue, KEY, KEY_ID } from '../test/intake/feeds/kalshi/venue.js';
import { PLACES, TEAMS } from '../test/intake/feeds/kit/nba-teams.js';
import { StreamServer } from '../test/intake/feeds/kit/stream-server.js';
import { PolymarketVenue } from '../test/intake/feeds/polymarket/venue.js';

export const VENUES = ['polymarket', 'kalshi', 'betfair', 'opticodds', 'sharpapi'] as const;
export type VenueName = (typeof VENUES)[number];

export interface VenueWorld {
  /** Messages to the feed's process. */
  settings: object;
  questions: number;
  /** Offers `count` of a question at a better price; null takes that away. */
  offer(question: number, count: number | null): void;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

const EPL = ['Arsenal', 'Chelsea', 'Liverpool', 'Everton', 'Fulham', 'Brentford', 'Burnley', 'Sunderland'];
const BASE_COUNT = 100;

/** Different pairs of names, `count` of them, each a game at its own hour. */
function pairs<T>(names: readonly T[], count: number): { away: T; home: T; startMs: number; i: number }[] {
  const hourMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 6 * HOUR_MS;
  return Array.from({ length: count }, (_, i) => {
    const first = i % names.length;
    const second = (first + 1 + (Math.floor(i / names.length) % (names.length - 1))) % names.length;
    // The same teams again are a day later.
    const round = Math.floor(i / (names.length * (names.length - 1)));
    return { away: names[first]!, home: names[second]!, startMs: hourMs + round * 48 * HOUR_MS, i };
  });
}

export async function venueWorld(name: VenueName, games: number, marketsEach: number): Promise<VenueWorld> {
  if (name === 'polymarket') return polymarketWorld(games, marketsEach);
  if (name === 'opticodds') return opticWorld(games, marketsEach);
  if (name === 'sharpapi') return sharpWorld(games, marketsEach);
  return name === 'kalshi' ? kalshiWorld(games, marketsEach) : betfairWorld(games, Math.min(9, marketsEach));
}

async function polymarketWorld(games: number, marketsEach: number): Promise<VenueWorld> {
  const venue = new PolymarketVenue();
  await venue.listen();
  const questions: string[] = [];
  for (const { away, home, startMs, i } of pairs(TEAMS, games)) {
    const start = new Date(startMs).toISOString();
    const markets = Array.from({ length: marketsEach }, (_, k) => {
      return { kind: 'totals', outcomes: ['Over', 'Under'] as [string, string], line: 200.5 + k };
    });
    const slug = `nba-a${i}-h${i}-${start.slice(0, 10)}`;
    const { tokens } = venue.list({ slug, series: '10345', start, title: `${away} vs. ${home}`, markets });
    for (const [over, under] of tokens) {
      venue.set(over, 'asks', 52, BASE_COUNT);
      venue.set(under, 'asks', 52, BASE_COUNT);
      questions.push(over);
    }
  }
  const offer = (question: number, count: number | null) => venue.set(questions[question]!, 'asks', 51, count ?? 0);
  return worldOf(venue, { settings: venue.settings, questions: questions.length, offer });
}

function worldOf(
  venue: KalshiVenue | PolymarketVenue,
  rest: Pick<VenueWorld, 'settings' | 'questions' | 'offer'>,
): VenueWorld {
  return { ...rest, cut: () => venue.cut(), close: () => venue.close() };
}

async function kalshiWorld(games: number, marketsEach: number): Promise<VenueWorld> {
  const venue = new KalshiVenue();
  venue.pageMax = 200;
  await venue.listen();
  const questions: string[] = [];
  for (const { away, home, startMs, i } of pairs(PLACES, games)) {
    const start = new Date(startMs).toISOString();
    const ladder = Array.from({ length: marketsEach }, (_, k) => ({ code: `${k}`, yes: 'Over', strike: 200.5 + k }));
    for (const ticker of venue.list('KXNBATOTAL', `26NOV22A${i}H${i}`, `${away} at ${home}: Total`, ladder, start)) {
      venue.set(ticker, 'no', 48, BASE_COUNT);
      venue.set(ticker, 'yes', 48, BASE_COUNT);
      questions.push(ticker);
    }
  }
  const key = KEY.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const offer = (question: number, count: number | null) => venue.set(questions[question]!, 'no', 49, count ?? 0);
  return worldOf(venue, { settings: { ...venue.settings, keyId: KEY_ID, key }, questions: questions.length, offer });
}

async function betfairWorld(games: number, marketsEach: number): Promise<VenueWorld> {
  const venue = new BetfairVenue();
  await venue.listen();
  const questions: { market: Parameters<BetfairVenue['put']>[0]; runner: VenueRunner }[] = [];
  for (const { away, home, startMs, i } of pairs(EPL, games))
    for (let k = 0; k < marketsEach; k++) {
      const runner = (id: number, side: string): VenueRunner =>
        ({ id, name: `${side} ${k}.5 Goals`, status: 'ACTIVE', back: [[1.96, BASE_COUNT]], lay: [] }) as VenueRunner;
      const market = {
        id: `1.${20_000_000 + i * 10 + k}`,
        type: `OVER_UNDER_${k}5`,
        bettingType: 'ODDS',
        eventId: String(31_000_000 + i),
        eventName: `${home} v ${away}`,
        eventTypeId: '1',
        competition: 'English Premier League',
        startMs,
        status: 'OPEN',
        inPlay: false,
        runners: [runner(47_000 + k, 'Under'), runner(48_000 + k, 'Over')],
      };
      venue.put(market);
      questions.push({ market, runner: market.runners[1]! });
    }
  return {
    settings: { port: venue.port, url: venue.url },
    questions: questions.length,
    offer: (question, count) => {
      const { market, runner } = questions[question]!;
      const base: [number, number] = [1.96, BASE_COUNT];
      runner.back = count === null ? [base] : [[2, count], base];
      venue.change(market, [runner]);
    },
    cut: () => {
      for (const { socket } of venue.clients) socket.destroy();
    },
    close: () => venue.close(),
  };
}

/** OpticOdds' stream of one book with sizes: an offer is a price whose limit names the update, else it is locked. */
async function opticWorld(games: number, marketsEach: number): Promise<VenueWorld> {
  const listed = pairs(TEAMS, games).map(({ away, home, startMs, i }) => ({
    id: `g${i}`,
    home_team_display: home,
    away_team_display: away,
    start_date: new Date(startMs).toISOString(),
    status: 'unplayed',
    league: { id: 'nba' },
  }));
  const odd = (fixture: string, k: number, side: string, price: number, size: number) => ({
    id: `${fixture}:${k}:${side}`,
    fixture_id: fixture,
    sportsbook: 'Kalshi',
    market_id: 'total_points',
    name: `${side} ${200.5 + k}`,
    selection: '',
    selection_line: side,
    points: 200.5 + k,
    price,
    is_main: k === 0,
    timestamp: Date.now() / 1000,
    limits: { max: size },
    order_book: [[price, size]],
  });
  const sides = ['over', 'under'];
  const service = new (class extends StreamServer {
    override joined(): [string, unknown][] {
      return [['connected', 'ok go']];
    }

    override answer(url: URL): unknown {
      if (url.pathname.endsWith('/fixtures/active')) return { data: listed, has_more: false };
      const data = url.searchParams.getAll('fixture_id').map((id) => ({
        id,
        odds: Array.from({ length: 2 * marketsEach }, (_, i) => odd(id, i >> 1, sides[i % 2]!, -105, BASE_COUNT)),
      }));
      return { data };
    }
  })();
  await service.listen();
  let entries = 0;
  return {
    settings: { url: service.url },
    questions: games * marketsEach,
    offer: (question, count) => {
      const [game, k] = [Math.floor(question / marketsEach), question % marketsEach];
      const entry_id = `${Date.now()}-${entries++ % 9_999}`;
      const data = [odd(`g${game}`, k, 'over', count === null ? -105 : 101, count ?? BASE_COUNT)];
      service.emit('odds', { entry_id, type: 'odds', data }, entry_id);
    },
    cut: () => service.cut(),
    close: () => service.close(),
  };
}

/** SharpAPI's stream of one book: an offer is a price that times the row's size names the update. */
async function sharpWorld(games: number, marketsEach: number): Promise<VenueWorld> {
  let changedMs = Date.now();
  const listed = pairs(TEAMS, games).flatMap(({ away, home, startMs, i }) =>
    Array.from({ length: 2 * marketsEach }, (_, k) => ({
      id: `g${i}:${k >> 1}:${k % 2}`,
      sportsbook: 'kalshi',
      event_id: `g${i}`,
      league: 'nba',
      home_team: home,
      away_team: away,
      event_start_time: new Date(startMs).toISOString(),
      market_type: 'total_points',
      selection: k % 2 === 0 ? 'Over' : 'Under',
      selection_type: k % 2 === 0 ? 'over' : 'under',
      line: 200.5 + (k >> 1),
      odds_american: -105,
      odds_decimal: 1.952_381,
      odds_changed_at: new Date(changedMs).toISOString(),
      size: BASE_COUNT,
      is_live: false,
      is_alternate_line: k > 1,
    })),
  );
  const service = new (class extends StreamServer {
    override joined(): [string, unknown][] {
      return [
        ['connected', {}],
        ['snapshot', { odds: listed }],
        ['snapshot:complete', {}],
      ];
    }

    override answer(): unknown {
      return { data: [], removed: [], meta: { server_time: new Date(changedMs).toISOString() } };
    }
  })();
  await service.listen();
  return {
    settings: { url: service.url },
    questions: games * marketsEach,
    offer: (question, count) => {
      const { id, line, is_live } = listed[2 * question]!;
      changedMs = Math.max(changedMs + 1, Date.now());
      const price = count === null ? { odds_american: -105 } : { odds_decimal: count / BASE_COUNT };
      const odds = [{ id, line, is_live, ...price, odds_changed_at: new Date(changedMs).toISOString() }];
      service.emit('odds:update', { odds }, `evt_${changedMs}`);
    },
    cut: () => service.cut(),
    close: () => service.close(),
  };
}

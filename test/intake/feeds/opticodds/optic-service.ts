// OpticOdds as documented: a table of odds, its stream and its REST API. Odds that are not offered are not in REST.
import { StreamServer } from '../kit/stream-server.js';

export interface OpticOdd {
  id: string;
  sportsbook: string;
  market_id: string;
  name: string;
  selection: string;
  selection_line: string | null;
  points: number | null;
  price: number;
  is_main: boolean;
  timestamp: number;
  locked: boolean;
}

/** By the ids with which they are asked for. */
const BOOKS: Readonly<Record<string, string>> = { dk_us: 'DraftKings', pinnacle: 'Pinnacle' };
export const GAMES = [
  ['20261121AAAA0001', 'Los Angeles Lakers', 'Boston Celtics'],
  ['20261121AAAA0002', 'Miami Heat', 'Chicago Bulls'],
] as const;

export class OpticService extends StreamServer {
  readonly odds = new Map<string, OpticOdd & { fixture: string }>();
  /** Its list of games never ends, and has none. */
  endless = false;
  readonly fixtures = new Set<string>(GAMES.map(([id]) => id));
  #entries = 0;
  readonly startMs = Date.now() + 2 * 3_600_000;

  constructor() {
    super();
    for (const [fixture, home, away] of GAMES)
      for (const sportsbook of Object.values(BOOKS)) {
        const add = (market_id: string, selection: string, points: number | null, price: number, over = '') => {
          const id = `${fixture}:${sportsbook}:${market_id}:${selection}${over}${points ?? ''}`;
          const selection_line = over === '' ? null : over;
          const name = `${selection || over} ${points ?? ''}`.trim();
          this.odds.set(id, {
            id,
            sportsbook,
            market_id,
            name,
            selection,
            selection_line,
            points,
            price,
            is_main: true,
            // Dated ahead of the stream's entries.
            timestamp: Date.now() / 1000 + 3_600,
            locked: false,
            fixture,
          });
        };
        add('moneyline', home, null, -120);
        add('moneyline', away, null, 104);
        add('point_spread', home, -2.5, -110);
        add('point_spread', away, 2.5, -110);
        add('total_points', '', 221.5, -108, 'over');
        add('total_points', '', 221.5, -112, 'under');
        add('player_points', 'LeBron James', 25.5, -115, 'over');
        add('1st_half_race_to_20_points', home, null, 110);
      }
  }

  /** A new price, told to the streams; also unlocks. */
  change(id: string, price: number): void {
    const odd = this.odds.get(id)!;
    Object.assign(odd, { price, timestamp: Date.now() / 1000, locked: false });
    this.#tell('odds', odd);
  }

  lock(id: string, told: { price?: number | null } = {}): void {
    const odd = this.odds.get(id)!;
    odd.locked = true;
    this.#tell('locked-odds', { ...odd, ...told });
  }

  #tell(
    type: string,
    { fixture, locked: _locked, ...odd }: Omit<OpticOdd, 'price'> & { fixture: string; price: number | null },
  ): void {
    const entry_id = `${Date.now()}-${this.#entries++ % 1_000}`;
    const data = [{ ...odd, fixture_id: fixture, sport: 'basketball', league_id: 'nba' }];
    this.emit(type, { entry_id, type, data }, entry_id);
  }

  override joined(): [string, unknown][] {
    return [['connected', 'ok go']];
  }

  override answer(url: URL): unknown {
    if (url.pathname === '/api/v3/fixtures/active') {
      const data = GAMES.filter(([id]) => this.fixtures.has(id)).map(([id, home, away]) => ({
        id,
        home_team_display: home,
        away_team_display: away,
        start_date: new Date(this.startMs).toISOString(),
        status: 'unplayed',
        league: { id: 'nba' },
      }));
      return { data: this.endless ? [] : data, has_more: this.endless, page: 1 };
    }
    if (url.pathname !== '/api/v3/fixtures/odds') return undefined;
    const books = url.searchParams.getAll('sportsbook').map((id) => BOOKS[id]!);
    const data = url.searchParams.getAll('fixture_id').map((id) => ({
      id,
      odds: [...this.odds.values()]
        .filter((odd) => odd.fixture === id && !odd.locked && books.includes(odd.sportsbook))
        .map(({ fixture: _fixture, locked: _locked, ...odd }) => odd),
    }));
    return { data };
  }

  /** As the table should have it: selection, line, price. Of locked odds REST does not tell the last price. */
  shown(book: string): string[] {
    return [...this.odds.values()]
      .filter(({ sportsbook, fixture }) => sportsbook.toLowerCase() === book && this.fixtures.has(fixture))
      .map(({ fixture, market_id, selection, selection_line, points, price, locked }) =>
        [fixture, market_id, selection_line ?? selection, points, locked ? 'locked' : price].join(' '),
      )
      .sort();
  }
}

// A shard, its table and a broadcaster without threads, disk or sockets: the real parts of the stream, driven by the
// test.

import { ManualClock } from '../../src/base/model/clock.js';
import type { NormalMessage, Rejection } from '../../src/base/model/normal-message.js';
import type { BroadcasterOptions } from '../../src/broadcast/broadcaster.js';
import { Broadcaster } from '../../src/broadcast/broadcaster.js';
import type { CutSizes } from '../../src/broadcast/change-frames.js';
import type { IngestMessage } from '../../src/intake/ingest/message.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import { decodeDelta } from '../../src/log/delta/delta.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { ResultsBoard } from '../../src/tables/results.js';
import { OddsTable } from '../../src/tables/table.js';
import { Shard } from '../../src/writer/shard/shard.js';
import { latest } from '../intake/ingest/messages.js';
import { memoryStore } from '../writer/shard/memory-store.js';

export const START_MS = Date.UTC(2026, 10, 20, 18);
const catalogue = loadCatalogue();

/** A store that stores nothing; the delta is encoded all the same. */

/** Sizes so small that almost nothing is sent in one piece; `items` rows or items of a kind in one part. */
export function smallSizes(
  items: number,
  sizes: Pick<CutSizes, 'snapshotRows' | 'chunkBytes' | 'turnBytes'>,
  listed = 5,
): CutSizes {
  return {
    ...sizes,
    items: { removed: items, updated: items, added: items, news: items },
    listed: { rows: listed, ids: listed },
  };
}

export class World {
  readonly clock = new ManualClock(START_MS);
  readonly catalogue = catalogue;
  readonly table = new OddsTable(catalogue);
  readonly broadcaster: Broadcaster;
  readonly #shard = new Shard(0, catalogue, memoryStore, []);

  constructor(options: Partial<BroadcasterOptions> = {}) {
    this.table.position = START_MS * 1000;
    this.table.tombstones.completeFrom = this.table.position;
    this.broadcaster = new Broadcaster({
      table: this.table,
      results: new ResultsBoard([], []),
      control: { changesFrom: 0, *changesAfter() {}, onChange: () => () => undefined, value: () => undefined },
      catalogue,
      epoch: 'e',
      clock: this.clock,
      ...options,
    });
  }

  /** Commits messages as one batch, 1 ms after the last. */
  ingest(...raw: IngestMessage[]): void {
    this.clock.set(this.clock.now() + 1);
    const rejected: Rejection[] = [];
    const messages: NormalMessage[] = [];
    for (const message of raw) {
      const normal = normalise(
        message,
        '',
        { catalogue, clock: latest, leagueOfEvent: (id) => this.table.events.get(id) },
        rejected,
      );
      if (normal === undefined || rejected.length > 0) throw new Error(JSON.stringify(rejected));
      messages.push(normal);
    }
    const { delta } = this.#shard.apply(messages, this.clock.now() * 1000);
    if (delta === null) return;
    const committed = decodeDelta(delta);
    this.broadcaster.apply(this.table.apply(committed), committed);
  }

  /** Sends a heartbeat now. */
  beat(): void {
    this.broadcaster.beat();
  }

  /** Every row as `/odds` would show it. */
  rows(): Record<string, unknown>[] {
    const rows: Record<string, unknown>[] = [];
    const { columns, json } = this.table;
    for (let slot = 1; slot < columns.limit; slot++) if (columns.id.has(slot)) rows.push(JSON.parse(json.text(slot)));
    return rows;
  }
}

/** Loop turns in which even the largest sequence of frames of a test is sent, a few chunks per turn. */
const TURNS = 60;

/** Lets the requested ticks run. */
export function settle(budget = TURNS): Promise<void> {
  return new Promise((resolve) => {
    let left = budget;
    const turn = (): void => void (left-- > 0 ? setImmediate(turn) : resolve());
    turn();
  });
}

export const TEAMS = {
  nba: ['Boston Celtics', 'Miami Heat', 'Denver Nuggets', 'Chicago Bulls'],
  nfl: ['Buffalo Bills', 'Miami Dolphins', 'Dallas Cowboys', 'New York Giants'],
} as const;

/** A book's prices of one game: both sides of a market at a line. */
export interface Quote {
  market: 'moneyline' | 'point_spread' | 'total_points';
  line: number;
  price: number;
  /** A line beside the main one: a row of its own. */
  alternate?: boolean;
  suspended?: boolean;
  /** Its sides have a ladder that differs with this number. */
  ladder?: number | undefined;
  /** Link of its sides. */
  link?: string;
}

/** A poll of one book: its games (by number, an even team against an odd one) with their quotes. */
export function poll(
  world: World,
  book: string,
  league: keyof typeof TEAMS,
  scope: 'event' | 'league' | 'none',
  games: readonly { game: 0 | 1; quotes: readonly Quote[]; live?: boolean }[],
): IngestMessage {
  return {
    book,
    polled_at: new Date(world.clock.now() + 1).toISOString(),
    scope,
    league,
    events: games.map(({ game, quotes, live }) => {
      const home = TEAMS[league][game * 2]!;
      const away = TEAMS[league][game * 2 + 1]!;
      return {
        league,
        home_team: home,
        away_team: away,
        start_time: new Date(START_MS + 48 * 3_600_000).toISOString(),
        ...(live === undefined ? {} : { is_live: live }),
        markets: quotes.map((quote) => marketOf(quote, home, away)),
      };
    }),
  };
}

function marketOf(
  { market, line, price, alternate = false, suspended = false, ladder, link }: Quote,
  home: string,
  away: string,
) {
  const side = (selection: string, selection_type: string, at: number | null, odds_american: number) => ({
    selection,
    selection_type,
    line: at,
    odds_american,
    is_alternate_line: alternate,
    ...(suspended ? { is_active: false } : {}),
    ...(link === undefined ? {} : { deep_link: link }),
    ...(ladder === undefined
      ? {}
      : { size: 50, depth: { back: [[1.5, 50] as const], lay: [[1.6 + ladder, 7.25] as const] } }),
  });
  if (market === 'total_points')
    return {
      market_type: market,
      selections: [side('Over', 'over', 200 + line, price), side('Under', 'under', 200 + line, -price)],
    };
  const spread = market === 'point_spread';
  return {
    market_type: market,
    selections: [side(home, 'home', spread ? -line : null, price), side(away, 'away', spread ? line : null, -price)],
  };
}

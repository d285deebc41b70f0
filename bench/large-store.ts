// Makes a data directory as a day of many books leaves it: 28 books x 600 events x 30 rows, about 500,000 rows, written
// through the same shards as live odds. Benches of loading, reading and streaming start from it.
//   node dist/bench/large-store.js DIR [books=28] [events=600] [shards=1]
import { pathToFileURL } from 'node:url';
import { type Clock, ManualClock, systemClock } from '../src/base/model/clock.js';
import type { NormalMessage } from '../src/base/model/normal-message.js';
import { formatMs, HOUR_MS } from '../src/base/model/time.js';
import type { IngestEvent, IngestMarket, IngestMessage } from '../src/intake/ingest/message.js';
import { normalise } from '../src/intake/ingest/normalise.js';
import type { Catalogue } from '../src/rules/catalogue/catalogue.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import { openDataDirectory } from '../src/store/data-directory.js';
import { shardOfLeague } from '../src/writer/pool/shard-queues.js';
import { ShardWriter } from '../src/writer/pool/shard-writer.js';
import { Shard } from '../src/writer/shard/shard.js';

export interface LargeStoreOptions {
  dir: string;
  books: number;
  events: number;
  shards: number;
  clock: Clock;
}

const LEAGUES = ['nba', 'nhl', 'mlb', 'nfl', 'epl', 'mls'];
const PROPS = 8;
const FIRST_START_MS = Date.UTC(2090, 0, 1);
/** The log of the filling itself is of no use to anybody. */
const RETENTION = { logSeconds: 0, logBytesMax: 1024 * 1024, fileBytesMax: 64 * 1024 * 1024 * 1024 };

/** Fills a new data directory; answers how many rows it holds. */
export async function makeLargeStore(options: LargeStoreOptions): Promise<number> {
  const catalogue = loadCatalogue();
  const nowMs = options.clock.now();
  // Filled as over the last hour, so that nearly all of it is older than the log must be.
  const clock = new ManualClock(nowMs - HOUR_MS);
  const directory = openDataDirectory(options.dir, options.shards, clock);
  const shards = directory.envs.map((env, no) => new Shard(no, catalogue, new ShardWriter(env, catalogue, RETENTION)));
  const books = catalogue.books.slice(0, options.books).map((book) => book.id);
  const pollAll = (no: number): void => {
    const league = LEAGUES[no % LEAGUES.length]!;
    const batch = books.map((book, bookNo) => read(messageOf(book, bookNo, league, no, clock.now()), catalogue, clock));
    shards[shardOfLeague(league, shards.length)]!.apply(batch, Math.floor(clock.now() * 1000) + no);
  };
  for (let no = 0; no < options.events; no++) {
    clock.set(nowMs - HOUR_MS + (no / options.events) * HOUR_MS);
    pollAll(no);
  }
  clock.set(nowMs);
  for (let no = 0; no < Math.min(options.events, LEAGUES.length); no++) pollAll(no);
  const rows = shards.reduce((sum, shard) => sum + shard.rowCount, 0);
  await directory.close();
  return rows;
}

function read(message: IngestMessage, catalogue: Catalogue, clock: Clock): NormalMessage {
  const normal = normalise(message, '', { catalogue, clock, leagueOfEvent: () => undefined }, []);
  if (normal === undefined) throw new Error(`not a message: ${JSON.stringify(message).slice(0, 200)}`);
  return normal;
}

function messageOf(book: string, bookNo: number, league: string, no: number, nowMs: number): IngestMessage {
  const event: IngestEvent = {
    league,
    home_team: `Home Town United ${no}`,
    away_team: `Away City Rovers ${no}`,
    start_time: formatMs(FIRST_START_MS + (no % 96) * 1_800_000),
    external_id: `${book}-${no}`,
    markets: marketsOf(no, bookNo),
  };
  return { book, polled_at: formatMs(nowMs), scope: 'event', events: [event] };
}

/** Thirty selections: three main markets, four alternate totals, eight players over and under. */
function marketsOf(no: number, bookNo: number): IngestMarket[] {
  const price = (salt: number): number => -125 + ((no * 7 + bookNo * 3 + salt * 11) % 25);
  const pair = (types: readonly [string, string], line: number | null, salt: number, alternate: boolean) =>
    types.map((type, side) => ({
      selection: type,
      selection_type: type,
      line: line === null || side === 0 || type === 'under' ? line : -line,
      odds_american: price(salt + side),
      is_alternate_line: alternate,
    }));
  const sides = ['home', 'away'] as const;
  const counts = ['over', 'under'] as const;
  const markets: IngestMarket[] = [
    { market_type: 'moneyline', selections: pair(sides, null, 0, false) },
    { market_type: 'point_spread', selections: pair(sides, -3.5, 2, false) },
    { market_type: 'total_points', selections: pair(counts, 220.5, 4, false) },
  ];
  for (const [i, line] of [216.5, 218.5, 222.5, 224.5].entries())
    markets.push({ market_type: 'total_points', selections: pair(counts, line, 6 + i, true) });
  for (let player = 0; player < PROPS; player++)
    markets.push({
      market_type: 'player_points',
      player_name: `Given Surname ${no}-${player}`,
      stat_category: 'points',
      selections: pair(counts, 10.5 + player, 20 + player, false),
    });
  return markets;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [dir = './large-store', books = '28', events = '600', shards = '1'] = process.argv.slice(2);
  const startedMs = systemClock.now();
  const rows = await makeLargeStore({
    dir,
    books: Number(books),
    events: Number(events),
    shards: Number(shards),
    clock: systemClock,
  });
  process.stdout.write(`${rows} rows in ${dir} after ${Math.round(systemClock.now() - startedMs)} ms\n`);
}

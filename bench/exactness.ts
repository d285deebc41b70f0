// Whether a stream's contents after a storm equal the server's: speed that loses a price is worthless. Followed with
// the typed client, as a user's program would.
import { OverroundClient } from '../src/client/client.js';
import type { OddsRow } from '../src/client/types.js';
import type { Bench } from './bench.js';
import { CHANGES_PER_POST, JUDGED_RATE, type Served } from './delays.js';
import { movingPosts } from './overround.js';
import { wait } from './process.js';
import { atRate } from './publisher.js';

const STORM_MS = 500;
const SETTLED_AFTER_MS = 10;
const SETTLE_MS_MAX = 10_000;

/** Prints the number of rows compared; throws if one differs. */
export async function tellExactness(bench: Bench, { server, market, where }: Served): Promise<void> {
  const client = new OverroundClient({ url: `http://127.0.0.1:${server.port}`, apiKey: server.key });
  const filter = { league: market.league(0) };
  const stream = client.stream('odds', filter);
  await stream.ready;
  const publisher = server.publisher();
  const posts = movingPosts(market, CHANGES_PER_POST);
  await atRate(JUDGED_RATE / CHANGES_PER_POST, STORM_MS, (i) => publisher.post(posts[i % posts.length]!.stamped()));
  publisher.close();
  const rows: OddsRow[] = [];
  for await (const row of client.allOdds(filter)) rows.push(row);
  const wrong = (): OddsRow[] => rows.filter((row) => !isSame(stream.table.odds.get(row.id), row));
  // The last commit may still be under way.
  for (let waited = 0; wrong().length > 0 && waited < SETTLE_MS_MAX; waited += SETTLED_AFTER_MS)
    await wait(SETTLED_AFTER_MS);
  const different = wrong();
  const extra = stream.table.odds.size - rows.length;
  stream.close();
  await stream.ended;
  if (different.length > 0 || extra !== 0)
    throw new Error(
      `a client that followed has ${different.length} rows of ${rows.length} wrong and ${extra} too many`,
    );
  bench.figure(`rows of a client that followed a storm, all as /odds has them${where.name}`, rows.length, 'rows');
}

const STATE = ['odds_american', 'odds_decimal', 'line', 'is_live', 'odds_changed_at'] as const;

function isSame(followed: OddsRow | undefined, row: OddsRow): boolean {
  return followed !== undefined && STATE.every((field) => followed[field] === row[field]);
}

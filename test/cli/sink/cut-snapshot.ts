// A sink whose connection is cut when the first rows of a large snapshot are written, and comes to its end after that.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { SinkRun } from '../../../src/cli/sink/follow.js';
import type { Target } from '../../../src/cli/sink/target.js';
import { type OddsRow, OverroundClient } from '../../../src/client/client.js';
import { WebSocketClass } from '../../client/ws-package.js';
import { api, type Json } from '../../front/api.js';
import { type Ending, shared } from '../../shared.js';
import { proxyTo } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

/** Of one book: there are no opportunities to be found. */
const BOOK = 'draftkings';
const GAMES = [
  ['Boston Celtics', 'Miami Heat'],
  ['Denver Nuggets', 'Phoenix Suns'],
  ['Chicago Bulls', 'Utah Jazz'],
  ['Atlanta Hawks', 'Brooklyn Nets'],
  ['Dallas Mavericks', 'Orlando Magic'],
] as const;
const LINES = 1_000;

function prices(home_team: string, away_team: string, lines: number): object {
  const selections = Array.from({ length: lines }, (_, i) =>
    ['over', 'under'].map((selection_type) => ({
      selection: selection_type,
      selection_type,
      line: i + 0.5,
      is_alternate_line: i > 0,
      odds_american: selection_type === 'over' ? 100 + i : -101 - i,
    })),
  ).flat();
  const markets = lines === 0 ? [] : [{ market_type: 'total_points', selections }];
  return { book: BOOK, events: [{ league: 'nba', home_team, away_team, start_time: '2026-11-22T00:00:00Z', markets }] };
}

const all = (): object[] => GAMES.map(([home, away]) => prices(home, away, LINES));

/** 10,000 rows. */
async function marketOf(t: Ending) {
  const served = await api(t, { history: '7' });
  await served.ingest(...all());
  const link = await proxyTo(t, served.url);
  const client = new OverroundClient({ url: link.url, apiKey: served.key('enterprise'), WebSocket: WebSocketClass });
  const stream = client.socket(['odds']);
  await stream.ready;
  stream.close();
  await stream.ended;
  return { served, snapshotBytes: link.passed() };
}

export interface CutSnapshot {
  said: string[];
  /** Of the rows that the server has in the end. */
  standing: number;
}

/**
 * For a test file, whose server it is: follows until the target has the whole snapshot. Some of what it wrote goes while the
 * connection is down.
 */
export function cutSnapshots(): (t: TestContext, target: Target, name: string) => Promise<CutSnapshot> {
  const market = shared(marketOf);
  return async (t, target, name) => cutSnapshot(t, target, name, await market());
}

async function cutSnapshot(
  t: TestContext,
  target: Target,
  name: string,
  { served, snapshotBytes }: Awaited<ReturnType<typeof marketOf>>,
): Promise<CutSnapshot> {
  const { url, ingest } = served;
  const apiKey = served.key('enterprise');
  const rows = async (): Promise<number> => {
    const answer = await served.fetch('/odds?limit=1', { key: apiKey });
    return ((await answer.json()) as Json).pagination.total;
  };
  await ingest(...all());
  const link = await proxyTo(t, url);
  const said: string[] = [];
  const ending = new AbortController();
  const run = new SinkRun({
    url: link.url,
    apiKey,
    name,
    filters: {},
    target,
    WebSocket: WebSocketClass,
    tell: (text) => said.push(text),
    signal: ending.signal,
  });
  let writes = 0;
  const write = target.write.bind(target);
  target.write = async (part) => {
    await write(part);
    if (++writes !== 1) return;
    const [{ home_team, away_team }] = part.put as [OddsRow];
    await ingest(prices(home_team, away_team, 0));
    link.drop();
  };
  // More than what is written at once, less than all.
  link.stopAfter(snapshotBytes * 0.8);
  const over = run.run();
  try {
    await Promise.race([
      until(
        () => said.join('\n'),
        () => run.status.commits > 0,
      ),
      over,
    ]);
  } finally {
    ending.abort();
  }
  await over;
  assert.ok(writes > 2 && said.some((text) => text.startsWith('lost the server')), said.join('\n'));
  return { said, standing: await rows() };
}

// `sportsbook=` on prices above fair: the rows are of these books and counted, ordered and paged as such, and the fair price
// stays that of every book; on REST, both streams and MCP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.js';
import { type Api, api, type Json } from '../api.js';
import { call, connect } from '../mcp/clients.js';
import { RawSse } from '../stream-rig.js';
import { RawWs } from '../ws/raw-ws.js';

const GAMES = 30;
const OWN = 'caesars';

/** Of each game: the best price is at books without an account, the fair one at one that is not asked for. */
function poll(book: string, home: number, away: number): object {
  return {
    book,
    events: Array.from({ length: GAMES }, (_, game) => {
      const [home_team, away_team] = [`Homers ${game}`, `Visitors ${game}`];
      const selections = [
        { selection: 'home', selection_type: 'home', odds_american: home },
        { selection: 'away', selection_type: 'away', odds_american: away },
      ];
      const markets = [{ market_type: 'moneyline', selections }];
      return { league: 'nba', home_team, away_team, start_time: '2026-11-24T00:30:00Z', markets };
    }),
  };
}

async function market(made: Api): Promise<void> {
  await made.ingest(
    poll('pinnacle', -105, -105),
    poll('draftkings', 118, -140),
    poll('fanduel', 115, -138),
    poll(OWN, 108, -130),
    poll('betmgm', -104, -116),
  );
}

const said = ({ sportsbook, sharp_book }: Json): string => `${sportsbook} by ${sharp_book}`;

test('a page of one book among better ones is full, and judged by a book that is not asked for', async (t) => {
  const made = await api(t);
  await market(made);
  const key = made.key('enterprise');
  const list = async (query: string): Promise<Json> => {
    const answer = await made.fetch(`/opportunities/ev?limit=20&${query}`, { key });
    assert.equal(answer.status, 200, query);
    return (await answer.json()) as Json;
  };
  const all = await list('');
  assert.equal(
    all.data.some(({ sportsbook }: Json) => sportsbook === OWN),
    false,
    'the others come first',
  );
  for (const [fair, reference] of [
    ['', 'pinnacle'],
    ['devig=shin', 'pinnacle'],
    ['devig_book=betmgm', 'betmgm'],
    ['devig_book=betmgm&devig=additive&min_ev=1', 'betmgm'],
  ] as const) {
    const first = await list(`sportsbook=${OWN}&${fair}`);
    assert.deepEqual([...new Set(first.data.map(said))], [`${OWN} by ${reference}`], fair);
    assert.deepEqual([first.data.length, first.pagination.total, first.pagination.has_more], [20, GAMES, true], fair);
    const second = await list(`sportsbook=${OWN}&${fair}&offset=20`);
    const ids = new Set([...first.data, ...second.data].map(({ id }: Json) => id));
    assert.deepEqual([second.data.length, ids.size], [GAMES - 20, GAMES], fair);
  }
});

test('streams and the tool have the same rows', async (t) => {
  const made = await api(t);
  const key = made.key('enterprise', { streaming: true });
  await market(made);
  const tools = await connect(t, made.url, key);
  for (const [fair, reference] of [
    [{}, 'pinnacle'],
    [{ devig_book: 'betmgm' }, 'betmgm'],
  ] as const) {
    const sse = new RawSse(
      made,
      `/stream?${new URLSearchParams({ channel: 'ev', min_ev: '0', sportsbook: OWN, ...fair })}`,
      key,
    );
    const ws = new RawWs(made, { api_key: key });
    await until('it is open', () => ws.frames.length > 0);
    const filters = { sportsbooks: [OWN], min_ev: 0, ...fair };
    ws.socket.send(JSON.stringify({ type: 'subscribe', channels: ['ev'], filters }));
    const found = (): string[] =>
      sse.events.flatMap(({ event, data }) => (event === 'ev:detected' ? (JSON.parse(data) as Json[]).map(said) : []));
    await until('all are detected', () => found().length === GAMES);
    assert.deepEqual([...new Set(found())], [`${OWN} by ${reference}`]);
    const row = new RegExp(`"sharp_book":"${reference}"`, 'g');
    const sent = (): string => JSON.stringify(ws.frames).replaceAll('\\"', '"');
    await until('over WebSocket too', () => [...sent().matchAll(row)].length === GAMES);
    sse.vanish();
    ws.socket.terminate();
    const { structuredContent: told } = await call(tools, 'find_ev_opportunities', {
      sportsbook: OWN,
      limit: 5,
      ...fair,
    });
    assert.deepEqual([...new Set((told as Json).data.map(said))], [`${OWN} by ${reference}`]);
  }
});

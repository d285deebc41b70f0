// The stream of a service with SharpAPI's interface: a local one with its faults, and another overround.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SharpApiFeed } from '../../../../src/intake/feeds/sharpapi/feed.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { stopwatch } from '../../../support/own-time.js';
import { eventually } from '../../../support/until.js';
import { feedIn } from '../access.js';
import { type Served, served } from '../kit/served.js';
import { StreamServer } from '../kit/stream-server.js';

interface Row {
  id: string;
  price: number;
  changedMs: number;
}

/** As documented: snapshots, updates with only what may change, removals, heartbeats, and GET /odds/delta. */
class SharpService extends StreamServer {
  readonly rows = new Map<string, Row>();
  readonly #removed = new Map<string, number>();
  readonly startMs = Date.now() + 3_600_000;
  /** Everything so far was in a snapshot. */
  #clockMs = Date.now();
  /** The log of changes does not reach back. */
  overflows = false;

  constructor() {
    super();
    for (let i = 0; i < 20; i++) this.rows.set(`r${i}`, { id: `r${i}`, price: 100 + i, changedMs: this.#clockMs });
  }

  /** Strictly increasing: positions of the service. */
  #now(): number {
    this.#clockMs = Math.max(this.#clockMs + 1, Date.now());
    return this.#clockMs;
  }

  #full({ id, price, changedMs }: Row) {
    const game = Number(id.slice(1)) % 2;
    const book = Number(id.slice(1)) % 4 < 2 ? 'fanduel' : 'draftkings';
    return {
      id,
      sportsbook: book,
      event_id: `nba_${game}`,
      sport: 'basketball',
      league: 'nba',
      home_team: game === 0 ? 'Miami Heat' : 'Utah Jazz',
      away_team: game === 0 ? 'Chicago Bulls' : 'Denver Nuggets',
      market_type: 'total_points',
      selection: 'Over',
      selection_type: 'over',
      line: 200.5 + Number(id.slice(1)),
      odds_american: price,
      odds_decimal: Math.round((1 + price / 100) * 1e6) / 1e6,
      odds_probability: 0.5,
      event_start_time: new Date(this.startMs).toISOString(),
      last_seen_at: new Date(changedMs).toISOString(),
      odds_changed_at: new Date(changedMs).toISOString(),
      is_live: false,
      is_alternate_line: true,
    };
  }

  change(id: string, price: number): void {
    const row = this.rows.get(id)!;
    Object.assign(row, { price, changedMs: this.#now() });
    const { odds_american, odds_decimal, odds_probability, line, is_live, odds_changed_at } = this.#full(row);
    const delta = { id, odds_american, odds_decimal, odds_probability, line, is_live, odds_changed_at };
    this.emit('odds:update', { odds: [delta], count: 1, book: 'fanduel', partial: false }, `evt_${this.#clockMs}`);
  }

  /** The documented stream does not tell of new rows before the next snapshot. */
  add(id: string): void {
    this.rows.set(id, { id, price: 111, changedMs: this.#now() });
  }

  remove(id: string): void {
    this.rows.delete(id);
    this.#removed.set(id, this.#now());
    this.emit('odds:removed', { ids: [id], count: 1, book: 'fanduel' });
  }

  override joined(): [string, unknown][] {
    const odds = [...this.rows.values()].map((row) => this.#full(row));
    const half = odds.length / 2;
    return [
      ['connected', { stream_id: 's', channel: 'odds', filters: {}, reconnected: false }],
      ['snapshot', { odds: odds.slice(0, half), count: half, total: odds.length, offset: 0, has_more: true }],
      ['snapshot', { odds: odds.slice(half), count: half, total: odds.length, offset: half, has_more: false }],
      ['snapshot:complete', { status: 'ready', books: ['fanduel', 'draftkings'], total_odds: odds.length }],
    ];
  }

  override answer(url: URL): unknown {
    if (url.pathname !== '/api/v1/odds/delta') return undefined;
    const sinceMs = Date.parse(url.searchParams.get('since')!);
    const changed = [...this.rows.values()].filter(({ changedMs }) => changedMs > sinceMs);
    const gone = [...this.#removed].filter(([, ms]) => ms > sinceMs).map(([id]) => id);
    // All games are ahead: of live ones nothing is shown, and what is not is called removed.
    const live = url.searchParams.get('live') === 'true';
    const data = live ? [] : changed.map((row) => this.#full(row));
    const removed = live ? [...gone, ...changed.map(({ id }) => id)] : gone;
    const meta = { server_time: new Date(this.#clockMs).toISOString(), overflow: this.overflows || undefined };
    return { data, removed, meta, pagination: { has_more: false } };
  }

  shown(): string[] {
    return [...this.rows.values()].map(({ id, price }) => `${200.5 + Number(id.slice(1))} ${price}`).sort();
  }
}

const feedOf = (url: string, apiKey = 'secret') =>
  new SharpApiFeed({ url: `${url}/api/v1`, apiKey, leagues: [], books: [], random: Math.random, checkEveryMs: 300 });

async function shownBy(here: Served): Promise<string[]> {
  const rows = [...(await here.rows('fanduel')), ...(await here.rows('draftkings'))] as unknown as Record<
    string,
    unknown
  >[];
  return rows
    .map((row) => `${row['line']} ${row['odds_american']}${row['is_active'] === false ? ' inactive' : ''}`)
    .sort();
}

async function connected(t: TestContext): Promise<{ service: SharpService; here: Served; same(): Promise<void> }> {
  const service = new SharpService();
  await service.listen();
  const here = await served(t, feedOf(service.url));
  t.after(() => service.close());
  const same = () => eventually(async () => assert.deepEqual(await shownBy(here), service.shown()));
  await same();
  return { service, here, same };
}

test('the table equals the service’s, after every fault of its stream', async (t) => {
  const { service, here, same } = await connected(t);
  const move = (from: number) => {
    for (let i = 0; i < 10; i++) service.change(`r${(from + i) % 15}`, 120 + from + i);
  };
  move(1);
  service.remove('r19');
  await same();
  service.add('r30');
  service.change('r30', 130);
  await same();
  service.duplicates = true;
  move(3);
  service.duplicates = false;
  service.lose = 4;
  move(7);
  service.lose = 1;
  service.remove('r18');
  await same();
  service.hold();
  service.change('r2', 201);
  service.change('r2', 202);
  service.release();
  await same();
  service.cut();
  move(11);
  service.remove('r17');
  await same();
  // The service's log no longer reaches back to where the feed is: a new stream brings everything.
  const before = service.requests.filter((path) => path.includes('/stream')).length;
  service.lose = 20;
  move(4);
  service.overflows = true;
  await eventually(() => assert.ok(service.requests.filter((path) => path.includes('/stream')).length > before));
  service.overflows = false;
  await same();
  assert.equal(here.log.filter((line) => line.includes('rejected')).length, 0, here.log.join('\n'));
});

test('everything is inactive within a second of the stream’s end', async (t) => {
  const { service, here, same } = await connected(t);
  const active = async () => (await shownBy(here)).filter((row) => !row.endsWith('inactive')).length;
  service.status = 503;
  service.cut();
  const passed = stopwatch(t);
  await eventually(async () => assert.equal(await active(), 0));
  const lostMs = passed();
  t.diagnostic(`lost ${lostMs.toFixed(0)} ms`);
  assert.ok(lostMs < 1_000, `${lostMs} ms`);
  service.status = undefined;
  await same();
});

test('everything is inactive soon after the service falls silent with its connections open', async (t) => {
  const { service, here, same } = await connected(t);
  service.hangs = true;
  await eventually(async () => assert.ok((await shownBy(here)).every((row) => row.endsWith('inactive'))));
  service.hangs = false;
  service.change('r3', 140);
  await same();
});

test('another overround is such a service', async (t) => {
  const upstream = await served(t, []);
  const startMs = Date.now() + 7_200_000;
  const poll = (book: string, home: number, away: number, active = true): IngestMessage => ({
    book,
    polled_at: new Date().toISOString(),
    scope: 'event',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'LA Lakers',
        start_time: new Date(startMs).toISOString(),
        markets: [
          {
            market_type: 'moneyline',
            commission: { model: 'contract', rate: 0.03 },
            selections: [
              { selection: 'Boston Celtics', selection_type: 'home', odds_american: home, is_active: active },
              { selection: 'LA Lakers', selection_type: 'away', odds_decimal: away },
            ],
          },
        ],
      },
    ],
  });
  await upstream.server.ingest([poll('fanduel', -130, 2.13)]);
  const here = await served(t, feedOf(upstream.server.url, upstream.server.ownKey('enterprise')!));
  const same = () =>
    eventually(async () => {
      const of = async (at: Served) =>
        (await at.rows('fanduel')).map(({ event_id, selection, odds_decimal, is_active, commission }) =>
          JSON.stringify([event_id, selection, odds_decimal, is_active, commission]),
        );
      const wanted = await of(upstream);
      assert.equal(wanted.filter((row) => row.includes('"rate":0.03')).length, 2);
      assert.deepEqual(await of(here), wanted);
    });
  await same();
  await upstream.server.ingest([poll('fanduel', 104, 1.8)]);
  await same();
  await upstream.server.ingest([poll('fanduel', 104, 1.8, false)]);
  await same();
});

test('the command line names leagues and books, and the key comes from the environment', async () => {
  const { name } = await feedIn('sharpapi:leagues=nba,nfl', { SHARPAPI_KEY: 'k' });
  assert.equal(name, 'sharpapi:leagues=nba,nfl');
  await assert.rejects(feedIn('sharpapi'), /SHARPAPI_KEY/);
});

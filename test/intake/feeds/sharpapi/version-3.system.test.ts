// SharpAPI's interface since version 3, as its documents of June 2026 describe it: one time for each row, removals as
// objects in the answer of their own kind, changes paged by offset, and main lines that become alternates.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SharpApiFeed, sharpRow } from '../../../../src/intake/feeds/sharpapi/feed.js';
import { eventually } from '../../../support/until.js';
import { type Served, served } from '../kit/served.js';
import { StreamServer } from '../kit/stream-server.js';

interface Row {
  line: number;
  price: number;
  main: boolean;
  atMs: number;
}

const PAGE_OFFSET_MAX = 500;

/** Totals of one game, over and under. */
class Service extends StreamServer {
  readonly rows = new Map<string, Row>();
  /** What the removals look like, and which answers have them. */
  removals: { objects: boolean; both: boolean } = { objects: true, both: false };
  more: object = {};
  readonly #removed: { id: string; atMs: number }[] = [];
  readonly #startMs = Date.now() + 7_200_000;

  constructor(lines: number) {
    super();
    const atMs = Date.now();
    for (let i = 0; i < lines; i++)
      for (const side of ['over', 'under'])
        this.rows.set(`${side}${i}`, { line: 200.5 + i, price: -110, main: i === 0, atMs });
  }

  full(id: string): Record<string, unknown> {
    const { line, price, main, atMs } = this.rows.get(id)!;
    return {
      id,
      sportsbook: 'fanduel',
      event_id: 'nba_1',
      sport: 'basketball',
      league: 'nba',
      home_team: 'Boston Celtics',
      away_team: 'Miami Heat',
      market_type: 'total_points',
      selection: id.startsWith('over') ? 'Over' : 'Under',
      selection_type: id.startsWith('over') ? 'over' : 'under',
      line,
      odds_american: price,
      odds_decimal: price > 0 ? 1 + price / 100 : 1 - 100 / price,
      is_main_line: main,
      event_start_time: new Date(this.#startMs).toISOString(),
      timestamp: new Date(atMs).toISOString(),
      is_live: false,
      is_active: true,
      ...this.unreadable.get(id),
    };
  }

  /** Of each row what is sent instead. */
  readonly unreadable = new Map<string, object>();

  change(ids: readonly string[], change: Partial<Row>, more: object = {}): void {
    for (const id of ids) Object.assign(this.rows.get(id)!, { atMs: Date.now(), ...change });
    const odds = ids.map((id) => {
      const { odds_american, odds_decimal, line, is_live, is_main_line, timestamp } = this.full(id);
      return { id, odds_american, odds_decimal, line, is_live, is_main_line, timestamp, ...more };
    });
    this.emit('odds:update', { odds, count: odds.length, book: 'fanduel', partial: false });
  }

  /** Removed in the millisecond of the next answer, and after it. */
  removedNext: string | undefined;

  remove(id: string, atMs = Date.now()): void {
    this.rows.delete(id);
    this.#removed.push({ id, atMs });
  }

  override joined(): [string, unknown][] {
    const odds = [...this.rows.keys()].map((id) => this.full(id));
    return [
      ['connected', { stream_id: 's', channel: 'odds' }],
      ['snapshot', { odds, count: odds.length, total: odds.length, offset: 0, has_more: false }],
      ['snapshot:complete', { status: 'ready', books: ['fanduel'], total_odds: odds.length }],
    ];
  }

  override answer(url: URL): unknown {
    if (url.pathname !== '/api/v1/odds/delta') return undefined;
    const { searchParams } = url;
    const sinceMs = Date.parse(searchParams.get('since')!);
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
    const live = searchParams.get('live') === 'true';
    if (offset! > PAGE_OFFSET_MAX) return undefined;
    const changed = live ? [] : [...this.rows.keys()].filter((id) => this.rows.get(id)!.atMs > sinceMs);
    const gone = this.#removed.filter(({ atMs }) => atMs > sinceMs);
    const shown = live && !this.removals.both ? [] : gone;
    const removed = this.removals.objects
      ? shown.map(({ id, atMs }) => ({ id, sportsbook: 'fanduel', removed_at: new Date(atMs).toISOString() }))
      : shown.map(({ id }) => id);
    const end = offset! + limit!;
    const has_more = end < changed.length;
    const pagination = { limit, offset, has_more, next_offset: has_more ? end : null };
    const nowMs = Date.now();
    const answer = {
      data: changed.slice(offset, end).map((id) => this.full(id)),
      ...(shown.length > 0 ? { removed } : {}),
      meta: { server_time: new Date(nowMs).toISOString(), pagination, ...this.more },
    };
    if (this.removedNext !== undefined && !live) {
      this.remove(this.removedNext, nowMs);
      this.removedNext = undefined;
    }
    return answer;
  }

  shown(): string[] {
    return [...this.rows]
      .map(([id, { line, price, main }]) => `${id.replace(/\d+/, '')} ${line} ${price}${main ? '' : ' alternate'}`)
      .sort();
  }
}

async function following(t: TestContext, lines: number) {
  const service = new Service(lines);
  await service.listen();
  const feed = new SharpApiFeed({
    url: `${service.url}/api/v1`,
    apiKey: 'secret',
    leagues: [],
    books: [],
    random: Math.random,
    checkEveryMs: 200,
  });
  const here: Served = await served(t, feed);
  t.after(() => service.close());
  const shown = async () =>
    (await here.rows('fanduel'))
      .map((row) => {
        const { selection_type, line, is_alternate_line, is_active } = row;
        const { odds_american } = row as unknown as { odds_american: number };
        const alternate = is_alternate_line === true ? ' alternate' : '';
        return `${selection_type} ${line} ${odds_american}${alternate}${is_active === false ? ' inactive' : ''}`;
      })
      .sort();
  const same = () => eventually(async () => assert.deepEqual(await shown(), service.shown()));
  await same();
  /** Requests for changes were answered meanwhile. */
  const rounds = async (): Promise<void> => {
    const asked = service.requests.length;
    await eventually(() => assert.ok(service.requests.length >= asked + 6));
  };
  return { service, shown, same, rounds };
}

test('an older change that arrives later changes nothing, where rows have one time alone', async (t) => {
  const { service, same, shown, rounds } = await following(t, 1);
  service.change(['over0'], { price: -140 });
  await same();
  await rounds();
  service.emit('odds:update', {
    odds: [
      { id: 'over0', odds_american: -170, odds_decimal: 1.588, timestamp: new Date(Date.now() - 30_000).toISOString() },
    ],
  });
  await rounds();
  assert.deepEqual(await shown(), service.shown());
});

test('a removal is seen as an object or a text, in the answer of its kind or in both', async (t) => {
  const { service, same } = await following(t, 6);
  let no = 1;
  for (const objects of [true, false])
    for (const both of [false, true]) {
      service.removals = { objects, both };
      service.remove(`over${no++}`);
      await same();
    }
  service.remove('over5');
  service.more = { removed_truncated: true };
  const streams = () => service.requests.filter((path) => path.includes('/stream')).length;
  const before = streams();
  await eventually(() => assert.ok(streams() > before, 'a new snapshot'));
  service.more = {};
  await same();
});

test('what is removed in the millisecond up to which an answer goes, and after it, is in the next one', async (t) => {
  const { service, same } = await following(t, 2);
  service.removedNext = 'over1';
  await eventually(() => assert.equal(service.removedNext, undefined));
  await same();
});

test('of more lost changes than a page has each is read, and of more than the service pages a snapshot', async (t) => {
  const { service, same } = await following(t, 460);
  const ids = [...service.rows.keys()];
  service.lose = 1;
  service.change(ids.slice(0, 450), { price: -120 });
  await same();
  assert.ok(service.requests.some((path) => path.includes('offset=400')));
  service.lose = 1;
  service.change(ids, { price: 105 });
  await same();
});

test('a main line that becomes an alternate one is one row at every moment, and a new row of an update is there at once', async (t) => {
  const { service, same, shown } = await following(t, 2);
  const all = [...service.rows.keys()];
  for (const [id, row] of service.rows) Object.assign(row, { main: id.endsWith('1'), atMs: Date.now() });
  service.change(all, {});
  for (let i = 0; i < 20; i++) assert.equal((await shown()).length, 4);
  await same();
  service.rows.set('over9', { line: 190.5, price: 150, main: false, atMs: 0 });
  service.emit('odds:update', { odds: [service.full('over9')], count: 1, book: 'fanduel', partial: false });
  await same();
});

test('what has no price that can be read is no offer, in a change or an answer', async (t) => {
  const { service, shown, same } = await following(t, 1);
  const isClosed = (side: string) =>
    eventually(async () => assert.match((await shown()).find((row) => row.startsWith(side))!, /inactive$/));
  service.emit('odds:update', { odds: [{ id: 'over0', is_active: false }], count: 1, book: 'fanduel' });
  await isClosed('over');
  for (const price of [{ odds_american: 50 }, { odds_decimal: 1 }, { odds_american: -110, odds_decimal: 3 }]) {
    service.unreadable.set('under0', { odds_american: null, odds_decimal: null, ...price });
    service.change(['under0'], {});
    await isClosed('under');
    service.unreadable.clear();
    service.change(['over0', 'under0'], { price: 120 });
    await same();
  }
});

test('what an app of pick’em pays is no price, in a change of it either', async (t) => {
  const { service, shown, same, rounds } = await following(t, 1);
  const pickem = {
    ...service.full('over0'),
    id: 'p1',
    market_type: 'player_points',
    player_name: 'A',
    is_pickem: true,
  };
  service.emit('odds:update', { odds: [pickem], count: 1, book: 'fanduel' });
  service.emit('odds:update', { odds: [{ id: 'p1', odds_american: 150, line: 200.5 }], count: 1, book: 'fanduel' });
  service.change(['over0'], { price: 130 });
  await same();
  await rounds();
  assert.deepEqual(await shown(), service.shown());
});

test('a change that states no time counts as it comes', async (t) => {
  const { service, shown } = await following(t, 1);
  const odds = [{ id: 'over0', odds_american: 125, odds_decimal: 2.25, line: 200.5 }];
  service.emit('odds:update', { odds, count: 1, book: 'fanduel', partial: false });
  await eventually(async () => assert.ok((await shown()).includes('over 200.5 125'), String(await shown())));
});

test('of a total of one team, the team and the side are named in one', () => {
  const full = new Service(1).full('over0');
  for (const [selection_type, market_type, wanted] of [
    ['home_over', 'team_total', ['home', 'over']],
    ['away_under', '1st_half_team_total', ['away', 'under']],
    // The winner and the total of the game.
    ['home_over', 'moneyline_and_total', [undefined, 'home_over']],
  ] as const) {
    const { market, selection } = sharpRow({ ...full, market_type, selection_type })!.row;
    assert.deepEqual([market.team, selection.selection_type], wanted);
  }
  assert.equal(sharpRow({ ...full, market_type: 'team_total', team_side: 'away' })!.row.market.team, 'away');
});

test('markets have our types, by the sport of the row, and games the book’s own ids', () => {
  const full = new Service(1).full('over0');
  assert.equal(sharpRow({ ...full, external_event_id: 'fd-77' })!.row.externalGameId, 'fd-77');
  for (const [sport, market_type, wanted] of [
    ['soccer', 'moneyline_3-way', 'moneyline'],
    ['hockey', 'moneyline_3-way', 'moneyline_3way'],
    ['basketball', '1st_half_point_spread', 'point_spread_h1'],
    ['basketball', 'player_points_+_assists', 'player_points_assists'],
    ['basketball', 'opticodds_4th_quarter_moneyline_incl_ot_', 'opticodds_4th_quarter_moneyline_incl_ot_'],
  ] as const)
    assert.equal(sharpRow({ ...full, sport, market_type })!.row.market.market_type, wanted);
});

test('a new snapshot is right, whatever its times', async (t) => {
  const { service, same } = await following(t, 2);
  for (const row of service.rows.values()) Object.assign(row, { price: 140, atMs: row.atMs - 60_000 });
  service.cut();
  await same();
});

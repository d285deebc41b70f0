import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { NormalMessage } from '../../src/base/model/normal-message.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import type { EvaluationQuestion } from '../../src/detection/question.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import type { UniverseNews } from '../../src/log/delta/opportunity.js';
import type { StoredInUniverse } from '../../src/store/opportunity-store.js';
import { openShardEnv, type ShardEnv } from '../../src/store/shard-env.js';
import { readLogTail } from '../../src/store/shard-reader.js';
import { loadTables } from '../../src/tables/load.js';
import { OpportunityTable } from '../../src/tables/universe-opportunities.js';
import { ShardWriter } from '../../src/writer/pool/shard-writer.js';
import { Shard } from '../../src/writer/shard/shard.js';
import { event, latest, market, message, moneyline, selection, total } from '../intake/ingest/messages.js';
import { newFolder } from '../temp-folders.js';
import { catalogue, newTable } from '../writer/shard/rig.js';
import type { PublishedOpportunity } from './published.js';
import { ShardInMemory } from './shard-in-memory.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const START_MS = NOW_MS + 600_000;

function world(): ShardInMemory {
  return new ShardInMemory(NOW_MS, startUniverses(catalogue));
}

function poll(book: string, home: number, away: number, atMs: number, startMs = START_MS) {
  return message([event([moneyline(home, away)], { start_time: new Date(startMs).toISOString() })], {
    book,
    polled_at: new Date(atMs).toISOString(),
  });
}

const newsOf = (news: readonly UniverseNews[], universe = 'sharp') => news.find((one) => one.universe === universe);

function arbitrages(shard: ShardInMemory): PublishedOpportunity[] {
  return shard.published.of('sharp').filter(({ kind }) => kind === 'arbitrage');
}

/** An arbitrage between DraftKings and FanDuel from `NOW_MS` on. */
function begun(startMs = START_MS): ShardInMemory {
  const shard = world();
  shard.apply([poll('draftkings', 110, -130, NOW_MS, startMs), poll('fanduel', -115, 105, NOW_MS, startMs)], NOW_MS);
  assert.equal(arbitrages(shard).length, 1);
  return shard;
}

test('changed numbers are sent to streams at most once a second, the last state always, and to lists at once', () => {
  const shard = begun();
  const [first] = arbitrages(shard);
  const listed: number[] = [];
  const sent = new Set<number>();
  const deltas: number[] = [];
  for (let ms = 100; ms <= 1_700; ms += 100) {
    const raw = ms <= 700 ? [poll('draftkings', 110 + ms / 100, -130, NOW_MS + ms)] : [];
    const news = shard.apply(raw, NOW_MS + ms);
    if (shard.committed) deltas.push(ms);
    for (const { universe, detected } of news)
      for (const opportunity of detected)
        if (universe === 'sharp' && opportunity.kind === 'arbitrage') {
          assert.equal(opportunity.id, first!.id);
          assert.equal(opportunity.detectedUs, first!.detectedUs);
          listed.push(ms);
          sent.add(Math.round(opportunity.updatedPosition / 1000) - NOW_MS);
        }
  }
  assert.deepEqual(listed, [100, 200, 300, 400, 500, 600, 700]);
  assert.deepEqual([...sent], [1_000]);
  assert.deepEqual(deltas, [...listed, 1_100], 'readers are told after the second');
  assert.ok(arbitrages(shard)[0]!.edge > first!.edge);
  assert.equal((arbitrages(shard)[0]!.item['legs'] as { odds_american: number }[])[0]!.odds_american, 117);
});

test('an update that waits for its second is sent at once where the clock is set back meanwhile', () => {
  const shard = begun();
  const [{ id } = { id: '' }] = arbitrages(shard);
  const isSent = (news: readonly UniverseNews[]) =>
    newsOf(news)?.detected.some((one) => one.id === id && one.updatedPosition === shard.position);
  assert.equal(isSent(shard.apply([poll('draftkings', 112, -130, NOW_MS + 100)], NOW_MS + 100)), false);
  const { news } = shard.shard.apply([], ++shard.position, NOW_MS - 180_000);
  assert.equal(isSent(shard.shard.open(news)), true);
});

test('a price seen again unchanged is no news, and the ages are those of the prices', () => {
  const shard = begun();
  assert.deepEqual(shard.apply([poll('draftkings', 110, -130, NOW_MS + 5_000)], NOW_MS + 5_000), []);
  const [{ seenMs, oldestSeenMs }] = arbitrages(shard) as [PublishedOpportunity];
  assert.deepEqual([seenMs, oldestSeenMs], [[NOW_MS + 5_000, NOW_MS], NOW_MS]);
});

test('an opportunity ends with its oldest price: 300 s after it was last seen, and not a moment before', () => {
  const shard = begun();
  shard.apply([poll('draftkings', 110, -130, NOW_MS + 100_000)], NOW_MS + 100_000);
  assert.ok(shard.shard.nextDeadlineMs <= NOW_MS + 300_000);
  shard.apply([], NOW_MS + 300_000);
  assert.equal(arbitrages(shard).length, 1);
  const ended = newsOf(shard.apply([], NOW_MS + 300_001));
  assert.ok(ended?.expired.some(({ kind }) => kind === 'arbitrage'));
  assert.equal(arbitrages(shard).length, 0);
  // When the old price is seen again, the arbitrage begins again with the id it had.
  const id = ended!.expired.find(({ kind }) => kind === 'arbitrage')!.id;
  shard.apply([poll('fanduel', -115, 105, NOW_MS + 301_000)], NOW_MS + 301_000);
  assert.deepEqual(
    arbitrages(shard).map((one) => [one.id, one.detectedUs]),
    [[id, (NOW_MS + 301_000) * 1000]],
  );
});

test('an opportunity whose prices a batch takes to another line is the one it was, and only changed', () => {
  const shard = world();
  const show = (book: string, ms: number, prices: number[], drawn?: number) => {
    const [home, away] = moneyline(...(prices as [number, number])).selections;
    const draw = selection({ selection: 'Draw', selection_type: 'draw', odds_american: drawn });
    const prices3 = market(drawn === undefined ? [home, away] : [home, away, draw]);
    const hockey = { league: 'nhl', home_team: 'Boston Bruins', away_team: 'New York Rangers' };
    return message([event([prices3], hockey)], { book, polled_at: new Date(NOW_MS + ms).toISOString() });
  };
  const edge = () => shard.published.of('sharp').find(({ kind }) => kind === 'ev');
  shard.apply([show('pinnacle', 0, [-105, -105]), show('draftkings', 0, [120, -120])], NOW_MS);
  const first = edge();
  assert.ok(first);
  // Once a draw was shown both books' prices are at the line of three sides.
  const drawn = [show('draftkings', 400, [122, -120], 5_000), show('pinnacle', 400, [-105, -105], 5_000)];
  const news = newsOf(shard.apply(drawn, NOW_MS + 400));
  assert.equal(edge()?.id, first.id);
  assert.equal(edge()?.detectedUs, first.detectedUs);
  assert.equal(edge()?.updatedPosition, first.updatedPosition + 1_000_000, 'streams are sent it once a second');
  assert.ok(!news!.expired.some(({ id }) => id === first.id));
});

test('when the game starts prices of the last minute alone stay, and each ends 60 s after it was seen', () => {
  const shard = begun(NOW_MS + 90_000);
  shard.apply([poll('draftkings', 110, -130, NOW_MS + 80_000, NOW_MS + 90_000)], NOW_MS + 80_000);
  shard.apply([], NOW_MS + 89_999);
  assert.equal(arbitrages(shard).length, 1);
  shard.apply([], NOW_MS + 90_000);
  assert.equal(arbitrages(shard).length, 0, 'FanDuel was last seen 90 s ago');
  shard.apply([poll('fanduel', -115, 105, NOW_MS + 100_000, NOW_MS + 90_000)], NOW_MS + 100_000);
  assert.equal(arbitrages(shard)[0]?.live, true);
  shard.apply([], NOW_MS + 140_000);
  assert.equal(arbitrages(shard).length, 1);
  shard.apply([], NOW_MS + 140_001);
  assert.equal(arbitrages(shard).length, 0);
});

test('a tick between deadlines publishes nothing and evaluates nothing', () => {
  const shard = begun();
  for (let ms = 250; ms < 60_000; ms += 250) assert.deepEqual(shard.apply([], NOW_MS + ms), []);
});

test('a universe requested later is published completely, and after its release no more', () => {
  const shard = begun();
  shard.shard.registerUniverse({ key: 'two', books: ['draftkings', 'fanduel'] });
  const news = newsOf(shard.apply([], NOW_MS + 250), 'two');
  assert.equal(news?.from, 0);
  assert.deepEqual(
    news?.detected.filter(({ kind }) => kind === 'arbitrage').map(({ id }) => id),
    arbitrages(shard).map(({ id }) => id),
    'ids are of what an opportunity is, not of who asks',
  );
  shard.shard.dropUniverse('two');
  assert.equal(newsOf(shard.apply([poll('fanduel', -115, -105, NOW_MS + 500)], NOW_MS + 500), 'two'), undefined);
});

test('a request may use another devig method and see opportunities that no universe retains', () => {
  const shard = world();
  const polls = ['draftkings', 'fanduel', 'betmgm', 'bovada'].map((book) => poll(book, -130, 108, NOW_MS));
  shard.apply([...polls, poll('pinnacle', -125, 115, NOW_MS)], NOW_MS);
  const ask = { kind: 'ev', books: ['draftkings'] } as const;
  const evaluate = (more: Partial<EvaluationQuestion>) =>
    shard.evaluate({ ...ask, ...more }) as readonly object[] as PublishedOpportunity[];
  assert.deepEqual(evaluate({}), []);
  const rows = evaluate({ minEv: -10 });
  assert.deepEqual(
    rows.map(({ item }) => [item['sportsbook'], item['sharp_book'], item['devig_method']]),
    [
      ['draftkings', 'pinnacle', 'power'],
      ['draftkings', 'pinnacle', 'power'],
    ],
  );
  const [shin] = evaluate({ minEv: -10, method: 'multiplicative', devigBook: 'fanduel' });
  assert.equal(shin?.item['sharp_book'], 'fanduel');
  assert.equal(shin?.item['devig_method'], 'multiplicative');
  // Multiplicative: p = r/B, so prices that are their own reference lose exactly the margin.
  const booksum = 130 / 230 + 100 / 208;
  assert.ok(Math.abs(shin!.edge - 100 * (1 / booksum - 1)) < 1e-6);
  assert.equal(evaluate({ minEv: -10, devigBook: 'consensus' })[0]?.item['sharp_book'], 'consensus');
  assert.deepEqual(evaluate({ minEv: -10, devigBook: 'circa' }), []);
});

test('a widened universe has opportunities beyond the default limits up to its bound, and those within them regardless', () => {
  const kept = { minEv: -20 };
  const shard = new ShardInMemory(NOW_MS, [{ key: 'wide', books: null, kept, beyondMax: 3 }]);
  const edges = () =>
    shard.published
      .of('wide')
      .filter(({ kind }) => kind === 'ev')
      .map(({ edge }) => Math.round(edge))
      .sort((a, b) => a - b);
  // The fair price is even: -105 has an EV of -2 %, -115 of -7 %, +110 of +5 %; the low hold is one more active
  // opportunity.
  shard.apply([poll('pinnacle', -110, -110, NOW_MS), poll('draftkings', -105, -115, NOW_MS)], NOW_MS);
  assert.deepEqual(edges(), [-7, -2]);
  shard.apply([poll('fanduel', -115, -115, NOW_MS)], NOW_MS + 1);
  assert.deepEqual([edges(), shard.published.of('wide').length], [[-7, -2], 3], 'three, and no fourth');
  shard.apply([poll('betmgm', 110, -140, NOW_MS)], NOW_MS + 2);
  assert.deepEqual(edges(), [-7, -2, 5], 'what is usual comes all the same');
});

/** A shard with a store on disk, which can be stopped and started. */
class Stored {
  readonly #dir = newFolder('overround-life-');
  #env: ShardEnv = openShardEnv(this.#dir, 0);
  shard = this.#start();

  constructor(t: TestContext) {
    t.after(() => this.#env.root.close());
  }

  apply(raw: readonly unknown[], nowMs: number): UniverseNews[] {
    const context = { catalogue, clock: latest, leagueOfEvent: () => undefined };
    const messages = raw.map((one) => normalise(one, '', context, [])) as NormalMessage[];
    return this.shard.open(this.shard.apply(messages, nowMs * 1000).news);
  }

  /** As stored. */
  active(universe: string): StoredInUniverse[] {
    this.#env.root.resetReadTxn();
    return [...readLogTail(this.#env).opportunities.listed()].filter((one) => one.universe === universe);
  }

  /** Loaded by a process that starts now. */
  loaded(): OpportunityTable {
    this.#env.root.resetReadTxn();
    const opportunities = new OpportunityTable();
    loadTables(newTable(), opportunities, [this.#env]);
    return opportunities;
  }

  async restart(): Promise<void> {
    await this.#env.root.close();
    this.#env = openShardEnv(this.#dir, 0);
    this.shard = this.#start();
  }

  #start(): Shard {
    const retention = { logSeconds: 900, logBytesMax: 1e8, fileBytesMax: 4e9 };
    return new Shard(0, catalogue, new ShardWriter(this.#env, catalogue, retention));
  }
}

test('a restart keeps the times of detection and change, and publishes what ended meanwhile', async (t) => {
  const stored = new Stored(t);
  const lasting = (atMs: number) =>
    ['draftkings', 'fanduel'].map((book, i) =>
      message([event([total(220.5, i === 0 ? 110 : -130, i === 0 ? -120 : 105)], { home_team: 'Utah Jazz' })], {
        book,
        polled_at: new Date(atMs).toISOString(),
      }),
    );
  stored.apply([poll('draftkings', 110, -130, NOW_MS), poll('fanduel', -115, 105, NOW_MS)], NOW_MS);
  const before = newsOf(stored.apply(lasting(NOW_MS + 250_000), NOW_MS + 250_000))!.detected;
  assert.ok(before.length >= 1);
  await stored.restart();
  const published = newsOf(stored.apply([], NOW_MS + 310_000))!;
  assert.deepEqual(published.detected, [], 'what is as it was is no news');
  assert.ok(published.expired.length >= 1, 'what was too old by then has ended');
  await stored.restart();
  const again = newsOf(stored.apply([], NOW_MS + 311_000))!;
  assert.deepEqual([again.expired, again.detected], [[], []], 'and is not published twice');
  // The price of one leg changes, with the others as before.
  const later = stored.apply([lasting(NOW_MS + 312_000)[0]!], NOW_MS + 312_000);
  assert.deepEqual(later, [], 'seen again');
  assert.deepEqual(
    stored
      .active('sharp')
      .map(({ id, detectedUs, updatedPosition }) => [id, detectedUs, updatedPosition])
      .sort(),
    before.map(({ id }) => [id, (NOW_MS + 250_000) * 1000, (NOW_MS + 250_000) * 1000]).sort(),
  );
});

test('an update that waits for its second waits for the same position after a restart', async (t) => {
  const stored = new Stored(t);
  const polls = (atMs: number, startMs: number) => [
    poll('draftkings', 110, -130, atMs, startMs),
    poll('fanduel', -115, 105, atMs, startMs),
  ];
  stored.apply(polls(NOW_MS, START_MS), NOW_MS);
  const moved = newsOf(stored.apply(polls(NOW_MS + 300, START_MS + 180_000), NOW_MS + 300))!.detected;
  assert.ok(moved.some(({ kind }) => kind === 'arbitrage'));
  for (const atMs of [600, 900]) {
    await stored.restart();
    assert.deepEqual(newsOf(stored.apply([], NOW_MS + atMs))?.detected, []);
    const active = stored.active('sharp');
    assert.deepEqual(active.map(({ id }) => id).sort(), moved.map(({ id }) => id).sort());
    for (const { detectedUs, updatedPosition } of active)
      assert.deepEqual([detectedUs, updatedPosition], [NOW_MS * 1000, (NOW_MS + 1_000) * 1000]);
  }
  assert.ok(stored.shard.nextDeadlineMs <= NOW_MS + 1_000);
  assert.notEqual(stored.shard.apply([], (NOW_MS + 1_000) * 1000).delta, null, 'readers are told the position');
});

test('a process starts with what is stored of a universe that nobody watches, whatever became of its rows', (t) => {
  const stored = new Stored(t);
  const offer = (type: string, odds_decimal: number) =>
    selection({ selection: type, selection_type: type, odds_decimal, size: 500 });
  const kalshi = (markets: readonly unknown[], atMs: number) =>
    message([event(markets)], { book: 'kalshi', polled_at: new Date(atMs).toISOString() });
  stored.shard.registerUniverse({ key: 'two', books: ['fanduel', 'kalshi'] });
  const offers = kalshi([market([offer('home', 2.3), offer('away', 1.7)])], NOW_MS);
  stored.apply([offers, poll('fanduel', -140, 110, NOW_MS)], NOW_MS);
  const active = stored.active('two').map(({ id }) => id);
  assert.ok(active.length > 0);
  stored.shard.dropUniverse('two');
  stored.apply([kalshi([], NOW_MS + 1_000)], NOW_MS + 1_000);
  assert.deepEqual(stored.active('sharp'), []);
  assert.deepEqual([...stored.loaded().of('two').opportunities()].map(({ id }) => id).sort(), active.sort());
});

test('a low hold names the books that are now tied at its price in its own universe', () => {
  const name = (no: number): string => `zz${String(no).padStart(2, '0')}`;
  const [ends, first] = [name(0), name(1)];
  const [some, others] = [
    [name(5), name(7)],
    [name(4), name(38)],
  ] as const;
  const universes = [
    { key: 'some', books: [ends, first, ...some] },
    { key: 'others', books: [ends, first, ...others] },
    { key: 'all', books: null },
  ];
  const shard = new ShardInMemory(NOW_MS, universes);
  const booksIn = (universe: string) =>
    shard.published
      .of(universe)
      .filter(({ kind }) => kind === 'low_hold')
      .map(({ books }) => [...books].sort());
  const tie = (tied: readonly string[], atMs: number) =>
    shard.apply(
      Array.from({ length: 40 }, (_, no) => {
        const book = name(no);
        if (book === ends) return poll(book, -200, -101, atMs);
        return poll(book, book === first || tied.includes(book) ? -102 : -150, -120, atMs);
      }),
      atMs,
    );
  tie([...some, ...others], NOW_MS);
  assert.deepEqual(booksIn('some'), [[ends, first, ...some]]);
  assert.deepEqual(booksIn('others'), [[ends, first, ...others]]);
  tie(some, NOW_MS + 2_000);
  assert.deepEqual(booksIn('all'), [[ends, first, ...some]]);
  tie(others, NOW_MS + 4_000);
  assert.deepEqual(booksIn('all'), [[ends, first, ...others]]);
});

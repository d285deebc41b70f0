// The ladder of an exchange's order book: from the push to those who ask for it, over restarts and recordings; nobody
// else sees it, nor changes of it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReplayFeed } from '../../../src/intake/feeds/replay/replay-feed.js';
import type { IngestMessage, IngestSelection } from '../../../src/intake/ingest/message.js';
import { catalogue, type Served, served } from '../../intake/feeds/kit/served.js';
import { eventually } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';

const quiet = { name: 'quiet', simulated: false, run: async () => {}, stop: () => {} };
const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000).toISOString();

type Stated = NonNullable<IngestSelection['depth']>;

const BACK = [
  [2.1, 150],
  [2.08, 40.25],
] as const;
const LADDER = { back: BACK, lay: [[2.14, 80]] } as const satisfies Stated;

/** A poll of an exchange; only its home side has a ladder. */
function offer(depth: unknown, book = 'kalshi'): IngestMessage {
  const home = { selection: 'Boston Celtics', selection_type: 'home', odds_decimal: 2.1, size: 150 };
  const ladder = depth === undefined ? {} : { depth: depth as Stated };
  const away = { selection: 'LA Lakers', selection_type: 'away', odds_decimal: 1.87, size: 300 };
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'event',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'LA Lakers',
        start_time: START,
        markets: [{ market_type: 'moneyline', selections: [{ ...home, ...ladder }, away] }],
      },
    ],
  };
}

/** Ladders by selection type, as a path of the API shows them. */
async function ladders({ read }: Served, path: string): Promise<Record<string, unknown>> {
  const { data } = (await read(path)) as { data: { selection_type: string; depth?: unknown }[] };
  return Object.fromEntries(data.map(({ selection_type, depth }) => [selection_type, depth]));
}

test('a ladder is shown to those who ask, over a restart too', async (t) => {
  const data = newFolder('overround-depth-');
  const world = await served(t, quiet, { data });
  assert.deepEqual((await world.server.ingest([offer(LADDER)])).rejected, []);
  const has = { home: { back: [...BACK], lay: [[2.14, 80]] }, away: undefined };
  const eventId = (await world.rows('kalshi'))[0]!.event_id;
  const paths = ['/odds?include=depth', `/events/${eventId}/odds?include=depth`, '/odds?fields=selection_type,depth'];
  for (const path of paths) assert.deepEqual(await ladders(world, path), has, path);
  const none = { home: undefined, away: undefined };
  for (const path of ['/odds', `/events/${eventId}/odds`, '/odds/delta?since=2020-01-01T00:00:00Z'])
    assert.deepEqual(await ladders(world, path), none, path);
  await world.close();
  const again = await served(t, quiet, { data });
  assert.deepEqual(await ladders(again, '/odds?include=depth'), has);
  // What is stated again is no change; what is no longer stated is gone.
  assert.equal((await again.server.ingest([offer(LADDER)])).changed, 0);
  await again.server.ingest([offer(undefined)]);
  assert.deepEqual(await ladders(again, '/odds?include=depth'), none);
});

test('a ladder that cannot be is refused with its reason, and its row stays', async (t) => {
  const world = await served(t, quiet);
  const cases: [depth: unknown, path: string, reason: RegExp][] = [
    [{ back: [[2.2, 5]], lay: [[2.1, 5]] }, 'depth', /crossed/],
    [{ back: [[2.0, 5], [2.1, 5]] }, 'depth.back[1]', /best first/], // biome-ignore format: a ladder
    [{ lay: [[2.2, 5], [2.2, 6]] }, 'depth.lay[1]', /best first/], // biome-ignore format: a ladder
    [{ back: [[2.1, -5]] }, 'depth.back[0]', /size/],
    [{ back: [[-2.1, 5]] }, 'depth.back[0]', /odds/],
    [{ back: [[2.1]] }, 'depth.back[0]', /\[odds_decimal, size\]/],
    [{ back: 'deep' }, 'depth.back', /list/],
    ['deep', 'depth', /object/],
  ];
  for (const [depth, path, reason] of cases) {
    const { accepted, rejected } = await world.server.ingest([offer(depth)]);
    assert.equal(accepted, 2, path);
    assert.equal(rejected.length, 1, JSON.stringify(rejected));
    assert.ok(rejected[0]!.path.endsWith(`selections[0].${path}`), rejected[0]!.path);
    assert.match(rejected[0]!.reason, reason);
  }
  assert.deepEqual(await ladders(world, '/odds?include=depth'), { home: undefined, away: undefined });
  // Ten levels of a side are kept, empty ones are none.
  const back = Array.from({ length: 12 }, (_, i) => [3 - i / 10, i === 1 ? 0 : i + 1]);
  await world.server.ingest([offer({ back })]);
  const { home } = (await ladders(world, '/odds?include=depth')) as { home: Stated };
  assert.deepEqual(home.back, back.filter(([, size]) => size !== 0).slice(0, 10));
});

test('a stream that asks gets changes of the ladder alone, and one that does not gets not a byte', async (t) => {
  const world = await served(t, quiet);
  await world.server.ingest([offer(LADDER)]);
  const key = world.server.ownKey('enterprise')!;
  const text = { asked: '', plain: '' };
  const ending = new AbortController();
  const reading: Promise<void>[] = [];
  for (const [name, query] of [
    ['asked', '&include=depth'],
    ['plain', ''],
  ] as const) {
    const response = await fetch(`${world.server.url}/api/v1/stream?channel=odds${query}`, {
      headers: { 'x-api-key': key },
      signal: ending.signal,
    });
    reading.push(
      (async () => {
        const decoder = new TextDecoder();
        for await (const bytes of response.body!) text[name] += decoder.decode(bytes as Uint8Array, { stream: true });
      })().catch(() => undefined),
    );
  }
  await eventually(() => assert.ok(Object.values(text).every((sent) => sent.includes('snapshot:complete'))));
  assert.ok(!text.plain.includes('depth'));
  const before = text.plain.length;
  await world.server.ingest([offer({ ...LADDER, lay: [[2.16, 9]] })]);
  await eventually(() => assert.match(text.asked, /odds:update\ndata: .*"depth":\{"back":\[\[2\.1,150\],\[2\.08,40\.25\]\],"lay":\[\[2\.16,9\]\]\}/)); // biome-ignore format: one pattern
  await world.server.ingest([offer(undefined)]);
  await eventually(() => assert.match(text.asked, /"depth":null/));
  // Both have been written to by now, had there been anything: a change of a price reaches them in one tick.
  await world.server.ingest([offer({ back: [[2.1, 1]] }), { ...offer(undefined, 'draftkings') }]);
  await eventually(() => assert.match(text.plain.slice(before), /odds:added/));
  assert.ok(!text.plain.includes('depth'));
  assert.equal(text.plain.slice(before).match(/^event: odds:/gm)?.length, 1, text.plain.slice(before));
  ending.abort();
  await Promise.all(reading);
});

test('a recording gives ladders back', async (t) => {
  const path = join(newFolder('overround-depth-'), 'recording.ndjson');
  const message = offer(LADDER);
  writeFileSync(path, `${JSON.stringify(message)}\n`);
  const feed = new ReplayFeed({ path, leagues: catalogue, simulated: false, speed: 0 });
  const world = await served(t, feed);
  await eventually(async () =>
    assert.deepEqual((await ladders(world, '/odds?include=depth'))['home'], { back: [...BACK], lay: [[2.14, 80]] }),
  );
});

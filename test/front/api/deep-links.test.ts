// Deep links: the page of the requested state, the same on every interface, and the targets of redirects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from '../../shared.js';
import { until } from '../../support/until.js';
import { type Api, api, type Json } from '../api.js';
import { RawSse } from '../stream-rig.js';
import { LAKERS } from './serving.js';

const game = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Los Angeles Lakers',
  start_time: '2026-11-21T00:30:00Z',
};

const total = (line: number, over: number, under: number, more: (side: string) => object = () => ({})) => ({
  market_type: 'total_points',
  selections: ['Over', 'Under'].map((selection) => ({
    selection,
    selection_type: selection.toLowerCase(),
    line,
    odds_american: selection === 'Over' ? over : under,
    ...more(selection.toLowerCase()),
  })),
});

/** A total with the links that the book's feed gave for a state other than the default. */
const own = (line: number, over: number, under: number) =>
  total(line, over, under, (side) => ({
    deep_link: `https://co.sportsbook.fanduel.com/addToBetslip?marketId=42.1&selectionId=${side}`,
  }));

/**
 * Links from templates, one of them with the state in its path, a link that a feed gave for another state, and one with
 * a placeholder for the state.
 */
async function linkedWorld(made: Api): Promise<void> {
  await made.ingest(
    // Books without links: fewer books would give no fair price.
    ...['circa', 'bookmaker', 'lowvig'].map((book) => ({
      book,
      events: [{ ...game, markets: [total(220.5, -112, -108)] }],
    })),
    {
      book: 'betmgm',
      events: [{ ...game, external_id: 'm-1', markets: [total(220.5, 110, -130, (side) => ({ external_id: side }))] }],
    },
    {
      book: 'caesars',
      events: [{ ...game, markets: [total(220.5, -130, 115, (side) => ({ external_id: `c-${side}` }))] }],
    },
    {
      book: 'fanduel',
      events: [{ ...game, markets: [own(224.5, -105, -110)] }],
    },
    {
      book: 'betrivers',
      events: [
        {
          ...game,
          markets: [
            total(220.5, -110, -110, (side) => ({
              deep_link: `https://{state}.betrivers.com/?page=sportsbook#event/7/${side}`,
            })),
          ],
        },
      ],
    },
  );
}

const linked = shared(async (t) => {
  const made = await api(t);
  await linkedWorld(made);
  return made;
});

/** Every link in an answer's value, at any depth. */
function linksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === 'deep_link' && typeof part === 'string') return [part];
    if (name === 'deep_links') return Object.values(part as object).filter((link) => typeof link === 'string');
    return linksIn(part);
  });
}

const PAGES: Readonly<Record<string, RegExp>> = {
  betmgm: /^https:\/\/sports\.(..)\.betmgm\.com\/en\/sports\?options=(?:over|under)&type=Single$/,
  caesars: /^https:\/\/sportsbook\.caesars\.com\/us\/(..)\/bet\/betslip\?selectionIds=c-(?:over|under)$/,
  fanduel: /^https:\/\/(..)\.sportsbook\.fanduel\.com\/addToBetslip\?marketId=42\.1&selectionId=(?:over|under)$/,
  betrivers: /^https:\/\/(..)\.betrivers\.com\/\?page=sportsbook#event\/7\/(?:over|under)$/,
};

/** The books of the links, after checking that each link is a page of the state. */
function booksOf(links: readonly string[], state: string, from: string): string[] {
  const books = links.map((link) => {
    const [book, page] = Object.entries(PAGES).find(([, page]) => page.test(link)) ?? [];
    assert.ok(book !== undefined && page !== undefined, `${from}: ${link} is no such page`);
    assert.equal(page.exec(link)![1], state, `${from}: ${link}`);
    return book;
  });
  return [...new Set(books)].sort();
}

const REST = [
  `/odds?event=${LAKERS}`,
  `/odds?event=${LAKERS}&group_by=event`,
  `/odds?event=${LAKERS}&fields=deep_link`,
  `/odds/delta?since=2026-11-20T17:00:00Z`,
  `/odds/best?event=${LAKERS}`,
  `/odds/comparison?event=${LAKERS}`,
  `/events/${LAKERS}/odds?x=`,
  '/opportunities/ev?min_ev=-100',
  '/opportunities/arbitrage?x=',
  '/opportunities/middles?min_ev=-100',
  '/opportunities/low_hold?max_hold=100',
];

test('with a state every surface links to the pages of that state, however a book writes it', async (t) => {
  const made = await linked();
  const key = made.key('enterprise');
  const json = async (path: string, init: RequestInit = {}): Promise<Json> => {
    const response = await made.fetch(path, { key, ...init });
    assert.equal(response.status, 200, path);
    return response.json();
  };
  const seen = new Map<string, string[]>();
  for (const state of ['pa', 'nj', 'CO']) {
    for (const path of REST) {
      const books = booksOf(linksIn((await json(`${path}&state=${state}`)).data), state.toLowerCase(), path);
      assert.ok(books.length >= 1, `${path} has links of ${books}`);
      seen.set(path, books);
    }
    const body = JSON.stringify({ event_ids: [LAKERS], state });
    const batch = await json('/odds/batch', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    assert.deepEqual(booksOf(linksIn(batch.data), state.toLowerCase(), 'batch'), Object.keys(PAGES).sort());
    for (const channel of ['odds', 'opportunities']) {
      const stream = new RawSse(made, `/stream?channel=${channel}&state=${state}&min_ev=-100`, key);
      t.after(() => stream.vanish());
      const received = () => stream.events.filter(({ event }) => /^(?:snapshot|.*:detected)$/.test(event));
      await until('the snapshot is complete', () => stream.events.some(({ event }) => event === 'snapshot:complete'));
      const links = received().flatMap(({ data }) => linksIn(JSON.parse(data)));
      assert.ok(booksOf(links, state.toLowerCase(), channel).length >= 2);
    }
  }
  assert.deepEqual(seen.get(REST[0]!), Object.keys(PAGES).sort());
  // Without a state every answer has links of the default one.
  for (const path of REST) booksOf(linksIn((await json(path)).data), 'pa', path);
});

test('a redirect leads to no host that only looks like the book’s, and is in ASCII', async (t) => {
  const made = await api(t);
  const links = [
    'https://fanduel.com@evil.example/x',
    'https://fanduel.example/wetten/größe?q=ü',
    'https://user:pw@fanduel.com/',
  ];
  await made.ingest({
    book: 'fanduel',
    events: [
      {
        ...game,
        markets: links.map((deep_link, i) =>
          total(200.5 + i, -110, -110, () => ({ deep_link, is_alternate_line: true })),
        ),
      },
    ],
  });
  const { data } = (await (await made.fetch('/odds?limit=50', { key: made.key('enterprise') })).json()) as Json;
  const at = async (line: number): Promise<[number, string | null]> => {
    const { id } = data.find((row: Json) => row.line === line);
    const response = await made.fetch(`/deeplink/${id}`);
    return [response.status, response.headers.get('location')];
  };
  assert.deepEqual(await at(200.5), [404, null]);
  assert.deepEqual(await at(201.5), [302, 'https://fanduel.example/wetten/gr%C3%B6%C3%9Fe?q=%C3%BC']);
  assert.deepEqual(await at(202.5), [404, null]);
});

test('a price has its probability under both names', async () => {
  const made = await linked();
  const key = made.key('enterprise');
  const get = async (path: string): Promise<Json> => (await made.fetch(path, { key })).json();
  const best = (await get(`/odds/best?event=${LAKERS}`)).data[0];
  for (const { decimal, probability, odds_probability } of [best.best_odds, best.all_books[0].odds])
    assert.deepEqual([decimal, probability, odds_probability], [2.1, 0.47619, 0.47619]);
  const { betmgm } = (await get(`/odds/comparison?event=${LAKERS}`)).data.markets[0].selections[0].books;
  assert.deepEqual([betmgm.odds_probability, betmgm.probability], [0.47619, 0.47619]);
});

test('a redirect uses the row’s own link; links built for an opportunity lead to the page of its event', async () => {
  const made = await linked();
  await made.ingest({ book: 'fanduel', events: [{ ...game, markets: [own(220.5, 120, -150)] }] });
  const key = made.key('enterprise');
  const follow = async (id: string, query = '') => {
    const { status, headers } = await made.fetch(`/deeplink/${id}?${query}`);
    return [status, headers.get('location'), headers.get('x-deep-link-type')];
  };
  const get = async (path: string): Promise<Json> => ((await (await made.fetch(path, { key })).json()) as Json).data;
  const ofFeed = (state: string) =>
    `https://${state}.sportsbook.fanduel.com/addToBetslip?marketId=42.1&selectionId=over`;
  const [{ odds_id }] = await get(`/odds/best?event=${LAKERS}`);
  assert.deepEqual(await follow(odds_id), [302, ofFeed('pa'), 'outcome']);
  assert.deepEqual(await follow(odds_id, 'state=nj'), [302, ofFeed('nj'), 'outcome']);
  const [{ id }] = await get('/opportunities/arbitrage?sportsbook=fanduel,caesars');
  assert.deepEqual(await follow(id, 'book=fanduel&state=nj'), [302, ofFeed('nj'), 'outcome']);
  // Caesars has no pages of events: the selection's page is more specific than its front page.
  const caesars = 'https://sportsbook.caesars.com/us/nj/bet/betslip?selectionIds=c-under';
  assert.deepEqual(await follow(id, 'book=caesars&state=nj'), [302, caesars, 'outcome']);
  const [other] = await get('/opportunities/arbitrage?sportsbook=betmgm,caesars');
  const event = 'https://sports.pa.betmgm.com/en/sports/events/m-1';
  assert.deepEqual(await follow(other.id, 'book=betmgm'), [302, event, 'event']);
});

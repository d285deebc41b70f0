// What one request may cost: pieces with others' requests between them, and a price for what was looked at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord } from '../../../src/accounts/key-record.js';
import { Type } from '../../../src/base/model/json-schema.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { batchRoutes } from '../../../src/front/api/batch.js';
import { COST, costlyHistory, costlyQueue, spendOnAll } from '../../../src/front/api/cost.js';
import { closingDayRoutes } from '../../../src/front/api/history.js';
import type { RequestContext } from '../../../src/front/http/context.js';
import type { AskHistory } from '../../../src/store/clv/queries.js';
import type { OddsTable } from '../../../src/tables/table.js';
import { requestedParameters } from '../../requested-parameters.js';
import { api } from '../api.js';
import { engineFor, moneyline, NOW, overUnder } from './serving.js';

test('a large batch is composed in pieces, and nothing of it is sent before the last', async (t) => {
  const { engine } = engineFor(t);
  const rowsOfGame = 500;
  const games = (3 * LIMITS.rowsAtOnce.max) / rowsOfGame;
  for (let no = 0; no < games; no++)
    await engine.ingest([
      {
        book: 'draftkings',
        polled_at: NOW,
        scope: 'event',
        events: [
          {
            league: 'nba',
            home_team: `Home ${no}`,
            away_team: `Away ${no}`,
            start_time: '2026-11-21T00:30:00Z',
            markets: Array.from({ length: rowsOfGame / 2 }, (_, i) =>
              overUnder('player_points', 10.5, { player_name: `Player ${no} ${i}` }),
            ),
          },
        ],
      },
    ]);
  const ids = engine.table.events.ordered().map(({ id }) => id);
  assert.equal(engine.table.rowCount, games * rowsOfGame);
  const seen = { kept: 0, spent: 0, sent: undefined as Buffer | undefined };
  const [route] = batchRoutes({ engine, feeds: () => [], version: '0' }, costlyQueue());
  const context: Partial<RequestContext<unknown, object>> = {
    query: {},
    body: { event_ids: [...ids, 'nowhere'] },
    tier: 'enterprise',
    asked: requestedParameters(Type.Object({}), {}),
    aborted: false,
    requireKey: () => ({ account: 'acc' }) as KeyRecord,
    spend: (rows) => {
      seen.spent += rows;
    },
    keepPosition: () => {
      seen.kept++;
    },
    sendBuffer: (_status, _type, bytes) => {
      seen.sent = Buffer.from(bytes);
    },
  };
  const answered = route!.handler(context as never);
  assert.deepEqual([seen.kept, seen.sent], [1, undefined], 'the first piece');
  // Committed between two pieces: the last game has it.
  const last = ids.at(-1)!;
  await engine.ingest([
    { book: 'fanduel', polled_at: NOW, scope: 'event', events: [{ event_id: last, markets: [moneyline(-110, -110)] }] },
  ]);
  await answered;
  const { data, missing, meta } = JSON.parse(String(seen.sent)) as {
    data: { events: { event_id: string; odds: object[] }[]; missing_events: string[] };
    missing: string[];
    meta: { found: number };
  };
  assert.deepEqual(
    data.events.map(({ event_id }) => event_id),
    ids,
  );
  assert.ok(data.events.slice(0, -1).every(({ odds }) => odds.length === rowsOfGame));
  assert.deepEqual([data.missing_events, missing, meta.found], [['nowhere'], ['nowhere'], games]);
  assert.ok(seen.kept >= 2);
  assert.ok(seen.spent >= games * rowsOfGame * COST.composed);
});

test('a list that may look at every row is counted by the rows of the table, a plain page and one of an event are not', () => {
  const spentOn = (query: object, each: number): number => {
    let spent = 0;
    const spend = (rows: number) => {
      spent += rows;
    };
    spendOnAll({ query, spend }, { rowCount: 500_000 } as OddsTable, each);
    return spent;
  };
  assert.equal(spentOn({ limit: 200, offset: 100, format: 'json', sort: undefined }, 1), 0);
  assert.equal(spentOn({ limit: 200, sort: '-odds' }, 1), 500_000);
  assert.equal(spentOn({ limit: 200, sort: '-odds', event: 'nba_a_b' }, 1), 0);
  assert.equal(spentOn({ limit: 200 }, COST.candidate), 500_000 * COST.candidate);
});

test('what an evaluation costs is taken from the requests of the minute', async (t) => {
  const made = await api(t);
  const players = 300;
  const market = (no: number, price: number) => ({
    ...overUnder('player_points', 10.5, { player_name: `Player ${no}` }),
    selections: ['over', 'under'].map((selection) => ({
      selection,
      selection_type: selection,
      line: 10.5,
      odds_american: price,
    })),
  });
  for (const [book, price] of [
    ['pinnacle', -110],
    ['draftkings', -105],
    ['fanduel', -108],
    ['betmgm', -112],
  ] as const)
    await made.ingest({
      book,
      polled_at: NOW,
      scope: 'event',
      events: [
        {
          league: 'nba',
          home_team: 'Boston Celtics',
          away_team: 'Los Angeles Lakers',
          start_time: '2026-11-21T00:30:00Z',
          markets: Array.from({ length: players }, (_, no) => market(no, price)),
        },
      ],
    });
  const key = made.key('enterprise');
  const left = async (query: string): Promise<number> => {
    const response = await made.fetch(`/opportunities/ev?${query}`, { key });
    assert.equal(response.status, 200, await response.text());
    return Number(response.headers.get('x-ratelimit-remaining'));
  };
  const before = await left('min_ev=0');
  const evaluated = await left('min_ev=-100&devig=shin');
  const extra = Math.floor((4 * 2 * players * COST.evaluated) / LIMITS.chargedRows.max);
  assert.ok(extra > 0);
  assert.equal(before - evaluated, 1 + extra);
  assert.equal(evaluated - (await left('min_ev=-100&devig=shin&league=nhl')), 1, 'nothing of that league');
  for (const path of ['/odds', '/opportunities/ev']) {
    const names = Array.from({ length: LIMITS.searchedTeams.max + 1 }, (_, i) => `t${i}`);
    assert.equal((await made.fetch(`${path}?team=${names}`, { key })).status, 400, path);
    assert.equal((await made.fetch(`${path}?team=${names.slice(1)}`, { key })).status, 200, path);
  }
});

test('bets that are graded, predictions and bets placed elsewhere wait in the queue of costly work, and count by their number', async (t) => {
  const made = await api(t, { history: '30' });
  const key = made.key('enterprise', { requestsPerMinute: 1_000 });
  const left = async (path: string, body?: object): Promise<number> => {
    const response = await made.fetch(path, {
      key,
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.ok(response.status < 300, text);
    return Number(response.headers.get('x-ratelimit-remaining'));
  };
  const before = await left('/account');
  const bets = Array.from({ length: 400 }, () => ({ odds_id: '1234567890123456789', odds_decimal: 2 }));
  // 400 x 500 rows are two requests more.
  assert.equal(await left('/grade', { bets }), before - 3);
  const flood = Array.from({ length: 4 * LIMITS.costlyRequestsWaitingOfAccount.max }, () => [
    '/grade',
    '/historical/predictions?event=x',
  ]).flat();
  const answers = await Promise.all(
    flood.map((path) =>
      made.fetch(path, {
        key,
        ...(path === '/grade'
          ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ bets }) }
          : {}),
      }),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0, 'the queue of an account is bounded');
  assert.ok(answers.every(({ status }) => status === 200 || status === 429));
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
});

test('once its client has left, no further game of a day of closing prices is asked about', async (t) => {
  const { server, ingest, clock } = await api(t, { history: '7', 'log-retention': '604800' });
  for (const no of [1, 2, 3]) {
    const game = {
      league: 'nba',
      home_team: `Home ${no}`,
      away_team: `Away ${no}`,
      start_time: '2026-11-21T00:30:00Z',
    };
    await ingest({ book: 'draftkings', events: [{ ...game, markets: [moneyline(-110, -110)] }] });
  }
  clock.set(Date.parse('2026-11-21T01:00:00Z'));
  const asked: string[] = [];
  const history: AskHistory = (kind, question) => {
    asked.push(kind);
    return server.history!(kind, question);
  };
  const { engine } = server;
  const [route] = closingDayRoutes({ engine, feeds: () => [], version: '0' }, costlyHistory(history, costlyQueue()));
  const query = { date: '2026-11-21', sport: 'basketball', league: 'nba', devig: 'power' };
  const context = {
    ...{ query, tier: 'enterprise', key: undefined, aborted: false, asked: requestedParameters(Type.Object({}), {}) },
    requireKey: () => ({ account: 'acc' }),
    spend: () => {
      context.aborted = true;
    },
    sendBuffer: () => {},
  };
  await route!.handler(context as never);
  assert.deepEqual(asked, ['day', 'closed']);
});

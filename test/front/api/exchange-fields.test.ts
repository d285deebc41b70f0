// Exchange data beside the price, from the push to every interface and across a restart; and stakes within it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { served } from '../../intake/feeds/kit/served.js';
import { newFolder } from '../../temp-folders.js';

const SIZES = { size: 53.5, volume_24h: 18_500, open_interest: 42_000, exchange_token_id: 'KXNBAGAME-X-BOS' };

function poll(book: string, home: object, away: object, max_bet?: number): IngestMessage {
  const sides = [
    { selection: 'Boston Celtics', selection_type: 'home', ...home },
    { selection: 'LA Lakers', selection_type: 'away', ...away },
  ];
  const market = { market_type: 'moneyline', ...(max_bet === undefined ? {} : { max_bet }), selections: sides };
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'event',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'LA Lakers',
        start_time: new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000).toISOString(),
        markets: [market],
      },
    ],
  };
}

const quiet = { name: 'quiet', simulated: false, run: async () => {}, stop: () => {} };
const kalshi = (size: number) =>
  poll('kalshi', { odds_decimal: 2.1, ...SIZES, size }, { odds_decimal: 1.5, size: 900 });

test('sizes, volumes and tokens are on every interface, and stakes stay within the sizes', async (t) => {
  const data = newFolder('overround-sizes-');
  const settings = { commission: 'kalshi=0' };
  const first = await served(t, quiet, { data, settings });
  const { server } = first;
  assert.deepEqual(
    (await server.ingest([kalshi(53.5), poll('draftkings', { odds_american: -150 }, { odds_american: 110 }, 500)]))
      .rejected,
    [],
  );
  const shown = async (world: typeof first) =>
    (await world.rows('kalshi'))
      .map((row) => [row.selection_type, row.size, row.volume_24h, row.open_interest, row.exchange_token_id])
      .sort();
  const rows = [
    ['away', 900, undefined, undefined, undefined],
    ['home', 53.5, 18_500, 42_000, 'KXNBAGAME-X-BOS'],
  ];
  assert.deepEqual(await shown(first), rows);
  const csv = await (
    await fetch(`${server.url}/api/v1/odds?sportsbook=kalshi&format=csv`, {
      headers: { 'x-api-key': server.ownKey('enterprise')! },
    })
  ).text();
  assert.match(csv, /,53\.5,18500,42000,KXNBAGAME-X-BOS/);
  const arbitrage = async () => ((await first.read('/opportunities/arbitrage')).data as Arbitrage[])[0]!;
  const found = await arbitrage();
  // Half of the stake is at 2.1, where 53.50 is available; the other side would accept 500.
  assert.deepEqual(
    found.legs.map((leg) => [leg.sportsbook, leg.max_stake]),
    [
      ['kalshi', 53.5],
      ['draftkings', 500],
    ],
  );
  const share = found.legs[0]!.stake_percent / 100;
  assert.equal(found.max_stake, Math.floor((53.5 / share) * 100) / 100);
  for (const leg of found.legs) assert.ok((found.max_stake * leg.stake_percent) / 100 <= leg.max_stake);
  // The available stake changes, but not the price: a descriptive change, shown by the delta and the opportunity.
  const since = ((await first.read('/odds?limit=1')).meta as { server_time: string }).server_time;
  await server.ingest([kalshi(10)]);
  const { data: changes } = (await first.read(`/odds/delta?since=${encodeURIComponent(since)}`)) as {
    data: { size?: number }[];
  };
  assert.ok(
    changes.some((row) => row.size === 10),
    JSON.stringify(changes),
  );
  assert.equal((await arbitrage()).legs[0]!.max_stake, 10);
  await first.close();
  const second = await served(t, quiet, { data, settings });
  assert.deepEqual(await shown(second), [rows[0], ['home', 10, ...rows[1]!.slice(2)]]);
  // A size that is not a number of at least 0 is rejected alone.
  const { accepted, rejected } = await second.server.ingest([
    poll('kalshi', { odds_decimal: 2.5, size: -1, open_interest: '7' }, { odds_decimal: 1.5, exchange_token_id: '' }),
  ]);
  assert.equal(accepted, 2);
  assert.deepEqual(
    rejected.map(({ path }) => path.split('.').at(-1)),
    ['size', 'open_interest', 'exchange_token_id'],
  );
});

test('what a market alone charges is on its rows, after a restart and as of an earlier instant, and on no others', async (t) => {
  const data = newFolder('overround-own-commission-');
  const settings = { history: '1' };
  const first = await served(t, quiet, { data, settings });
  const commission = { model: 'contract', rate: 0.035 } as const;
  const charged = poll('polymarket', { odds_decimal: 2.1, size: 20 }, { odds_decimal: 1.5 });
  charged.events![0]!.markets[0]!.commission = commission;
  await first.server.ingest([charged, poll('kalshi', { odds_decimal: 2.1 }, { odds_decimal: 1.5 })]);
  type Rows = { data: { sportsbook: string; commission?: object }[] };
  const shown = async (world: typeof first, at = ''): Promise<unknown> =>
    ((await world.read(`/odds?sportsbook=polymarket,kalshi${at}`)) as unknown as Rows).data
      .map(({ sportsbook, commission: own }) => [sportsbook, own])
      .sort();
  const [kalshi, polymarket] = [
    ['kalshi', undefined],
    ['polymarket', commission],
  ];
  assert.deepEqual(await shown(first), [kalshi, kalshi, polymarket, polymarket]);
  // By the server's clock, which the system's may be milliseconds ahead of.
  const { server_time: instant } = (await first.read('/odds?limit=1')).meta as { server_time: string };
  const free = { model: 'winnings', rate: 0 } as const;
  charged.polled_at = new Date(Date.now() + 1).toISOString();
  charged.events![0]!.markets[0]!.commission = free;
  await first.server.ingest([charged]);
  const after = [kalshi, kalshi, ['polymarket', free], ['polymarket', free]];
  assert.deepEqual(await shown(first), after);
  assert.deepEqual(await shown(first, `&at=${instant}`), [kalshi, kalshi, polymarket, polymarket]);
  const { data: groups } = (await first.read('/odds?sportsbook=polymarket&group_by=event')) as never as {
    data: { odds: { commission?: object }[] }[];
  };
  assert.deepEqual(
    groups.flatMap(({ odds }) => odds.map((row) => row.commission)),
    [free, free],
  );
  const csv = await (
    await fetch(`${first.server.url}/api/v1/odds?sportsbook=polymarket&format=csv`, {
      headers: { 'x-api-key': first.server.ownKey('enterprise')! },
    })
  ).text();
  assert.match(csv, /,"{""model"":""winnings"",""rate"":0}"\r\n/);
  await first.close();
  assert.deepEqual(await shown(await served(t, quiet, { data, settings })), after);
});

interface Arbitrage {
  max_stake: number;
  legs: { sportsbook: string; stake_percent: number; max_stake: number }[];
}

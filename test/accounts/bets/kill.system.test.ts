// kill -9 of a serving process in the middle of bets, results and corrections: after each restart every acknowledged bet
// is there as it was answered, none twice, and the account's money adds up.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { openAccounts } from '../../../src/accounts/accounts.js';
import { systemClock } from '../../../src/base/model/clock.js';
import type { Json } from '../../front/api.js';
import { LONG } from '../../long.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';
import { atOnce } from '../keys-at-once.js';

const MAIN = new URL('../../../src/main.js', import.meta.url).pathname;
const ROUNDS = LONG ? 12 : 2;
/** Answers before the process is killed; further requests are under way then. */
const ANSWERS = 25;
const WINDOW = 6;
const DEPOSITS = 2_000;
const SIZE = 400;
const GAMES = ['Utah Jazz', 'Boston Celtics', 'Miami Heat', 'Denver Nuggets'];

const game = (home: string) => ({ league: 'nba', home_team: home, away_team: 'Chicago Bulls', ...START });

async function serve(t: TestContext, data: string): Promise<{ url: string; child: ChildProcess }> {
  const flags = ['--port', '0', '--data', data, '--workers', '1', '--feed', 'none', '--native-code', 'any'];
  const child = spawn(process.execPath, [MAIN, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  for await (const bytes of child.stdout!) {
    text += bytes;
    const port = /"listening".*"port":(\d+)/.exec(text)?.[1];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}/api/v1`, child };
  }
  throw new Error(`it does not listen: ${text}`);
}

test('killed in the middle of bets, a server has every acknowledged bet once, and cash + open stakes = deposits + profit', async (t) => {
  const data = newFolder('overround-');
  const accounts = openAccounts(data, systemClock);
  const { key } = atOnce(accounts).create({ tier: 'enterprise', scopes: ['ingest'], requestsPerMinute: 100_000 });
  await accounts.close();
  /** As last answered, by client id. */
  const acknowledged = new Map<string, Json>();
  const sent = new Map<string, object>();
  let rows: string[] = [];
  let revision = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { url, child } = await serve(t, data);
    const call = async (method: string, path: string, body?: object): Promise<Json> => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const answer = (await response.json()) as Json;
      assert.ok(response.ok, JSON.stringify(answer));
      return answer;
    };
    if (round === 0) {
      for (const home of GAMES) await call('POST', '/ingest', prices(game(home), home));
      rows = (await call('GET', '/odds?limit=50'))['data'].map(({ id }: Json) => id);
      await call('PUT', '/account/bankroll', { deposits: DEPOSITS });
    }
    await check(call, acknowledged, sent);
    let answers = 0;
    let over = false;
    const lane = async (no: number): Promise<void> => {
      for (let i = 0; !over; i++) {
        const client_id = `${round}-${no}-${i}`;
        const odds_id = rows[(no + i) % rows.length]!;
        const stake = 1 + ((no * 7 + i * 3) % 90) / 2;
        const bet = { client_id, odds_id, stake, odds_decimal: 2, mode: i % 3 === 0 ? 'placed' : 'paper' };
        sent.set(client_id, bet);
        const { data: placed } = await call('POST', '/account/bets', { bets: [bet] });
        acknowledged.set(client_id, placed[0]);
        if (i % 3 === 1) {
          const home = GAMES[(no + i) % GAMES.length]!;
          const result = { ...game(home), status: 'final', home_score: 100 + (++revision % 3), away_score: 101 };
          await call('POST', '/ingest', { source: 'league', results: [result] });
        }
        if (++answers === ANSWERS) {
          over = true;
          child.kill('SIGKILL');
        }
      }
    };
    const exit = once(child, 'exit');
    await Promise.allSettled(Array.from({ length: WINDOW }, (_, no) => lane(no)));
    assert.ok(over, 'it was killed in the middle');
    await exit;
  }
  const { url } = await serve(t, data);
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    return (await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json() as Json;
  };
  await check(call, acknowledged, sent);
  // What was under way may be sent again: it is recorded once.
  const lost = [...sent.values()].slice(-20) as { client_id: string }[];
  await call('POST', '/account/bets', { bets: lost });
  const final = (home: string) => ({ ...game(home), status: 'final', home_score: 120, away_score: 101 });
  await call('POST', '/ingest', { source: 'league', results: GAMES.map(final) });
  await until('every game is graded', async () => (await call('GET', '/account/bankroll'))['data'].open_stakes === 0);
  const again = await check(call, acknowledged, sent);
  assert.equal(new Set(again.map(({ client_id }) => client_id)).size, again.length);
  for (const { client_id } of lost) assert.equal(again.filter((bet) => bet['client_id'] === client_id).length, 1);
});

const START = { start_time: new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000).toISOString() };

function prices(game: object, home: string): object {
  const selections = [
    { selection: home, selection_type: 'home', odds_decimal: 2.02 },
    { selection: 'Chicago Bulls', selection_type: 'away', odds_decimal: 2 },
  ];
  const markets = [{ market_type: 'moneyline', max_bet: SIZE, selections }];
  return { book: 'draftkings', polled_at: new Date().toISOString(), events: [{ ...game, markets }] };
}

/** The list has what was answered, and the ledger is what the list adds up to; in cents. */
async function check(
  call: (method: string, path: string) => Promise<Json>,
  acknowledged: ReadonlyMap<string, Json>,
  sent: ReadonlyMap<string, object>,
): Promise<Json[]> {
  const { bets, bankroll } = await standing(call);
  const byId = new Map(bets.map((bet) => [bet['client_id'] as string, bet]));
  assert.equal(byId.size, bets.length, 'none twice');
  for (const [id, { id: no, status, fills, odds_id, stake }] of acknowledged) {
    const now = byId.get(id);
    const { id: itsNo, status: its, fills: itsFills, odds_id: row, stake: itsStake } = now ?? {};
    assert.deepEqual(
      [itsNo, its, itsFills, row, itsStake],
      [no, status, fills, odds_id, stake],
      `${id} is as answered`,
    );
  }
  for (const id of byId.keys()) assert.ok(sent.has(id), `${id} was asked for`);
  const cents = (amount: number): number => Math.round(100 * amount);
  const filled = bets.filter(({ status }) => status === 'filled' || status === 'part_filled');
  const sum = (of: readonly Json[], value: (bet: Json) => number): number =>
    of.reduce((all, bet) => all + cents(value(bet)), 0);
  const open = filled.filter(({ profit }) => profit === null);
  const { cash, open_stakes, profit, deposits } = bankroll;
  assert.equal(
    cents(open_stakes),
    sum(open, ({ stake_filled }) => stake_filled),
  );
  assert.equal(
    cents(profit),
    sum(filled, (bet) => bet['profit'] ?? 0),
  );
  assert.equal(cents(cash) + cents(open_stakes), cents(deposits) + cents(profit));
  // No more on paper than the book takes, of all bets on a row together, before its game is graded.
  const rows = new Set(filled.map(({ odds_id }) => odds_id));
  for (const row of rows) {
    const own = filled.filter(({ odds_id, mode }) => odds_id === row && mode === 'paper');
    if (own.every((bet) => bet['profit'] === null))
      assert.ok(sum(own, ({ stake_filled }) => stake_filled) <= cents(SIZE), `${row} was filled twice`);
  }
  return bets;
}

/** List and bankroll of one moment: what was told before the kill may be graded after it. */
async function standing(
  call: (method: string, path: string) => Promise<Json>,
): Promise<{ bets: Json[]; bankroll: Json }> {
  for (;;) {
    const before = (await call('GET', '/account/bankroll'))['data'];
    const bets = (await call('GET', '/account/bets?limit=1000'))['data'] as Json[];
    const { data: bankroll } = await call('GET', '/account/bankroll');
    if (JSON.stringify(before) === JSON.stringify(bankroll)) return { bets, bankroll };
  }
}

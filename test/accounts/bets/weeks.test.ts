// A ledger over five weeks of which history keeps two days: with restarts, copies of the directory as after a kill,
// corrections, games that are postponed and results that come when everything else has forgotten the game.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type Bet, counts, riskOf } from '../../../src/accounts/bets/bet.js';
import { halfEven } from '../../../src/accounts/bets/cents.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { type Booted, boot } from '../../support/server.js';
import { newFolder } from '../../temp-folders.js';

const BEGIN = Date.parse('2026-10-05T18:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 35;
const ACCOUNT = 'ledger';
const TEAMS = ['Boston Celtics', 'Utah Jazz', 'Miami Heat', 'Denver Nuggets', 'Chicago Bulls', 'Los Angeles Lakers'];

class World {
  readonly clock = new ManualClock(BEGIN);
  data = newFolder('overround-weeks-');
  made!: Booted<ManualClock>;
  readonly #t: TestContext;

  constructor(t: TestContext) {
    this.#t = t;
  }

  async start(): Promise<void> {
    const settings = { history: '2', 'log-retention': '3600', 'bet-delay': 'draftkings=0;betfair=0', fx: 'GBP=1.25' };
    this.made = await boot(this.#t, { data: this.data, settings, clock: this.clock });
  }

  get bets() {
    return this.made.server.bets;
  }

  get at(): string {
    return new Date(this.clock.now()).toISOString();
  }

  async ingest(message: object): Promise<void> {
    const receipt = await this.made.server.engine.ingest([{ polled_at: this.at, scope: 'event', ...message }]);
    assert.deepEqual(receipt.rejected, [], JSON.stringify(message).slice(0, 200));
  }

  /** Everything told so far is graded. */
  async settled(): Promise<void> {
    await this.bets.passTime();
    assert.equal(await this.bets.graded(), 0);
  }

  async all(): Promise<Bet[]> {
    const found: Bet[] = [];
    for await (const piece of this.bets.all(ACCOUNT)) found.push(...piece);
    return found;
  }
}

interface Game {
  day: number;
  ref: { league: string; home_team: string; away_team: string; start_time: string };
  id: string;
  /** What it counts as at last. */
  homeWon: boolean | null;
  bets: Bet[];
}

async function play(world: World, day: number): Promise<Game> {
  const [home_team, away_team] = [TEAMS[day % 6]!, TEAMS[(day + 1 + (day % 4)) % 6]!];
  const ref = { league: 'nba', home_team, away_team, start_time: new Date(BEGIN + day * DAY + 2 * HOUR).toISOString() };
  const market = (market_type: string, home: number, away: number) => ({
    market_type,
    selections: [
      { selection: home_team, selection_type: 'home', odds_decimal: home },
      { selection: away_team, selection_type: 'away', odds_decimal: away },
    ],
  });
  await world.ingest({ book: 'draftkings', events: [{ ...ref, markets: [market('moneyline', 2.37, 1.65)] }] });
  await world.ingest({ book: 'betfair', events: [{ ...ref, markets: [market('moneyline_lay', 2.44, 1.71)] }] });
  const { table } = world.made.server.engine;
  const event = table.events.ordered().find(({ startMs }) => startMs === Date.parse(ref.start_time))!;
  const slots = [...event.rows.unsorted()];
  const key = { account: ACCOUNT, tier: 'enterprise' } as Parameters<World['bets']['place']>[0];
  const requests = slots.map((slot, i) => ({
    clientId: `d${day}-${i}`,
    oddsId: table.columns.id.at(slot),
    mode: i % 3 === 2 ? ('placed' as const) : ('paper' as const),
    cents: 101 + 37 * i + day,
    decimal: table.columns.decimal[slot]!,
    american: 100,
    tag: null,
    note: null,
  }));
  const bets = await world.bets.place(key, requests);
  assert.ok(bets.every(counts), JSON.stringify(bets.map(({ reason }) => reason)));
  return { day, ref, id: event.id, homeWon: null, bets };
}

async function tell(world: World, game: Game, homeWon: boolean, byId: boolean, source = 'league'): Promise<void> {
  const ref = byId ? { event_id: game.id } : game.ref;
  const scores = { home_score: homeWon ? 110 : 99, away_score: 104 };
  await world.ingest({ source, results: [{ ...ref, status: 'final', at: world.at, ...scores }] });
  game.homeWon = homeWon;
}

/** In cents, by the rules of this test alone. */
function profitOf({ subject, fills }: Bet, homeWon: boolean): number {
  const selected = (subject!.selectionType === 'home') === homeWon;
  return fills.reduce((sum, { home, decimal, liability }) => {
    // What it may lose is in whole cents.
    if (subject!.market === 'moneyline_lay') return sum + (selected ? -liability! : home * 0.95);
    return sum + (selected ? home * (decimal - 1) : -home);
  }, 0);
}

async function check(world: World, games: readonly Game[], when: string): Promise<void> {
  const bankroll = world.bets.bankroll(ACCOUNT);
  const ends = new Map(games.flatMap(({ homeWon, bets }) => bets.map(({ no }) => [no, homeWon] as const)));
  let [profit, open, count] = [0, 0, 0];
  for (const bet of await world.all()) {
    const homeWon = ends.get(bet.no)!;
    count++;
    if (homeWon === null) {
      assert.equal(bet.grading?.profit ?? null, null, `${when}: ${bet.clientId} is open`);
      open += riskOf(bet);
      continue;
    }
    const right = profitOf(bet, homeWon);
    assert.ok(Math.abs(right - (bet.grading?.profit ?? Number.NaN)) < 1e-4, `${when}: ${bet.clientId} ${right}`);
    profit += right;
  }
  assert.equal(count, ends.size);
  assert.deepEqual(
    [bankroll.profit, bankroll.open, bankroll.cash + bankroll.open],
    [halfEven(Math.round(profit * 1e4) / 1e4), open, bankroll.deposits! + bankroll.profit],
    when,
  );
}

test('over five weeks every sum holds at every step, whatever is forgotten, corrected, told late or cut off', async (t) => {
  const world = new World(t);
  await world.start();
  await world.bets.setBankroll(ACCOUNT, 10_000_000, 'USD');
  const games: Game[] = [];
  for (let day = 0; day < DAYS; day++) {
    world.clock.set(BEGIN + day * DAY);
    games.push(await play(world, day));
    await check(world, games, `day ${day}, bet`);
    world.clock.set(BEGIN + day * DAY + 5 * HOUR);
    // Told on the evening, three days late, ten days late, or never.
    const tonight = games.filter((game) => {
      const late = [0, 0, 3, 10, 0, Number.POSITIVE_INFINITY, 0][game.day % 7]!;
      return game.day + late === day;
    });
    for (const game of tonight) await tell(world, game, game.day % 3 !== 0, game.day % 2 === 0);
    // Corrected, also after nine days.
    for (const game of games)
      if (game.homeWon !== null && [1, 9].includes(day - game.day) && game.day % 4 === 1)
        await tell(world, game, day - game.day === 9, true);
    await world.settled();
    await check(world, games, `day ${day}, told`);
    world.clock.set(BEGIN + day * DAY + 12 * HOUR);
    await world.ingest({ book: 'fanduel', league: 'nba', scope: 'league', events: [] });
    await world.settled();
    await check(world, games, `day ${day}, an hour and more later`);
    if (day % 5 !== 4) continue;
    if (day % 10 === 9) {
      await world.made.close();
    } else {
      // What a killed process leaves.
      const left = newFolder('overround-weeks-');
      cpSync(world.data, left, {
        recursive: true,
        filter: (path) => !path.endsWith('.sock') && !path.endsWith('.lock'),
      });
      await world.made.close();
      world.data = left;
    }
    await world.start();
    await world.settled();
    await check(world, games, `day ${day}, begun anew`);
  }
  const settled = (await world.all()).filter(({ grading }) => grading?.profit != null).length;
  assert.ok(settled > 100 && world.made.server.engine.table.events.size < 6, `${settled} settled`);
});

test('a source that repeats its word after another had said otherwise turns bets back with the result', async (t) => {
  const world = new World(t);
  await world.start();
  await world.bets.setBankroll(ACCOUNT, 10_000_000, 'USD');
  const game = await play(world, 0);
  for (const [i, source] of ['b', 'a', 'b', 'b', 'a'].entries()) {
    world.clock.set(BEGIN + 5 * HOUR + i * 60_000);
    await tell(world, game, source === 'b', true, source);
    await world.settled();
    await check(world, [game], `word ${i}, of ${source}`);
  }
});

// The bot of the README, which is killed as often as its server: it writes down every arbitrage, each once.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { mortalServer } from '../support/mortal-server.js';
import { blocksOf } from '../support/page-blocks.js';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';

const [BOT] = blocksOf('README.md', 'python') as [string];
const skip = spawnSync('python3', ['-c', 'import sqlite3']).status === 0 ? false : 'Python is missing';
const TEAMS = ['celtics', 'lakers', 'heat', 'warriors', 'bulls', 'nuggets', 'suns', 'knicks', 'magic', 'bucks'];

/** The two prices of a game that are an arbitrage. */
function arbitrage(home: string, away: string): object[] {
  const selections = (odds: readonly [number, number]) =>
    [home, away].map((selection, i) => ({
      selection,
      selection_type: i === 0 ? 'home' : 'away',
      odds_american: odds[i],
    }));
  const start_time = new Date(Date.now() + 7_200_000).toISOString();
  const of = { league: 'nba', home_team: home, away_team: away, start_time };
  return (
    [
      ['draftkings', [130, -160]],
      ['fanduel', [-110, 104]],
    ] as const
  ).map(([book, odds]) => ({
    book,
    polled_at: new Date().toISOString(),
    scope: 'none',
    events: [{ ...of, markets: [{ market_type: 'moneyline', selections: selections(odds) }] }],
  }));
}

test('the bot of the README has twenty lines at most', () => {
  assert.ok(BOT.trim().split('\n').length <= 20);
});

test('the bot of the README misses nothing and doubles nothing, whichever is killed', { skip }, async (t) => {
  const dir = newFolder('overround-bot-');
  writeFileSync(join(dir, 'bot.py'), BOT);
  const server = await mortalServer(t);
  const env = {
    ...process.env,
    PYTHONPATH: resolve('python/src'),
    OVERROUND_URL: server.url,
    OVERROUND_KEY: server.key,
  };
  let bot: ChildProcess | undefined;
  const begin = (): void => {
    bot = spawn('python3', ['bot.py'], { cwd: dir, env, stdio: 'ignore' });
  };
  const kill = async (): Promise<void> => {
    if (bot === undefined || bot.exitCode !== null || bot.signalCode !== null) return;
    const exited = once(bot, 'exit');
    bot.kill('SIGKILL');
    await exited;
  };
  t.after(kill);
  const written = (): string[] => {
    const program =
      'import sqlite3\nfor row in sqlite3.connect("bot.db").execute("select id from bets"): print(row[0])';
    return execFileSync('python3', ['-c', program], { cwd: dir, encoding: 'utf8' }).trim().split('\n');
  };

  begin();
  const games = TEAMS.flatMap((home, i) => TEAMS.slice(i + 1).map((away) => [home, away] as const)).slice(0, 24);
  for (const [i, [home, away]] of games.entries()) {
    await server.push(...arbitrage(home, away));
    if (i % 4 === 1) {
      await kill();
      begin();
    }
    if (i % 8 === 3) {
      await server.kill();
      await server.begin();
    }
    // Killed while the server is away, and begun before it is back.
    if (i % 8 === 6) {
      await server.kill();
      await kill();
      begin();
      await server.begin();
    }
  }
  const answer = await fetch(`${server.url}/api/v1/opportunities/arbitrage?limit=200`, {
    headers: { 'x-api-key': server.key },
  });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  const ids = data.map(({ id }) => id).sort();
  assert.ok(ids.length >= games.length, `${ids.length} arbitrages`);
  await until(
    () => `${written().length} of ${ids.length}`,
    () => written().length >= ids.length,
  );
  assert.deepEqual(written().sort(), ids);
  assert.equal(bot!.exitCode, null);
});

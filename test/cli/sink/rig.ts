// What the tests of sinks share: the command as a process that is killed and begun again, and books that move their prices.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { formatUs, parseTimeUs } from '../../../src/base/model/time.js';
import type { MortalServer } from '../../support/mortal-server.js';
import { until } from '../../support/until.js';

const MAIN = resolve('dist/src/main.js');

export interface SinkProcess {
  begin(): void;
  kill(signal?: NodeJS.Signals): Promise<number | null>;
  /** What it said. */
  said(): string;
  /** On standard output. */
  printed(): string;
  /** Its exit code, once it has ended. */
  ended(): Promise<number | null>;
}

export function sinkProcess(t: TestContext, args: readonly string[]): SinkProcess {
  let child: ChildProcess | undefined;
  let text = '';
  let printed = '';
  /** Once what it wrote last has been read, too. */
  let closed: Promise<unknown> | undefined;
  const ended = async (): Promise<number | null> => {
    await closed;
    return child?.exitCode ?? null;
  };
  const kill = (signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> => {
    child?.kill(signal);
    return ended();
  };
  t.after(() => kill());
  return {
    begin: () => {
      child = spawn(process.execPath, [MAIN, 'sink', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
      closed = once(child, 'close');
    },
    kill,
    said: () => text,
    printed: () => printed,
    ended,
  };
}

const TEAMS = [
  ['Boston Celtics', 'Los Angeles Lakers'],
  ['Chicago Bulls', 'Miami Heat'],
  ['Denver Nuggets', 'Phoenix Suns'],
] as const;
const BOOKS = ['draftkings', 'fanduel', 'betmgm', 'caesars'];
const START = new Date(Date.now() + 7_200_000).toISOString();
/** So that prices differ from round to round and book to book, and some of them make an arbitrage. */
const priceOf = (round: number, book: number, side: number): number =>
  side === 0 ? 101 + ((round * 7 + book * 5) % 14) : -(101 + ((round * 5 + book * 3) % 11));

/** What every book says in a round; in some rounds a book has no game, or is suspended. */
export function messages(round: number): object[] {
  return BOOKS.map((book, i) => ({
    book,
    polled_at: new Date().toISOString(),
    scope: 'league',
    league: 'nba',
    events: TEAMS.filter((_, game) => (round + i + game) % 7 !== 0).map(([home_team, away_team]) => ({
      league: 'nba',
      home_team,
      away_team,
      start_time: START,
      markets: [
        {
          market_type: 'moneyline',
          ...((round + i) % 11 === 0 ? { is_active: false } : {}),
          selections: [home_team, away_team].map((selection, side) => ({
            selection,
            selection_type: side === 0 ? 'home' : 'away',
            odds_american: priceOf(round, i, side),
          })),
        },
      ],
    })),
  }));
}

export async function rowsOf(server: MortalServer, path: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { 'x-api-key': server.key } });
  const body = (await answer.json()) as { data: Record<string, unknown>[] };
  assert.equal(answer.status, 200, JSON.stringify(body));
  return body.data;
}

/** Sends again until it is stored: a server that was killed may have it or not. */
export async function pushed(server: MortalServer, ...sent: object[]): Promise<void> {
  await until('the server takes it', () =>
    server.push(...sent).then(
      () => true,
      () => pause(50, false),
    ),
  );
}

/** Every change that the server's history has from an instant on, over all games: whose, when (Unix µs), its price, or that it went. */
export async function historyOf(server: MortalServer, fromUs: number): Promise<string[]> {
  const found: string[] = [];
  let cursor = '';
  for (;;) {
    const path = `/odds/history?from=${formatUs(fromUs)}&limit=10000&include=removals${cursor}`;
    const answer = await fetch(`${server.url}/api/v1${path}`, { headers: { 'x-api-key': server.key } });
    assert.equal(answer.status, 200);
    const { data, pagination } = (await answer.json()) as {
      data: { odds_id: string; points: { at: string; odds_american: number }[]; removals: string[] }[];
      pagination: { next_cursor?: string };
    };
    for (const { odds_id, points, removals } of data) {
      for (const { at, odds_american } of points) found.push(`${odds_id} ${parseTimeUs(at)} ${odds_american}`);
      for (const at of removals) found.push(`${odds_id} ${parseTimeUs(at)} removed`);
    }
    if (pagination.next_cursor === undefined) return found.sort();
    cursor = `&cursor=${pagination.next_cursor}`;
  }
}

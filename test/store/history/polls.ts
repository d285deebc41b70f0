// Recorded polls of MLB games read independently, to compare history's contents with.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { getOrInsert } from '../../../src/base/memory/get-or-insert.js';
import type { Catalogue } from '../../../src/rules/catalogue/catalogue.js';
import { closingLines } from '../../../src/store/history/answers.js';
import type { HistoryEvent } from '../../../src/store/history/event-record.js';
import type { Recorder } from '../../../src/store/history/recorder.js';
import type { HistoryFile } from '../../../src/store/history-store.js';

export const POLLS = join(process.cwd(), '..', 'shared', 'data', 'mlb_us_polls', 'polls.ndjson.gz');
export const skip = existsSync(POLLS) ? false : 'the recorded polls are not here';
const BOOKS: Record<string, string> = { betonlineag: 'betonline', mybookieag: 'mybookie', williamhill_us: 'caesars' };

interface Poll {
  payload: {
    last_updated: string;
    odds: {
      id: string;
      home_team: string;
      away_team: string;
      commence_time: string;
      bookmakers: {
        key: string;
        markets: { key: string; last_update: string; outcomes: { name: string; price: unknown }[] }[];
      }[];
    }[];
  };
}

type Series = [ms: number, american: number][];

export interface Game {
  home: string;
  away: string;
  startMs: number;
  /** By `book|side`: the moneyline's prices, each from the poll that first contained it. */
  prices: Map<string, Series>;
  /** By the same key: the polls that contained it, and when its book was asked by what they say themselves. */
  shown: Map<string, { pollMs: number; seenMs: number }[]>;
}

/** The polls read without the program's code, and their times. */
export function readGames(polls = Number.POSITIVE_INFINITY): { games: Game[]; pollsMs: number[]; lastMs: number } {
  const games = new Map<string, Game>();
  const pollsMs: number[] = [];
  let lastMs = 0;
  for (const line of gunzipSync(readFileSync(POLLS)).toString().trimEnd().split('\n').slice(0, polls)) {
    const { payload } = JSON.parse(line) as Poll;
    const ms = Date.parse(`${payload.last_updated.slice(0, 23)}Z`);
    lastMs = Math.max(lastMs, ms);
    pollsMs.push(ms);
    for (const { id, home_team: home, away_team: away, commence_time, bookmakers } of payload.odds) {
      const game = games.get(id) ?? { home, away, startMs: 0, prices: new Map<string, Series>(), shown: new Map() };
      games.set(id, game);
      game.startMs = Date.parse(commence_time);
      for (const { key, markets } of bookmakers) {
        const market = markets.find(({ key }) => key === 'h2h');
        for (const { name, price } of market?.outcomes ?? []) {
          const place = `${BOOKS[key] ?? key}|${name === home ? 'home' : 'away'}`;
          const series = getOrInsert(game.prices, place, (): Series => []);
          getOrInsert(game.shown, place, () => []).push({ pollMs: ms, seenMs: Date.parse(market!.last_update) });
          if (series.at(-1)?.[1] !== Number(price)) series.push([ms, Number(price)]);
        }
      }
    }
  }
  return { games: [...games.values()], pollsMs, lastMs };
}

function moneylines(recorder: Recorder, event: HistoryEvent): Map<string, Series> {
  const found = new Map<string, Series>();
  recorder.changes(event, 0, Number.MAX_SAFE_INTEGER, (place, atUs, american) => {
    const row = event.rows[place]!;
    if (row.market !== 'moneyline') return;
    const series = found.get(`${row.book}|${row.selectionType}`) ?? [];
    found.set(`${row.book}|${row.selectionType}`, series);
    // Going live is a change with an unchanged price.
    if (series.at(-1)?.[1] !== american) series.push([Math.floor(atUs / 1000), american]);
  });
  return found;
}

/** @returns how many rows and closes of the first `polls` polls were compared */
export function compare(
  catalogue: Catalogue,
  file: HistoryFile,
  recorder: Recorder,
  polls = Number.POSITIVE_INFINITY,
): { compared: number; closes: number } {
  const { games, lastMs } = readGames(polls);
  const events = new Map<string, HistoryEvent>();
  for (const { hno } of file.events()) {
    const event = recorder.event(hno)!;
    events.set(`${event.home}|${event.away}|${event.startMs}`, event);
  }
  let compared = 0;
  let closes = 0;
  for (const { home, away, startMs, prices } of games) {
    const nameOf = (name: string): string => catalogue.resolveTeam('mlb', name).name;
    const event = events.get(`${nameOf(home)}|${nameOf(away)}|${startMs}`);
    assert.ok(event, `${away} @ ${home}`);
    assert.deepEqual([...moneylines(recorder, event)].sort(), [...prices].sort(), event.id);
    compared += prices.size;
    if (startMs > lastMs) continue;
    const closing = closingLines(recorder, event, lastMs * 1000, () => false).filter(
      ({ row }) => row.market === 'moneyline',
    );
    const shown = closing.map(({ row, point }) => [`${row.book}|${row.selectionType}`, point.american]);
    const last = [...prices].flatMap(([place, series]) => {
      const before = series.filter(([ms]) => ms < startMs).at(-1);
      return before === undefined ? [] : [[place, before[1]]];
    });
    assert.deepEqual(shown.sort(), last.sort(), event.id);
    closes += last.length;
  }
  return { compared, closes };
}

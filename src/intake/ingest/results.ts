// What a message says became of games: results of sources, and venues' own settlements of their markets.

import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';
import type { EventRef, NormalResult, NormalSettlement } from '../../base/model/normal-message.js';
import { present } from '../../base/model/present.js';
import {
  ENDINGS,
  type GameResult,
  OUTCOMES,
  type Outcome,
  outcomeOfValue,
  type PairOfScores,
  type PartScore,
  type PlayerResult,
  RESULT_STATUSES,
  RESULT_WINNERS,
  type ResultStatus,
} from '../../base/model/result.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { namesakesIn, playerKey, playerKeys } from '../../rules/catalogue/player-name.js';
import { contradictsScore } from '../../rules/grading/winners.js';
import { nearestLine } from '../../rules/markets/lines.js';
import { isResultPart } from '../../rules/markets/parts.js';
import { isText, type Reader } from './fields.js';
import { MARKET_TYPE } from './market.js';

const SCORE_MAX = LIMITS.score.max;
const STATISTIC_MAX = LIMITS.statistic.max;
const NAME = /^[a-z0-9][a-z0-9_]{0,39}$/;
const PARTS_MAX = LIMITS.resultParts.max;
const PLAYERS_MAX = LIMITS.resultPlayers.max;
const STATISTICS_MAX = LIMITS.resultStatistics.max;

type ReadRef = (map: Record<string, unknown>, path: string) => EventRef | undefined;

/** @param atMs when it was so if the result does not say (Unix ms) */
export function normaliseResult(
  raw: unknown,
  path: string,
  read: Reader,
  source: string,
  atMs: number,
  readRef: ReadRef,
): NormalResult | undefined {
  if (!isMap(raw)) return read.reject(path, 'not an object');
  const status = raw['status'];
  if (!RESULT_STATUSES.includes(status as ResultStatus))
    return read.reject(`${path}.status`, `not one of ${RESULT_STATUSES.join(', ')}`);
  const ref = readRef(raw, path);
  const ownMs = read.optionalPast(raw['at'], `${path}.at`);
  if (ref === undefined || ownMs === undefined) return undefined;
  const { refusals } = read;
  const word = {
    source,
    atMs: ownMs ?? atMs,
    status: status as ResultStatus,
    score: scores(raw, path, read),
    parts: parts(raw['parts'], `${path}.parts`, read),
    regulation: optionalScores(raw['regulation'], `${path}.regulation`, read),
    stats: statistics(raw['stats'], `${path}.stats`, read),
    players: players(raw['players'], `${path}.players`, read),
    ...ending(raw, path, read),
  };
  if (contradictsScore(word, ref.sport))
    read.reject(`${path}.winner`, 'not that of the score; who goes on to the next round is advanced');
  // Half a result would grade bets wrongly: it is accepted whole or not at all.
  return read.refusals > refusals ? undefined : { ...ref, word, path: read.at + path };
}

export function normaliseSettlement(
  raw: unknown,
  path: string,
  read: Reader,
  book: string,
  catalogue: Catalogue,
  readRef: ReadRef,
): NormalSettlement | undefined {
  if (!isMap(raw)) return read.reject(path, 'not an object');
  const outcome = outcomeOf(raw, path, read);
  if (outcome === undefined) return undefined;
  const statedType = raw['market_type'];
  if (typeof statedType !== 'string' || !MARKET_TYPE.test(statedType))
    return read.reject(`${path}.market_type`, 'not [a-z0-9_]+');
  const named = (raw['selection_type'] ?? undefined) === undefined ? 'selection' : 'selection_type';
  const selection = raw[named];
  if (!isText(selection)) return read.reject(`${path}.${named}`, 'missing, empty or not a readable name');
  const { refusals } = read;
  const line = read.optionalNumber(raw['line'], `${path}.line`, -LIMITS.line.max, LIMITS.line.max);
  const player = read.optionalText(raw['player_name'], `${path}.player_name`);
  const ref = readRef(raw, path);
  if (ref === undefined || read.refusals > refusals) return undefined;
  const stated = catalogue.types.stated(statedType, ref.sport);
  const team = stated.team ?? raw['team'] ?? null;
  if (team !== null && team !== 'home' && team !== 'away') return read.reject(`${path}.team`, 'not one of home, away');
  return {
    ...ref,
    book,
    market: catalogue.typeAt(stated.type, book, line),
    selection: selection.trim().toLowerCase(),
    line: line === null ? null : nearestLine(catalogue.types.of(stated.type, ref.sport), ref.sport, line),
    player: player === null ? null : playerKeys(player)[0]!,
    team,
    outcome,
    path: read.at + path,
  };
}

/** The venue's word, or what it paid for a contract. */
function outcomeOf({ outcome, value }: Record<string, unknown>, path: string, read: Reader): Outcome | undefined {
  if (outcome === undefined && typeof value === 'number' && value >= 0 && value <= 1) return outcomeOfValue(value);
  if (value !== undefined && value !== null) return read.reject(`${path}.value`, 'not 0 to 1, or beside an outcome');
  if (OUTCOMES.includes(outcome as (typeof OUTCOMES)[number])) return outcome as Outcome;
  return read.reject(`${path}.outcome`, `not one of ${OUTCOMES.join(', ')}`);
}

/** How it ended; what is not told is left out. */
function ending(raw: Record<string, unknown>, path: string, read: Reader): Partial<GameResult> {
  const one = <Value extends string>(name: string, values: readonly Value[]): Value | null => {
    const value = raw[name];
    if (value === undefined || value === null || values.includes(value as Value)) return (value as Value) ?? null;
    read.reject(`${path}.${name}`, `not one of ${values.join(', ')}`);
    return null;
  };
  const winner = one('winner', RESULT_WINNERS);
  const advanced = one('advanced', ['home', 'away']);
  const ended = one('ended', ENDINGS);
  const innings = read.optionalNumber(raw['innings'], `${path}.innings`, 0, LIMITS.innings.max);
  if (innings !== null && !Number.isInteger(innings * 2)) read.reject(`${path}.innings`, 'not in halves');
  return present({ winner, advanced, ended, innings });
}

/** Both or none. */
function scores(map: Record<string, unknown>, path: string, read: Reader): PairOfScores | null {
  const home = read.optionalNumber(map['home_score'], `${path}.home_score`, 0, SCORE_MAX);
  const away = read.optionalNumber(map['away_score'], `${path}.away_score`, 0, SCORE_MAX);
  if (home === null && away === null) return null;
  if (home !== null && away !== null) return { home, away };
  read.reject(path, 'only one of home_score and away_score');
  return null;
}

function optionalScores(value: unknown, path: string, read: Reader): PairOfScores | null {
  if (value === undefined || value === null) return null;
  if (isMap(value)) return scores(value, path, read);
  read.reject(path, 'not an object');
  return null;
}

function parts(value: unknown, path: string, read: Reader): PartScore[] {
  const known = new Map<string, PartScore>();
  const list = read.list(value, path);
  if (list.length > PARTS_MAX) read.reject(path, `more than ${PARTS_MAX}`);
  for (const [i, raw] of list.slice(0, PARTS_MAX).entries()) {
    const at = `${path}[${i}]`;
    const part = isMap(raw) ? raw['part'] : undefined;
    if (!isMap(raw) || typeof part !== 'string' || !isResultPart(part)) {
      read.reject(`${at}.part`, 'not the name of a part (h1, q1, p1, innings_1_1, set_1, map_1, ot, et, so, pens)');
      continue;
    }
    const score = scores(raw, at, read);
    const final = read.optionalBoolean(raw['final'], `${at}.final`) ?? false;
    const tieBreak = read.optionalBoolean(raw['tie_break'], `${at}.tie_break`) ?? false;
    if (known.has(part)) read.reject(`${at}.part`, 'the same part twice');
    else if (score === null) read.reject(at, 'needs home_score and away_score');
    else known.set(part, { part, ...score, final, ...(tieBreak ? { tieBreak } : {}) });
  }
  return [...known.values()];
}

/** Own members of a map with names of statistics. */
function named(value: unknown, path: string, read: Reader): [name: string, value: unknown, path: string][] {
  if (value === undefined || value === null) return [];
  if (!isMap(value)) {
    read.reject(path, 'not an object');
    return [];
  }
  const entries = Object.entries(value);
  if (entries.length > STATISTICS_MAX) read.reject(path, `more than ${STATISTICS_MAX}`);
  return entries.slice(0, STATISTICS_MAX).flatMap(([name, own]): [string, unknown, string][] => {
    if (NAME.test(name)) return [[name, own, `${path}.${name}`]];
    read.reject(path, 'a name of a statistic that is not [a-z0-9_]+');
    return [];
  });
}

function statistics(value: unknown, path: string, read: Reader): Record<string, PairOfScores> {
  const stats: Record<string, PairOfScores> = {};
  for (const [name, pair, at] of named(value, path, read)) {
    const count = (side: string): number | null =>
      isMap(pair) ? read.optionalNumber(pair[side], `${at}.${side}`, -STATISTIC_MAX, STATISTIC_MAX) : null;
    const [home, away] = [count('home'), count('away')];
    if (home === null || away === null) read.reject(at, 'needs home and away');
    else stats[name] = { home, away };
  }
  return stats;
}

function players(value: unknown, path: string, read: Reader): Record<string, PlayerResult> {
  const found: Record<string, PlayerResult> = {};
  const list = read.list(value, path);
  if (list.length > PLAYERS_MAX) read.reject(path, `more than ${PLAYERS_MAX}`);
  const taken = list.slice(0, PLAYERS_MAX);
  const nameOf = (raw: unknown): unknown => (isMap(raw) ? raw['player_name'] : undefined);
  const namesakes = namesakesIn(taken.map(nameOf).filter(isText));
  for (const [i, raw] of taken.entries()) {
    const at = `${path}[${i}]`;
    const name = nameOf(raw);
    if (!isMap(raw) || !isText(name)) {
      read.reject(`${at}.player_name`, 'missing, empty or not a readable name');
      continue;
    }
    const stats: Record<string, number> = {};
    for (const [statistic, count, of] of named(raw['stats'], `${at}.stats`, read)) {
      const number = read.optionalNumber(count, of, -STATISTIC_MAX, STATISTIC_MAX);
      if (number !== null) stats[statistic] = number;
    }
    const key = playerKey(name, namesakes);
    if (Object.hasOwn(found, key)) read.reject(`${at}.player_name`, 'the same player twice');
    // Not as a member of a plain object: it would be its prototype.
    else if (key !== '__proto__')
      found[key] = { name: name.trim(), played: read.optionalBoolean(raw['played'], `${at}.played`) ?? true, stats };
  }
  return found;
}

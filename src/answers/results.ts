// What became of games, as served: the word that counts among all sources'.

import { compareText } from '../base/model/compare.js';
import { ApiError, checkWords } from '../base/model/errors.js';
import { RESULT_STATUSES, type ResultRecord, type ResultWord } from '../base/model/result.js';
import { formatMs, formatUs, parseTimeUs } from '../base/model/time.js';
import type { Engine } from '../engine/engine.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { RequestedParameters } from '../schema/parameters.js';
import { Result, type ResultsQuery } from '../schema/results.js';
import { splitList } from '../tables/filter/universe.js';
import { ResultsBoard } from '../tables/results.js';
import { columnsOf } from './csv.js';
import { cursorOfOtherFilters, notACursor } from './cursor.js';
import { digestOfText } from './etag.js';

export const RESULT_COLUMNS = columnsOf(Result);

export interface ResultsPage {
  items: Result[];
  total: number;
  unknown: string[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * The results that an engine's log has, which its later changes update.
 * @param ranks sources, the most trusted first
 */
export function followResults(engine: Pick<Engine, 'directory' | 'onDelta'>, ranks: readonly string[]): ResultsBoard {
  const board = new ResultsBoard(engine.directory.envs, ranks);
  engine.onDelta((_applied, delta) => board.apply(delta));
  return board;
}

/** All of them in that order, composed as they are asked for. */
export function wholeResults(sources: { board: ResultsBoard; catalogue: Catalogue }, question: ResultsQuery) {
  const { found } = foundResults(sources, question);
  const rows = (from: number, to: number) => found.slice(from, to).map(({ record, word }) => resultItem(record, word));
  return { name: 'results', total: found.length, columns: RESULT_COLUMNS, rows };
}

function foundResults({ board, catalogue }: { board: ResultsBoard; catalogue: Catalogue }, question: ResultsQuery) {
  const { matches, unknown } = filterOf(question, catalogue);
  const found: { record: ResultRecord; word: ResultWord }[] = [];
  for (const record of board.all()) {
    const word = board.wordOf(record);
    if (word !== null && matches(record, word)) found.push({ record, word });
  }
  found.sort((a, b) => a.record.startMs - b.record.startMs || compareText(a.record.eventId, b.record.eventId));
  return { found, unknown };
}

/** A page in the order of start and event id. Throws ApiError `invalid_request`. */
export function listResults(
  sources: { board: ResultsBoard; catalogue: Catalogue },
  question: ResultsQuery,
  asked: RequestedParameters,
): ResultsPage {
  const { limit, cursor } = question;
  const chosenBy = digestOfText(asked.filters);
  const { found, unknown } = foundResults(sources, question);
  const after = cursor === undefined ? undefined : placeOf(cursor, chosenBy);
  const rest = after === undefined ? found : found.filter(({ record }) => isBehind(record, after));
  const page = rest.slice(0, limit);
  const last = page.at(-1)?.record;
  const nextCursor = rest.length > page.length && last !== undefined ? cursorOf(last, chosenBy) : null;
  return { items: page.map(({ record, word }) => resultItem(record, word)), total: found.length, unknown, nextCursor };
}

export function resultItem(record: ResultRecord, word: ResultWord): Result {
  const { eventId, sport, league, home, away, startMs, revision, updatedPosition } = record;
  const { status, score, parts, regulation, stats, players, source, winner, advanced, ended, innings } = word;
  const told = Object.values(players);
  return {
    event_id: eventId,
    sport,
    league,
    home_team: home,
    away_team: away,
    event_start_time: formatMs(startMs),
    status,
    home_score: score?.home ?? null,
    away_score: score?.away ?? null,
    parts: parts.map(({ part, home: home_score, away: away_score, final, tieBreak }) => {
      return {
        part,
        home_score,
        away_score,
        ...(final ? { final } : {}),
        ...(tieBreak ? { tie_break: tieBreak } : {}),
      };
    }),
    ...(regulation === null ? {} : { regulation: { home_score: regulation.home, away_score: regulation.away } }),
    ...(Object.keys(stats).length === 0 ? {} : { stats }),
    ...(told.length === 0
      ? {}
      : { players: told.map(({ name, played, stats }) => ({ player_name: name, played, stats })) }),
    ...(winner === undefined ? {} : { winner }),
    ...(advanced === undefined ? {} : { advanced }),
    ...(ended === undefined ? {} : { ended }),
    ...(innings === undefined ? {} : { innings }),
    source,
    revision,
    updated_at: formatUs(updatedPosition),
  };
}

function filterOf(question: ResultsQuery, catalogue: Catalogue) {
  const { event_id, event, league, sport, date, status, updated_since } = question;
  const listOf = (text: string | undefined) => (text === undefined ? null : splitList(text));
  const events = listOf(event_id ?? event);
  const statuses = listOf(status);
  checkWords('status', statuses ?? [], RESULT_STATUSES);
  const sinceUs = updated_since === undefined ? 0 : parseTimeUs(updated_since);
  if (sinceUs === undefined) throw new ApiError('invalid_request', 'updated_since must be an RFC 3339 time');
  const unknown: string[] = [];
  const leagues = listOf(league)?.map((name) => {
    const known = catalogue.leagueOf(name);
    if (known === undefined) unknown.push(name);
    return known?.id ?? name.toLowerCase();
  });
  const sports = listOf(sport)?.map((name) => {
    if (catalogue.sport(name) === undefined) unknown.push(name);
    return name;
  });
  const matches = (record: ResultRecord, word: ResultWord): boolean =>
    record.updatedPosition > sinceUs &&
    (events?.includes(record.eventId) ?? true) &&
    (leagues?.includes(record.league) ?? true) &&
    (sports?.includes(record.sport) ?? true) &&
    (statuses?.includes(word.status) ?? true) &&
    // An id ends with the day of its start in the league's own time zone.
    (date === undefined || record.eventId.replace(/_g\d+$/, '').endsWith(`_${date}`));
  return { matches, unknown };
}

interface Place {
  startMs: number;
  eventId: string;
}

/** @param filters digest of what chose the results */
const cursorOf = ({ startMs, eventId }: Place, filters: string): string =>
  Buffer.from(`${filters}|${startMs}|${eventId}`).toString('base64url');

/** Throws ApiError `invalid_request`. */
function placeOf(cursor: string, filters: string): Place {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, madeWith, startMs, eventId] = /^([^|]+)\|(-?\d{1,15})\|(.+)$/.exec(text) ?? [];
  if (startMs === undefined || eventId === undefined) throw notACursor();
  if (madeWith !== filters) throw cursorOfOtherFilters();
  return { startMs: Number(startMs), eventId };
}

function isBehind({ startMs, eventId }: ResultRecord, place: Place): boolean {
  return startMs > place.startMs || (startMs === place.startMs && compareText(eventId, place.eventId) > 0);
}

// The Odds API's history and plain answers: one a line, one a file or in an array, indented or not. They are read by the
// same mapper as its live answers, in the order of their times; those of one sport and time are one list.

import { getOrInsert } from '../../../../base/memory/get-or-insert.js';
import { isMap, jsonOf } from '../../../../base/model/json-map.js';
import { LIMITS } from '../../../../base/model/limits.js';
import { formatMs } from '../../../../base/model/time.js';
import type { IngestMessage } from '../../../ingest/message.js';
import { jsonValues } from '../../files/lines.js';
import { readInstant } from '../../the-odds-api/instant.js';
import { detectOddsFormat, OddsApiMapper } from '../../the-odds-api/mapper.js';
import { sportOfKey } from '../../the-odds-api/market-types.js';
import type { LeagueLookup, OddsFormat } from '../../the-odds-api/payload.js';
import type { Beginning, FileFormat, FormatContext, MessageMaker, OpenedFile, Stated } from '../format.js';

export const oddsApi: FileFormat = {
  name: 'odds-api',
  about: 'history and answers of The Odds API',
  recognises: ({ text }: Beginning) =>
    /^\s*[[{]/.test(text) &&
    /"(?:sport_key|timestamp)"\s*:/.test(text) &&
    /"(?:bookmakers|commence_time|data)"\s*:/.test(text),
  read: readAnswers,
  ordered: mapped,
};

interface Answer {
  /** The file and line. */
  from: string;
  line: number;
  /** Whether it lists every game of its sport. */
  complete: boolean;
  events: unknown[];
}

async function* readAnswers(file: OpenedFile, { settings, report }: FormatContext): AsyncGenerator<Stated, void> {
  for await (const { line, text } of jsonValues(file.bytes, LIMITS.exchangeLine.max)) {
    report.rows++;
    const place = { file: file.name, line };
    const value = text === undefined ? undefined : jsonOf(text);
    if (!isMap(value)) {
      report.fault(text === undefined ? 'too long, or cut short' : 'not JSON', place);
      continue;
    }
    const isHistory = 'data' in value;
    const data = isHistory ? value['data'] : value;
    const instant = readInstant(value['timestamp']) ?? readInstant(settings.at);
    if (instant === undefined) {
      report.fault('an answer that does not say when it is of: --at', place);
      continue;
    }
    if (!Array.isArray(data) && !(isMap(data) && 'bookmakers' in data)) {
      report.fault('no list of games', place);
      continue;
    }
    const events = Array.isArray(data) ? data : [data];
    const answer: Answer = { from: file.name, line, complete: Array.isArray(data), events };
    yield { atMs: instant.ms, raw: JSON.stringify(answer) };
  }
}

function mapped({ leagues, settings, report }: FormatContext): MessageMaker {
  const lookup = settings.league === undefined ? leagues : onlyLeague(leagues, settings.league);
  /** Regions whose books state prices in another form are asked for apart: none says of the other's books that they left. */
  const mappers = new Map<OddsFormat, OddsApiMapper>();
  /** By sport: of an answer without prices it is that of the last one with some. */
  const formats = new Map<string, OddsFormat>();
  let answers: Answer[] = [];
  let lastMs = 0;
  const mapPart = ({ from, line, complete, source, oddsFormat, events }: SportPart): IngestMessage[] => {
    const mapper = getOrInsert(mappers, oddsFormat, () => new OddsApiMapper(lookup));
    const { messages, skipped } = mapper.map({ events, polledAt: formatMs(lastMs), complete, source, oddsFormat });
    for (const { reason } of skipped) report.fault(reason, { file: from, line });
    return messages;
  };
  return {
    messages: (atMs, raw) => {
      lastMs = atMs;
      answers.push(JSON.parse(raw) as Answer);
      return [];
    },
    instant: () => {
      const told = answers;
      answers = [];
      return sportParts(told, formats).flatMap(mapPart);
    },
  };
}

interface SportPart extends Answer {
  /** The key of the sport. */
  source: string;
  oddsFormat: OddsFormat;
}

/** What the answers of one instant list of each sport: requests for other regions or markets make one list together. */
function sportParts(answers: readonly Answer[], formats: Map<string, OddsFormat>): SportPart[] {
  const parts = new Map<string, SportPart>();
  for (const { from, line, complete, events } of answers) {
    const bySport = new Map<string, unknown[]>();
    for (const event of events)
      getOrInsert(bySport, isMap(event) ? String(event['sport_key']) : '', (): unknown[] => []).push(event);
    for (const [source, own] of bySport) {
      const oddsFormat = detectOddsFormat(own, formats.get(source));
      formats.set(source, oddsFormat);
      const made = () => ({ from, line, complete: false, source, oddsFormat, events: [] });
      const part = getOrInsert(parts, `${oddsFormat} ${source}`, (): SportPart => made());
      // Of several sports nothing tells which of their games are not listed.
      part.complete ||= complete && bySport.size === 1;
      for (const event of own) addEvent(part.events, event);
    }
  }
  return [...parts.values()];
}

/** The bookmakers of one game in several answers are listed one after the other. */
function addEvent(events: unknown[], event: unknown): void {
  const id = isMap(event) ? event['id'] : undefined;
  const at = id === undefined ? -1 : events.findIndex((each) => isMap(each) && each['id'] === id);
  const known = at === -1 ? undefined : (events[at] as Record<string, unknown>);
  const lists = [known, event].map((each) => (isMap(each) ? each['bookmakers'] : undefined));
  if (known !== undefined && lists.every(Array.isArray)) events[at] = { ...known, bookmakers: lists.flat() };
  else events.push(event);
}

/** Whatever an answer says of its sport. */
function onlyLeague(leagues: LeagueLookup, name: string): LeagueLookup {
  const league = leagues.leagueOf(name);
  return {
    leagueOf: (key) => league ?? { id: name, sport: sportOfKey(key) },
    book: (key) => leagues.book?.(key),
  };
}

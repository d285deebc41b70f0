// The Odds API's history and plain answers: one a line, one a file or in an array, indented or not. They are read by the
// same mapper as its live answers, in the order of their times.

import { isMap, jsonOf } from '../../../../base/model/json-map.js';
import { LIMITS } from '../../../../base/model/limits.js';
import { formatMs } from '../../../../base/model/time.js';
import type { IngestMessage } from '../../../ingest/message.js';
import { jsonValues } from '../../files/json-values.js';
import { readInstant } from '../../the-odds-api/instant.js';
import { detectOddsFormat, OddsApiMapper } from '../../the-odds-api/mapper.js';
import { sportOfKey } from '../../the-odds-api/market-types.js';
import type { LeagueLookup } from '../../the-odds-api/payload.js';
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
  const mapper = new OddsApiMapper(settings.league === undefined ? leagues : onlyLeague(leagues, settings.league));
  const messages = (atMs: number, raw: string): IngestMessage[] => {
    const { from, line, complete, events } = JSON.parse(raw) as Answer;
    const sports = new Set(events.map((event) => (isMap(event) ? String(event['sport_key']) : '')));
    const [source = ''] = sports;
    const { messages: made, skipped } = mapper.map({
      events,
      polledAt: formatMs(atMs),
      // Of several sports nothing tells which of their games are not listed.
      complete: complete && sports.size === 1,
      source,
      oddsFormat: detectOddsFormat(events),
    });
    for (const { reason } of skipped) report.fault(reason, { file: from, line });
    return made;
  };
  return { messages };
}

/** Whatever an answer says of its sport. */
function onlyLeague(leagues: LeagueLookup, name: string): LeagueLookup {
  const league = leagues.leagueOf(name);
  return {
    leagueOf: (key) => league ?? { id: name, sport: sportOfKey(key) },
    book: (key) => leagues.book?.(key),
  };
}

// What the worst bodies cost the main thread, in this process: 8 MiB of ingest and 256 KiB of anything else, against a
// body of the same size that a sportsbook's feed would send. What is refused is refused as fast as it can be counted.

import { systemClock } from '../../src/base/model/clock.js';
import { readMessages } from '../../src/front/api/ingest.js';
import { JsonBody } from '../../src/front/http/json-body.js';
import { normaliseAll } from '../../src/intake/ingest/normalise.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';
import { BetsBody } from '../../src/schema/clv.js';
import { DeepLinksBody } from '../../src/schema/deeplinks.js';
import type { Section } from '../bench.js';
import { median } from '../statistics.js';

const KIB = 1024;
const INGEST_BYTES = 8 * KIB * KIB;
const BYTES = 256 * KIB;
/** Milliseconds of one of these: what others wait while it is read. */
const MS_MAX = 250;

export const bodies: Section = {
  name: 'bodies',
  about: 'the worst bodies, by the time that they hold the main thread',
  underLoad: false,
  run: async (bench) => {
    const rounds = bench.full ? 5 : 3;
    const usual = took(rounds, INGEST['a poll of main and alternate lines']!(), readIngest);
    for (const [name, make] of Object.entries(INGEST)) {
      const ms = took(rounds, make(), readIngest);
      bench.figure(`ingest of 8 MiB: ${name}`, ms, 'ms', MS_MAX);
      bench.ratio(`ingest-${name.replace(/\W+/g, '-')}`, `ingest of 8 MiB: ${name}`, 'an ordinary poll', usual / ms);
    }
    for (const [name, { schema, body }] of Object.entries(REQUESTS)) {
      const json = new JsonBody(schema);
      bench.figure(
        `256 KiB: ${name}`,
        took(rounds, body(), (bytes) => json.read(bytes)),
        'ms',
        MS_MAX,
      );
    }
  },
};

const context = { catalogue: loadCatalogue(), clock: systemClock, leagueOfEvent: () => undefined };

function readIngest(body: Buffer): void {
  normaliseAll(readMessages(body, 'application/json'), context, false);
}

/** Milliseconds of CPU, of a body that may be refused. */
function took(rounds: number, body: Buffer, read: (body: Buffer) => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const begun = process.cpuUsage();
    try {
      read(body);
    } catch {
      // The time to a refusal is what is measured.
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  });
  return median(times);
}

/** As many parts as there is room for. */
function filled(bytes: number, open: string, part: (no: number) => string, close: string): Buffer {
  const parts: string[] = [];
  for (let room = bytes - open.length - close.length, no = 0; ; no++) {
    const next = part(no);
    room -= next.length + 1;
    if (room < 0) break;
    parts.push(next);
  }
  return Buffer.from(open + parts.join(',') + close);
}

const HEAD = `{"book":"draftkings","polled_at":"${new Date().toISOString()}","scope":"none","events":[`;
const TEAMS = `"league":"nba","home_team":"Los Angeles Lakers","away_team":"Boston Celtics","start_time":"2030-01-01T00:00:00Z"`;
const ofOneGame = (market: (no: number) => string) => () =>
  filled(INGEST_BYTES, `${HEAD}{${TEAMS},"markets":[`, market, ']}]}');
const side = (type: string, line: number, odds: string) =>
  `{"selection":"${type}","selection_type":"${type}","line":${line},"odds_american":${odds}}`;

const INGEST: Readonly<Record<string, () => Buffer>> = {
  'a poll of main and alternate lines': ofOneGame(
    (no) =>
      `{"market_type":"total_points","selections":[${side('over', (no % 400) + 0.5, '-110')},${side('under', (no % 400) + 0.5, '-110')}]}`,
  ),
  'prices as text, of different players': ofOneGame(
    (no) => `{"market_type":"player_points","player_name":"Pé ${no}","selections":[${side('over', 1.5, '"−110"')}]}`,
  ),
  'different names of markets': ofOneGame(
    (no) => `{"market_type":"m${no}_x","selections":[${side('yes', 0.5, '"+105"')}]}`,
  ),
  'different names of teams (1.6 MiB, as many as are accepted)': () =>
    filled(
      1_600 * KIB,
      HEAD,
      (no) => `{"league":"nba","home_team":"a${no}","away_team":"b${no}","start_time":"2030-01-01T00:00:00Z"}`,
      ']}',
    ),
  'empty objects (refused)': () => filled(INGEST_BYTES, HEAD, () => '{}', ']}'),
  'nested lists (refused)': () => Buffer.alloc(INGEST_BYTES, '['),
  'names that differ (refused)': () => filled(INGEST_BYTES, '[', (no) => `{"k${no}":1}`, ']'),
};

const REQUESTS = {
  'ids that are numbers (refused)': { schema: DeepLinksBody, body: () => filled(BYTES, '{"ids":[', () => '1', ']}') },
  'one long id of combining marks (refused)': {
    schema: DeepLinksBody,
    body: () => Buffer.from(`{"ids":["a${'\u0301'.repeat(BYTES / 2 - 20)}"]}`),
  },
  '1,000 bets, the last invalid (refused)': {
    schema: BetsBody,
    body: () => Buffer.from(`{"bets":[${'{"odds_id":"1","at":"2026-11-20T18:00:00Z","line":1.5},'.repeat(999)}{}]}`),
  },
} as const;

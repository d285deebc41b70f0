// Generated recordings, for tests of their readers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { newFolder } from '../../../temp-folders.js';

/** Writes the lines (objects as JSON) to a file, compressed if `gzip` or, by default, if its name says so. */
export function recording(lines: unknown[], name = 'odds.ndjson', gzip = name.endsWith('.gz')): string {
  const path = join(newFolder('overround-'), name);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  writeFileSync(path, gzip ? gzipSync(text) : text);
  return path;
}

export const BEGIN_MS = Date.UTC(2026, 4, 2, 18);

/** A message of one book, polled `s` seconds into the recording, about a game five hours in. */
export function message(book: string, s: number): IngestMessage {
  const at = (seconds: number): string => new Date(BEGIN_MS + seconds * 1000).toISOString();
  return {
    book,
    polled_at: at(s),
    scope: 'league',
    league: 'mlb',
    events: [
      {
        league: 'mlb',
        home_team: 'River City Herons',
        away_team: 'Port Vale Otters',
        start_time: at(18_000),
        markets: [
          {
            market_type: 'moneyline',
            last_seen_at: at(s - 40),
            selections: [{ selection: 'River City Herons', selection_type: 'home', odds_american: -110 - s }],
          },
        ],
      },
    ],
  };
}

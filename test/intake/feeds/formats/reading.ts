// Reads a file of a format as the import does, and says what came of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sourcesOf } from '../../../../src/intake/feeds/files/sources.js';
import type { FormatSettings } from '../../../../src/intake/feeds/formats/format.js';
import { FORMATS } from '../../../../src/intake/feeds/formats/formats.js';
import { readFiles } from '../../../../src/intake/feeds/formats/read-files.js';
import { placeText, ReadReport } from '../../../../src/intake/feeds/formats/read-report.js';
import type { IngestMessage } from '../../../../src/intake/ingest/message.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { newFolder } from '../../../temp-folders.js';

const catalogue = loadCatalogue();

export interface ReadFormat {
  messages: IngestMessage[];
  results: Record<string, unknown>[];
  /** `times reason (first place)`, without the folder. */
  leftOut: string[];
  assumed: string[];
  report: ReadReport;
}

export async function readFolder(
  files: Readonly<Record<string, string | Buffer>>,
  settings: FormatSettings & { format?: string } = {},
): Promise<ReadFormat> {
  const folder = newFolder('overround-format-');
  for (const [name, contents] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  const report = new ReadReport();
  const onUnreadable = (file: string, reason: string): void => report.fault(reason, { file });
  const sources = sourcesOf(folder, { onUnreadable });
  const format = FORMATS.find(({ name }) => name === settings.format);
  const messages: IngestMessage[] = [];
  const results: Record<string, unknown>[] = [];
  for await (const { text, isResult } of readFiles(sources, { leagues: catalogue, settings, report }, { format })) {
    const message = JSON.parse(text) as IngestMessage;
    if (isResult) results.push(...(message.results as Record<string, unknown>[]));
    else messages.push(message);
  }
  const shown = (list: ReadReport['leftOutReasons']): string[] =>
    list.map(({ reason, times, first }) => `${times} ${reason} (${placeText(first).replace(`${folder}/`, '')})`);
  return { messages, results, leftOut: shown(report.leftOutReasons), assumed: shown(report.assumptions), report };
}

/** `book at league home-away type: selection line price, …` for each market. */
export function marketsIn(messages: readonly IngestMessage[]): string[] {
  return messages.flatMap(({ book, polled_at, events = [] }) =>
    events.flatMap(({ league, home_team, away_team, markets }) =>
      markets.map(
        ({ market_type, selections }) =>
          `${book} ${polled_at.slice(0, 16)} ${league} ${home_team}-${away_team} ${market_type}: ${selections
            .map(({ selection_type, line, odds_decimal, odds_american }) =>
              [selection_type, line, odds_decimal ?? odds_american].filter((part) => part !== undefined).join(' '),
            )
            .join(', ')}`,
      ),
    ),
  );
}

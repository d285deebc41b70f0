import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../src/base/model/clock.js';
import { resultsToServer } from '../../src/cli/replay.js';
import { startServer } from '../../src/index.js';
import { createLog } from '../../src/server/observe/log.js';
import { newFolder } from '../temp-folders.js';

test('results that a spreadsheet saved are taken; a file of which nothing is accepted is an error that says so', async (t) => {
  const data = newFolder('overround-results-');
  const server = await startServer({ settings: { port: '0', data, workers: '1', log: 'silent', history: '0' } });
  t.after(() => server.close());
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  const selections = [{ selection: 'Boston Celtics', selection_type: 'home', odds_decimal: 1.9 }];
  const markets = [{ market_type: 'moneyline', selections }];
  const teams = { league: 'nba', home_team: 'Boston Celtics', away_team: 'LA Lakers' };
  await server.ingest([
    {
      book: 'pinnacle',
      scope: 'event',
      polled_at: new Date().toISOString(),
      events: [{ ...teams, start_time, markets }],
    },
  ] as never);
  const { key } = await server.server.accounts.create({ tier: 'enterprise', scopes: ['ingest'] });
  const log = createLog('warn', { write: (line) => t.diagnostic(line) });
  const send = async (lines: string[]): Promise<void> => {
    const file = join(data, 'results.csv');
    writeFileSync(file, `\ufeff${lines.join('\r\n')}\r\n`);
    const { signal } = new AbortController();
    await resultsToServer({ file, url: server.url, key, clock: systemClock, log, signal });
  };
  const head = 'league;home_team;away_team;start_time;status;home_score;away_score';
  await send([head, `nba;Boston Celtics;LA Lakers;${start_time};final;100;90`]);
  await assert.rejects(
    send([head, `nba;Nobody;Nowhere;${start_time};final;100;90`]),
    /accepted nothing of .*results\.csv/,
  );
  const torn = join(data, 'torn.ndjson.gz');
  const said = { ...teams, start_time, status: 'final', home_score: 101, away_score: 90 };
  const packed = gzipSync(`${JSON.stringify(said)}\n`.repeat(20));
  writeFileSync(torn, packed.subarray(0, packed.length - 8));
  const { signal } = new AbortController();
  await assert.rejects(
    resultsToServer({ file: torn, url: server.url, key, clock: systemClock, log, signal }),
    /torn\.ndjson\.gz ends early: it is cut short\. 20 messages of it were sent$/,
  );
  await assert.rejects(
    send([head.replaceAll(';', '|'), 'nba|a|b|c|final|1|2']),
    /no results \(line 1: .*no column status/,
  );
});

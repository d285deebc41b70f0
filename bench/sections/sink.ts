// How many changes a second a sink writes into PostgreSQL, each cut a transaction with its position; beside psql's COPY of as
// many lines of the same changes into a table without keys, which is as fast as the database takes rows at all.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs } from '../../src/base/model/clock.js';
import { formatUs } from '../../src/base/model/time.js';
import { Part } from '../../src/cli/sink/part-builder.js';
import { Postgres } from '../../src/cli/sink/postgres.js';
import type { OddsDelta, OddsRow } from '../../src/client/client.js';
import { POSTGRES_MISSING, type PostgresServer, postgresServer } from '../../test/support/postgres.js';
import type { Bench, Section } from '../bench.js';
import { median } from '../statistics.js';

const ROWS = 20_000;
/** Changes of a tick of a busy market. */
const CUT = 500;
const CHANGES_PER_SECOND = 5_000;
const BEGIN_US = Date.UTC(2026, 10, 20, 18) * 1_000;

export const sink: Section = {
  name: 'sink',
  about: 'changes into PostgreSQL, each tick a transaction with its position',
  underLoad: false,
  run: async (bench) => {
    if (POSTGRES_MISSING) return bench.skip('a sink into PostgreSQL', POSTGRES_MISSING);
    const ends: (() => unknown)[] = [];
    try {
      await measure(bench, await postgresServer({ after: (end) => ends.push(end) }));
    } finally {
      for (const end of ends) await end();
    }
  },
};

async function measure(bench: Bench, database: PostgresServer): Promise<void> {
  const target = new Postgres(database.url, 'main', 'overround');
  await target.open('{}');
  const rows = new Part();
  for (let i = 0; i < ROWS; i++) rows.put.push(row(i));
  await target.write(rows);
  await target.commit(BEGIN_US, []);
  const rounds = bench.full ? 9 : 3;
  const sunk: number[] = [];
  const copied: number[] = [];
  const file = join(bench.folder, 'changes.copy');
  database.query('CREATE TABLE plain (LIKE overround.odds_changes)');
  for (let round = 1; round <= rounds; round++) {
    const parts = Array.from({ length: ROWS / CUT }, (_, cut) => changes(round, cut));
    sunk.push(
      await rate(async () => {
        for (const [cut, part] of parts.entries()) {
          await target.write(part);
          await target.commit(instantOf(round, cut), []);
        }
      }),
    );
    const columns = '(odds_id, at, change, odds_american, odds_decimal, odds_probability, is_live, is_active)';
    const lines = parts.flatMap(({ changed }) =>
      changed.map((each) =>
        [
          each.id,
          each.odds_changed_at,
          'updated',
          each.odds_american,
          each.odds_decimal,
          each.odds_probability,
          'f',
          't',
        ].join('\t'),
      ),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    copied.push(
      await rate(async () => {
        execFileSync('psql', ['-X', '-q', '-c', `\\copy plain ${columns} FROM '${file}'`, database.url]);
      }),
    );
  }
  await target.close();
  const perSecond = median(sunk);
  bench.figure('a change, written and committed', 1e6 / perSecond, 'us', 1e6 / CHANGES_PER_SECOND);
  bench.ratio(
    'changes',
    `changes a second into PostgreSQL (${Math.round(perSecond).toLocaleString('en')})`,
    'COPY into a table without keys',
    perSecond / median(copied),
  );
}

/** Changes a second. */
async function rate(work: () => Promise<void>): Promise<number> {
  const begun = monotonicMs();
  await work();
  return ROWS / ((monotonicMs() - begun) / 1_000);
}

const idOf = (i: number): string => String(4_611_686_018_427_000_000n + BigInt(i));
const instantOf = (round: number, cut: number): number => BEGIN_US + (round * ROWS + cut) * 1_000;

function row(i: number): OddsRow {
  return {
    id: idOf(i),
    event_id: `nba_home_away_${i % 200}`,
    sport: 'basketball',
    league: 'nba',
    home_team: 'Boston Celtics',
    away_team: 'Los Angeles Lakers',
    event_start_time: formatUs(BEGIN_US),
    status: 'upcoming',
    sportsbook: `book${i % 20}`,
    market_type: 'moneyline',
    selection: 'Boston Celtics',
    selection_type: 'home',
    is_alternate_line: false,
    line: null,
    odds_american: 110,
    odds_decimal: 2.1,
    odds_probability: 0.47619,
    is_live: false,
    is_active: true,
    odds_changed_at: formatUs(BEGIN_US),
  } as OddsRow;
}

function changes(round: number, cut: number): Part {
  const part = new Part();
  for (let i = 0; i < CUT; i++)
    part.changed.push({
      id: idOf(cut * CUT + i),
      odds_american: 100 + ((round + i) % 50),
      odds_decimal: 2 + ((round + i) % 50) / 100,
      odds_probability: 0.49,
      line: null,
      is_live: false,
      is_active: true,
      odds_changed_at: formatUs(instantOf(round, cut)),
      odds_american_previous: 110,
    } as OddsDelta);
  return part;
}

// Checks the Free tier: what it is shown was in the table a minute ago, exactly, and nothing is newer. Compared with
// what every paid reader saw in quiet moments, which the Free tier reaches a minute later.

import { parseTimeUs } from '../src/base/model/time.js';
import type { OddsRow } from '../src/client/types.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import { Polling } from './polling.js';
import type { Run } from './run.js';

const DELAY_US = 60e6;
/** A clock that was set makes data a minute old younger or older by this much: until then its age is not checked. */
const CLOCK_STEADY_MS = 6 * 60_000;
const POLL_MS = 500;
const QUIETS_MAX = 16;

interface Quiet {
  fromUs: number;
  untilUs: number;
  rows: ReadonlyMap<string, string>;
}

interface Page {
  data: OddsRow[];
  meta: { server_time: string };
  pagination: { next_cursor?: string | null };
}

const catalogue = loadCatalogue();

export class LateReader {
  readonly #run: Run;
  readonly #key: string;
  readonly #quiets: Quiet[] = [];
  readonly #polling: Polling;

  constructor(run: Run, key: string) {
    this.#run = run;
    this.#key = key;
    this.#polling = new Polling(
      () => run.pollMs(POLL_MS),
      () => this.#look(),
    );
  }

  /** From position `fromUs` (Unix µs) to `untilUs` the table had these rows. */
  note(fromUs: number, untilUs: number, rows: readonly OddsRow[]): void {
    const seen = rows.filter(({ sportsbook }) => catalogue.tierAllows('free', sportsbook));
    this.#quiets.push({ fromUs, untilUs, rows: new Map(seen.map((row) => [row.id, textOf(row)])) });
    if (this.#quiets.length > QUIETS_MAX) this.#quiets.shift();
  }

  close(): Promise<void> {
    return this.#polling.close();
  }

  async #look(): Promise<void> {
    const rows: OddsRow[] = [];
    const times = new Set<string>();
    let cursor = '';
    do {
      const answer = await this.#run.call(`/api/v1/odds?limit=50${cursor}`, this.#key);
      if (answer?.status !== 200) return;
      const { data, meta, pagination } = answer.body as Page;
      times.add(meta.server_time);
      rows.push(...data);
      cursor = pagination.next_cursor == null ? '' : `&cursor=${encodeURIComponent(pagination.next_cursor)}`;
    } while (cursor !== '');
    this.#run.count('Free: looks');
    for (const row of rows) {
      const lie = this.#run.truth.lie(row);
      if (lie !== null) this.#run.find('no state that never was', `Free: ${lie}`);
    }
    const positions = [...times].map((time) => parseTimeUs(time) ?? Number.NaN);
    // An empty table has no age: it is as old as its directory.
    if (rows.length > 0) this.#checkAge(Math.max(...positions));
    this.#compare(Math.min(...positions), Math.max(...positions), rows);
  }

  #checkAge(positionUs: number): void {
    if (this.#run.agesSureMs < CLOCK_STEADY_MS) return;
    const ageUs = this.#run.now() * 1_000 - positionUs;
    if (!(ageUs >= DELAY_US)) this.#run.find('the Free tier is a minute late', `it is ${ageUs / 1e6} s late`);
  }

  #compare(fromUs: number, untilUs: number, rows: readonly OddsRow[]): void {
    const quiet = this.#quiets.find((each) => each.fromUs <= fromUs && untilUs <= each.untilUs);
    if (quiet === undefined) return;
    this.#run.count('Free: tables compared');
    const wrong = rows.filter((row) => quiet.rows.get(row.id) !== textOf(row));
    if (wrong.length === 0 && rows.length === quiet.rows.size) return;
    const some = wrong.slice(0, 3).map((row) => `${row.id} ${textOf(row)}, was ${quiet.rows.get(row.id)}`);
    this.#run.find(
      'the Free tier sees what stood a minute ago',
      `${wrong.length} of ${rows.length} rows wrong, there were ${quiet.rows.size}: ${some.join('; ')}`,
    );
  }
}

function textOf(row: OddsRow): string {
  const { odds_american, odds_decimal, line, is_active, is_live, odds_changed_at } = row;
  return `${odds_american} ${odds_decimal} ${line} ${is_active} ${is_live} ${odds_changed_at}`;
}

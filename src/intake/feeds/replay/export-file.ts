// An export of history as a recording: its lines are changes of single prices, event by event, so they are read whole and
// put into the order of their times.

import { LIMITS } from '../../../base/model/limits.js';
import { ownName } from '../../../rules/catalogue/private-book.js';
import type { IngestEvent, IngestMessage } from '../../ingest/message.js';
import { readInstant } from '../the-odds-api/instant.js';

/** What is the same in all changes of a row. */
interface ExportedRow {
  book: string;
  event: Omit<IngestEvent, 'markets'>;
  market: Record<string, unknown>;
  selection: Record<string, unknown>;
}

interface Change {
  atMs: number;
  iso: string;
  row: number;
  american: number;
  decimal: number;
  line: number | null;
  isLive: boolean;
  isActive: boolean;
  isIndicative: boolean;
  isModel: boolean;
}

const CHANGES_MAX = LIMITS.exportedChanges.max;

export function isExportLine(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value['odds_id'] === 'string' && typeof value['sportsbook'] === 'string' && 'is_prematch' in value;
}

export class ExportedChanges {
  readonly #rows: ExportedRow[] = [];
  readonly #rowNos = new Map<string, number>();
  readonly #changes: Change[] = [];

  get size(): number {
    return this.#changes.length;
  }

  /** Returns why a line is none, if so. Throws if there are too many. */
  add(value: Readonly<Record<string, unknown>>): string | undefined {
    const instant = readInstant(value['at']);
    if (instant === undefined) return 'at is not a time';
    const { odds_american: american, odds_decimal: decimal, line } = value;
    if (typeof american !== 'number' || typeof decimal !== 'number') return 'the change has no price';
    if (this.#changes.length >= CHANGES_MAX)
      throw new Error(`it has more than ${CHANGES_MAX} changes: export fewer leagues or a shorter time`);
    this.#changes.push({
      atMs: instant.ms,
      iso: instant.iso,
      row: this.#rowNo(value),
      american,
      decimal,
      line: typeof line === 'number' ? line : null,
      isLive: value['is_live'] === true,
      isActive: value['is_active'] !== false,
      isIndicative: value['indicative'] === true,
      isModel: value['kind'] === 'model',
    });
    return undefined;
  }

  /** In the order of time; changes of one instant and book are one message. */
  *messages(): Iterable<{ atMs: number; message: IngestMessage }> {
    // The engine's sort keeps the file's order within an instant.
    this.#changes.sort((a, b) => a.atMs - b.atMs);
    let book: string | undefined;
    let isModel = false;
    let message: IngestMessage | undefined;
    let lastMs = Number.NaN;
    for (const change of this.#changes) {
      const row = this.#rows[change.row]!;
      if (message === undefined || change.atMs !== lastMs || row.book !== book || change.isModel !== isModel) {
        if (message !== undefined) yield { atMs: lastMs, message };
        isModel = change.isModel;
        const kind = isModel ? { kind: 'model' } : {};
        message = {
          book: row.book,
          ...kind,
          polled_at: change.iso,
          scope: 'none',
          events: [],
        } as unknown as IngestMessage;
        lastMs = change.atMs;
        ({ book } = row);
      }
      message.events!.push(eventOf(row, change));
    }
    if (message !== undefined) yield { atMs: lastMs, message };
  }

  #rowNo(value: Readonly<Record<string, unknown>>): number {
    const id = String(value['odds_id']);
    const known = this.#rowNos.get(id);
    if (known !== undefined) return known;
    const { league, home_team, away_team, event_start_time: start_time, player_name } = value;
    const { market_type, selection, selection_type, is_alternate_line } = value;
    this.#rowNos.set(id, this.#rows.length);
    return (
      this.#rows.push({
        book: ownName(String(value['sportsbook'])),
        event: { league, home_team, away_team, start_time } as ExportedRow['event'],
        market: { market_type, ...(player_name === null ? {} : { player_name }) },
        selection: { selection, selection_type, ...(is_alternate_line === true ? { is_alternate_line } : {}) },
      }) - 1
    );
  }
}

function eventOf({ event, market, selection }: ExportedRow, change: Change): IngestEvent {
  const { american, decimal, line, isLive, isActive, isIndicative } = change;
  // The derived format of a price is rounded; the stated one has no fraction in American odds.
  const price = Number.isInteger(american) ? { odds_american: american } : { odds_decimal: decimal };
  const state = { ...(isActive ? {} : { is_active: false }), ...(isIndicative ? { indicative: true } : {}) };
  const stated = { ...selection, ...price, ...(line === null ? {} : { line }), ...state };
  return {
    ...event,
    ...(isLive ? { is_live: true } : {}),
    markets: [{ ...market, selections: [stated] }],
  } as unknown as IngestEvent;
}

// What happens to prices between two fills of which paper bets took something: a fall of a level is theirs first, a rise
// adds, and another price ends what counts against the one before. Watched by the process that judges, and stored before
// anything more is filled.
import { isDeepStrictEqual } from 'node:util';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { DepthText } from '../../base/model/depth.js';
import type { Control } from '../../log/control/control.js';
import type { ControlReader } from '../../log/control/entries.js';
import type { Applied, OddsTable } from '../../tables/table.js';
import { entryOf, type SeenTaken } from './commands.js';
import { type TakenOfRow, takenNow } from './fill.js';
import { quoteOf } from './judged-row.js';

interface Watched {
  stored: TakenOfRow;
  /** With what was seen since. */
  now: TakenOfRow;
}

export interface ConsumedDepthOptions {
  table: OddsTable;
  store: Pick<ControlReader, 'entries' | 'value'> & Pick<Control['store'], 'onChange'>;
  paperMax: number;
}

type Changes = readonly (readonly [entry: string, value: unknown])[];

export class ConsumedDepth {
  readonly #options: ConsumedDepthOptions;
  /** By row and account. */
  readonly #rows = new Map<string, Map<string, Watched>>();
  /** By row, as it was looked at last. */
  readonly #last = new Map<string, { updated: number; depth: DepthText | null }>();
  /** Rows by their event; those that are in the table. */
  readonly #ofEvent = new Map<string, Set<string>>();
  /** Rows of which something was seen that is not stored. */
  readonly #seen = new Set<string>();
  /** Up to which ladders were looked at. */
  #position: number;

  constructor(options: ConsumedDepthOptions) {
    this.#options = options;
    this.#position = options.table.position;
    this.#note([...options.store.entries(entryOf.allTaken)]);
  }

  /** Entries of the control store that changed; null if any may have. */
  changed(changes: Changes | null): void {
    if (changes !== null) {
      this.#note(changes);
      return;
    }
    this.#rows.clear();
    this.#last.clear();
    this.#ofEvent.clear();
    this.#note([...this.#options.store.entries(entryOf.allTaken)]);
  }

  /** After the table has applied it: costs what changed, however many rows are watched. */
  apply({ books }: Pick<Applied, 'books'>): void {
    const { table } = this.#options;
    const after = this.#position;
    this.#position = table.position;
    if (this.#rows.size === 0) return;
    for (const slot of table.depths.since(after)) this.#look(table.columns.id.at(slot));
    for (const { event } of books) for (const oddsId of this.#ofEvent.get(event.id) ?? []) this.#look(oddsId);
  }

  /** What is to be stored. */
  take(): SeenTaken[] {
    const seen: SeenTaken[] = [];
    for (const oddsId of this.#seen)
      for (const [account, { stored, now }] of this.#rows.get(oddsId) ?? [])
        if (!isDeepStrictEqual(stored, now)) seen.push({ account, oddsId, before: stored, after: now });
    this.#seen.clear();
    return seen;
  }

  #note(changes: Changes): void {
    for (const [entry, value] of changes) {
      if (!entry.startsWith(`${entryOf.allTaken}|`)) continue;
      const [, account = '', oddsId = ''] = entry.split('|');
      const stored = value === null ? undefined : (this.#options.store.value(entry) as TakenOfRow | undefined);
      if (stored === undefined) {
        const accounts = this.#rows.get(oddsId);
        if (accounts?.delete(account) && accounts.size === 0) this.#forget(oddsId);
        continue;
      }
      getOrInsert(this.#rows, oddsId, () => new Map<string, Watched>()).set(account, { stored, now: stored });
      this.#see(oddsId);
    }
  }

  /** Reading a ladder costs more than comparing it. */
  #look(oddsId: string): void {
    const { table } = this.#options;
    const slot = table.slotOf(oddsId);
    const last = this.#last.get(oddsId);
    if (slot === undefined || last === undefined) return;
    if (last.updated !== table.columns.updatedPosition[slot] || last.depth !== (table.depths.get(slot) ?? null))
      this.#see(oddsId);
  }

  #see(oddsId: string): void {
    const { table, paperMax } = this.#options;
    const slot = table.slotOf(oddsId);
    if (slot === undefined) return;
    this.#last.set(oddsId, {
      updated: table.columns.updatedPosition[slot]!,
      depth: table.depths.get(slot) ?? null,
    });
    getOrInsert(this.#ofEvent, table.eventOf(slot).id, () => new Set<string>()).add(oddsId);
    const quote = quoteOf(table, slot, paperMax);
    for (const watched of this.#rows.get(oddsId)?.values() ?? []) {
      const levels = takenNow(quote, watched.now).filter(({ cents }) => cents > 0);
      watched.now = { line: quote.line, levels };
    }
    this.#seen.add(oddsId);
  }

  #forget(oddsId: string): void {
    this.#rows.delete(oddsId);
    this.#last.delete(oddsId);
    for (const [event, rows] of this.#ofEvent) if (rows.delete(oddsId) && rows.size === 0) this.#ofEvent.delete(event);
  }
}

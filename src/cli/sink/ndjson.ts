// Lines on standard output, for any pipe: each row with its table, and after each cut the position that it leads to. Who
// keeps that position hands it in again (--after).
import type { Fields, Part } from './part-builder.js';
import type { Kept, Note, Target } from './target.js';

export class Ndjson implements Target {
  readonly #write: (text: string) => Promise<void>;
  readonly #after: number | null;
  #lines: string[] = [];
  #filters: string | null = null;
  #position: number | null = null;

  constructor(write: (text: string) => Promise<void>, after: number | null) {
    this.#write = write;
    this.#after = after;
  }

  async open(filters: string): Promise<Kept> {
    this.#filters = filters;
    return { position: this.#position ?? this.#after, changes: null, filters: this.#filters, open: null };
  }

  async restart(): Promise<void> {
    this.#line('sink', { event: 'snapshot' });
  }

  async write(part: Part): Promise<void> {
    for (const row of part.put) this.#line('odds', row as unknown as Fields);
    for (const delta of part.changed) this.#line('odds_changes', delta as unknown as Fields);
    for (const row of part.opportunities) this.#line('opportunities', row);
    for (const row of part.moves) this.#line('moves', row['data'] as Fields);
    for (const row of part.results) this.#line('results', row['data'] as Fields);
    for (const { id, at } of part.removed) this.#line('odds_changes', { id, change: 'removed', odds_changed_at: at });
    for (const { id, at } of part.movesOver) this.#line('moves', { id, expired_at: at });
  }

  async commit(position: number, notes: readonly Note[]): Promise<void> {
    for (const note of notes) this.#line('sink', { ...note, position });
    this.#line('sink', { event: 'position', position });
    const text = this.#lines.join('');
    this.#lines = [];
    await this.#write(text);
    this.#position = position;
  }

  async close(): Promise<void> {
    this.#lines = [];
  }

  #line(table: string, fields: Fields): void {
    this.#lines.push(`${JSON.stringify({ table, ...fields })}\n`);
  }
}

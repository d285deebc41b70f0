// Opening prices of the visible games, if the server stores them: requested once per game, one game at a time.
import { OverroundError } from '../src/client/client.js';
import type { Session } from './session.js';

export interface Opening {
  decimal: number;
  american: number;
  line: number | null;
  /** Unix ms. */
  atMs: number;
}

interface Lines {
  books: Record<
    string,
    { odds_id: string; odds_american: number; odds_decimal: number; line?: number; captured_at: string }[]
  >;
}

const PAUSE_MS = 300;
const EVENTS_MAX = 1_000;

export class Openings {
  readonly #session: Session;
  readonly #changed: () => void;
  readonly #byRow = new Map<string, Opening>();
  readonly #asked = new Set<string>();
  #wanted: string[] = [];
  #busy = false;
  /** False once it is known that this key or this server has none. */
  #has: boolean;

  constructor(session: Session, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
    this.#has = !session.isTight;
  }

  of(rowId: string): Opening | undefined {
    return this.#byRow.get(rowId);
  }

  /** Visible events; earlier requests that were not sent yet are dropped. */
  want(eventIds: readonly string[]): void {
    this.#wanted = [...new Set(eventIds)].filter((id) => !this.#asked.has(id));
    if (!this.#busy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    for (let id = this.#wanted.shift(); id !== undefined && this.#has; id = this.#wanted.shift()) {
      if (this.#asked.size >= EVENTS_MAX) {
        this.#asked.clear();
        this.#byRow.clear();
      }
      this.#asked.add(id);
      await this.#ask(id);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#busy = false;
  }

  async #ask(eventId: string): Promise<void> {
    try {
      const { data } = await this.#session.client.get<Lines>('/odds/opening', { event_id: eventId }, { retries: 0 });
      for (const lines of Object.values(data.books))
        for (const { odds_id, odds_american, odds_decimal, line, captured_at } of lines)
          this.#byRow.set(odds_id, {
            decimal: odds_decimal,
            american: odds_american,
            line: line ?? null,
            atMs: Date.parse(captured_at),
          });
      this.#changed();
    } catch (error) {
      // Below the tier, or a server without history: never requested again. A game without any is no reason to stop.
      if (error instanceof OverroundError && (error.status === 403 || error.status === 503)) this.#has = false;
    }
  }
}

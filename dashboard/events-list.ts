// The names, scores and clocks of the games, read again now and then.
import type { Event as EventItem } from '../src/client/client.js';
import type { Session } from './session.js';

const EVERY_MS = 20_000;
const EVERY_MS_TIGHT = 120_000;
const PAGE = 200;
const EVENTS_MAX = 2_000;

export class EventsList {
  readonly #session: Session;
  readonly #changed: () => void;
  #events = new Map<string, EventItem>();
  #loads = 0;

  constructor(session: Session, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Once. */
  begin(): void {
    void this.#load();
    setInterval(() => void this.#load(), this.#session.isTight ? EVERY_MS_TIGHT : EVERY_MS);
  }

  /** How many there are, read here or not. */
  total = 0;

  find(id: string): EventItem | undefined {
    return this.#events.get(id);
  }

  /** Of a game in play. */
  scoreOf(id: string): { text: string; more: string } | undefined {
    const state = this.#events.get(id)?.game_state;
    if (state === undefined) return undefined;
    // Short enough for its column.
    const period = (state.period ?? '').replace(/^Bottom\b/, 'Bot');
    // At its end a period's clock says nothing.
    const clock = /\bend$/i.test(period) ? '' : (state.clock ?? '');
    const time = [period, clock].filter((part) => part !== '').join(' ');
    return { text: pointsText(state) || 'live', more: time };
  }

  async #load(): Promise<void> {
    if (document.hidden && this.#loads > 0) return;
    const { client } = this.#session;
    try {
      const events = new Map<string, EventItem>();
      for (let offset = 0; offset < EVENTS_MAX; offset += PAGE) {
        const { data, pagination } = await client.events({ limit: PAGE, offset });
        for (const event of data) events.set(event.event_id, event);
        this.total = pagination.total;
        if (!pagination.has_more) break;
      }
      this.#events = events;
      // They were read when the session was opened.
      if (this.#loads++ > 0) {
        await this.#session.checkHealth();
        await this.#session.refreshNames();
      }
      this.#changed();
    } catch {
      // Scores and names stay as they were; the next turn tries again.
    }
  }
}

function pointsText(state: EventItem['game_state']): string {
  const known = typeof state?.away_score === 'number' && typeof state.home_score === 'number';
  return known ? `${state.away_score}-${state.home_score}` : '';
}

/** `live 3-2 7th`, as far as known. */
export function scoreText({ game_state: state }: EventItem): string {
  return ['live', pointsText(state), state?.period ?? '', state?.clock ?? ''].filter((part) => part !== '').join(' ');
}

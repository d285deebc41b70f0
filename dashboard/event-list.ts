// The events there are odds for, by league: those in play first, then as they start.
import type { Event as EventItem, OverroundClient } from '../src/client/client.js';
import { byId, element } from './dom.js';
import { timeText } from './format.js';

const PAGE = 200;
const EVENTS_MAX = 1_000;

export class EventList {
  readonly #root = byId('event-list');
  readonly #search = byId('search') as HTMLInputElement;
  readonly #choose: (event: EventItem) => void;
  #events: EventItem[] = [];
  #chosen = '';

  constructor(choose: (event: EventItem) => void) {
    this.#choose = choose;
    this.#search.addEventListener('input', () => this.#draw());
  }

  get size(): number {
    return this.#events.length;
  }

  find(id: string): EventItem | undefined {
    return this.#events.find((event) => event.event_id === id);
  }

  /** The first one in play, else the next to start. */
  first(): EventItem | undefined {
    return this.#events.find((event) => event.is_live && event.markets.length > 1) ?? this.#events[0];
  }

  mark(id: string): void {
    this.#chosen = id;
    this.#draw();
  }

  /** Throws OverroundError. */
  async load(client: OverroundClient): Promise<void> {
    const events: EventItem[] = [];
    for (let offset = 0; offset < EVENTS_MAX; offset += PAGE) {
      const { data, pagination } = await client.events({ limit: PAGE, offset });
      events.push(...data.filter((event) => event.markets.length > 0));
      if (!pagination.has_more) break;
    }
    events.sort((a, b) => Number(b.is_live) - Number(a.is_live) || a.start_time.localeCompare(b.start_time));
    this.#events = events;
    this.#draw();
  }

  #draw(): void {
    const wanted = this.#search.value.trim().toLowerCase();
    const byLeague = new Map<string, EventItem[]>();
    for (const event of this.#events) {
      if (!`${event.league} ${event.event_name}`.toLowerCase().includes(wanted)) continue;
      const list = byLeague.get(event.league) ?? [];
      byLeague.set(event.league, list);
      list.push(event);
    }
    const parts = [...byLeague].flatMap(([league, events]) => [
      element('div', 'league', league),
      ...events.map((event) => this.#row(event)),
    ]);
    this.#root.replaceChildren(...(parts.length > 0 ? parts : [element('p', 'empty', 'No such event')]));
  }

  #row(event: EventItem): HTMLElement {
    const when = element(
      'span',
      event.is_live ? 'live' : '',
      event.is_live ? scoreText(event) : timeText(event.start_time),
    );
    const books = element('span', '', `${event.book_count} books`);
    const row = element('button', 'event', event.event_name, element('small', '', when, books));
    row.type = 'button';
    row.setAttribute('aria-current', String(event.event_id === this.#chosen));
    row.addEventListener('click', () => this.#choose(event));
    return row;
  }
}

/** `live 3-2 7th`, as far as it is known. */
export function scoreText({ game_state: state }: EventItem): string {
  const known = typeof state?.away_score === 'number' && typeof state.home_score === 'number';
  const score = known ? `${state.away_score}-${state.home_score}` : '';
  return ['live', score, state?.period ?? '', state?.clock ?? ''].filter((part) => part !== '').join(' ');
}

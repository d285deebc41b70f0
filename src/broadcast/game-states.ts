// Scores and clocks of live games for the channel `gamestate`: each event's state with the position of its last change.
import { formatMs } from '../model/time.js';
import type { TableEvent } from '../table/events.js';
import type { StreamFilter } from './stream-filter.js';

interface Entry {
  id: string;
  sport: string;
  league: string;
  position: number;
  /** True while there is a score to tell to whoever joins. */
  alive: boolean;
  /** The item as it was last told. */
  json: string;
}

export class GameStates {
  /** Oldest change first. */
  readonly #entries = new Map<string, Entry>();

  /**
   * @param events those of a table just loaded. When their states last changed is not known any more: a reader who comes
   * back is told of all that have begun, those without a score among them, as he may have had one of theirs.
   */
  constructor(events: Iterable<TableEvent>, position: number) {
    for (const event of events) this.#note(event, position, event.live || event.status !== 'upcoming');
  }

  /** Events a delta touched. */
  apply(events: Iterable<TableEvent>, position: number): void {
    for (const event of events) this.#note(event, position, false);
  }

  /** Forgets events that left the table. */
  prune(inTable: (id: string) => boolean): void {
    for (const id of this.#entries.keys()) if (!inTable(id)) this.#entries.delete(id);
  }

  /** Items of live games, as JSON texts. */
  alive(filter: StreamFilter): string[] {
    const items: string[] = [];
    for (const entry of this.#entries.values()) if (entry.alive && filter.hasEvent(entry)) items.push(entry.json);
    return items;
  }

  since(position: number, filter: StreamFilter): string[] {
    const items: string[] = [];
    for (const entry of this.#entries.values())
      if (entry.position > position && filter.hasEvent(entry)) items.push(entry.json);
    return items;
  }

  #note(event: TableEvent, position: number, begun: boolean): void {
    const known = this.#entries.get(event.id);
    if (event.state === null && known === undefined && !begun) return;
    const json = JSON.stringify({
      event_id: event.id,
      sport: event.sport,
      league: event.league,
      home_team: event.home,
      away_team: event.away,
      start_time: formatMs(event.startMs),
      status: event.status,
      is_live: event.live,
      game_state: event.state,
    });
    if (known?.json === json) return;
    this.#entries.delete(event.id);
    const { id, sport, league } = event;
    this.#entries.set(id, { id, sport, league, position, alive: event.live && event.state !== null, json });
  }
}

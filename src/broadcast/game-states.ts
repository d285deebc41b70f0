// Scores and clocks of live games for the channel `gamestate`: each event's state with the position of its last change.

import type { StreamFilter } from '../filter/stream-filter.js';
import { formatMs } from '../model/time.js';
import type { TableEvent } from '../table/events.js';
import type { StatesWalk } from './news.js';

interface Entry {
  id: string;
  sport: string;
  league: string;
  position: number;
  /** Changes are numbered in order. */
  number: number;
  /** Live, with a score to send to joining clients. */
  live: boolean;
  /** The item as last sent. */
  json: string;
}

export class GameStates {
  /** Oldest change first. */
  readonly #entries = new Map<string, Entry>();
  #changes = 0;

  /**
   * @param events those of a table just loaded. When their states last changed is unknown: a returning reader is sent
   * all that have begun, including those without a score, as it may know one of theirs
   */
  constructor(events: Iterable<TableEvent>, position: number) {
    for (const event of events) this.#note(event, position, event.live || event.status !== 'upcoming');
  }

  /** Events that a delta touched. */
  apply(events: Iterable<TableEvent>, position: number): void {
    for (const event of events) this.#note(event, position, false);
  }

  /** Removes events that left the table. */
  prune(inTable: (id: string) => boolean): void {
    for (const id of this.#entries.keys()) if (!inTable(id)) this.#entries.delete(id);
  }

  /** Ids of live games. */
  live(filter: StreamFilter): string[] {
    return this.#ids((entry) => entry.live && filter.hasEvent(entry));
  }

  /** Ids of games whose state changed after a position. */
  since(position: number, filter: StreamFilter): string[] {
    return this.#ids((entry) => entry.position > position && filter.hasEvent(entry));
  }

  /**
   * As since(), or as live() if the position is null, for changes up to another position, looked up piece by piece.
   */
  walk(after: number | null, upTo: number, filter: StreamFilter): StatesWalk {
    const isMeant = (entry: Entry): boolean =>
      (after === null ? entry.live : entry.position > after) && filter.hasEvent(entry);
    return {
      from: 0,
      take: (from, to, bytesMax) => {
        const ids: string[] = [];
        let bytes = 0;
        for (const entry of this.#entries.values()) {
          if (entry.number < from) continue;
          if (entry.position > upTo || entry.number >= (to ?? Number.POSITIVE_INFINITY)) break;
          if (to === null && bytes >= bytesMax) return { ids, next: entry.number };
          if (!isMeant(entry)) continue;
          ids.push(entry.id);
          bytes += entry.json.length;
        }
        return { ids, next: null };
      },
    };
  }

  /** A game's current state, as JSON; undefined if the game left the table. */
  text(id: string): string | undefined {
    return this.#entries.get(id)?.json;
  }

  #ids(isMeant: (entry: Entry) => boolean): string[] {
    const ids: string[] = [];
    for (const entry of this.#entries.values()) if (isMeant(entry)) ids.push(entry.id);
    return ids;
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
    const live = event.live && event.state !== null;
    this.#entries.set(id, { id, sport, league, position, number: this.#changes++, live, json });
  }
}

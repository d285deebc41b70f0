// Scores and clocks of live games for the channel `gamestate`.
import { formatMs } from '../base/model/time.js';
import type { TableEvent } from '../tables/events.js';
import type { Applied, OddsTable } from '../tables/table.js';
import { type KeyedChannel, KeyedItems } from './keyed-items.js';

export class GameStateItems implements KeyedChannel {
  readonly #items = new KeyedItems();
  readonly #table: OddsTable;
  /** By event, as last sent. */
  readonly #texts = new Map<string, string>();

  /**
   * @param table just loaded. When its states last changed is unknown: a returning reader is sent all that have begun,
   * including those without a score, as it may know one of theirs
   */
  constructor(table: OddsTable) {
    this.#table = table;
    for (const event of table.events.ordered())
      this.#note(event, table.position, event.live || event.status !== 'upcoming');
  }

  itemsOf(): KeyedItems {
    return this.#items;
  }

  apply({ events, position }: Applied): void {
    for (const event of events) this.#note(event, position, false);
  }

  /** Events that left the table. */
  forget(): void {
    for (const id of this.#texts.keys()) {
      if (this.#table.events.get(id) !== undefined) continue;
      this.#texts.delete(id);
      this.#items.delete(id);
    }
  }

  text(id: string): string | undefined {
    return this.#texts.get(id);
  }

  #note(event: TableEvent, position: number, begun: boolean): void {
    const { id, sport, league } = event;
    const known = this.#texts.get(id);
    if (event.state === null && known === undefined && !begun) return;
    const text = JSON.stringify({
      event_id: id,
      sport,
      league,
      home_team: event.home,
      away_team: event.away,
      start_time: formatMs(event.startMs),
      status: event.status,
      is_live: event.live,
      game_state: event.state,
    });
    if (known === text) return;
    this.#texts.set(id, text);
    this.#items.put({ id, event: { id, sport, league }, current: event.live && event.state !== null }, position, begun);
  }
}

// The rows and opportunities of a stream, merged event by event: after `complete`, equal to the server's own table
// under the stream's filters.
import type { StreamEvent, StreamItem, StreamItems } from './events.js';
import type { AccountBet, GameStateItem, OddsRow, Result } from './types.js';

export class LiveTable {
  readonly odds = new Map<string, OddsRow>();
  readonly opportunities: { readonly [Name in keyof StreamItems]: Map<string, StreamItems[Name]> } = {
    ev: new Map(),
    arbitrage: new Map(),
    middles: new Map(),
    low_hold: new Map(),
    moves: new Map(),
  };
  /** By event id; finished games are removed. */
  readonly games = new Map<string, GameStateItem>();
  /** By event id: the last of each game. */
  readonly results = new Map<string, Result>();
  /** By id: the account's own that were judged or graded while the stream was open. */
  readonly bets = new Map<string, AccountBet>();
  #complete = false;

  /** False from the start of a snapshot to its end. */
  get complete(): boolean {
    return this.#complete;
  }

  apply(event: StreamEvent): void {
    switch (event.type) {
      case 'started':
        if (!event.resumed) this.#clear();
        break;
      case 'snapshot_required':
        this.#clear();
        break;
      case 'snapshot':
      case 'added':
        for (const row of event.rows) this.#upsert(row);
        break;
      case 'complete':
        this.#complete = true;
        break;
      case 'updated':
        for (const delta of event.deltas) {
          const row = this.odds.get(delta.id);
          if (row !== undefined) this.odds.set(delta.id, { ...row, ...delta, probability: delta.odds_probability });
        }
        break;
      case 'removed':
        for (const id of event.ids) this.odds.delete(id);
        break;
      case 'locked':
        for (const id of event.ids) {
          const row = this.odds.get(id);
          if (row?.is_active === true) this.odds.set(id, { ...row, is_active: false });
        }
        break;
      case 'detected': {
        const items: Map<string, StreamItem> = this.opportunities[event.channel];
        for (const item of event.items) items.set(item.id, item);
        break;
      }
      case 'expired':
        for (const id of event.ids) this.opportunities[event.channel].delete(id);
        break;
      case 'gamestate_removed':
        for (const id of event.ids) this.games.delete(id);
        break;
      case 'gamestate':
        for (const item of event.items)
          if (item.is_live) this.games.set(item.event_id, item);
          else this.games.delete(item.event_id);
        break;
      case 'results':
        for (const item of event.items) this.results.set(item.event_id, item);
        break;
      case 'bets':
        for (const item of event.items) this.bets.set(item.id, item);
        break;
    }
  }

  /** Only a snapshot's rows show openings: a row sent again retains its own. */
  #upsert(row: OddsRow): void {
    const opening = this.odds.get(row.id)?.opening;
    this.odds.set(row.id, opening === undefined || row.opening !== undefined ? row : { ...row, opening });
  }

  #clear(): void {
    this.#complete = false;
    this.odds.clear();
    for (const items of Object.values(this.opportunities)) items.clear();
    this.games.clear();
    this.results.clear();
  }
}

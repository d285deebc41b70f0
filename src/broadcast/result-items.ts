// What became of games, for the channel `results`: whole results, corrections with a higher revision. One that is no
// longer stored is not taken back.

import { resultItem } from '../answers/results.js';
import type { ResultRecord } from '../base/model/result.js';
import type { TableDelta } from '../log/delta/delta.js';
import type { ResultsBoard } from '../tables/results.js';
import type { Applied } from '../tables/table.js';
import { type KeyedChannel, KeyedItems } from './keyed-items.js';

export class ResultItems implements KeyedChannel {
  readonly #items = new KeyedItems();
  readonly #board: ResultsBoard;

  constructor(board: ResultsBoard) {
    this.#board = board;
    for (const record of board.all()) this.#note(record);
  }

  itemsOf(): KeyedItems {
    return this.#items;
  }

  apply(_applied: Applied, delta: TableDelta): void {
    for (const id of delta.expiredResults ?? []) this.#items.delete(id);
    for (const { eventId } of delta.results ?? []) {
      const record = this.#board.of(eventId);
      // A source that says the same again only renews its time.
      if (record !== undefined && record.updatedPosition > this.#items.positionOf(eventId)) this.#note(record);
    }
  }

  forget(): void {}

  text(id: string): string | undefined {
    const record = this.#board.of(id);
    const word = record === undefined ? null : this.#board.wordOf(record);
    return word === null ? undefined : JSON.stringify(resultItem(record!, word));
  }

  /** A game of which only settlements were told has no result yet. */
  #note(record: ResultRecord): void {
    const { eventId: id, sport, league, updatedPosition } = record;
    if (this.#board.wordOf(record) === null) return;
    this.#items.put({ id, event: { id, sport, league }, current: true }, updatedPosition);
  }
}

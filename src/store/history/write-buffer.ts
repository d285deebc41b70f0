// What the recorder has read since its last write, beside the events it holds.
import type { ResultRecord } from '../../base/model/result.js';
import { encode } from '../../base/wire/codec.js';
import type { Page } from './page.js';
import type { HistoryChanges } from './port.js';

export class WriteBuffer {
  /** Events by id, rows by odds id: the new ones. */
  readonly events = new Map<string, number>();
  readonly rowIds = new Map<string, number>();
  /** Pages that are full. */
  pages: (HistoryChanges['pages'][number] & { page: Page })[] = [];
  /** By event, all of its predictions to be packed. */
  readonly predictions = new Map<number, () => Uint8Array>();
  /** By event. */
  readonly results = new Map<number, ResultRecord>();
  droppedPages: HistoryChanges['droppedPages'] = [];
  droppedEvents: HistoryChanges['droppedEvents'] = [];

  get isEmpty(): boolean {
    return (
      this.predictions.size === 0 &&
      this.results.size === 0 &&
      this.droppedPages.length === 0 &&
      this.droppedEvents.length === 0
    );
  }

  changes(): Pick<HistoryChanges, 'pages' | 'predictions' | 'results' | 'droppedPages' | 'droppedEvents' | 'ids'> {
    const { pages, droppedPages, droppedEvents, rowIds } = this;
    const predictions = [...this.predictions].map(([hno, pack]) => ({ hno, bytes: pack() }));
    const results = [...this.results].map(([hno, record]) => ({ hno, bytes: encode(record) }));
    return {
      pages,
      predictions,
      results,
      droppedPages,
      droppedEvents,
      ids: [...rowIds].map(([id, hno]) => ({ id, hno })),
    };
  }

  clear(): void {
    this.predictions.clear();
    this.clearRead();
  }

  /** Only what was read from the log; predictions are in no log. */
  clearRead(): void {
    this.events.clear();
    this.rowIds.clear();
    this.results.clear();
    this.pages = [];
    this.droppedPages = [];
    this.droppedEvents = [];
  }
}

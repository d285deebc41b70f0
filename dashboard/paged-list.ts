// A list of the server that is shown while its page is: all of its pages, up to a bound, read again now and then.
import { type ListAnswer, OverroundError } from '../src/client/client.js';

const PAGE = 200;

export interface PagedListOptions<Item> {
  page(query: { limit: number; offset: number }): Promise<Pick<ListAnswer<Item>, 'data' | 'pagination'>>;
  everyMs: number;
  /** What is beyond is not read. */
  itemsMax: number;
  changed(): void;
}

export class PagedList<Item> {
  readonly #options: PagedListOptions<Item>;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Counts readings: one that was begun for something else says nothing. */
  #reading = 0;
  #readMs = Number.NEGATIVE_INFINITY;
  /** Undefined until it was read. */
  items: readonly Item[] | undefined;
  /** There are more. */
  isCut = false;
  /** Why it could not be read. */
  note = '';

  constructor(options: PagedListOptions<Item>) {
    this.#options = options;
  }

  show(isShown: boolean): void {
    if (!isShown) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      const { everyMs } = this.#options;
      if (performance.now() - this.#readMs > everyMs) void this.#read();
      this.#timer = setInterval(() => !document.hidden && void this.#read(), everyMs);
    }
  }

  /** Something else is asked for from now on. */
  restart(): void {
    this.items = undefined;
    this.note = '';
    void this.#read();
  }

  async #read(): Promise<void> {
    const { page, itemsMax, changed } = this.#options;
    const reading = ++this.#reading;
    this.#readMs = performance.now();
    try {
      const items: Item[] = [];
      let isCut = false;
      for (let offset = 0; offset < itemsMax; offset += PAGE) {
        const { data, pagination } = await page({ limit: PAGE, offset });
        items.push(...data);
        isCut = pagination.has_more === true;
        if (!isCut) break;
      }
      if (reading !== this.#reading) return;
      this.items = items;
      this.isCut = isCut;
      this.note = '';
    } catch (error) {
      if (reading !== this.#reading) return;
      // What was read stays; the next turn tries again.
      this.note = error instanceof OverroundError ? error.message : String(error);
    }
    changed();
  }
}

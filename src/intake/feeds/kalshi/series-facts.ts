// What only a series itself states: its fee, a multiplier of the usual one, and the title in addresses of its pages.
import { slug } from '../../../rules/catalogue/team-name.js';
import type { FeedContext } from '../feed.js';
import { fieldsOf, numberOf, textOf } from '../kit/field-readers.js';
import type { Rest } from '../kit/rest.js';

/** Fees change rarely, and by announcement. */
const CACHED_MS = 600_000;
/** Fee types in which the taker pays p (1 - p) times the rate. */
const QUADRATIC = new Set(['quadratic', 'quadratic_with_maker_fees']);

export class SeriesFacts {
  readonly #rest: Rest;
  readonly #context: FeedContext;
  readonly #multipliers = new Map<string, number>();
  readonly #titles = new Map<string, string>();
  readonly #warned = new Set<string>();
  #requestedMs = Number.NEGATIVE_INFINITY;

  constructor(rest: Rest, context: FeedContext) {
    this.#rest = rest;
    this.#context = context;
  }

  /** Multiplier of the usual fee; undefined if the series states none. */
  multiplierOf(series: string): number | undefined {
    return this.#multipliers.get(series);
  }

  /** The page of an event: its series, the title of that in words, and itself. */
  pageOf(series: string, event: string): string {
    const title = slug(this.#titles.get(series) ?? series);
    const [code, page] = [series, event].map((ticker) => encodeURIComponent(ticker.toLowerCase()));
    return `https://kalshi.com/markets/${code}/${title}/${page}`;
  }

  /**
   * Requests each series that was not requested recently; a value stays known if its series does not answer. Never
   * rejects.
   */
  async refresh(series: readonly string[]): Promise<void> {
    const nowMs = this.#context.clock.now();
    if (nowMs - this.#requestedMs < CACHED_MS) return;
    this.#requestedMs = nowMs;
    await Promise.all(series.map((ticker) => this.#request(ticker)));
  }

  async #request(ticker: string): Promise<void> {
    try {
      const series = fieldsOf(fieldsOf(await this.#rest.get(`/series/${ticker}`))?.['series']);
      if (series === undefined) return;
      const title = textOf(series['title']);
      if (title !== undefined && slug(title) !== '') this.#titles.set(ticker, title);
      const type = textOf(series['fee_type']);
      const multiplier = numberOf(series['fee_multiplier']);
      if (type !== undefined && !QUADRATIC.has(type)) {
        this.#multipliers.delete(ticker);
        this.#say(ticker, type);
      } else if (multiplier !== undefined && multiplier >= 0) this.#multipliers.set(ticker, multiplier);
    } catch (error) {
      this.#context.log.info({ series: ticker, reason: (error as Error).message }, 'kalshi: fees of a series unknown');
    }
  }

  #say(series: string, fee_type: string): void {
    if (this.#warned.has(series)) return;
    this.#warned.add(series);
    this.#context.log.warn(
      { series, fee_type },
      'kalshi: a series has fees of another kind; the usual ones are assumed',
    );
  }
}

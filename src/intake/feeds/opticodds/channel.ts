// One stream of OpticOdds: the odds of some leagues of one sport at up to five books. The service promises to repeat
// what was missed from `last_entry_id` on, but may not: after every reconnect the odds are read again. Entries may come
// twice and out of order.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import type { FeedContext } from '../feed.js';
import { Connection } from '../kit/connection.js';
import { eventOfText, eventStream } from '../kit/event-stream.js';
import { type Fields, fieldsOf, jsonOf, objectsOf, textOf } from '../kit/field-readers.js';
import type { VenuePause } from '../kit/venue-pause.js';

export interface ChannelOptions {
  url: string;
  apiKey: string;
  sport: string;
  /** By OpticOdds' ids. */
  leagues: readonly string[];
  books: readonly string[];
  context: FeedContext;
  random: () => number;
  pause: VenuePause;
  /** Its odds must be read: it was opened, or something could not be read. */
  opened(channel: Channel): void;
  /** Everything received over it may be outdated. */
  down(channel: Channel): void;
  odds(odds: readonly Fields[], active: boolean, atMs: number): void;
  /** A game's status or start changed. */
  status(fixture: Fields): void;
}

/** Pings come every 5 s. */
const DEAD_AFTER_MS = 12_000;
const ENTRIES_MAX = LIMITS.streamEntries.max;

export class Channel {
  readonly options: ChannelOptions;
  readonly #connection: Connection;
  #lastEntry: string | undefined;
  readonly #seen = new BoundedMap<string, true>(ENTRIES_MAX);
  /** Increased with each connection. */
  openings = 0;

  constructor(options: ChannelOptions) {
    this.options = options;
    const { apiKey, context, random, pause, sport, leagues, books } = options;
    this.#connection = new Connection({
      name: `${sport}: ${leagues.join(', ')} at ${books.join(', ')}`,
      dial: eventStream({ url: () => this.#url(), headers: () => ({ 'x-api-key': apiKey }) }),
      context,
      random,
      pause,
      silenceMsMax: DEAD_AFTER_MS,
      opened: () => {
        this.openings++;
        options.opened(this);
      },
      received: (text) => this.#received(text),
      down: () => options.down(this),
    });
  }

  get isOpen(): boolean {
    return this.#connection.isOpen;
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#connection.run(signal);
  }

  #url(): URL {
    const { url, sport, leagues, books } = this.options;
    const target = new URL(`${url}/stream/odds/${sport}`);
    for (const league of leagues) target.searchParams.append('league', league);
    for (const book of books) target.searchParams.append('sportsbook', book);
    target.searchParams.set('include_fixture_updates', 'true');
    target.searchParams.set('include_deep_link', 'true');
    // Prices as the book states them: commissions are subtracted here.
    target.searchParams.set('exclude_fees', 'true');
    if (this.#lastEntry !== undefined) target.searchParams.set('last_entry_id', this.#lastEntry);
    return target;
  }

  #received(text: string): void {
    const { context } = this.options;
    const { name, data } = eventOfText(text);
    if (name === 'ping' || name === 'connected') {
      this.#connection.proved();
      return;
    }
    if (name !== 'odds' && name !== 'locked-odds' && name !== 'fixture-status') return;
    const body = fieldsOf(jsonOf(data));
    if (body === undefined) {
      context.report?.counted?.('bad_messages');
      this.options.opened(this);
      return;
    }
    const entry = textOf(body['entry_id']);
    if (entry !== undefined) {
      if (this.#seen.has(entry)) return;
      this.#seen.set(entry, true);
      this.#lastEntry = entry;
    }
    if (name === 'fixture-status') {
      const fixture = fieldsOf(body['data']);
      if (fixture !== undefined) this.options.status(fixture);
    } else this.options.odds(objectsOf(body['data']), name === 'odds', entryMs(entry) ?? context.clock.now());
  }
}

/** `<milliseconds>-<number>`; the number orders entries of one millisecond. */
function entryMs(entry: string | undefined): number | undefined {
  const parts = /^(\d{10,16})-(\d{1,6})$/.exec(entry ?? '');
  return parts === null ? undefined : Number(parts[1]) + Math.min(Number(parts[2]), 9_999) / 10_000;
}

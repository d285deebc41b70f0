// Plays a recorded stream (one message per line, plain or gzip) through the same cache and listing as the live one, at
// the recorded pace or a multiple of it. Each message is one batch, so that every recorded state is published.

import { LIMITS } from '../../model/limits.js';
import { formatMs } from '../../model/time.js';
import type { Feed, FeedContext } from '../feed.js';
import { readLines } from '../files/lines.js';
import { VenueGames } from '../kit/games.js';
import { takeChanges } from '../kit/outgoing.js';
import type { FeeLookup } from '../kit/venue-fees.js';
import { Pacer } from '../replay/pacer.js';
import type { Timestamps } from '../replay/replay-feed.js';
import { wait } from '../wait.js';
import { gameOf, Listing, type NamedGame, type NamedMarket } from './listing.js';
import { type MarketBook, MarketCache } from './market-cache.js';
import { type ChangeMessage, readMessage } from './messages.js';
import { type NameLookup, Names, SPORT_OF_EVENT_TYPE, sidesOf } from './names.js';

export interface BetfairReplayOptions {
  path: string;
  /** Names of the recording's markets; without it the names in their definitions are used, if any. */
  catalogue?: readonly NamedMarket[];
  lookup: NameLookup & FeeLookup;
  /** Recorded seconds per second; 0 for as fast as the engine accepts them; 1 by default. */
  speed?: number;
  /** `shift` moves recorded times to now; `recorded` by default. */
  timestamps?: Timestamps;
  /** Levels kept of each side of a runner's ladder. */
  depth?: number;
}

const BOOK = 'betfair';
const LINE_BYTES_MAX = LIMITS.exchangeLine.max;
const MARKETS_MAX = LIMITS.recordedMarkets.max;

export class BetfairReplayFeed implements Feed {
  readonly name: string;
  readonly simulated = false;
  readonly #options: BetfairReplayOptions;
  readonly #stopping = new AbortController();
  readonly #games = new VenueGames();
  readonly #cache = new MarketCache(MARKETS_MAX);
  readonly #names: Names;
  readonly #listing: Listing;
  readonly #named: ReadonlyMap<string, NamedMarket>;
  readonly #touched = new Set<MarketBook>();

  constructor(options: BetfairReplayOptions) {
    const { path, speed = 1, timestamps = 'recorded', catalogue = [], lookup } = options;
    this.name = `betfair-stream:replay=${path},speed=${speed}${timestamps === 'shift' ? ',timestamps=shift' : ''}`;
    this.#options = options;
    this.#games.depth = options.depth ?? this.#games.depth;
    this.#names = new Names(lookup);
    this.#listing = new Listing(this.#games, this.#names, lookup);
    this.#named = new Map(catalogue.map((market) => [market.id, market]));
  }

  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Settles at the recording's end or soon after stop(); rejects if the file cannot be read or is no such recording.
   */
  async run({ clock, sink, log, report }: FeedContext): Promise<void> {
    const { path, speed = 1, timestamps = 'recorded' } = this.#options;
    const { signal } = this.#stopping;
    const pacer = new Pacer(clock, speed);
    const counts = { messages: 0, changed: 0, rejected: 0, bad_lines: 0, refused_parts: 0 };
    for await (const { text } of readLines(path, { lineBytesMax: LINE_BYTES_MAX })) {
      if (signal.aborted) break;
      if (text === '') continue;
      const message = text === undefined ? undefined : readMessage(text);
      if (message?.op !== 'mcm' || message.publishedMs === null) {
        if (message === undefined) {
          counts.bad_lines++;
          report?.counted?.('bad_messages');
        }
        continue;
      }
      if (counts.messages++ === 0 && timestamps === 'shift') this.#listing.offsetMs = clock.now() - message.publishedMs;
      if (!(await wait(pacer.delayMs(message.publishedMs), signal))) break;
      const bad = this.#apply(message);
      counts.refused_parts += bad;
      if (bad > 0) report?.counted?.('refused_parts', bad);
      // The times of a fast replay run ahead of the clock; published times are never in the future.
      const polledMs = timestamps === 'shift' ? clock.now() : message.publishedMs;
      const { messages } = takeChanges(this.#games, BOOK, formatMs(polledMs));
      report?.counted?.('messages');
      if (messages.length === 0) continue;
      const receipt = await sink(messages);
      counts.changed += receipt.changed;
      counts.rejected += receipt.rejected.length;
    }
    if (counts.messages === 0 && !signal.aborted)
      throw new Error('betfair-stream: the file is no recording of the stream');
    const left_out = Object.fromEntries([...this.#listing.leftOut].slice(0, 10));
    log.info({ ...counts, left_out, stopped: signal.aborted }, 'betfair-stream: the recording is over');
    if (this.#listing.leftOut.size > 0) report?.counted?.('left_out', this.#listing.leftOut.size);
    this.#tellUnnamed(log, report);
  }

  /** A stream has no names: without any, most of what a market asks cannot be told. */
  #tellUnnamed(log: FeedContext['log'], report: FeedContext['report']): void {
    const isLeftOut = (id: string): boolean => this.#listing.leftOut.has(id) || !this.#listing.has(id);
    const unnamed = [...this.#cache.markets.values()].filter(
      ({ id, definition }) =>
        isLeftOut(id) && !this.#named.has(id) && definition?.runners.every(({ name }) => name === null) !== false,
    );
    if (unnamed.length === 0) return;
    const reason = `${unnamed.length} markets are left out, as nothing names their runners: catalogue=FILE would`;
    log.warn({ markets: unnamed.length }, `betfair-stream: ${reason}`);
    report?.failed('names', reason);
  }

  /** Returns how many parts of it could not be parsed. */
  #apply({ changes, segment, behind }: ChangeMessage): number {
    const bad = this.#cache.apply(
      // A recording may begin in the middle: what comes before a market's image says nothing by itself.
      changes.filter((change) => !this.#cache.isEarly(change)),
      this.#touched,
    );
    if (segment === 'SEG_START' || segment === 'SEG' || behind) return bad;
    for (const book of this.#touched) {
      if (!this.#listing.has(book.id)) {
        const [named, game] = this.#identify(book) ?? [];
        if (named !== undefined && game !== undefined) this.#listing.name(named, game);
      }
      this.#listing.show(book);
    }
    this.#touched.clear();
    return bad;
  }

  #identify(book: MarketBook): [NamedMarket, NamedGame] | undefined {
    const named = this.#named.get(book.id);
    if (named !== undefined) {
      // A catalogue file of another kind of request has no event types; the stream has them.
      const eventTypeId = named.eventTypeId === '' ? (book.definition?.eventTypeId ?? '') : named.eventTypeId;
      const game = gameOf({ ...named, eventTypeId }, this.#names);
      return game === undefined ? undefined : [named, game];
    }
    return nameless(book);
  }
}

/**
 * Names a market without a catalogue entry by its definition: the names in historical files, else the ids of its
 * selections. It gets a league of its own, so that it is never matched with a game of another source.
 */
function nameless(book: MarketBook): [NamedMarket, NamedGame] | undefined {
  const { definition } = book;
  if (definition === undefined) return undefined;
  const { eventId, eventTypeId, eventName, startMs } = definition;
  const runnerNames = new Map(definition.runners.map(({ key, id, name }) => [key, name ?? `Selection ${id}`]));
  const first = [...definition.runners].sort((a, b) => a.sortPriority - b.sortPriority);
  const named = sidesOf(eventName ?? '');
  const home = named?.home ?? runnerNames.get(first[0]?.key ?? '');
  const away = named?.away ?? runnerNames.get(first[1]?.key ?? '');
  if (eventId === null || startMs === null || home === undefined || away === undefined) return undefined;
  const sport = SPORT_OF_EVENT_TYPE[eventTypeId ?? ''] ?? 'other';
  const market = {
    id: book.id,
    eventId,
    eventName: eventName ?? '',
    eventTypeId: eventTypeId ?? '',
    competition: '',
    startMs,
    runnerNames,
  };
  return [market, { sport, league: `betfair-${eventTypeId ?? 'other'}`, teams: { home, away } }];
}

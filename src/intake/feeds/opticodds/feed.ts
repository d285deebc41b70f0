// OpticOdds as a feed: odds of many books by server-sent events. Games and whole markets are read by REST at the start,
// after every reconnect and at intervals, because the stream repeats nothing that was missed.

import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { jsonOf } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { Connection } from '../kit/connection.js';
import type { Documented } from '../kit/documented-fields.js';
import { eventOfText, eventStream } from '../kit/event-stream.js';
import { type Fields, fieldsOf, listIn, numberOf, objectsOf, textOf, timeOf } from '../kit/field-readers.js';
import { Lookups, Missed } from '../kit/lookups.js';
import type { Rest, VenueAccess } from '../kit/rest.js';
import { type MirroredGame, type MirroredRow, RowMirror } from '../kit/row-mirror.js';
import { SourceFeed } from '../kit/source-feed.js';
import { wait } from '../wait.js';
import { type OpticGame, opticRow } from './rows.js';

/** A league by its ids here and there. */
export interface OpticLeague {
  id: string;
  sport: string;
  opticId: string;
}

export interface OpticOddsOptions {
  /** With the path /api/v3. */
  url: string;
  apiKey: string;
  leagues: readonly OpticLeague[];
  /** As OpticOdds calls them. */
  books: readonly string[];
  /** The id of a book by its display name. */
  bookId: (name: string) => string;
  random: () => number;
  /** Interval at which every game's odds are read again; 10 s by default. */
  checkEveryMs?: number;
  /** Interval of the lists of games; 30 s by default. */
  listEveryMs?: number;
}

/** What the service accepts in one request. */
const BOOKS_PER_REQUEST = 5;
const LEAGUES_PER_STREAM = 10;
const FIXTURES_PER_REQUEST = 5;
const PAGES_MAX = LIMITS.venuePages.max;
const TICK_MS = 50;
/** Suspended rows that as many lists in a row lack are removed: ten minutes. */
const FORGOTTEN_AFTER_LISTS = 60;

export class OpticOddsFeed extends SourceFeed<MirroredGame, RowMirror> {
  readonly #options: OpticOddsOptions;
  readonly #fixtures = new Map<string, OpticGame & { league: string }>();
  readonly #missed = new Missed();
  #rest!: Rest;
  #channels: Channel[] = [];
  /** By our id of a book, the list of those with which it is asked for: odds name it otherwise than requests do. */
  readonly #askedWith = new Map<string, readonly string[]>();
  /** Channels whose odds must be read at once. */
  readonly #wanted = new Set<Channel>();
  #lookups!: Lookups;

  constructor(options: OpticOddsOptions) {
    const { books, bookId, random } = options;
    const leagues = options.leagues.map(({ id }) => id);
    super(`opticodds:leagues=${leagues.join(',')}`, {
      ...{ book: 'opticodds', books: books.map(bookId), leagues, documented: DOCUMENTED, random },
      games: new RowMirror(),
    });
    this.#options = options;
  }

  protected override async follow(signal: AbortSignal): Promise<void> {
    const { url, apiKey, listEveryMs = 30_000 } = this.#options;
    this.#rest = this.rest({ baseUrl: url, perSecond: 20, headers: () => ({ 'x-api-key': apiKey }), attempts: 3 });
    this.#lookups = new Lookups({
      venue: 'opticodds',
      everyMs: listEveryMs,
      ...this.access,
      look: () => this.#listGames(),
    });
    this.#channels = this.#newChannels();
    const streams = this.#channels.map((channel) => channel.run(signal));
    await Promise.all([...streams, this.#lookups.run(signal), this.#check(signal)]);
  }

  #newChannels(): Channel[] {
    const { url, apiKey, leagues, books } = this.#options;
    const fives = chunks(books, BOOKS_PER_REQUEST);
    return [...new Set(leagues.map(({ sport }) => sport))].flatMap((sport) =>
      chunks(
        leagues.filter((league) => league.sport === sport),
        LEAGUES_PER_STREAM,
      ).flatMap((some) =>
        fives.map(
          (five) =>
            new Channel({
              ...this.access,
              url,
              apiKey,
              sport,
              leagues: some.map(({ opticId }) => opticId),
              books: five,
              opened: (channel) => void this.#wanted.add(channel),
              down: (channel) => this.games.doubt(this.#isOf(channel)),
              odds: (channel, odds, active, atMs) => this.#odds(channel, odds, active, atMs),
              status: (fixture) => this.#status(fixture),
            }),
        ),
      ),
    );
  }

  #isOf({ options }: Channel): (game: { book: string; facts: { id: string } }) => boolean {
    const leagues = new Set(options.leagues);
    return ({ book, facts }) =>
      this.#askedWith.get(book) === options.books && leagues.has(this.#fixtures.get(facts.id)?.league ?? '');
  }

  #row(fields: Fields, game: OpticGame, channel: Channel, active: boolean, atMs?: number): MirroredRow | undefined {
    const row = opticRow(fields, game, this.#options.bookId, active, atMs ?? this.#statedMs(fields));
    if (row !== undefined) this.#askedWith.set(row.book, channel.options.books);
    return row;
  }

  /** Entries of the stream count as newer than what is dated ahead. */
  #statedMs(fields: Fields): number {
    return Math.min((numberOf(fields['timestamp']) ?? 0) * 1000, this.context.clock.now());
  }

  #odds(channel: Channel, odds: readonly Fields[], active: boolean, atMs: number): void {
    this.documented.look('odds', odds);
    for (const fields of odds) {
      const game = this.#fixtures.get(textOf(fields['fixture_id']) ?? '');
      if (game === undefined) this.#lookups.soon();
      else {
        const row = this.#row(fields, game, channel, active, atMs);
        // A locked one is told with its last price; what has none that can be read is no offer any more.
        if (row !== undefined) this.games.put(row);
        else this.games.lock(textOf(fields['id']) ?? '');
      }
    }
  }

  #status(fixture: Fields): void {
    this.documented.look('fixture_status', fixture);
    const id = textOf(fixture['fixture_id']) ?? '';
    const facts = this.games.facts(id);
    if (facts === undefined) return;
    const startMs = timeOf(fixture['new_start_date']);
    this.games.putGame({
      ...facts,
      ...statusOf(textOf(fixture['new_status'])),
      ...(startMs === undefined ? {} : { startMs }),
    });
  }

  /** Throws if a page is missing. */
  async #listGames(): Promise<void> {
    const { leagues } = this.#options;
    const listed = new Set<string>();
    for (const some of chunks(leagues, LEAGUES_PER_STREAM)) {
      const league = some.map(({ opticId }) => opticId);
      for (let page = 1; ; page++) {
        if (page > PAGES_MAX) throw new Error(`/fixtures/active: more than ${PAGES_MAX} pages`);
        const body = fieldsOf(await this.#rest.get('/fixtures/active', { league, page })) ?? {};
        for (const fixture of listIn(body, 'data')) {
          const id = this.#putGame(fixture);
          if (id !== undefined) listed.add(id);
        }
        if (body['has_more'] !== true) break;
      }
    }
    for (const id of this.#fixtures.keys()) {
      if (listed.has(id)) this.#missed.listed(id);
      else if (this.#missed.isGone(id)) {
        this.#fixtures.delete(id);
        this.games.removeGame(id);
      }
    }
  }

  #putGame(fixture: Fields): string | undefined {
    this.documented.look('fixture', fixture);
    const id = textOf(fixture['id']);
    const opticId = textOf(fieldsOf(fixture['league'])?.['id']);
    const league = this.#options.leagues.find((each) => each.opticId === opticId);
    const home = textOf(fixture['home_team_display']);
    const away = textOf(fixture['away_team_display']);
    const startMs = timeOf(fixture['start_date']);
    if (id === undefined || league === undefined || home === undefined || away === undefined) return undefined;
    if (startMs === undefined) return undefined;
    const isNew = !this.#fixtures.has(id);
    const idsOf = (side: 'home' | 'away') =>
      objectsOf(fixture[`${side}_competitors`]).flatMap((team) => textOf(team['id']) ?? []);
    const ids = { homeIds: idsOf('home'), awayIds: idsOf('away') };
    this.#fixtures.set(id, { id, sport: league.sport, home, away, ...ids, league: league.opticId });
    this.games.putGame({ id, league: league.id, home, away, startMs, ...statusOf(textOf(fixture['status'])) });
    if (isNew) for (const channel of this.#channels) this.#wanted.add(channel);
    return id;
  }

  /** Reads every game's odds at intervals, and at once where something may have been missed. */
  async #check(signal: AbortSignal): Promise<void> {
    const { checkEveryMs = 10_000 } = this.#options;
    const readMs = new Map<Channel, number>();
    while (await wait(TICK_MS, signal)) {
      const nowMs = this.context.clock.now();
      const due = this.#channels.filter(
        (channel) =>
          channel.isOpen && (this.#wanted.has(channel) || nowMs - (readMs.get(channel) ?? nowMs) >= checkEveryMs),
      );
      if (this.#fixtures.size === 0 || due.length === 0) continue;
      for (const channel of due) {
        this.#wanted.delete(channel);
        readMs.set(channel, nowMs);
      }
      await Promise.all(due.map((channel) => this.#readOdds(channel, signal)));
      if (this.#channels.every(({ openings }) => openings > 0)) this.publisher.ready();
    }
  }

  async #readOdds(channel: Channel, signal: AbortSignal): Promise<void> {
    const leagues = new Set(channel.options.leagues);
    const ids = [...this.#fixtures.values()].filter(({ league }) => leagues.has(league)).map(({ id }) => id);
    try {
      await Promise.all(chunks(ids, FIXTURES_PER_REQUEST).map((five) => this.#readGames(channel, five)));
      this.context.report?.succeeded('odds');
    } catch (error) {
      if (signal.aborted) return;
      this.context.report?.failed('odds', (error as Error).message);
      this.#wanted.add(channel);
    }
  }

  async #readGames(channel: Channel, ids: readonly string[]): Promise<void> {
    const mirror = this.games;
    const { openings } = channel;
    const query = { fixture_id: ids, sportsbook: channel.options.books, exclude_fees: 'true' };
    mirror.begin();
    const before = mirror.touches;
    for (const fixture of listIn(await this.#rest.get('/fixtures/odds', query), 'data')) {
      const game = this.#fixtures.get(textOf(fixture['id']) ?? '');
      if (game === undefined) continue;
      const odds = objectsOf(fixture['odds']);
      this.documented.look('odds', odds);
      for (const fields of odds) {
        const row = this.#row(fields, game, channel, true);
        if (row !== undefined) mirror.put(row, before);
        else this.context.report?.counted?.('left_out');
      }
    }
    // The stream may have broken meanwhile: then nothing is confirmed, and the next connection asks again.
    if (!channel.isOpen || channel.openings !== openings) return;
    const isOf = this.#isOf(channel);
    mirror.complete(
      (game) => ids.includes(game.facts.id) && isOf(game),
      // What is not listed is suspended. A line that moved away does not come back.
      ({ id, active }, times) => {
        if (active) mirror.lock(id, before);
        else if (times > FORGOTTEN_AFTER_LISTS) mirror.remove(id, before);
      },
    );
  }
}

function statusOf(status: string | undefined): {
  isLive?: boolean;
  status?: 'upcoming' | 'live' | 'ended' | 'cancelled';
} {
  if (status === 'unplayed') return { isLive: false, status: 'upcoming' };
  if (status === 'live' || status === 'half') return { isLive: true, status: 'live' };
  if (status === 'completed') return { isLive: false, status: 'ended' };
  return status === 'cancelled' ? { isLive: false, status: 'cancelled' } : {};
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

// Fields that the documents of OpticOdds' API v3 describe.

export const DOCUMENTED = {
  odds: {
    fields: `id sportsbook market market_id name is_main is_live is_locked selection normalized_selection selection_line
      selection_points player_id team_id price points timestamp grouping_key deep_link betlink source_ids limits
      order_book fixture_id game_id sport sport_id league league_id locked status settlement missing_fields`,
  },
  fixture: {
    fields: `id numerical_id game_id start_date home_competitors away_competitors home_team_display away_team_display
      status is_live sport league tournament tournament_stage season season_type season_year season_week venue_name
      venue_location venue_neutral venue broadcast home_starter home_record home_seed home_rotation_number away_starter
      away_record away_seed away_rotation_number has_odds weather weather_temp result lineups odds source_ids
      has_changed_participants updated_at
      rescheduled_from rescheduled_to`,
  },
  fixture_status: {
    fields: `fixture_id game_id sport league league_id sport_id old_status new_status old_start_date new_start_date
      status start_date is_live`,
  },
} as const satisfies Record<string, Documented>;

// One stream of OpticOdds: the odds of some leagues of one sport at up to five books. The service promises to repeat
// what was missed from `last_entry_id` on, but may not: after every reconnect the odds are read again. Entries may come
// twice and out of order.

interface ChannelOptions extends VenueAccess, Pick<OpticOddsOptions, 'url' | 'apiKey'> {
  sport: string;
  /** By OpticOdds' ids. */
  leagues: readonly string[];
  books: readonly string[];
  /** Its odds must be read: it was opened, or something could not be read. */
  opened(channel: Channel): void;
  /** Everything received over it may be outdated. */
  down(channel: Channel): void;
  odds(channel: Channel, odds: readonly Fields[], active: boolean, atMs: number): void;
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
    const { apiKey, sport, leagues, books } = options;
    this.#connection = new Connection({
      ...options,
      name: `${sport}: ${leagues.join(', ')} at ${books.join(', ')}`,
      dial: eventStream({ url: () => this.#url(), headers: () => ({ 'x-api-key': apiKey }) }),
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
    } else this.options.odds(this, objectsOf(body['data']), name === 'odds', entryMs(entry) ?? context.clock.now());
  }
}

/** `<milliseconds>-<number>`; the number orders entries of one millisecond. */
function entryMs(entry: string | undefined): number | undefined {
  const parts = /^(\d{10,16})-(\d{1,6})$/.exec(entry ?? '');
  return parts === null ? undefined : Number(parts[1]) + Math.min(Number(parts[2]), 9_999) / 10_000;
}

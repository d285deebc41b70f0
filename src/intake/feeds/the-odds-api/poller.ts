// The feed that polls The Odds API: each sport in turn, as often as configured and the plan's credits allow. A failed
// poll is logged and repeated later; only stop() ends the feed.

import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../../../base/model/limits.js';
import type { Rejection } from '../../../base/model/normal-message.js';
import type { IngestMessage } from '../../ingest/message.js';
import { type FeedContext, type FeedMemory, StoppableFeed } from '../feed.js';
import { type Documented, DocumentedFields } from '../kit/documented-fields.js';
import { fieldsOf, objectsOf, textOf } from '../kit/field-readers.js';
import { backoffMs, wait as timerWait, type Wait } from '../wait.js';
import { type OddsAnswer, OddsApiClient, Quota } from './client.js';
import { readInstant } from './instant.js';
import { booksIn, type ListedBooks, OddsApiMapper, UPCOMING } from './mapper.js';
import { bookOfKey, derivedLeague } from './market-types.js';
import type { LeagueLookup, OddsFormat, Skipped } from './payload.js';

export interface TheOddsApiOptions {
  /** Sport keys (`baseball_mlb`), or `upcoming`. */
  sports: string[];
  regions: string[];
  markets: string[];
  /** Bookmaker keys; if given, they replace the regions. */
  bookmakers?: string[];
  /** Seconds between two polls of the same sport. */
  everyS: number;
  /** Whether results are read as well. */
  scores?: boolean;
  apiKey: string;
  baseUrl: string;
  leagues: LeagueLookup;
  /** Uniform in [0, 1): jitter. */
  random: () => number;
  /** Timeout of one whole answer; 15 s by default. */
  timeoutMs?: number;
  /** Maximum size of an answer; 32 MiB by default. */
  bodyBytesMax?: number;
  /** How the feed waits; by default with a timer. */
  wait?: Wait;
}

const SERVER_BACKOFF = { firstMs: 2_000, capMs: 300_000 };
/** For errors that a person has to fix (a key, a parameter): frequent retries would not help. */
const CONFIGURATION_BACKOFF = { firstMs: 300_000, capMs: 3_600_000 };
const QUOTA_CHECK_MS = 3_600_000;
/** Results are polled at most this often, each time for this many credits. */
const SCORES_EVERY_S = 300;
const SCORES_CREDITS = 2;

/** One poll that is repeated: a sport's odds, or its scores. */
interface SportState {
  sport: string;
  /** Its name in reports. */
  part: string;
  scores: boolean;
  /** How many times the usual period is between two polls. */
  periods: number;
  /** Whether its answers are complete for their league. */
  complete: boolean;
  dueMs: number;
  failures: number;
  /** Credits that its last poll cost. */
  credits: number;
  skipped: number;
  /** How many quotes of its last poll were rejected, and why the first one. */
  rejected: string;
}

export class TheOddsApiFeed extends StoppableFeed {
  readonly #options: TheOddsApiOptions;
  readonly #oddsFormat: OddsFormat;
  readonly #client: OddsApiClient;
  readonly #mapper: OddsApiMapper;
  readonly #scores: Scores;
  readonly #quota = new Quota();
  readonly #wait: Wait;
  readonly #sports: SportState[];
  /** No request at all before this instant (a refused key, a rate limit). */
  #notBeforeMs = 0;
  #documented!: DocumentedFields;
  #failures = 0;
  #slowed = false;
  #warnedExhausted = false;

  /** Throws an Error with a one-line message if the options are invalid. */
  constructor(options: TheOddsApiOptions) {
    const { sports, regions, markets, bookmakers = [], everyS } = options;
    if (sports.length === 0) throw new Error('the-odds-api: no sports');
    if (markets.length === 0) throw new Error('the-odds-api: no markets');
    if (regions.length === 0 && bookmakers.length === 0) throw new Error('the-odds-api: no regions and no bookmakers');
    if (!(everyS > 0)) throw new Error('the-odds-api: every is not a number of seconds above 0');
    const books = bookmakers.length > 0 ? `bookmakers=${bookmakers.join(',')}` : `regions=${regions.join(',')}`;
    super(
      `the-odds-api:sports=${sports.join(',')},${books},markets=${markets.join(',')},every=${everyS}${options.scores === true ? ',scores=on' : ''}`,
    );
    this.#options = options;
    this.#oddsFormat = oddsFormatOf(options);
    this.#client = new OddsApiClient({
      apiKey: options.apiKey,
      baseUrl: options.baseUrl,
      regions,
      markets,
      bookmakers,
      oddsFormat: this.#oddsFormat,
      timeoutMs: options.timeoutMs ?? 15_000,
      bodyBytesMax: options.bodyBytesMax ?? LIMITS.venueAnswer.max,
    });
    this.#mapper = new OddsApiMapper(options.leagues);
    this.#scores = new Scores(options.leagues);
    this.#wait = options.wait ?? timerWait;
    const state = { complete: false, dueMs: 0, failures: 0, skipped: 0, rejected: '' };
    this.#sports = [...new Set(sports)].map((sport) => ({
      ...state,
      ...{ sport, part: sport, scores: false, periods: 1 },
      complete: isComplete(sport, sports, options.leagues),
      credits: markets.length * Math.max(1, regions.length),
    }));
    // The mixed list has no scores.
    const played = options.scores === true ? this.#sports.filter(({ sport }) => sport !== UPCOMING) : [];
    for (const { sport } of played) {
      const periods = Math.max(1, SCORES_EVERY_S / everyS);
      this.#sports.push({ ...state, sport, part: `${sport} scores`, scores: true, periods, credits: SCORES_CREDITS });
    }
  }

  async run(context: FeedContext): Promise<void> {
    const { signal } = this.stopping;
    this.#documented = new DocumentedFields(DOCUMENTED, context.report);
    while (!signal.aborted) {
      const next = this.#sports.reduce((first, sport) => (sport.dueMs < first.dueMs ? sport : first));
      const atMs = Math.max(next.dueMs, this.#notBeforeMs);
      if (!(await this.#wait(Math.max(0, atMs - context.clock.now()), signal))) return;
      if (this.#quota.exhausted) await this.#checkQuota(context);
      else await this.#poll(next, context);
    }
  }

  async #poll(state: SportState, context: FeedContext): Promise<void> {
    const startMs = context.clock.now();
    const { signal } = this.stopping;
    const { sport, scores } = state;
    const answer = await (scores
      ? this.#client.scores(sport, startMs, signal)
      : this.#client.odds(sport, startMs, signal));
    if (this.stopping.signal.aborted) return;
    if (answer.kind !== 'failed') state.credits = this.#quota.read(answer.headers) ?? state.credits;
    if (answer.kind === 'odds' && Array.isArray(answer.body)) await this.#deliver(state, answer.body, startMs, context);
    else if (answer.kind === 'odds') this.#retry(state, 'the answer is not a list of events', context);
    else if (answer.kind === 'failed') this.#retry(state, answer.reason, context);
    else this.#refused(state, answer, context);
    if (this.#quota.exhausted) this.#sayExhausted(context);
  }

  async #deliver(state: SportState, events: unknown[], startMs: number, context: FeedContext): Promise<void> {
    const polledAt = readInstant(startMs)?.iso ?? new Date(startMs).toISOString();
    this.#documented.look('event', events);
    const memory = state.complete ? context.memory : undefined;
    this.#mapper.listed(state.sport, this.#remembered(state, memory, context));
    const { messages, skipped } = state.scores
      ? this.#results(events, polledAt)
      : this.#mapper.map({
          events,
          polledAt,
          complete: state.complete,
          repeats: true,
          source: state.sport,
          oddsFormat: this.#oddsFormat,
        });
    this.#reportSkipped(state, skipped, context);
    const named = messages.filter(({ events = [] }) => events.length > 0);
    for (const { book, league } of named) context.listers?.set(`${book}|${league}`, this.name);
    try {
      // Before the first row of a book there is a note of it, so that a kill between the two leaves none behind.
      await this.#keep(state, messages, memory);
      if (messages.length > 0) {
        const receipt = await context.sink(messages);
        this.#reportRejected(state, receipt.rejected, context);
      }
      await this.#keep(state, named, memory);
    } catch (error) {
      if (state.scores) this.#scores.undelivered();
      else {
        this.#mapper.undelivered(state.sport);
        this.#mapper.listed(state.sport, booksIn(messages));
      }
      this.#retry(state, `not taken in: ${(error as Error).message}`, context);
      return;
    }
    context.report?.succeeded(state.part);
    if (state.failures > 0) context.log.info({ sport: state.part }, 'the-odds-api: answers again');
    state.failures = 0;
    this.#failures = 0;
    state.dueMs = startMs + state.periods * this.#periodMs(startMs, context);
  }

  /** Feeds of one sport may ask for other books each. */
  #memoryOf({ sport }: SportState): string {
    const { regions, bookmakers = [] } = this.#options;
    return `the-odds-api ${sport} ${(bookmakers.length > 0 ? bookmakers : regions).join(',')}`;
  }

  /** But for the books that another feed lists by now. */
  #remembered(state: SportState, memory: FeedMemory | undefined, { listers }: FeedContext): ListedBooks {
    const kept = (memory?.read(this.#memoryOf(state)) ?? {}) as ListedBooks;
    const isOwn = (book: string, league: string) => (listers?.get(`${book}|${league}`) ?? this.name) === this.name;
    return Object.fromEntries(
      Object.entries(kept).map(([league, books]) => [league, books.filter((book) => isOwn(book, league))]),
    );
  }

  async #keep(state: SportState, messages: readonly IngestMessage[], memory: FeedMemory | undefined): Promise<void> {
    const name = this.#memoryOf(state);
    const books = booksIn(messages);
    if (memory !== undefined && !isDeepStrictEqual(memory.read(name) ?? {}, books)) await memory.write(name, books);
  }

  #results(events: readonly unknown[], polledAt: string): { messages: IngestMessage[]; skipped: Skipped[] } {
    const message = this.#scores.message(events, polledAt);
    return { messages: message === null ? [] : [message], skipped: [] };
  }

  #periodMs(nowMs: number, context: FeedContext): number {
    const everyMs = this.#options.everyS * 1000;
    const roundCredits = this.#sports.reduce((sum, { credits, periods }) => sum + credits / periods, 0);
    const periodMs = this.#quota.periodMs(everyMs, roundCredits, nowMs);
    const slowed = periodMs > everyMs;
    if (slowed !== this.#slowed) {
      this.#slowed = slowed;
      const fields = { remaining: this.#quota.remaining, every_s: Math.round(periodMs / 1000) };
      if (slowed) context.log.warn(fields, 'the-odds-api: slower than asked, so that the credits last the month');
      else context.log.info(fields, 'the-odds-api: credits allow the pace asked for again');
    }
    return periodMs;
  }

  #reportSkipped(state: SportState, skipped: Skipped[], context: FeedContext): void {
    // The same invalid parts come with every poll: they are logged once, and again when their number changes.
    const refused = skipped.filter(({ reason }) => reason === 'not a price').length;
    if (refused > 0) context.report?.counted?.('refused_parts', refused);
    if (skipped.length > refused) context.report?.counted?.('left_out', skipped.length - refused);
    if (skipped.length !== state.skipped && skipped.length > 0) {
      const fields = { sport: state.sport, skipped: skipped.length, first: skipped[0] };
      context.log.warn(fields, 'the-odds-api: parts of the answer were left out');
    }
    state.skipped = skipped.length;
  }

  /** As what is skipped: the same comes with every poll. */
  #reportRejected(state: SportState, rejected: readonly Rejection[], context: FeedContext): void {
    const [first] = rejected;
    const told = first === undefined ? '' : `${rejected.length} ${first.reason}`;
    if (first !== undefined && told !== state.rejected) {
      const fields = { sport: state.sport, rejected: rejected.length, first };
      context.log.warn(fields, 'the-odds-api: quotes rejected');
    }
    state.rejected = told;
  }

  #retry(state: SportState, reason: string, context: FeedContext): void {
    context.report?.failed(state.part, reason);
    state.failures++;
    const waitMs = backoffMs(state.failures, SERVER_BACKOFF, this.#options.random);
    state.dueMs = context.clock.now() + waitMs;
    const fields = { sport: state.part, reason, failures: state.failures, retry_s: waitMs / 1000 };
    context.log.warn(fields, 'the-odds-api: poll failed');
  }

  #refused(state: SportState, answer: OddsAnswer & { kind: 'refused' }, context: FeedContext): void {
    const { status, code, message } = answer;
    const requestedMs = Math.min(answer.retryAfterS * 1000, CONFIGURATION_BACKOFF.capMs);
    if (code === 'OUT_OF_USAGE_CREDITS') {
      this.#quota.exhaust();
      context.report?.failed(state.part, 'no credits left');
      return;
    }
    if (status >= 500) {
      this.#retry(state, `HTTP ${status}`, context);
      // The delay that the server requests counts if it is longer than ours.
      state.dueMs = Math.max(state.dueMs, context.clock.now() + requestedMs);
      return;
    }
    context.report?.failed(state.part, code === '' ? `HTTP ${status}` : `HTTP ${status}: ${code}`);
    const nowMs = context.clock.now();
    if (status === 429) {
      this.#failures++;
      const ownMs = backoffMs(this.#failures, SERVER_BACKOFF, this.#options.random);
      const waitMs = Math.max(ownMs, requestedMs);
      this.#notBeforeMs = nowMs + waitMs;
      context.log.warn({ status, code, message, retry_s: waitMs / 1000 }, 'the-odds-api: asked too fast');
    } else if (status === 401 || status === 403) {
      this.#failures++;
      const waitMs = backoffMs(this.#failures, CONFIGURATION_BACKOFF, this.#options.random);
      this.#notBeforeMs = nowMs + waitMs;
      context.log.error({ status, code, message, retry_s: waitMs / 1000 }, 'the-odds-api: the key is refused');
    } else {
      state.failures++;
      const waitMs = backoffMs(state.failures, CONFIGURATION_BACKOFF, this.#options.random);
      state.dueMs = nowMs + waitMs;
      const fields = { sport: state.part, status, code, message, retry_s: waitMs / 1000 };
      context.log.error(fields, 'the-odds-api: the request is refused; check sports, regions and markets');
    }
  }

  #sayExhausted(context: FeedContext): void {
    this.#notBeforeMs = context.clock.now() + QUOTA_CHECK_MS;
    if (this.#warnedExhausted) return;
    this.#warnedExhausted = true;
    context.log.error(
      { remaining: 0, used: this.#quota.used },
      'the-odds-api: no credits left; no odds are asked for until there are some again',
    );
  }

  /** Once an hour, by a request that costs no credits. */
  async #checkQuota(context: FeedContext): Promise<void> {
    const nowMs = context.clock.now();
    const answer = await this.#client.sports(nowMs, this.stopping.signal);
    if (this.stopping.signal.aborted) return;
    if (answer.kind === 'odds') {
      if (answer.headers.has('x-requests-remaining')) this.#quota.read(answer.headers);
      else this.#quota.forget();
    }
    if (this.#quota.exhausted) {
      this.#notBeforeMs = nowMs + QUOTA_CHECK_MS;
      return;
    }
    this.#warnedExhausted = false;
    this.#notBeforeMs = 0;
    context.log.info({ remaining: this.#quota.remaining }, 'the-odds-api: there are credits again');
  }
}

/** A league requested in two parts (preseason and season) is complete in neither, nor is the mixed list `upcoming`. */
function isComplete(sport: string, sports: readonly string[], leagues: LeagueLookup): boolean {
  if (sport === UPCOMING) return false;
  const leagueOf = (key: string): string => leagues.leagueOf(key)?.id ?? derivedLeague(key);
  return sports.every((other) => other === sport || leagueOf(other) !== leagueOf(sport));
}

/** Whose bookmakers state American prices themselves. */
const AMERICAN_REGIONS = /^us(_|\d|$)/;

/**
 * Books outside the US state decimal prices: as whole American numbers they would no longer be what the book stated. One
 * answer has one format, so a poll of both is decimal.
 */
function oddsFormatOf({ regions, bookmakers = [], leagues }: TheOddsApiOptions): OddsFormat {
  const american =
    bookmakers.length > 0
      ? bookmakers.every((key) => leagues.book?.(bookOfKey(key.toLowerCase()))?.regions.includes('US') ?? true)
      : regions.every((region) => AMERICAN_REGIONS.test(region));
  return american ? 'american' : 'decimal';
}

// Fields that the documents of The Odds API v4 describe: odds and scores.

export const DOCUMENTED = {
  event: {
    fields: `id sport_key sport_title commence_time home_team away_team home_rotation_number away_rotation_number
      completed last_update`,
    within: { bookmakers: 'bookmaker', scores: 'score' },
  },
  bookmaker: { fields: 'key title last_update link sid', within: { markets: 'market' } },
  market: { fields: 'key last_update link sid', within: { outcomes: 'outcome' } },
  outcome: { fields: 'name price point description link sid bet_limit multiplier rotation_number' },
  score: { fields: 'name score' },
} as const satisfies Record<string, Documented>;

// The Odds API's scores as results. What was sent before is not sent again.

const SOURCE = 'the-odds-api';
const EVENTS_MAX = LIMITS.venueGames.max;

export class Scores {
  readonly #leagues: LeagueLookup;
  /** By the venue's event: what was sent last. */
  readonly #sent = new Map<string, string>();

  constructor(leagues: LeagueLookup) {
    this.#leagues = leagues;
  }

  /** Null if nothing is new. Malformed events are left out. */
  message(events: readonly unknown[], polledAt: string): IngestMessage | null {
    const results: object[] = [];
    for (const event of objectsOf(events)) {
      const id = textOf(event['id']);
      const result = this.#result(event);
      if (id === undefined || result === undefined) continue;
      const text = JSON.stringify(result);
      if (this.#sent.get(id) === text) continue;
      this.#sent.delete(id);
      this.#sent.set(id, text);
      if (this.#sent.size > EVENTS_MAX) this.#sent.delete(this.#sent.keys().next().value!);
      results.push(result);
    }
    if (results.length === 0) return null;
    return { book: SOURCE, source: SOURCE, polled_at: polledAt, scope: 'none', results };
  }

  /** The message was not taken in: all of it is sent again. */
  undelivered(): void {
    this.#sent.clear();
  }

  #result(event: Record<string, unknown>): object | undefined {
    const key = textOf(event['sport_key']);
    const [home_team, away_team] = [textOf(event['home_team']), textOf(event['away_team'])];
    const start = readInstant(event['commence_time']);
    const at = readInstant(event['last_update']);
    if (key === undefined || home_team === undefined || away_team === undefined || start === undefined)
      return undefined;
    const [home_score, away_score] = [scoreOf(event, home_team), scoreOf(event, away_team)];
    // A game that has not begun has no scores.
    if (home_score === undefined || away_score === undefined) return undefined;
    return {
      league: this.#leagues.leagueOf(key)?.id ?? derivedLeague(key),
      home_team,
      away_team,
      start_time: start.iso,
      status: event['completed'] === true ? 'final' : 'live',
      home_score,
      away_score,
      ...(at === undefined ? {} : { at: at.iso }),
    };
  }
}

function scoreOf(event: Record<string, unknown>, team: string): number | undefined {
  const scores = objectsOf(event['scores']).filter(({ name }) => name === team);
  const text = textOf(fieldsOf(scores[0])?.['score'])?.trim() ?? '';
  return scores.length === 1 && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

// The books of a season: each polls repeatedly, and repeats a poll until it is acknowledged.
import { setTimeout as wait } from 'node:timers/promises';
import { getOrInsert } from '../src/base/memory/get-or-insert.js';
import { encode } from '../src/base/wire/codec.js';
import type { IngestEvent } from '../src/intake/ingest/message.js';
import type { Random } from '../test/world/random.js';
import type { Push } from '../test/world/world.js';
import type { Answer, Run } from './run.js';
import { farewellOf, makeSeason, pollOf, type Season, type SeasonBook } from './season.js';

/** Everything under way when the books stop is acknowledged within `takenMs`, in time given to the program. */
const POSTS = { retryMs: 150, takenMs: 90_000 };

const SEASONS_RETAINED = 4;

export class Storm {
  readonly #run: Run;
  readonly #random: Random;
  readonly #bookIds: readonly string[];
  readonly #key: string;
  #season: Season | undefined;
  #seasons = 0;
  /** The first game of each season. */
  readonly #firsts: number[] = [];
  readonly #statements = new LastStatements();
  /** By book: what must be repeated before anything new. */
  #again = new Map<string, Push[]>();
  /** Books of the previous season that are not in the present one: what they said last is repeated for them. */
  #departed: readonly SeasonBook[] = [];
  /** How far each book's clock is ahead. */
  readonly #clocksMs = new Map<string, number>();
  #paused = false;
  #over = false;
  #working = new Set<Promise<void>>();
  readonly #pollMs: number;
  readonly #underWay = new Map<readonly Push[], readonly Push[]>();
  #repeating = 0;
  #repeatedMs = 0;
  #posts = 0;
  #resumed: Promise<void> | undefined;
  #release: () => void = () => undefined;

  /** @param rate approximate polls per book and second */
  constructor(run: Run, random: Random, bookIds: readonly string[], key: string, rate: number) {
    this.#pollMs = 1_000 / rate;
    this.#run = run;
    this.#random = random;
    this.#bookIds = bookIds;
    this.#key = key;
  }

  get season(): Season {
    return this.#season!;
  }

  /** The previous season's books remove their lists; then new ones begin. */
  async nextSeason(): Promise<void> {
    await this.pause();
    const before = this.#season;
    if (before !== undefined) await Promise.all(before.books.map((book) => this.#say(book, farewellOf(book))));
    this.#season = makeSeason(this.#random, this.#bookIds, this.#run.truth.games.length, this.#run.now());
    // Polls by a clock that is behind the one of the season before would be older than the empty lists.
    for (const { style } of this.#season.books)
      style.clockMs = getOrInsert(this.#clocksMs, style.id, () => style.clockMs);
    const present = new Set(this.#season.books.map(({ style }) => style.id));
    this.#departed = before?.books.filter(({ style }) => !present.has(style.id)) ?? [];
    this.#firsts.push(this.#run.truth.games.length);
    this.#run.truth.addGames(this.#season.games);
    // Delayed or suspended readers still see the previous season.
    this.#run.truth.forgetBefore(this.#firsts.at(-SEASONS_RETAINED) ?? 0);
    this.#statements.forgetBefore(this.#seasons++);
    this.#run.count('seasons');
    // A game is first listed with its own start: a first listing that is hours off could not be matched.
    await this.refresh();
    await this.resume();
  }

  /** Settles when nothing is under way. */
  async pause(): Promise<void> {
    this.#paused = true;
    const late = this.#run.patience(POSTS.takenMs);
    const done = Promise.all(this.#working);
    while ((await Promise.race([done, wait(100, 'later' as const)])) === 'later') {
      if (!late()) continue;
      this.#run.find('what is good is taken', `not within ${POSTS.takenMs} ms`);
      break;
    }
    await done;
  }

  /** What is not acknowledged yet is left as it is. */
  async end(): Promise<void> {
    this.#paused = true;
    this.#over = true;
    this.goOn();
    await Promise.all(this.#working);
  }

  async resume(): Promise<void> {
    this.#paused = false;
    for (const book of this.season.books) this.#begin(this.#poll(book));
  }

  #begin(work: Promise<void>): void {
    const begun = work.finally(() => this.#working.delete(begun));
    this.#working.add(begun);
  }

  /** Nothing is sent until goOn(). Settles when everything under way is answered, or nobody is there to answer. */
  async hold(): Promise<void> {
    this.#resumed = new Promise((resolve) => {
      this.#release = resolve;
    });
    while (this.#posts > 0) await wait(5);
  }

  goOn(): void {
    this.#resumed = undefined;
    this.#release();
  }

  /** Sent, and not yet acknowledged: it may have been applied. */
  get underWay(): Push[] {
    return [...this.#underWay.values()].flat();
  }

  /** Every book repeats its list, so that nothing is old. */
  async refresh(): Promise<void> {
    await Promise.all(
      this.season.books.map(async (book) => {
        await this.#sayAgain(book);
        await this.#say(book, pollOf(book, this.#random));
      }),
    );
  }

  /** The program may have lost what it acknowledged: each book repeats its last statement on every game. */
  powerLost(): void {
    this.#again = this.#statements.byBook();
    this.#repeatedMs = Number.POSITIVE_INFINITY;
    for (const book of this.#departed) this.#begin(this.#sayAgain(book));
  }

  /** Since when everything lost in the last loss of power is back (`performance.now`). */
  get repeatedMs(): number {
    return this.#repeatedMs;
  }

  /** Whether everything acknowledged is in the table, also what the last loss of power took. */
  get repeated(): boolean {
    return this.#repeatedMs !== Number.POSITIVE_INFINITY;
  }

  async #sayAgain(book: SeasonBook): Promise<void> {
    const pushes = this.#again.get(book.style.id) ?? [];
    this.#again.delete(book.style.id);
    // One after the other: a later statement revokes what an earlier one says.
    this.#repeating++;
    for (const push of pushes) await this.#say(book, [push]);
    this.#repeating--;
    if (this.#repeating === 0 && this.#again.size === 0 && this.#repeatedMs === Number.POSITIVE_INFINITY)
      this.#repeatedMs = performance.now();
  }

  async #poll(book: SeasonBook): Promise<void> {
    while (!this.#paused) {
      await this.#sayAgain(book);
      book.listings.change(this.#random, this.#run.now());
      await this.#say(book, pollOf(book, this.#random));
      await wait(this.#random.between(0.1, 1.9) * this.#pollMs);
    }
  }

  async #say(book: SeasonBook, pushes: readonly Push[]): Promise<void> {
    if (pushes.length === 0) return;
    const { style } = book;
    const form = this.#random.int(0, 2);
    for (;;) {
      while (this.#resumed !== undefined) await this.#resumed;
      if (this.#over) return;
      const polledMs = this.#run.now() + style.clockMs;
      const stamped = pushes.map(({ message, games }) => ({
        message: { ...message, polled_at: new Date(polledMs).toISOString() },
        games,
      }));
      for (const push of stamped) this.#run.truth.sent(push);
      this.#underWay.set(pushes, stamped);
      this.#posts++;
      const sentAt = this.#run.position;
      const answer = await this.#post(stamped, form);
      this.#posts--;
      if (answer !== null && answer.status === 200) {
        this.#underWay.delete(pushes);
        const { rejected, position } = answer.body as { rejected: { reason: string }[]; position: number };
        // A clock that was set is followed within a second: until then the book's differs.
        if (!this.#run.calm && rejected.some(({ reason }) => reason.includes('ahead of the clock'))) {
          await wait(POSTS.retryMs);
          continue;
        }
        if (rejected.length > 0) this.#run.find('what is good is taken', JSON.stringify(rejected));
        if (position < sentAt)
          this.#run.find('positions never go back', `${position} was acknowledged after ${sentAt}`);
        this.#run.position = Math.max(this.#run.position, position);
        for (const push of stamped) this.#run.truth.acknowledged(push, this.#run.now());
        for (const push of pushes) this.#statements.note(push, this.#seasons);
        this.#run.count('messages acknowledged', stamped.length);
        return;
      }
      if (answer !== null && answer.status < 500 && answer.status !== 429)
        this.#run.find('what is good is taken', `${answer.status} ${JSON.stringify(answer.body)}`);
      await wait(POSTS.retryMs);
    }
  }

  /** As a list, one line each, or MessagePack. */
  #post(pushes: readonly Push[], form: number): Promise<Answer | null> {
    const messages = pushes.map(({ message }) => message);
    const [type, body] =
      form === 0
        ? (['application/json', JSON.stringify(messages)] as const)
        : form === 1
          ? (['application/x-ndjson', messages.map((one) => JSON.stringify(one)).join('\n')] as const)
          : (['application/msgpack', encode(messages) as Uint8Array<ArrayBuffer>] as const);
    return this.#run.call('/api/v1/ingest', this.#key, { method: 'POST', headers: { 'content-type': type }, body });
  }
}

interface Statement {
  no: number;
  season: number;
  push: Push;
}

/** The last statement of every book and game, and of every league a book lists completely. */
export class LastStatements {
  /** By book and game, or league, in order: the last, and those before whose prices it suspends without naming them. */
  readonly #statements = new Map<string, readonly Statement[]>();
  /** What is repeated stays of the season in which it was first said. */
  readonly #seasons = new WeakMap<Push, number>();
  #count = 0;

  note(push: Push, now: number): void {
    const { book, league } = push.message;
    const season = this.#seasons.get(push) ?? now;
    this.#seasons.set(push, season);
    const statement = { no: this.#count++, season, push };
    for (const game of push.games) {
      const key = `${book}|${game}`;
      const before = suspendsUnnamed(push, game) ? (this.#statements.get(key) ?? []) : [];
      this.#statements.set(key, [...stillMeant(before, push, game), statement]);
    }
    if (league !== undefined) this.#statements.set(`${book}|${league}`, [statement]);
  }

  byBook(): Map<string, Push[]> {
    const books = new Map<string, Push[]>();
    for (const { push } of [...new Set([...this.#statements.values()].flat())].sort((a, b) => a.no - b.no))
      books.set(push.message.book, [...(books.get(push.message.book) ?? []), push]);
    return books;
  }

  forgetBefore(season: number): void {
    for (const [key, statement] of this.#statements)
      if (statement.at(-1)!.season < season) this.#statements.delete(key);
  }
}

const eventOf = ({ message, games }: Push, game: number): IngestEvent => message.events![games.indexOf(game)]!;

/** Whether prices of the game stay as they were, suspended: all of them, or those of a market without its selections. */
function suspendsUnnamed(push: Push, game: number): boolean {
  const { suspended, markets } = eventOf(push, game);
  return (suspended === true && markets.length === 0) || markets.some(({ selections }) => selections.length === 0);
}

/** Of earlier statements about the game those that were the last to price one of its markets. */
function stillMeant(before: readonly Statement[], push: Push, game: number): Statement[] {
  const priced = new Set<string>();
  const pricesMore = (of: Push): boolean => {
    const known = priced.size;
    for (const { market_type, player_name, team, selections } of eventOf(of, game).markets)
      if (selections.length > 0) priced.add(`${market_type}|${player_name}|${team}`);
    return priced.size > known;
  };
  pricesMore(push);
  return before
    .toReversed()
    .filter((one) => pricesMore(one.push))
    .reverse();
}

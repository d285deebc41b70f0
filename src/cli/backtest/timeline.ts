// The engine on a recording's clock: polls at their time, and between them every deadline at its own instant. The same
// shard as live; only its store keeps nothing, as nothing of a backtest has to survive it.

import { type Clock, ManualClock } from '../../base/model/clock.js';
import type { NormalEvent, NormalMessage, Rejection } from '../../base/model/normal-message.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import type { ResultRecord } from '../../base/model/result.js';
import type { EventState } from '../../base/model/state.js';
import { formatMs } from '../../base/model/time.js';
import type { Instant } from '../../engine/replay/instants.js';
import { ReadReport } from '../../intake/feeds/formats/read-report.js';
import type { KnownQuotes, NormalisedMarkets } from '../../intake/ingest/market.js';
import { type NormaliseContext, normalise } from '../../intake/ingest/normalise.js';
import type { EventDelta } from '../../log/delta/delta.js';
import type { UniverseNews } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { Recorder } from '../../store/history/recorder.js';
import { PositionSequencer } from '../../writer/pool/shard-queues.js';
import { externalIdsOf } from '../../writer/shard/delta-builder.js';
import { type Commit, type NoStore, Shard, type ShardStore } from '../../writer/shard/shard.js';

/** What is accepted of them is no price. */
const OF_RESULTS = /^(?:results|settlements)\[/;

/** Called for every instant at which something happened: a poll, or a deadline. */
export type NewsListener = (atMs: number, position: number, news: readonly UniverseNews[]) => void;

export class Timeline {
  readonly #context: NormaliseContext & { memory: RecentMarkets };
  readonly #shard: Shard;
  readonly #listener: NewsListener;
  readonly #events = new Map<string, EventState>();
  #clock: ManualClock | undefined;
  #positions: PositionSequencer | undefined;
  /** What became of games, by event id. */
  readonly results = new Map<string, ResultRecord>();
  readonly books = new Set<string>();
  quotes = 0;
  rejected = 0;
  /** Why parts of messages were refused, and the first of each. */
  readonly refusals = new ReadReport();

  /** @param recorder receives every change, if present */
  constructor(catalogue: Catalogue, universe: UniverseSpec, listener: NewsListener, recorder?: Pick<Recorder, 'take'>) {
    const leagueOfEvent = (id: string) => this.#events.get(id);
    const clock: Clock = { now: () => this.#clock?.now() ?? 0 };
    this.#context = { catalogue, clock, account: null, leagueOfEvent, memory: new RecentMarkets() };
    this.#listener = listener;
    const note = ({ events, dropped }: Pick<Commit, 'events' | 'dropped'>): void => {
      for (const event of events) this.#events.set(event.id, event);
      for (const { id } of dropped) this.#events.delete(id);
    };
    const store: NoStore | ShardStore =
      recorder === undefined ? { applied: note } : this.#recordingStore(recorder, note);
    this.#shard = new Shard(0, catalogue, store, [universe]);
  }

  /** A game as it is now. */
  get(eventId: string): Pick<EventDelta, 'state' | 'externalIds'> | undefined {
    const event = this.#events.get(eventId);
    return event && { state: event.state, externalIds: externalIdsOf(event) };
  }

  /**
   * Lets time pass up to the poll, then applies it. A poll from before the last one is applied at the last one's time.
   */
  play(poll: Pick<Instant, 'atMs' | 'messages'>): void {
    this.#clock ??= new ManualClock(poll.atMs);
    this.#positions ??= new PositionSequencer(this.#clock, 0);
    this.#passTimeTo(poll.atMs);
    this.#clock.set(poll.atMs);
    const messages: NormalMessage[] = [];
    this.#context.memory.turn();
    for (const raw of poll.messages) {
      const rejected: Rejection[] = [];
      const message = normalise(raw, '', this.#context, rejected);
      this.#refuse(rejected, raw.book, raw.polled_at);
      if (message === undefined) continue;
      this.books.add(message.book);
      messages.push(message);
    }
    this.#apply(messages, this.#clock.now());
  }

  #refuse(rejected: readonly Rejection[], book: string | undefined, at: string): void {
    this.rejected += rejected.length;
    for (const { path, reason } of rejected)
      this.refusals.fault(reason, { file: `${book ?? 'a result'} at ${at}, ${path}` });
  }

  /** Fires the deadlines before `untilMs`, each at its instant. */
  #passTimeTo(untilMs: number): void {
    const clock = this.#clock!;
    let lastMs = Number.NEGATIVE_INFINITY;
    for (;;) {
      let dueMs = this.#shard.nextDeadlineMs;
      // A deadline that does not advance by even a microsecond must not stall the recording.
      if (dueMs <= lastMs) dueMs = lastMs + 1;
      if (!(dueMs < untilMs)) return;
      lastMs = dueMs;
      clock.set(dueMs);
      this.#apply([], clock.now());
    }
  }

  #apply(messages: readonly NormalMessage[], atMs: number): void {
    const positions = this.#positions!;
    // It is over after the deadline, by the smallest step: a position is a microsecond.
    if (messages.length === 0) positions.finish(positions.begin(), () => {});
    const position = positions.begin();
    positions.finish(position, () => {});
    const { news, receipts } = this.#shard.apply(messages, position);
    for (const [i, { accepted, rejected }] of receipts.entries()) {
      const { book, polledUs, results = [], settlements = [] } = messages[i]!;
      const untold = rejected.filter(({ path }) => OF_RESULTS.test(path)).length;
      this.quotes += accepted - (results.length + settlements.length - untold);
      if (rejected.length > 0) this.#refuse(rejected, book, formatMs(Math.floor(polledUs / 1000)));
    }
    if (news.universes.length > 0 || news.heldUntilNow) this.#listener(atMs, position, this.#shard.open(news));
  }

  /** Stores nothing but price history and results. */
  #recordingStore(recorder: Pick<Recorder, 'take'>, note: (commit: Commit) => void): ShardStore {
    const nothing = new Uint8Array(0);
    return {
      load: () => undefined,
      // A recording may be of years, and all of it is graded at its end.
      resultsMs: Number.POSITIVE_INFINITY,
      prepare: (commit) => ({
        bytes: nothing,
        commit: () => {
          note(commit);
          for (const record of commit.delta.results ?? []) this.results.set(record.eventId, record);
          recorder.take(commit.delta);
        },
      }),
    };
  }
}

// A cache of normalised messages of a recording, by object identity. If a poll repeats a market or a whole event of the
// previous one, the mapper returns the same object, and its result is reused without parsing it again. Only a backtest
// has one: what is pushed to a server is new with every request.

/** Two generations: what was not used since the turn before the last is dropped. */
class Generations<Value> {
  #before = new Map<object, Value>();
  #now = new Map<object, Value>();

  turn(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  get(key: object): Value | undefined {
    const known = this.#now.get(key);
    if (known !== undefined) return known;
    const before = this.#before.get(key);
    if (before !== undefined) this.#now.set(key, before);
    return before;
  }

  set(key: object, value: Value): void {
    this.#now.set(key, value);
  }
}

export class RecentMarkets implements NormalisedMarkets {
  readonly events = new Generations<NormalEvent>();
  readonly quotes = new Generations<KnownQuotes>();

  /** A poll begins. */
  turn(): void {
    this.events.turn();
    this.quotes.turn();
  }
}

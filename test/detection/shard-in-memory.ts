// A shard without a disk, and another that starts from a copy of its prices alone.

import assert from 'node:assert/strict';
import type { NormalMessage, Rejection } from '../../src/base/model/normal-message.js';
import type { UniverseSpec } from '../../src/base/model/opportunity.js';
import type { Row } from '../../src/base/model/row.js';
import { ShardRow } from '../../src/base/model/shard-row.js';
import type { BookQuotes, EventState } from '../../src/base/model/state.js';
import type { Moves } from '../../src/detection/moves/moves.js';
import type { EvaluationQuestion } from '../../src/detection/question.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import { encodeDelta } from '../../src/log/delta/delta.js';
import type { Opportunity, UniverseNews } from '../../src/log/delta/opportunity.js';
import { type Commit, Shard, type ShardStore } from '../../src/writer/shard/shard.js';
import type { ShardState } from '../../src/writer/shard/shard-state.js';
import { latest } from '../intake/ingest/messages.js';
import { catalogue } from '../writer/shard/rig.js';
import { PublishedOpportunities } from './published.js';

export class ShardInMemory {
  readonly published = new PublishedOpportunities();
  readonly shard: Shard;
  readonly rejected: Rejection[] = [];
  position: number;
  /** Whether the last batch has a delta. */
  committed = false;
  #state: ShardState | undefined;

  constructor(startMs: number, universes: readonly UniverseSpec[], moves?: Moves, joinPrices?: number) {
    this.position = startMs * 1000;
    this.shard = new Shard(0, catalogue, this.#store(undefined), universes, moves, {
      ...(joinPrices === undefined ? {} : { joinPrices }),
    });
  }

  apply(raw: readonly unknown[], nowMs: number): UniverseNews[] {
    const messages: NormalMessage[] = [];
    for (const message of raw) {
      const normal = normalise(
        message,
        '',
        { catalogue, clock: latest, leagueOfEvent: () => undefined },
        this.rejected,
      );
      if (normal !== undefined) messages.push(normal);
    }
    this.position = Math.max(this.position + 1, Math.floor(nowMs * 1000));
    const applied = this.shard.apply(messages, this.position);
    this.committed = applied.delta !== null;
    const news = this.shard.open(applied.news);
    this.published.apply(news);
    return news;
  }

  /** All at once. */
  evaluate(question: EvaluationQuestion): Opportunity[] {
    const evaluation = this.shard.evaluation(question);
    assert.ok(evaluation.run(Number.POSITIVE_INFINITY));
    return evaluation.take(Number.POSITIVE_INFINITY);
  }

  /** Lets the time pass for which changes are delayed. */
  flush(): void {
    this.apply([], this.position / 1000 + 1_001);
  }

  /** The opportunities that a new shard finds in the present prices. */
  fromScratch(universes: readonly UniverseSpec[]): PublishedOpportunities {
    const published = new PublishedOpportunities();
    const shard = new Shard(0, catalogue, this.#store(this.#state), universes);
    published.apply(shard.open(shard.apply([], this.position).news));
    return published;
  }

  #store(from: ShardState | undefined): ShardStore {
    return {
      load: (state) => {
        if (from !== undefined) copyState(from, state);
      },
      prepare: ({ delta, state }: Commit) => {
        if (from === undefined) this.#state = state;
        return { bytes: encodeDelta(delta), commit: () => undefined };
      },
    };
  }
}

function copyState(from: ShardState, to: ShardState): void {
  to.nextEventNo = from.nextEventNo;
  to.books.load(from.books.names);
  for (const event of from.events.values()) {
    const copy: EventState = { ...event, books: new Map(), dirty: false, dropping: false };
    for (const [book, quotes] of event.books) copy.books.set(book, copyQuotes(quotes, copy, to));
    to.events.add(copy);
    to.names.countGame(copy, 1);
    for (const { bookNo, rows } of copy.books.values()) {
      to.books.addGame(bookNo);
      for (const row of rows.values()) to.names.countRow(row, 1);
    }
  }
}

function copyQuotes(quotes: BookQuotes, event: EventState, { numbers }: ShardState): BookQuotes {
  const rows = new Map<string, Row>();
  for (const [key, row] of quotes.rows) {
    const copy = new ShardRow(numbers, row, row, row, row.details);
    copy.lastSeenSerial = row.lastSeenSerial;
    rows.set(key, copy);
  }
  return { ...quotes, event, rows, removed: null, fixedPartsDirty: false };
}

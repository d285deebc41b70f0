// A world through a shard with a disk: batches are refused and sent again, the process starts anew, universes come and
// go, and readers of the log join late. After every batch each reader lists what brute force finds.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../src/base/model/clock.js';
import type { NormalMessage } from '../../src/base/model/normal-message.js';
import type { UniverseSpec } from '../../src/base/model/opportunity.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { Moves } from '../../src/detection/moves/moves.js';
import { Follower } from '../../src/engine/engine.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import { openShardEnv, type ShardEnv } from '../../src/store/shard-env.js';
import { loadTables } from '../../src/tables/load.js';
import type { OddsTable } from '../../src/tables/table.js';
import { OpportunityTable } from '../../src/tables/universe-opportunities.js';
import { ShardWriter } from '../../src/writer/pool/shard-writer.js';
import { type Commit, type PreparedCommit, Shard } from '../../src/writer/shard/shard.js';
import { catalogue, newTable } from '../writer/shard/rig.js';
import { type ListedItem, nameOfListed } from './names.js';
import { chargesOf, foundIn } from './oracle.js';
import { ageMaxMs } from './progress.js';
import { Random } from './random.js';
import { Visible } from './visible.js';
import type { Batch, Push, World } from './world.js';

const LOG_SECONDS = 900;
const RETENTION = { logSeconds: LOG_SECONDS, logBytesMax: 64 * 1024 * 1024, fileBytesMax: 4e9 };
const LISTED = ['arbitrage', 'low_hold', 'middle'] as const;
/** Edges are listed with six decimals. */
const ROUNDED = 1e-6;
/** So few that a universe needs several batches to join. */
const JOIN_PRICES = 12;
const TICKS_MAX = 20;

const charges = chargesOf([...catalogue.books, ...catalogue.unlistedBooks]);

/** What happened in a world. */
export interface Disturbances {
  refused: number;
  starts: number;
  joined: number;
  left: number;
  readers: number;
  due: number;
  layDue: number;
}

/** Remembers the game that each event is of, as its rows state it. */
class GamesOfEvents extends ShardWriter {
  readonly of = new Map<string, number>();

  override prepare(prepared: Commit): PreparedCommit {
    const { bytes, commit } = super.prepare(prepared);
    const note = (): void => {
      for (const { event, rows } of prepared.books)
        for (const row of rows.values()) this.of.set(event.id, Number(row.externalId!.split('|')[0]));
    };
    return {
      bytes,
      commit: () => {
        commit();
        note();
      },
    };
  }
}

/** The tables of a process that follows the log. */
interface Reader {
  table: OddsTable;
  opportunities: OpportunityTable;
  follower: Follower;
}

export class DisturbedWorld {
  readonly counts: Disturbances = { refused: 0, starts: 0, joined: 0, left: 0, readers: 0, due: 0, layDue: 0 };
  readonly #world: World;
  readonly #random: Random;
  readonly #visible: Visible;
  readonly #dir = mkdtempSync(join(tmpdir(), 'overround-disturbed-'));
  readonly #games = new Map<string, number>();
  /** Watched beyond those of the start. */
  readonly #universes = new Map<string, UniverseSpec>();
  /** One, which readers share; another one after each start. */
  readonly #envs: ShardEnv[] = [];
  #store!: GamesOfEvents;
  #shard!: Shard;
  #readers: Reader[] = [];
  #position = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = new Random(world.seed ^ 0x5bd1e995);
    this.#visible = new Visible(world.games);
    this.#open();
    this.#readers.push(this.#reader());
  }

  /** Throws an AssertionError that names what is wrong. */
  async play(): Promise<void> {
    try {
      for (const batch of this.#world.batches) await this.#batch(batch);
    } finally {
      await this.#store.close();
      rmSync(this.#dir, { recursive: true, force: true });
    }
  }

  async #batch({ atMs, pushes }: Batch): Promise<void> {
    const random = this.#random;
    if (random.chance(0.5)) this.#tickTo(atMs);
    if (random.chance(0.2)) await this.#restart();
    if (random.chance(0.4)) this.#refuse(pushes, atMs);
    if (random.chance(0.1)) await this.#restart();
    if (random.chance(0.4)) this.#changeUniverses();
    if (random.chance(0.2)) this.#readers.push(this.#reader());
    // As several batches of one instant, or as one.
    const parts = random.chance(0.3) ? pushes.map((push) => [push]) : [pushes];
    for (const part of parts) {
      if (random.chance(0.1)) this.#refuse(part, atMs);
      this.#apply(part, atMs);
      for (const push of part) this.#visible.push(push, atMs);
    }
    while (this.#shard.joining && random.chance(0.8)) this.#apply([], atMs);
    for (const reader of this.#readers) this.#check(reader, atMs);
  }

  #open(): void {
    const env = openShardEnv(this.#dir, 0);
    this.#envs[0] = env;
    this.#store = new GamesOfEvents(env, catalogue, RETENTION);
    const options = { joinPrices: JOIN_PRICES };
    this.#shard = new Shard(0, catalogue, this.#store, startUniverses(catalogue), new Moves(), options);
    for (const spec of this.#universes.values()) this.#shard.registerUniverse(spec);
  }

  /** Of the process: readers in others go on. */
  async #restart(): Promise<void> {
    for (const [event, game] of this.#store.of) this.#games.set(event, game);
    await this.#store.close();
    this.#open();
    this.counts.starts++;
  }

  /** Another process that starts now. */
  #reader(): Reader {
    this.#envs[0]!.root.resetReadTxn();
    const table = newTable();
    const opportunities = new OpportunityTable();
    const { shards } = loadTables(table, opportunities, this.#envs);
    const follower = new Follower({ table, opportunities, source: table }, this.#envs, shards, LOG_SECONDS);
    this.counts.readers++;
    return { table, opportunities, follower };
  }

  #changeUniverses(): void {
    const random = this.#random;
    const keys = [...this.#universes.keys()];
    if (keys.length > 0 && random.chance(0.4)) {
      const key = random.pick(keys);
      this.#universes.delete(key);
      this.#shard.dropUniverse(key);
      this.counts.left++;
      return;
    }
    const books = random.shuffled(['betfair', 'matchbook', 'pinnacle', 'fanduel', 'kalshi', 'draftkings', 'bet365']);
    const spec = { key: `late-${random.int(0, 2)}`, books: books.slice(0, 5), fromPosition: this.#position };
    if (this.#universes.has(spec.key)) return;
    this.#universes.set(spec.key, spec);
    this.#shard.registerUniverse(spec);
    this.counts.joined++;
  }

  /** Time passes as in a server, at every deadline. */
  #tickTo(atMs: number): void {
    for (let i = 0; i < TICKS_MAX && this.#shard.nextDeadlineMs < atMs; i++)
      this.#apply([], Math.max(this.#shard.nextDeadlineMs, this.#position / 1000));
  }

  #refuse(pushes: readonly Push[], atMs: number): void {
    const some = this.#random.shuffled(pushes).slice(0, this.#random.int(1, pushes.length));
    this.#apply(some, atMs, true);
    this.#shard.undoHeld();
    this.counts.refused++;
  }

  /** @param hold its log refuses it: nobody is told */
  #apply(pushes: readonly Push[], atMs: number, hold = false): void {
    this.#position = Math.max(this.#position + 1, Math.ceil(atMs * 1000));
    const context = { catalogue, clock: new ManualClock(atMs), leagueOfEvent: () => undefined };
    const messages = pushes.map(({ message }): NormalMessage => normalise(message, '', context, [])!);
    const { delta } = this.#shard.apply(messages, this.#position, atMs, { hold });
    if (delta === null || hold) return;
    for (const { follower } of this.#readers) follower.deliver(Uint8Array.from(delta));
  }

  #check({ table, opportunities }: Reader, nowMs: number): void {
    const complete = this.#shard.joining ? [] : [...this.#universes.values()];
    for (const { key, books } of [...startUniverses(catalogue), ...complete]) {
      const found = new Map<string, { edge: number; due: boolean }>();
      const places = new Map<string, { game: number; flipped: boolean }>();
      for (const event of table.events.ordered()) {
        const { id, home } = event;
        const no = this.#store.of.get(id) ?? this.#games.get(id)!;
        const game = this.#world.games[no]!;
        places.set(id, { game: no, flipped: home !== game.home });
        const of = books === null ? null : new Set(books);
        const question = { game, visible: this.#visible, nowMs, ageMaxMs: ageMaxMs(event), charges, books: of };
        for (const [name, one] of foundIn(question)) found.set(name, one);
      }
      const listed = new Set<string>();
      for (const { kind, suspicious, edge, eventId, item } of opportunities.of(key).opportunities()) {
        const listedKind = LISTED.find((one) => one === kind);
        if (listedKind === undefined || (kind === 'arbitrage' && suspicious)) continue;
        const name = nameOfListed(listedKind, item as ListedItem, places.get(eventId)!, this.#visible);
        listed.add(name);
        const truly = found.get(name)?.edge ?? Number.NaN;
        if (kind !== 'middle')
          assert.ok(Math.abs(truly - edge) < 2 * ROUNDED, `${key}: ${name} is listed at ${edge} %, truly ${truly}`);
      }
      for (const [name, { edge, due }] of found) {
        if (!due) continue;
        assert.ok(listed.has(name), `${key}: ${name} of ${edge} % is not listed`);
        this.counts.due++;
        if (name.includes(' lay ')) this.counts.layDue++;
      }
    }
  }
}

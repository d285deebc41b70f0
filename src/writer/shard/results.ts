// What became of a shard's games: the last word of each source, and venues' own settlements. Like splits they have no rows
// in the odds table; they outlive their events, as long as history does. A game that leaves the table before anything was
// told of it is remembered for as long: its bets wait for a result.
import { isDeepStrictEqual } from 'node:util';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { endTold, type GameEnd } from '../../base/model/game-end.js';
import { LIMITS } from '../../base/model/limits.js';
import type { AwaitedGame, BatchReceipt, EventRef, NormalMessage } from '../../base/model/normal-message.js';
import {
  countingWord,
  type GameResult,
  type Outcome,
  type PairOfScores,
  type ResultRecord,
  type ResultWord,
  type SettlementOf,
  settlementKey,
  settlementOf,
} from '../../base/model/result.js';
import type { EventState } from '../../base/model/state.js';
import { addRejection } from '../../intake/ingest/fields.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { isSide, sideOrName } from '../../rules/catalogue/named-sides.js';
import { settlesGame } from '../../rules/grading/settles-game.js';
import type { TypeRules } from '../../rules/markets/rules.js';
import { outcomeOf, swapLine, swapSelection, swapSide } from '../../rules/markets/selection-words.js';
import { type EventIndex, isSwapped, joinMs } from './match.js';
import type { ApplyContext, ShardState } from './shard-state.js';

const SOURCES_MAX = LIMITS.resultSources.max;
const SETTLEMENTS_MAX = LIMITS.settlementsOfEvent.max;

interface Game extends Pick<ResultRecord, 'eventId' | 'league' | 'sport' | 'home' | 'away' | 'startMs'> {
  /** The source lists home and away the other way round. */
  swapped: boolean;
}

/** Since the last batch. */
export interface ResultChanges {
  changed: ResultRecord[];
  /** Ids of games that were forgotten. */
  expired: string[];
}

export class Results {
  readonly #catalogue: Catalogue;
  /** Sources, the most trusted first. */
  readonly #ranks: readonly string[];
  readonly #records = new Map<string, ResultRecord>();
  /** Games of which a venue has settled a market of the whole game. */
  readonly #settled = new Set<string>();
  /** Known games by league and teams, whichever is at home; made when it is first needed. */
  #byTeams: Map<string, ResultRecord[]> | undefined;
  #changed = new Map<string, ResultRecord>();
  #expired: string[] = [];

  /** @param ranks sources whose words are kept, and count, before others', the most trusted first */
  constructor(catalogue: Catalogue, ranks: readonly string[] = []) {
    this.#catalogue = catalogue;
    this.#ranks = ranks;
  }

  load(records: Iterable<ResultRecord>, { events, dirtyEvents }: Pick<ShardState, 'events' | 'dirtyEvents'>): void {
    this.#records.clear();
    this.#byTeams = undefined;
    this.#settled.clear();
    this.#changed.clear();
    this.#expired = [];
    for (const record of records) this.#keep(record, { events, dirtyEvents });
  }

  /** Another process's changes, in place of apply(). */
  fold(
    changed: readonly ResultRecord[],
    expired: readonly string[],
    state: Pick<ShardState, 'events' | 'dirtyEvents'>,
  ) {
    for (const record of changed) this.#keep(record, state);
    for (const eventId of expired) {
      this.#records.delete(eventId);
      this.#settled.delete(eventId);
    }
    if (changed.length > 0 || expired.length > 0) this.#byTeams = undefined;
  }

  /** Its event is to be settled again. */
  #keep(record: ResultRecord, { events, dirtyEvents }: Pick<ShardState, 'events' | 'dirtyEvents'>): void {
    const { eventId, settlements } = record;
    this.#records.set(eventId, record);
    if (this.#anySettlesGame(settlements)) this.#settled.add(eventId);
    else this.#settled.delete(eventId);
    const event = events.get(eventId);
    if (event === undefined) return;
    event.told = this.endOf(eventId);
    dirtyEvents.add(event);
  }

  /** What sources of results and venues say of a game; null while all let it go on. */
  endOf(eventId: string): GameEnd | null {
    const record = this.#records.get(eventId);
    return record === undefined ? null : endTold(Object.values(record.words), this.#settled.has(eventId));
  }

  takeChanges(): ResultChanges {
    const changes = { changed: [...this.#changed.values()], expired: this.#expired };
    this.#changed = new Map();
    this.#expired = [];
    return changes;
  }

  /** Remembers a game that leaves the table: results that come later are of it. */
  noteGone({ id: eventId, league, sport, home, away, startMs }: EventState): void {
    if (this.#records.has(eventId)) return;
    const nothing = { words: {}, settlements: {}, revision: 0, updatedPosition: 0 };
    const record: ResultRecord = { eventId, league, sport, home, away, startMs, ...nothing };
    this.#records.set(eventId, record);
    this.#changed.set(eventId, record);
    this.#byTeams = undefined;
  }

  /** Forgets games that began, and of which the last word was told, before this time (Unix ms), but none that still has prices. */
  expire(beforeMs: number, { events }: Pick<ShardState, 'events'>): void {
    for (const { eventId, startMs, updatedPosition } of this.#records.values())
      if (Math.max(startMs, updatedPosition / 1000) < beforeMs && !events.has(eventId)) {
        this.#records.delete(eventId);
        this.#settled.delete(eventId);
        this.#byTeams = undefined;
        this.#changed.delete(eventId);
        this.#expired.push(eventId);
      }
  }

  apply(message: NormalMessage, context: ApplyContext, receipt: BatchReceipt): void {
    for (const { word, path, ...ref } of message.results ?? []) {
      const game = this.#gameOf(ref, word.source, message, context);
      const reason =
        game === undefined ? 'unknown event: a result follows odds of its game' : this.#say(game, word, context);
      count(receipt, path, reason);
    }
    for (const settlement of message.settlements ?? []) {
      const { outcome, path, league, sport, eventId, home, away, startMs, awaited, ...of } = settlement;
      const game = this.#gameOf({ league, sport, eventId, home, away, startMs, awaited }, of.book, message, context);
      const reason =
        game === undefined
          ? 'unknown event: a settlement follows odds of its game'
          : this.#settle(game, of, outcome, context);
      count(receipt, path, reason);
    }
  }

  #gameOf(
    named: EventRef & { awaited?: AwaitedGame | undefined },
    source: string,
    { polledUs }: NormalMessage,
    context: ApplyContext,
  ): Game | undefined {
    const { state, catalogue } = context;
    const ref = state.events.known(named, catalogue);
    const { eventId } = ref;
    const event = state.events.referred(ref, source, polledUs, catalogue);
    const gone = (eventId === null ? this.#gone(ref, context) : this.#records.get(eventId)) ?? ref.awaited;
    if (event === undefined || (eventId === null && gone !== undefined && isNearer(gone, event, ref))) {
      const swapped = gone !== undefined && eventId === null && !this.#isHome(gone, ref);
      if (gone === undefined) return undefined;
      const { league, sport, home, away, startMs } = gone;
      return { eventId: gone.eventId, league, sport, home, away, startMs, swapped };
    }
    return {
      eventId: event.id,
      league: event.league,
      sport: event.sport,
      home: event.home,
      away: event.away,
      startMs: event.startMs,
      swapped: isSwapped(event, ref, catalogue),
    };
  }

  /** The game of these teams that has left the table and began nearest to the time told. */
  #gone(ref: EventRef, { state, catalogue }: ApplyContext): ResultRecord | undefined {
    this.#byTeams ??= this.#indexed(state.events);
    let best: ResultRecord | undefined;
    for (const record of this.#byTeams.get(state.events.teamsKeyOf(ref, catalogue)) ?? [])
      if (!state.events.has(record.eventId) && Math.abs(record.startMs - ref.startMs) <= joinMs(record))
        if (best === undefined || isNearer(record, best, ref)) best = record;
    return best;
  }

  #indexed(events: EventIndex): Map<string, ResultRecord[]> {
    const index = new Map<string, ResultRecord[]>();
    for (const record of this.#records.values())
      getOrInsert(index, events.teamsKeyOf(record, this.#catalogue), (): ResultRecord[] => []).push(record);
    return index;
  }

  #isHome({ league, home }: Pick<ResultRecord, 'league' | 'home'>, ref: EventRef): boolean {
    return this.#catalogue.resolveTeam(league, ref.home).token === this.#catalogue.resolveTeam(league, home).token;
  }

  /** Undefined if it is taken, also if it says nothing new; else why not. */
  #say(game: Game, stated: ResultWord, context: ApplyContext): string | undefined {
    const word = game.swapped ? { ...stated, ...swapResult(stated) } : stated;
    const { source } = word;
    const record = this.#records.get(game.eventId);
    const before = record !== undefined && Object.hasOwn(record.words, source) ? record.words[source] : undefined;
    if (before !== undefined) {
      // What is over may be called off or corrected, and never goes on.
      if (before.atMs > word.atMs || (before.status === 'final' && word.status === 'live')) return undefined;
    }
    const known = record?.words ?? {};
    const room = this.#withRoom(known, source);
    if (room === undefined) return `more than ${SOURCES_MAX} sources of this result`;
    // Said again, it may count by its time now, and a different word from in between that arrives late is outdated.
    const words = { ...room, [source]: word };
    const [told, toldBefore] = [this.#told(words), this.#told(known)];
    const again = before !== undefined && isDeepStrictEqual({ ...before, atMs: word.atMs }, word);
    const sourceChanges = !again && told?.source !== toldBefore?.source;
    this.#put(game, { words }, context, sourceChanges || !isDeepStrictEqual(whatIsTold(told), whatIsTold(toldBefore)));
    return undefined;
  }

  #told(words: Readonly<Record<string, ResultWord>>): ResultWord | null {
    return countingWord(Object.values(words), this.#ranks);
  }

  /** A ranked source takes the place of the one among the others that spoke longest ago; undefined if there is no room. */
  #withRoom(words: Readonly<Record<string, ResultWord>>, source: string): Record<string, ResultWord> | undefined {
    const known = Object.values(words);
    if (known.length < SOURCES_MAX || Object.hasOwn(words, source)) return { ...words };
    const others = known.filter((word) => !this.#ranks.includes(word.source));
    if (!this.#ranks.includes(source) || others.length === 0) return undefined;
    const oldest = others.reduce((one, other) => (other.atMs < one.atMs ? other : one));
    return Object.fromEntries(Object.entries(words).filter(([name]) => name !== oldest.source));
  }

  #settle(game: Game, stated: SettlementOf, outcome: ResultRecord['settlements'][string], context: ApplyContext) {
    const { catalogue } = context;
    const rules = catalogue.types.usual(stated.market);
    const word = outcomeOf(rules, stated.selection);
    const named = word ?? sideOrName(catalogue, rules, game, stated.selection);
    const said = { ...stated, selection: named };
    const turned = game.swapped ? swapSettlement(said, rules) : said;
    // A team's name is the same team's whichever is at home.
    const inWords = word !== undefined || (named === stated.selection && isSide(named));
    const selection = inWords ? turned.selection : named;
    const of = { ...turned, selection };
    const key = settlementKey(of);
    const record = this.#records.get(game.eventId);
    const known = record?.settlements ?? {};
    if (Object.hasOwn(known, key)) {
      if (known[key] === outcome) return undefined;
    } else if (Object.keys(known).length >= SETTLEMENTS_MAX)
      return `more than ${SETTLEMENTS_MAX} settlements of this event`;
    const settlements = { ...known, [key]: outcome };
    if (this.#settlesGame(of, outcome)) this.#settled.add(game.eventId);
    // It may have been this one that ended the game.
    else if (Object.hasOwn(known, key) && !this.#anySettlesGame(settlements)) this.#settled.delete(game.eventId);
    this.#put(game, { settlements }, context);
    return undefined;
  }

  /** @param changes whether it says anything new */
  #put(
    game: Game,
    change: Partial<Pick<ResultRecord, 'words' | 'settlements'>>,
    { position, state }: ApplyContext,
    changes = true,
  ): void {
    const { swapped: _swapped, ...fields } = game;
    const before = this.#records.get(game.eventId);
    const record: ResultRecord = {
      words: {},
      settlements: {},
      ...before,
      ...fields,
      ...change,
      revision: (before?.revision ?? 0) + (changes ? 1 : 0),
      updatedPosition: changes ? position : (before?.updatedPosition ?? 0),
    };
    if (before === undefined) this.#byTeams = undefined;
    this.#records.set(game.eventId, record);
    this.#changed.set(game.eventId, record);
    const event = state.events.get(game.eventId);
    if (event !== undefined && changes) state.dirtyEvents.add(event);
  }

  #anySettlesGame(settlements: ResultRecord['settlements']): boolean {
    for (const [key, outcome] of Object.entries(settlements))
      if (this.#settlesGame(settlementOf(key), outcome)) return true;
    return false;
  }

  /** Soccer’s markets of the game are on its regular time: what their names say counts. */
  #settlesGame(of: Pick<SettlementOf, 'market' | 'selection'>, outcome: Outcome): boolean {
    return settlesGame(this.#catalogue.types.usual(of.market), of, outcome);
  }
}

function isNearer(one: { startMs: number }, than: { startMs: number }, { startMs }: EventRef): boolean {
  return Math.abs(one.startMs - startMs) < Math.abs(than.startMs - startMs);
}

/** A word, whoever tells it and when. */
function whatIsTold(word: ResultWord | null): object | null {
  return word && { ...word, source: null, atMs: null };
}

function count(receipt: BatchReceipt, path: string, reason: string | undefined): void {
  if (reason === undefined) receipt.accepted++;
  else addRejection(receipt.rejected, path, reason);
}

function swapResult({ score, parts, regulation, stats, winner, advanced }: GameResult): Partial<GameResult> {
  const swap = <Pair extends PairOfScores>(pair: Pair): Pair => ({ ...pair, home: pair.away, away: pair.home });
  return {
    score: score && swap(score),
    parts: parts.map(swap),
    regulation: regulation && swap(regulation),
    stats: Object.fromEntries(Object.entries(stats).map(([name, pair]) => [name, swap(pair)])),
    ...(winner === undefined ? {} : { winner: swapSide(winner) }),
    ...(advanced === undefined ? {} : { advanced: swapSide(advanced) }),
  };
}

function swapSettlement(of: SettlementOf, rules: TypeRules): SettlementOf {
  const { selection, line, team } = of;
  return {
    ...of,
    market: rules.turned,
    selection: swapSelection(rules, selection),
    line: swapLine(rules, selection, line),
    team: swapSide(team),
  };
}

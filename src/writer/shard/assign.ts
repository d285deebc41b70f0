// Assigns each sighting of a message to a stored event: by the book's own id, by an id that other books share, else the
// message's games of the same teams to the stored ones by nearest start, one to one and in order of time.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { lazy } from '../../base/memory/lazy.js';
import { LIMITS } from '../../base/model/limits.js';
import type { NormalEvent, NormalMessage } from '../../base/model/normal-message.js';
import type { EventState } from '../../base/model/state.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { distanceMs, type EventIndex, hasId, SAME_EVENT_MS, type Sighting } from './match.js';

/** Maximum number of games of the same teams in one message; no league's calendar has as many. */
const GAMES_MAX = LIMITS.gamesOfTeams.max;

/** Two teams that had no event before the message. */
export interface FreshTeams {
  /** One of their games in the message was made an event. */
  begun: boolean;
}

/** For one message; every sighting by its index in `message.events`. */
export class Assignment {
  readonly #events: (EventState | undefined)[];
  /** For a sighting that repeats an earlier one of the message: the index of that one. */
  readonly #firsts = new Map<number, number>();
  /** All events of the teams, unless the sighting was identified by its book's own id. */
  readonly #games = new Map<number, readonly EventState[]>();
  readonly #excess = new Set<number>();
  /** Sightings of teams that have no event; those of the same teams share an entry. */
  readonly #fresh = new Map<number, FreshTeams>();
  /** Indices in the order of application; the message's own order if undefined. */
  readonly order: readonly number[] | undefined;

  constructor(message: NormalMessage, index: EventIndex, catalogue: Catalogue) {
    const { book, events: sightings } = message;
    this.#events = new Array<EventState | undefined>(sightings.length).fill(undefined);
    /** Index of the first sighting of two teams; mostly it is the only one. */
    const alone = new Map<string, number>();
    let groups: Map<string, Game[]> | undefined;
    let named = 0;
    for (let place = 0; place < sightings.length; place++) {
      const sighting = sightings[place]!;
      if (sighting.eventId === null && !sighting.quoted) continue;
      const known = sighting.eventId === null ? index.named(book, sighting, catalogue) : index.get(sighting.eventId);
      if (known !== undefined || sighting.eventId !== null) {
        this.#events[place] = known;
        named++;
        continue;
      }
      const key = index.teamsKeyOf(sighting, catalogue);
      const first = alone.get(key);
      if (first === undefined) alone.set(key, place);
      else {
        groups ??= new Map();
        if (!groups.has(key)) this.#toGroup(groups, first, sightings[first]!, key);
        this.#toGroup(groups, place, sighting, key);
      }
    }
    if (alone.size === 0) return;
    const taken = new Map<EventState | undefined, number>();
    if (named > 0) for (const [place, event] of this.#events.entries()) taken.set(event, sightings[place]!.startMs);
    for (const [key, place] of alone) {
      const events = index.ofTeams(key);
      if (events.length === 0) {
        this.#note(place, key, groups);
        continue;
      }
      const games = groups?.get(key) ?? [gameOf(sightings[place]!, place)];
      const partners = lazy(() => index.partnersOf(book, events[0]!.league));
      this.#place(games, events, taken, message, partners);
    }
    if (groups !== undefined) this.order = this.#byStart([...groups.values()], sightings);
  }

  /** Of a sighting whose teams had no event before the message. */
  fresh(place: number): FreshTeams | undefined {
    return this.#fresh.get(this.#firsts.get(place) ?? place);
  }

  #note(place: number, key: string, groups: ReadonlyMap<string, readonly Game[]> | undefined): void {
    const fresh: FreshTeams = { begun: false };
    this.#fresh.set(place, fresh);
    for (const game of groups?.get(key) ?? []) this.#fresh.set(game.place, fresh);
  }

  /** The event of a sighting, or undefined if it is a new one. */
  of(place: number): EventState | undefined {
    return this.#events[place] ?? this.#events[this.#firsts.get(place) ?? -1];
  }

  /** Records the event created for a sighting: later ones of the message may repeat it. */
  made(place: number, event: EventState): void {
    this.#events[this.#firsts.get(place) ?? place] = event;
  }

  /** Other events of a sighting's teams, if it was matched by teams. */
  gamesOf(place: number): readonly EventState[] {
    return this.#games.get(place) ?? [];
  }

  isExcess(place: number): boolean {
    return this.#excess.has(place);
  }

  /** New games of the same teams are created in order of their starts: the second of a day is the later one. */
  #byStart(groups: readonly Game[][], sightings: readonly NormalEvent[]): readonly number[] | undefined {
    const isOutOfOrder = groups.some((games) => {
      const made = games.filter(({ place }) => this.#events[place] === undefined);
      return made.some(({ startMs }, i) => i > 0 && startMs < made[i - 1]!.startMs);
    });
    if (!isOutOfOrder) return undefined;
    const startOf = (place: number) => sightings[this.#firsts.get(place) ?? place]!.startMs;
    return [...sightings.keys()].sort((a, b) => startOf(a) - startOf(b) || a - b);
  }

  /** One entry per game: a message may contain a game several times, with parts of its markets. */
  #toGroup(groups: Map<string, Game[]>, place: number, sighting: NormalEvent, key: string): void {
    const { startMs, externalId } = sighting;
    const games = getOrInsert(groups, key, (): Game[] => []);
    const same = games.find((game) =>
      game.externalId !== null && externalId !== null ? game.externalId === externalId : game.startMs === startMs,
    );
    if (same !== undefined) {
      same.externalId ??= externalId;
      this.#firsts.set(place, same.place);
    } else if (games.length < GAMES_MAX) games.push(gameOf(sighting, place));
    else this.#excess.add(place);
  }

  #place(
    games: readonly Game[],
    events: readonly EventState[],
    taken: Map<EventState | undefined, number>,
    { book, polledUs }: NormalMessage,
    partners: () => ReadonlySet<string>,
  ): void {
    const polledMs = polledUs / 1000;
    const alone = games.length === 1;
    const only = events.length === 1 && alone && !taken.has(events[0]) ? events[0] : undefined;
    if (only !== undefined) {
      const { place, startMs, externalId } = games[0]!;
      const sighting: Sighting = { book, startMs, externalId, polledMs, alone };
      if (distanceMs(only, sighting, events, partners) < SAME_EVENT_MS || hasId(only, sighting))
        this.#events[place] = only;
      else this.#games.set(place, events);
      return;
    }
    const give = ({ place, startMs }: Game, event: EventState): void => {
      this.#events[place] = event;
      taken.set(event, startMs);
    };
    const left: (Game & Sighting)[] = [];
    for (const game of games) {
      const sighting = { book, polledMs, alone, ...game };
      const named =
        nearest(sighting, events, (event) => !taken.has(event) && hasId(event, sighting)) ??
        // Identified by its id in one part of the message and without it in another.
        events.find((event) => game.externalId === null && taken.get(event) === game.startMs);
      if (named === undefined) left.push(sighting);
      else give(game, named);
      this.#games.set(game.place, events);
    }
    if (left.length === 0) return;
    const free = events.filter((event) => !taken.has(event));
    for (const [game, event] of inOrder(left, free, (each, sighting) => distanceMs(each, sighting, events, partners)))
      give(game, event);
  }
}

interface Game {
  place: number;
  startMs: number;
  externalId: string | null;
}

function gameOf({ startMs, externalId }: NormalEvent, place: number): Game {
  return { place, startMs, externalId };
}

function nearest(
  { startMs }: { startMs: number },
  events: readonly EventState[],
  may: (event: EventState) => boolean,
): EventState | undefined {
  let best: EventState | undefined;
  for (const event of events)
    if (may(event) && (best === undefined || Math.abs(event.startMs - startMs) < Math.abs(best.startMs - startMs)))
      best = event;
  return best;
}

/** The cost of a sighting of an unknown game; a pair always costs less. */
const NEW_GAME = 1;

/**
 * Pairs of sightings and events with the least total cost, none crossing another in time. A pair's cost grows with the
 * fourth root of the hours between: among several small moves or one large move beside exact starts, the exact ones are
 * right (yesterday's game is off the list and tomorrow's is new), yet a delay that moves both games of a day moves
 * both.
 */
function inOrder<Seen extends { startMs: number }>(
  sightings: readonly Seen[],
  events: readonly EventState[],
  distance: (event: EventState, sighting: Seen) => number,
): [Seen, EventState][] {
  const seen = sightings.length > 1 ? [...sightings].sort((a, b) => a.startMs - b.startMs) : sightings;
  const stored = events.length > 1 ? [...events].sort((a, b) => a.startMs - b.startMs) : events;
  const width = stored.length + 1;
  const least = new Float64Array((seen.length + 1) * width);
  const pairs = new Float64Array(least.length);
  for (let i = 1; i <= seen.length; i++) {
    least[i * width] = i * NEW_GAME;
    for (let j = 1; j <= stored.length; j++) {
      const at = i * width + j;
      const pair =
        least[at - width - 1]! + Math.sqrt(Math.sqrt(distance(stored[j - 1]!, seen[i - 1]!) / SAME_EVENT_MS));
      pairs[at] = pair;
      least[at] = Math.min(pair, least[at - 1]!, least[at - width]! + NEW_GAME);
    }
  }
  const found: [Seen, EventState][] = [];
  for (let i = seen.length, j = stored.length; i > 0 && j > 0; ) {
    const at = i * width + j;
    if (least[at] === least[at - 1]) j--;
    else if (least[at] === pairs[at]) found.push([seen[--i]!, stored[--j]!]);
    else i--;
  }
  return found;
}

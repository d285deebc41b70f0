// What became of the simulated games: scores by parts and players' statistics, from the same distributions as their
// prices.
import type { IngestMessage } from '../../ingest/message.js';
import type { ContestResult } from './contest.js';
import type { SimEvent } from './event.js';
import { mix, Random, textSeed, unit } from './prng.js';
import type { Prop } from './props.js';

export const RESULTS_SOURCE = 'sim';
/** A game that was postponed is called off after this time: nobody plays it. */
export const CALLED_OFF_MS = 5 * 60_000;
/** Bets on those who do not play are void. */
const MISSES_CHANCE = 0.02;

export interface PlayerLine {
  player_name: string;
  played: boolean;
  stats: Record<string, number>;
}

/** The results of games that have ended or been postponed. */
export function resultsMessage(events: readonly SimEvent[], book: string, nowMs: number): IngestMessage {
  return message(events, book, nowMs, (event) =>
    event.phase === 'ended'
      ? { status: 'final', ...event.result, players: playerLines(event.seed, event.props) }
      : { status: 'postponed' },
  );
}

export function calledOffMessage(events: readonly SimEvent[], book: string, nowMs: number): IngestMessage {
  return message(events, book, nowMs, () => ({ status: 'cancelled' }));
}

interface Stated extends Partial<ContestResult> {
  status: string;
  players?: PlayerLine[];
}

function message(
  events: readonly SimEvent[],
  book: string,
  nowMs: number,
  stated: (event: SimEvent) => Stated,
): IngestMessage {
  const polled_at = new Date(nowMs).toISOString();
  const results = events.map((event) => ({
    league: event.league,
    home_team: event.home.name,
    away_team: event.away.name,
    start_time: new Date(event.startMs).toISOString(),
    at: polled_at,
    ...stated(event),
  }));
  return { book, source: RESULTS_SOURCE, polled_at, scope: 'none', results };
}

/** Every statistic of everybody in these props. */
export function playerLines(seed: number, props: readonly Prop[]): PlayerLine[] {
  return [...new Set(props.map(({ player }) => player))].map((player_name) => {
    const played = unit(mix(seed, textSeed(player_name)), 6) >= MISSES_CHANCE;
    const own = props.filter(({ player }) => player === player_name);
    const stats: Record<string, number> = {};
    for (const prop of played ? own : []) {
      const { within, stat, sumOf } = prop.kind;
      // Sums follow from their parts.
      if (sumOf.length > 0) continue;
      const whole = own.find(({ kind }) => kind.stat === within);
      stats[stat] = whole === undefined ? counted(prop) : someOf(counted(whole), prop.mean / whole.mean, prop.seed);
    }
    return { player_name, played, stats };
  });
}

function counted({ kind, mean, seed }: Prop): number {
  const random = new Random(seed, 7);
  if (kind.scatter === 0) return random.poisson(mean);
  return Math.max(0, Math.round(mean * (1 + kind.scatter * random.normal())));
}

/** Each with this chance: a share of a Poisson count is one, too. */
function someOf(count: number, chance: number, seed: number): number {
  const random = new Random(seed, 8);
  let some = 0;
  for (let i = 0; i < count; i++) if (random.chance(chance)) some++;
  return some;
}

// On which side of a game's main markets most bets are, by the sources of splits.

import { LIMITS } from '../../base/model/limits.js';
import type { Share } from '../../base/model/normal-message.js';
import type { SplitsDelta } from '../../log/delta/delta.js';
import { GAME, REGULATION } from '../../rules/markets/parts.js';
import { SCORE } from '../../rules/markets/rules.js';
import type { Market } from '../market-line.js';
import type { MarketShape } from '../market-side.js';
import { MOVE_LIMITS } from './move-limits.js';

type Part = 'spread' | 'total' | 'moneyline';

/** The part of a source's splits that is about a market: only winner, handicap and total of the whole game's score. */
function partOf({ pairing, rules }: MarketShape): Part | undefined {
  const { subject, statistic, part } = rules;
  if (subject !== 'game' || statistic !== SCORE || (part !== GAME && part !== REGULATION)) return undefined;
  if (pairing === 'winner') return rules.sides === 'two' ? undefined : 'moneyline';
  return pairing === 'handicap' ? 'spread' : pairing === 'total' ? 'total' : undefined;
}

const SIDES: Readonly<Record<Part, readonly string[]>> = {
  moneyline: ['home', 'away'],
  spread: ['home', 'away'],
  total: ['over', 'under'],
};

interface Stated {
  fetchedMs: number;
  bets: Partial<Record<Part, Share | null>>;
}

export class Bets {
  /** By event and source. */
  readonly #events = new Map<string, Map<string, Stated>>();

  note({ eventId, splits }: SplitsDelta): void {
    const sources = this.#events.get(eventId) ?? new Map<string, Stated>();
    const known = sources.get(splits.source);
    if (known !== undefined && known.fetchedMs > splits.fetchedMs) return;
    sources.set(splits.source, {
      fetchedMs: splits.fetchedMs,
      bets: {
        spread: splits.spread?.bets ?? null,
        total: splits.total?.bets ?? null,
        moneyline: splits.moneyline?.bets ?? null,
      },
    });
    this.#events.delete(eventId);
    this.#events.set(eventId, sources);
    for (const oldest of this.#events.keys()) {
      if (this.#events.size <= LIMITS.betsEvents.max) break;
      this.#events.delete(oldest);
    }
  }

  clear(): void {
    this.#events.clear();
  }

  /** The side (0, 1) with most of the bets, by the mean of the sources; -1 if neither has, or no source states it. */
  majority({ event, shape, player, team }: Market): number {
    const part = partOf(shape);
    const sources = this.#events.get(event.id);
    if (part === undefined || sources === undefined || player !== null || team !== null) return -1;
    for (const [side, name] of SIDES[part].entries()) {
      let sum = 0;
      let count = 0;
      for (const { bets } of sources.values()) {
        const share = bets[part]?.[name];
        if (share == null) continue;
        sum += share;
        count++;
      }
      if (count > 0 && sum / count > MOVE_LIMITS.betsMajority) return side;
    }
    return -1;
  }
}

// Positions of reads: each answer states the one it shows, and a read may require a minimum position, for callers that
// write at one process and read at another.

import type { Tier } from '../../catalogue/types.js';
import { ApiError } from '../../model/errors.js';

/** The tables' positions, and a notification when they change. */
export interface ReadPositions {
  /** Position of the table that a tier reads. */
  positionFor(tier: Tier): number;
  /** Position up to which that table shows everything: past its own if nothing has changed since. */
  reachedFor(tier: Tier): number;
  /** Calls back after every change. */
  onChange(changed: () => void): void;
}

const WAIT_MS = 2_000;
/** The delayed table moves with the clock, without a notification. */
const LOOK_MS = 100;

interface Waiting {
  tier: Tier;
  position: number;
  go(): void;
}

export class ReadPosition {
  readonly #positions: ReadPositions;
  readonly #waiting = new Set<Waiting>();

  constructor(positions: ReadPositions) {
    this.#positions = positions;
    positions.onChange(() => {
      if (this.#waiting.size > 0) this.#look();
    });
  }

  of(tier: Tier): number {
    return this.#positions.positionFor(tier);
  }

  /** Whether the tier's table shows everything up to the position. */
  shows(tier: Tier, position: number): boolean {
    return this.#positions.reachedFor(tier) >= position;
  }

  /** Settles once the tier's table shows the position; rejects with `behind` if that takes too long. */
  reached(tier: Tier, position: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        clearInterval(looks);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        tier,
        position,
        go: () => {
          end();
          resolve();
        },
      };
      const looks = setInterval(() => this.#look(), LOOK_MS);
      const timer = setTimeout(() => {
        end();
        reject(new ApiError('behind', `position ${position} is not reached here yet`, { retryAfter: 1 }));
      }, WAIT_MS);
      this.#waiting.add(waiting);
    });
  }

  #look(): void {
    for (const { tier, position, go } of [...this.#waiting]) if (this.shows(tier, position)) go();
  }
}

// Intervals of the shards' logs that were cut before history had read them.
import { LIMITS } from '../../base/model/limits.js';
import { ANY_SHARD, type Gap } from './port.js';

/** Maximum number of gaps; beyond it a further one is merged with the oldest. */
const GAPS_MAX = LIMITS.historyGaps.max;

export class Gaps {
  list: Gap[] = [];

  add(gap: Gap): void {
    this.list.push(gap);
    if (this.list.length <= GAPS_MAX) return;
    const [first, second] = this.list.splice(0, 2) as [Gap, Gap];
    this.list.unshift({
      shard: first.shard === second.shard ? first.shard : ANY_SHARD,
      fromUs: Math.min(first.fromUs, second.fromUs),
      toUs: Math.max(first.toUs, second.toUs),
    });
  }

  /** Gaps that may concern an event of the shard in that time (Unix µs). */
  within(shard: number, fromUs: number, toUs: number): Gap[] {
    return this.list.filter(
      (gap) => (gap.shard === shard || gap.shard === ANY_SHARD) && gap.toUs > fromUs && gap.fromUs < toUs,
    );
  }
}

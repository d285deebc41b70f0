// Chooses the main line among a game's markets of one type: venues list many spreads and totals and mark none as main.
import type { MarketFacts } from './market-ids.js';

interface LinedMarket {
  readonly facts: MarketFacts;
  readonly outcomes: readonly { facts: { line?: number }; decimal: number | null }[];
  alternate: boolean;
}

/**
 * The main line changes only if another line is closer to even by this much, so that two similar lines do not
 * alternate.
 */
const NEARER_BY = 0.04;

/** Marks all but one market with a line of each type (and player and team) as alternates. */
export function chooseMainLines(markets: Iterable<LinedMarket>): void {
  const groups = new Map<string, LinedMarket[]>();
  for (const market of markets) {
    if (market.outcomes[0]?.facts.line === undefined) continue;
    const { type, player = '', team = '' } = market.facts;
    const key = `${type}|${player}|${team}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [market]);
    else group.push(market);
  }
  for (const group of groups.values()) {
    const main = mainOf(group);
    for (const market of group) market.alternate = market !== main;
  }
}

function mainOf(group: readonly LinedMarket[]): LinedMarket {
  const standing = group.filter(({ alternate }) => !alternate);
  const current = standing.length === 1 ? standing[0] : undefined;
  let best = current ?? group[0]!;
  let bestDistance = distanceFromEven(best) - (current === undefined ? 0 : NEARER_BY);
  for (const market of group) {
    const distance = distanceFromEven(market);
    if (distance < bestDistance) {
      best = market;
      bestDistance = distance;
    }
  }
  return best;
}

/** Distance of the dearer outcome from one half; a market without both prices always ranks behind one with them. */
function distanceFromEven({ outcomes }: LinedMarket): number {
  let worst = 0;
  for (const { decimal } of outcomes) {
    if (decimal === null) return 1;
    worst = Math.max(worst, Math.abs(1 / decimal - 0.5));
  }
  return worst;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SimMarket } from '../../../../src/intake/feeds/sim/market.js';
import { EVENING_MS, SMALL_CATALOGUE } from './small-catalogue.js';

test('splits are sent every five minutes from two sources, of games that have prices, with shares that add up', () => {
  type Shares = Record<string, Record<string, number>>;
  type Entry = {
    home_team: string;
    sportsbook: string;
    fetched_at: string;
    spread: Shares & { away_line: number; home_line: number };
  } & {
    [part in 'moneyline' | 'total']: Shares;
  };
  const fetched: Record<string, Set<string>> = {};
  const market = new SimMarket({ seed: 1, events: 120, rate: 50 }, SMALL_CATALOGUE, EVENING_MS);
  const messages = Array.from({ length: 11 * 240 }, (_, i) => market.step(EVENING_MS + 250 * (i + 1))).flat();
  const priced = new Set<string>();
  for (const { events, splits } of messages) {
    for (const { home_team, markets } of events ?? []) if (markets.length > 0) priced.add(home_team!);
    for (const entry of (splits ?? []) as Entry[]) {
      assert.ok(priced.has(entry.home_team), entry.home_team);
      fetched[entry.sportsbook] ??= new Set();
      fetched[entry.sportsbook]!.add(entry.fetched_at);
      for (const part of ['spread', 'moneyline', 'total'] as const)
        for (const share of ['handle_pct', 'bets_pct']) {
          const [a, b] = (part === 'total' ? ['over', 'under'] : ['away', 'home']).map(
            (side) => entry[part][share]?.[side],
          );
          assert.ok(a! > 0 && b! > 0 && Math.abs(a! + b! - 1) < 1e-9);
        }
      assert.equal(entry.spread.away_line + entry.spread.home_line, 0);
    }
  }
  assert.deepEqual(Object.keys(fetched).sort(), ['circa', 'draftkings']);
  assert.equal(fetched['circa']!.size, 3);
});

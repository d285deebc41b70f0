// Any sequence of messages gives the table that the contract describes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../long.js';
import { Reference } from './reference.js';
import { type ReadRow, Rig } from './rig.js';
import { GAMES, plainStorm, STORM_START_MS, stormTime, toMessage, wildStorm } from './storm.js';

const KINDS: Record<string, string> = {
  moneyline: 'moneyline',
  point_spread: 'spread',
  total_points: 'total',
  player_points: 'prop',
  team_total: 'team',
  first_basket: 'other',
};

/** The reference's key of the row. */
function keyOf(row: ReadRow): string {
  const game = GAMES.findIndex((each) => each.home_team === row['home_team']);
  const side =
    row.market_type === 'first_basket'
      ? row.selection.slice(-1)
      : row.selection_type === 'home' || row.selection_type === 'over'
        ? '0'
        : '1';
  const which = row.is_alternate_line ? `alternate ${row.line}` : 'main';
  return `${row.sportsbook}|${game}|${KINDS[row.market_type] ?? row.market_type}|${side}|${which}`;
}

function micros(time: string): number {
  return Date.parse(`${time.slice(0, 23)}Z`) * 1000 + Number(time.slice(23, 26));
}

function assertAgrees(rig: Rig, reference: Reference): void {
  const seen = new Map<string, object>();
  for (const row of rig.rows().values()) {
    assert.ok(!seen.has(keyOf(row)), `two rows for ${keyOf(row)}`);
    seen.set(keyOf(row), {
      line: row.line,
      american: row.odds_american,
      active: row['is_active'] as boolean,
      previous: row['odds_american_previous'] as number | null,
      seenAt: row.last_seen_at,
      changedAt: micros(row.odds_changed_at),
    });
  }
  const wanted = new Map(
    [...reference.rows].map(([key, row]) => [key, { ...row, seenAt: stormTime(row.seenAt) }] as const),
  );
  assert.deepEqual(new Map([...seen].sort()), new Map([...wanted].sort()));
}

test('any storm of messages gives the same rows as a simple map of book, game and selection', async () => {
  await fc.assert(
    fc.asyncProperty(plainStorm, fc.nat(24), async (batches, restartAt) => {
      const rig = new Rig(STORM_START_MS);
      try {
        const reference = new Reference();
        for (const [i, batch] of batches.entries()) {
          if (i === restartAt) await rig.restart();
          rig.nowMs += batch.passMs;
          rig.send(...batch.messages.map((each) => toMessage(each, 10_000)));
          reference.applyBatch(batch.messages, rig.position);
          assertAgrees(rig, reference);
        }
      } finally {
        await rig.close();
      }
    }),
    { numRuns: runs(25) },
  );
});

test('odds ids have 19 digits, no two rows share one, and no row has two, whatever the messages', async () => {
  const ids = new Map<string, string>();
  const keys = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(wildStorm, async (batches) => {
      const rig = new Rig(STORM_START_MS);
      try {
        for (const batch of batches) {
          rig.nowMs += batch.passMs;
          rig.send(...batch.messages.map((each) => toMessage(each, 0.2)));
        }
        for (const row of rig.rows().values()) {
          assert.match(row.id, /^\d{19}$/);
          // A player's price gets another one once he has a namesake.
          if (row['player_name'] !== undefined) continue;
          // By event as well: a price gets another id if home and away of its event are swapped.
          const key = `${row.event_id} ${row['team'] ?? ''} ${keyOf(row)}`;
          assert.equal(ids.get(key) ?? row.id, row.id);
          assert.equal(keys.get(row.id) ?? key, key);
          ids.set(key, row.id);
          keys.set(row.id, key);
        }
      } finally {
        await rig.close();
      }
    }),
    { numRuns: runs(12) },
  );
  assert.ok(ids.size > 30);
});

// A batch takes so many new games and rows; the further games of a message follow in the next ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../long.js';
import { Rig } from './rig.js';
import {
  plainStorm,
  STORM_START_MS,
  type StormBatch,
  type StormMessage,
  type StormSighting,
  toMessage,
  wildStorm,
} from './storm.js';

/**
 * What a client reads, without when it was committed, and without what depends on it: a price of the batch before a game
 * turns live is from before the game.
 */
function rowsOf(rig: Rig): object[] {
  return [...rig.rows().values()]
    .map(({ odds_changed_at: _, is_stale_pregame_price: _stale, ...row }) => row)
    .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}

/** The games begin long after the storm. */
const START_MINUTES = 60;

/** A book that has one id for two games contradicts itself, and is believed as far as a batch goes. */
function withOwnIds(batches: readonly StormBatch[]): StormBatch[] {
  return batches.map((batch) => ({
    ...batch,
    messages: batch.messages.map((message) => ({
      ...message,
      sightings: message.sightings.map(({ externalId, ...sighting }) => ({
        ...sighting,
        externalId: externalId && `${externalId} of ${sighting.game}`,
      })),
    })),
  }));
}

/** Each message alone: what books state of a game is settled after each batch, so messages that share one differ. */
function sendAll(rig: Rig, batches: readonly StormBatch[]): object[] {
  return batches.flatMap(({ passMs, messages }) => {
    rig.nowMs += passMs;
    return messages.map((each) => {
      const { accepted, changed, removed, stale, rejected } = rig.send(toMessage(each, START_MINUTES)).receipt;
      return { accepted, changed, removed, stale, rejected: rejected.map((one) => JSON.stringify(one)).sort() };
    });
  });
}

for (const [kind, storm] of [
  ['plain', plainStorm],
  ['wild', wildStorm],
] as const)
  test(`a ${kind} storm whose messages take many batches leaves the rows and answers of one batch each`, async () => {
    await fc.assert(
      fc.asyncProperty(storm, fc.integer({ min: 1, max: 4 }), async (storms, newMax) => {
        const batches = withOwnIds(storms);
        const [whole, pieces] = [new Rig(STORM_START_MS), new Rig(STORM_START_MS)];
        pieces.newMax = newMax;
        try {
          assert.deepEqual(sendAll(pieces, batches), sendAll(whole, batches));
          assert.deepEqual(rowsOf(pieces), rowsOf(whole));
        } finally {
          await Promise.all([whole.close(), pieces.close()]);
        }
      }),
      { numRuns: runs(30), interruptAfterTimeLimit: 20_000, endOnFailure: true },
    );
  });

test('a price that its message takes back again is gone, also where its game waits for the next batch', async () => {
  const quote = { kind: 'moneyline', side: 0, line: 0.5, alternate: false, price: 100, son: true } as const;
  const sighting = { suspended: false, turned: false, startShift: 0, externalId: '7' } as StormSighting;
  const rig = new Rig(STORM_START_MS);
  rig.newMax = 1;
  const message: StormMessage = {
    ...{ book: 'draftkings', at: 0, scope: 'none', league: 'nba' },
    sightings: [
      { ...sighting, game: 0, quotes: [], externalId: '6' },
      { ...sighting, game: 3, quotes: [{ ...quote, offer: 'open' }] },
      { ...sighting, game: 3, startShift: 1, quotes: [{ ...quote, offer: 'removed' }] },
    ],
  };
  const { accepted, removed } = rig.send(toMessage(message, START_MINUTES)).receipt;
  assert.deepEqual([accepted, removed, rowsOf(rig)], [1, 1, []]);
  await rig.close();
});

test('what is taken back of another game of the same teams takes nothing from the one that was begun, also where others wait', async () => {
  const quote = { kind: 'moneyline', side: 0, line: 0.5, alternate: false, price: 100, son: true } as const;
  const sighting = { suspended: false, turned: false, startShift: 0 } as StormSighting;
  const rig = new Rig(STORM_START_MS);
  rig.newMax = 1;
  const message: StormMessage = {
    ...{ book: 'draftkings', at: 0, scope: 'none', league: 'nba' },
    sightings: [
      { ...sighting, game: 3, quotes: [{ ...quote, offer: 'open' }] },
      { ...sighting, game: 0, quotes: [] },
      { ...sighting, game: 3, startShift: 1, quotes: [{ ...quote, offer: 'removed' }] },
    ],
  };
  const { accepted, removed } = rig.send(toMessage(message, START_MINUTES)).receipt;
  assert.deepEqual([accepted, removed, rowsOf(rig).length], [1, 0, 1]);
  await rig.close();
});

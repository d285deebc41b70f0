// Cached answers that are refreshed, compared with new ones, while random storms continue between requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type OddsParams, OddsReader } from '../../src/answers/odds-reader.js';
import { PageCache } from '../../src/answers/page.js';
import { RowsPage } from '../../src/answers/rows-page.js';
import { OddsQuery } from '../../src/schema/odds.js';
import { universeOf } from '../../src/tables/filter/universe.js';
import { runs } from '../long.js';
import { requestedParameters } from '../requested-parameters.js';
import { catalogue } from '../writer/shard/rig.js';
import { STORM_START_MS, type StormMessage, toMessage, wildStorm } from '../writer/shard/storm.js';
import { Spine } from './spine.js';

const LAKERS = 'nba_lakers_celtics_2026-11-20';
const HEAT = 'nba_heat_knicks_2026-11-20';

const question: fc.Arbitrary<Omit<OddsParams, 'limit' | 'offset'>> = fc.constantFrom(
  {},
  { event: LAKERS },
  { event: LAKERS, sportsbook: 'draftkings' },
  { event: `${HEAT},${LAKERS}` },
  { event: LAKERS, live: true },
  { event: LAKERS, league: 'nba' },
  { event: LAKERS, market: 'main' },
  { event: LAKERS, league: 'unheard_of' },
  { league: 'nba' },
  { live: false, market: 'moneyline' },
  { sort: '-odds_decimal' },
  { sort: 'odds_probability', league: 'nba', market: 'main' },
  { sort: '-last_seen_at' },
  { sort: 'sportsbook', live: true },
  { sort: 'event_start_time' },
  { min_odds: -150, sort: '-odds_american' },
  { max_odds: 100 },
);

/** The same prices seen later, some of them slightly changed. */
function moved(message: StormMessage): StormMessage {
  const sightings = message.sightings.map((seen) => ({
    ...seen,
    quotes: seen.quotes.map((quote) => ({ ...quote, price: quote.side === 0 ? quote.price - 1 : quote.price })),
  }));
  return { ...message, sightings, at: 30, scope: 'none' };
}

/** Requests after a batch, as numbers in the list of requests. */
const asked = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 6 });

test('a cached answer equals a new one, including its tag, whatever has happened since', () => {
  let refreshed = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(question, fc.constantFrom(1, 3, 50)), { minLength: 4, maxLength: 4 }),
      fc.array(fc.tuple(wildStorm, asked), { minLength: 1, maxLength: 4 }),
      (questions, storms) => {
        const spine = new Spine(STORM_START_MS);
        const cache = new PageCache();
        const versions: number[] = [];
        const keeping = new OddsReader(catalogue);
        for (const [batches, list] of storms)
          for (const batch of batches) {
            spine.nowMs += batch.passMs;
            spine.send(...batch.messages.map((message) => toMessage(message, 0.1)));
            for (const no of [...list, ...list, null, ...list]) {
              if (no === null) {
                spine.send(...batch.messages.map((message) => toMessage(moved(message), 0.1)));
                continue;
              }
              const [params, limit] = questions[no]!;
              const { table } = spine;
              const universe = universeOf(catalogue, 'sharp', params.sportsbook, () => true);
              const ask = {
                table,
                universe,
                params: { ...params, limit, offset: 0 },
                asked: requestedParameters(OddsQuery, params),
              };
              const before = cache.get(`${no}`, versions[no] ?? -1)?.bytes.toString();
              let made = false;
              const cached = cache.page(`${no}`, table.position, table, (memory, isKept) => {
                made = true;
                return keeping.odds({ ...ask, memory, kept: isKept });
              });
              const fresh = new OddsReader(catalogue).odds(ask);
              versions[no] = table.position;
              if (!made && cached instanceof RowsPage && cached.bytes.toString() !== before) refreshed++;
              assert.equal(cached.stamped(0).toString(), fresh.stamped(0).toString());
              assert.equal(cached.etag, fresh.etag);
              assert.equal((JSON.parse(cached.bytes.toString()) as { success: boolean }).success, true);
            }
          }
      },
    ),
    { numRuns: runs(25) },
  );
  assert.ok(refreshed > 3, `only ${refreshed} answers were brought up to date`);
});

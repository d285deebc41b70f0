// Each tool returns what its REST route returns for the same request and key, as far as it shows it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Projection } from '../../../src/front/mcp/projection.js';
import { TIERS, type Tier } from '../../../src/rules/catalogue/types.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import { call, connect, GENERATIONS, type Generation, type Result } from './clients.js';
import { READING } from './echoes.js';
import { type MarketServer, marketServer } from './market.js';

const CELTICS = 'nba_celtics_lakers_2026-11-20';
const BEFORE = '2026-11-20T17:59:00Z';

/** Requests by tool; the answer to the first has rows for every tier that may use it. */
const QUESTIONS: Record<string, Record<string, unknown>[]> = {
  get_sports: [{}, { include_empty: true }],
  get_leagues: [{}, { sport: 'basketball', include_empty: true }, { sport: 'quidditch' }],
  get_sportsbooks: [{}, { region: 'US', sharp: false, catalog: true }, { region: 'MARS' }],
  get_markets: [{}],
  get_events: [{}, { league: 'nba', team: 'lakers', limit: 1 }, { date: '2026-11-20', live: true }, { limit: 0 }],
  get_odds: [
    { limit: 200 },
    { sportsbook: 'draftkings,pinnacle', market: 'main', limit: 3, sort: '-odds_american' },
    { event: CELTICS, group_by: 'event' },
    { fields: 'id,sportsbook,odds_american', offset: 2, limit: 2 },
    { cursor: 'nonsense' },
    { league: 'xfl', colour: 'blue' },
  ],
  get_odds_delta: [{ since: BEFORE }, { since: BEFORE, market: 'total', limit: 2 }, { since: 'yesterday' }, {}],
  get_best_odds: [{}, { event: CELTICS, market: 'moneyline' }, { sportsbook: 'fanduel', min_odds: -109 }],
  compare_odds: [{ event: CELTICS }, { event: CELTICS, market: 'total' }, { event: 'nobody' }, {}],
  find_ev_opportunities: [{}, { min_ev: -100, limit: 3, sort: 'ev' }, { devig: 'shin', sportsbook: 'draftkings' }],
  find_arbitrage: [{}, { min_profit: 3, group: 'best' }, { min_profit: 'much' }],
  find_middles: [{ min_ev: -100 }, { min_ev: -100, min_size: 4, sort: 'middle_size' }],
  find_low_hold: [{}, { max_hold: 1, sort: 'market' }],
  get_odds_history: [{ event: CELTICS }, { event: CELTICS, interval: '1h', sportsbook: 'draftkings' }, {}],
  get_closing_odds: [{ event_id: CELTICS }, { event_id: 'nobody' }, {}],
  get_clv: [{}, { group_by: 'market' }, { group_by: 'luck' }],
  get_moves: [{}, { kind: 'line', sort: 'edge' }, { kind: 'leap' }],
  get_splits: [{}, { sport: 'basketball', market: 'total', limit: 1 }],
  get_futures: [{}, { league: 'nba', future_type: 'TEAM', limit: 1 }, { future_type: 'DOG' }],
  get_futures_odds: [{ future_id: 'nba_championship_winner' }, { future_id: 'nobody' }, {}],
  get_results: [{}, { league: 'nba', limit: 1 }, { status: 'over' }],
  get_account_info: [{}],
  get_bets: [{}, { status: 'open', limit: 1 }, { status: 'lost in thought' }],
  get_bets_summary: [{}, { group_by: 'tag' }, { group_by: 'luck' }],
  get_predictions: [{ event: CELTICS }, {}],
  get_alerts: [{}],
};

/** Tiers to which a tool refuses its first request. */
const REFUSED: Record<string, readonly Tier[]> = {
  find_ev_opportunities: ['free', 'hobby'],
  find_arbitrage: ['free'],
  find_middles: ['free', 'hobby'],
  find_low_hold: ['free', 'hobby', 'pro', 'sharp'],
  get_moves: ['free', 'hobby', 'pro'],
  get_odds_history: ['free', 'hobby'],
  get_closing_odds: ['free', 'hobby'],
  get_clv: ['free', 'hobby', 'pro', 'sharp'],
  get_predictions: ['free', 'hobby', 'pro', 'sharp'],
  get_alerts: ['free', 'hobby'],
  get_bets: ['free', 'hobby'],
  get_bets_summary: ['free', 'hobby'],
};

type Json = Record<string, unknown>;

function withoutTimes(body: Json): Json {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'updated_at' ? undefined : value))) as Json;
}

/**
 * A tool's result between two equal REST answers. The server's ticks use positions even while its clock stands still,
 * and some answers contain theirs.
 */
async function between(
  rest: () => Promise<Response>,
  tool: () => Promise<Result>,
): Promise<{ result: Result; body: Json; status: number }> {
  for (let tries = 0; tries < 100; tries++) {
    const before = withoutTimes((await (await rest()).json()) as Json);
    const result = await tool();
    const after = await rest();
    if (isDeepStrictEqual(before, withoutTimes((await after.json()) as Json)))
      return { result, body: before, status: after.status };
  }
  throw new Error('REST never answered the same twice');
}

/** Sends every request both ways; returns the answers to the first requests. */
async function compared(
  t: TestContext,
  { server, url }: MarketServer,
  generation: Generation,
  tier: Tier,
): Promise<Map<string, Json>> {
  const { key } = atOnce(server.accounts).create({ tier, requestsPerMinute: 1_000_000 });
  const client = await connect(t, url, key, generation);
  // From here on the client validates each answer against the tool's output schema. (The second client compiles it each
  // time, which takes longer than everything else.)
  if (generation === 'sessions') await client.listTools();
  const firsts = new Map<string, Json>();
  for (const { name, path, shows, defaults = {} } of READING)
    for (const [i, args] of QUESTIONS[name]!.entries()) {
      const asked = { ...defaults, ...args };
      const query = new URLSearchParams(Object.entries(asked).map(([k, v]): [string, string] => [k, String(v)]));
      const rest = () => fetch(`${url}/api/v1${path}?${query}`, { headers: { 'x-api-key': key } });
      const { result, body, status } = await between(rest, () => call(client, name, args));
      const what = `${name} ${query} as ${tier}`;
      const shown = status === 200 ? new Projection(shows).body(body, args['fields'] !== undefined) : body;
      assert.deepEqual(withoutTimes(result.structuredContent!), withoutTimes(shown), what);
      assert.equal(result.isError === true, status !== 200, what);
      const text = result.content[0]?.text ?? '';
      assert.ok(text !== '' && result.content.length === 1, what);
      if (i > 0) continue;
      assert.equal(result.isError === true, REFUSED[name]?.includes(tier) ?? false, `${what}: ${text}`);
      firsts.set(name, result.structuredContent!);
    }
  return firsts;
}

test('for each tier and with either client, every tool answers as REST does', async (t) => {
  const market = await marketServer(t);
  // What is answered does not depend on the generation: the lowest and the highest tier show that.
  for (const tier of TIERS)
    for (const generation of tier === 'free' || tier === 'enterprise' ? GENERATIONS : GENERATIONS.slice(0, 1))
      await t.test(`${tier}, ${generation}`, async (t) => {
        const firsts = await compared(t, market, generation, tier);
        // What an account records itself is none at first.
        for (const [name, { data }] of firsts)
          if (Array.isArray(data) && !['get_bets', 'get_alerts'].includes(name))
            assert.ok(data.length > 0, `${name} has rows for ${tier}, or the test shows nothing`);
      });
});

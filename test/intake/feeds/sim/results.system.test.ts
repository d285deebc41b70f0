// The simulated market is played out: every price of a game that ended is graded, and players' statistics come from the
// distributions that their prices do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline } from '../../../../src/cli/backtest/timeline.js';
import { playerLines } from '../../../../src/intake/feeds/sim/extras.js';
import { leagueModel } from '../../../../src/intake/feeds/sim/league-model.js';
import { SimMarket } from '../../../../src/intake/feeds/sim/market.js';
import { gameProps, roster } from '../../../../src/intake/feeds/sim/props.js';
import { loadCatalogue } from '../../../../src/rules/catalogue/load.js';
import { SETTLED } from '../../../../src/rules/grading/returns.js';
import { Settler } from '../../../../src/store/clv/settler.js';
import { memoryHistoryStore } from '../../../../src/store/history/memory-store.js';
import { Recorder } from '../../../../src/store/history/recorder.js';
import { EVENING_MS } from './small-catalogue.js';

const OPTIONS = { seed: 5, books: 2, events: 60, rate: 160 };
const LOOK_MS = 15_000;
const EVERY_MS = 15 * 60_000;
const HOURS = 3;
const MINUTE_MS = 60_000;

test('every price of a game that ended is graded, of all its kinds, and the first games end within minutes', () => {
  const catalogue = loadCatalogue();
  const market = new SimMarket(OPTIONS, catalogue, EVENING_MS);
  const store = memoryHistoryStore();
  const recorder = new Recorder(store);
  recorder.begin('simulated', 1);
  const timeline = new Timeline(catalogue, { key: 'all', books: null, kept: { minEv: 0 } }, () => {}, recorder);
  const ended: number[] = [];
  let atMs = EVENING_MS;
  for (let lookMs = EVENING_MS; lookMs < EVENING_MS + HOURS * 60 * MINUTE_MS; lookMs += EVERY_MS)
    for (atMs = lookMs; atMs < lookMs + LOOK_MS; atMs += 250) {
      const messages = market.step(atMs);
      if (messages.length === 0) continue;
      timeline.play({ atMs, messages });
      for (const { results = [] } of messages) for (const _ of results) ended.push(atMs);
    }
  recorder.flush();
  assert.ok(ended[0]! <= EVENING_MS + EVERY_MS, 'within minutes');
  const settler = new Settler(recorder, catalogue, { resultOf: (id) => timeline.results.get(id) }, []);
  const kinds = new Map<string, Set<string>>();
  for (const { eventId, words, sport } of timeline.results.values()) {
    const word = words['sim']!;
    // Its book's last word, called off or played to its end.
    if (word.status === 'postponed') continue;
    const event = recorder.find(eventId);
    if (word.score !== null && word.parts.length > 0 && sport !== 'tennis')
      for (const side of ['home', 'away'] as const)
        assert.equal(word.parts.reduce((sum, part) => sum + part[side], 0), word.score[side], eventId); // biome-ignore format: one sum
    for (const { id, market: type } of event?.rows ?? []) {
      const { result, reason } = settler.settleBet(
        {
          oddsId: id,
          event: null,
          market: null,
          selection: null,
          sportsbook: null,
          line: undefined,
          player: null,
          team: null,
          decimal: 2,
          scored: { home: 0, away: 0 },
        },
        atMs,
      );
      assert.ok(SETTLED.has(result), `${eventId} ${type}: ${result} ${reason}`);
      const kind = `${sport} ${type}`;
      kinds.set(kind, (kinds.get(kind) ?? new Set()).add(reason ?? result));
    }
  }
  const seen = [...kinds.keys()];
  for (const kind of ['moneyline', 'point_spread', 'total_points', 'team_total', 'player_points', 'total_games'])
    assert.ok(seen.some((one) => one.endsWith(` ${kind}`)), `${kind} of ${seen.join(', ')}`); // biome-ignore format: one line
  assert.ok(seen.length >= 25, `${seen.length} kinds`);
});

test('statistics of players are drawn as their prices say, parts of a whole never exceed it, and some do not play', () => {
  for (const [league, sport] of [
    ['nba', 'basketball'],
    ['nhl', 'hockey'],
    ['mlb', 'baseball'],
    ['epl', 'soccer'],
    ['nfl', 'football'],
  ] as const) {
    const { props: kinds } = leagueModel(league, sport, true)!;
    const sums = new Map<string, { drawn: number; expected: number; square: number }>();
    let missed = 0;
    let players = 0;
    for (let game = 0; game < 400; game++) {
      const props = gameProps(kinds, roster(1, 0), roster(1, 1), game);
      for (const { player_name, played, stats } of playerLines(game, props)) {
        players++;
        if (!played) missed++;
        if (played)
          for (const { kind, mean, player } of props) {
            if (player !== player_name) continue;
            const value = kind.sumOf.reduce((sum, stat) => sum + stats[stat]!, stats[kind.stat] ?? 0);
            if (kind.within !== null) assert.ok(value <= stats[kind.within]!, `${kind.stat} of ${kind.within}`);
            const sum = sums.get(kind.stat) ?? { drawn: 0, expected: 0, square: 0 };
            sum.drawn += value;
            sum.expected += mean;
            sum.square += kind.scatter === 0 ? mean : (kind.scatter * mean) ** 2;
            sums.set(kind.stat, sum);
          }
      }
    }
    assert.ok(missed > 0 && missed < players / 20, `${missed} of ${players} did not play`);
    for (const [stat, { drawn, expected, square }] of sums)
      assert.ok(Math.abs(drawn - expected) < 4 * Math.sqrt(square) + 0.01 * expected, `${stat}: ${drawn} for ${expected}`); // biome-ignore format: one line
  }
});

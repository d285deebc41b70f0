// Bets over a real engine and its control store, with a grader that fails at first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bets, type BetsOptions } from '../../../src/accounts/bets/bets.js';
import { betItem } from '../../../src/answers/bets.js';
import type { SettledBet } from '../../../src/store/clv/settler.js';
import { engineFor } from '../../front/api/serving.js';

const GAME = { league: 'nba', home_team: 'Utah Jazz', away_team: 'Miami Heat', start_time: '2026-11-20T23:30:00Z' };
const WON: SettledBet = { result: 'won', reason: null, revision: 1, toldUs: 1, profit_units: 1.5, return_units: 2.5 };

test('bets of a recording whose grading failed are graded all the same, though no time passes any more', async (t) => {
  const { engine, clock } = engineFor(t);
  const messages = (part: object) => [{ book: 'draftkings', polled_at: new Date(clock.now()).toISOString(), ...part }];
  const sides = [
    { selection: 'Utah Jazz', selection_type: 'home', odds_decimal: 2.5 },
    { selection: 'Miami Heat', selection_type: 'away', odds_decimal: 1.5 },
  ];
  await engine.ingest(messages({ events: [{ ...GAME, markets: [{ market_type: 'moneyline', selections: sides }] }] }));
  const told: unknown[] = [];
  let failures = 2;
  const history = (async (kind: 'settle' | 'grade', { bets }: { bets: readonly object[] }) => {
    if (kind === 'grade') return bets.map((bet) => ({ ...bet, closing: null, clv: null, reason: null }));
    if (--failures >= 0) throw new Error('the history thread was replaced');
    return bets.map(() => WON);
  }) as unknown as BetsOptions['history'];
  const bets = new Bets({
    engine,
    history,
    hasResult: () => false,
    judges: true,
    recorded: true,
    betDelays: {},
    paperMax: 100,
    onError: (error) => told.push((error as Error).message),
  });
  t.after(() => bets.close());
  const oddsId = [0, 1, 2].map((slot) => engine.table.columns.id.at(slot)).find((id) => id !== '')!;
  const request = { clientId: 'a', oddsId, mode: 'placed' as const, cents: 1_000, decimal: 2.5 };
  const key = { account: 'acc', tier: 'pro' } as Parameters<Bets['place']>[0];
  const [placed] = await bets.place(key, [{ ...request, american: 150, tag: null, note: null }]);
  assert.equal(placed!.status, 'filled');
  await engine.ingest(messages({ results: [{ ...GAME, status: 'final', home_score: 1, away_score: 0 }] }));
  assert.equal(await bets.graded(), 0);
  assert.equal(bets.get('acc', placed!.no)!.grading?.profit, 1_500);
  assert.equal(told.length, 2);
});

test('a bet whose end no result can tell says so when it is made', async (t) => {
  const { engine, clock } = engineFor(t);
  const fight = { league: 'ufc', home_team: 'A Fighter', away_team: 'B Fighter', start_time: GAME.start_time };
  const method = (selection: string) => ({ selection, selection_type: selection, odds_decimal: 2.5 });
  const markets = [{ market_type: 'method_of_victory', selections: [method('ko'), method('decision')] }];
  const polled_at = new Date(clock.now()).toISOString();
  const message = { book: 'draftkings', polled_at, scope: 'event' as const, events: [{ ...fight, markets }] };
  await engine.ingest([message, { ...message, book: 'betfair' }]);
  const bets = new Bets({
    engine,
    history: (async () => []) as unknown as BetsOptions['history'],
    hasResult: () => false,
    judges: true,
    recorded: true,
    betDelays: {},
    paperMax: 100,
    onError: () => {},
  });
  t.after(() => bets.close());
  const { columns, books } = engine.table;
  const key = { account: 'acc', tier: 'enterprise' } as Parameters<Bets['place']>[0];
  const reasonAt = async (book: string) => {
    const slot = [0, 1, 2, 3, 4].find((at) => columns.id.at(at) !== '' && books.name(columns.book[at]!) === book)!;
    const oddsId = columns.id.at(slot)!;
    const request = { clientId: book, oddsId, mode: 'placed' as const, cents: 1_000, decimal: 2.5, american: 150 };
    const [placed] = await bets.place(key, [{ ...request, tag: null, note: null }]);
    return betItem(placed!).result_reason;
  };
  assert.deepEqual([await reasonAt('draftkings'), await reasonAt('betfair')], ['no_rule', null]);
});

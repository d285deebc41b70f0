// The ticket without a browser: which rows are a bet's, also of a player or a team; tied books; and the fair price as it
// is now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from '../../dashboard/model/board.js';
import { backedStake } from '../../dashboard/model/legs.js';
import { outcomeText } from '../../dashboard/model/outcome.js';
import { paperCap } from '../../dashboard/model/paper.js';
import { evaluate } from '../../dashboard/model/play.js';
import { DEFAULT_PROFILE } from '../../dashboard/model/profile.js';
import { effectiveDecimal } from '../../dashboard/model/stakes.js';
import { entriesOf, entryOf, entryOfRow, legNow, playNow, typesOf } from '../../dashboard/model/ticket.js';
import { netDecimal } from '../../src/base/model/commission.js';
import type { OddsRow, OpportunityItem } from '../../src/client/client.js';
import { NOW_MS, row } from './rows.js';

const points = (sportsbook: string, player_name: string, odds_decimal: number, more: Partial<OddsRow> = {}) => {
  const id = `${sportsbook}-${player_name}-over`;
  const of = { market_type: 'player_points', selection_type: 'over', selection: 'Over', line: 22.5 };
  return row({ ...of, id, sportsbook, player_name, stat_category: 'points', odds_decimal, ...more });
};
const side = (selection: string, books: string[], decimal: number) => ({
  ...{ selection, books, line: 22.5, commission: null, currency: 'USD', max_stake: null },
  odds: { american: 100, decimal, decimal_net: decimal, fair_probability: 0.5 },
  deep_links: Object.fromEntries(books.map((book) => [book, `https://${book}.example/`])),
});
const LOW_HOLD = {
  ...{ id: 'hold', event_id: row({ sportsbook: 'x', odds_decimal: 2 }).event_id, event_name: 'A @ B' },
  ...{ market_type: 'player_points', player_name: 'Jayson Tatum', stat_category: 'points', max_stake: null },
  ...{ side1: side('Over', ['fanduel', 'draftkings'], 2.05), side2: side('Under', ['betmgm'], 1.98), side3: null },
} as unknown as OpportunityItem;
const OPEN_ACCOUNT = { limit: null, bankroll: null, commission: null };
const known = (...rows: OddsRow[]) => ({ rows: new Map(rows.map((one) => [one.id, one])), isComplete: true });

test("a low hold on a player has that player's rows, whoever else has the same line", () => {
  const entry = entryOf('low_hold', LOW_HOLD);
  const [over] = entry.play.legs;
  assert.equal(over!.outcome, 'Jayson Tatum Over 22.5');
  const other = points('fanduel', 'LeBron James', 3);
  assert.equal(legNow(entry, over!, known(other), DEFAULT_PROFILE).status, 'gone');
  const now = legNow(entry, over!, known(other, points('fanduel', 'Jayson Tatum', 2.05)), DEFAULT_PROFILE);
  assert.deepEqual([now.status, now.row?.player_name], ['open', 'Jayson Tatum']);
  // However the book spells him; not where it lists another man of the name.
  const spelt = points('fanduel', 'JAYSON TATÚM', 2.05);
  assert.equal(legNow(entry, over!, known(spelt), DEFAULT_PROFILE).status, 'open');
  const [father, son] = [points('fanduel', 'Jayson Tatum Sr', 2.2), points('fanduel', 'Jayson Tatum', 2.05)];
  assert.equal(legNow(entry, over!, known(father!, son!), DEFAULT_PROFILE).row?.player_name, 'Jayson Tatum');
});

test('no more is staked on a price than its book takes now, or than stands there', () => {
  const price = { sportsbook: 'fanduel', odds_decimal: 2 };
  const entry = entryOfRow(row({ ...price, max_bet: 500, size: 40 }), 0.5);
  assert.equal(entry.play.legs[0]!.stakeMax, 40);
  const most = (more: Partial<OddsRow>) =>
    legNow(entry, entry.play.legs[0]!, known(row({ ...price, ...more })), DEFAULT_PROFILE).leg.stakeMax;
  assert.deepEqual([most({ max_bet: 20, size: 40 }), most({ max_bet: 500 }), most({})], [20, 500, null]);
  const lay = entryOfRow(row({ ...price, odds_decimal: 3, market_type: 'moneyline_lay', size: 50 }), 0.3);
  const moved = known(row({ ...price, odds_decimal: 3.5, market_type: 'moneyline_lay', size: 30 }));
  assert.deepEqual(
    [lay.play.legs[0]!.stakeMax, legNow(lay, lay.play.legs[0]!, moved, DEFAULT_PROFILE).leg.stakeMax],
    [100, 75],
  );
});

test('of tied books the one to bet at is the one with an account that has the best price now', () => {
  const entry = entryOf('low_hold', LOW_HOLD);
  const [over] = entry.play.legs;
  const at = (fanduel: number, draftkings: Partial<OddsRow>, profile = DEFAULT_PROFILE) => {
    const rows = known(
      points('fanduel', 'Jayson Tatum', fanduel),
      points('draftkings', 'Jayson Tatum', 2.05, draftkings),
    );
    const { leg, status, others } = legNow(entry, over!, rows, profile);
    return [leg.books[0], leg.decimal, status, ...others.map(({ sportsbook }) => sportsbook)];
  };
  assert.deepEqual(at(2.05, {}), ['fanduel', 2.05, 'open', 'draftkings']);
  assert.deepEqual(at(1.9, {}), ['draftkings', 2.05, 'open', 'fanduel']);
  assert.deepEqual(at(1.9, { is_active: false }), ['fanduel', 1.9, 'moved', 'draftkings']);
  const mine = { ...DEFAULT_PROFILE, accounts: { fanduel: { limit: null, bankroll: null, commission: null } } };
  assert.deepEqual(at(1.9, {}, mine), ['fanduel', 1.9, 'moved', 'draftkings']);
});

test('the edge of a price on the ticket follows the fair price, not only its own', () => {
  const pair = (sportsbook: string, home: number, away: number) => [
    row({ sportsbook, odds_decimal: home }),
    row({ sportsbook, odds_decimal: away, selection_type: 'away' }),
  ];
  const board = new Board();
  for (const one of [...pair('fanduel', 2.2, 1.7), ...pair('pinnacle', 1.9, 1.9)]) board.put(one);
  const [mine] = pair('fanduel', 2.2, 1.7);
  const entry = entryOfRow(mine!, 0.5);
  const edge = (): number => {
    const legs = entry.play.legs.map((leg) => legNow(entry, leg, known(...board.rows()), DEFAULT_PROFILE));
    return evaluate(playNow(entry, legs, board, undefined, NOW_MS), DEFAULT_PROFILE).edge!;
  };
  assert.ok(edge() > 2, String(edge()));
  for (const one of pair('pinnacle', 2.6, 1.5)) board.put(one);
  assert.ok(edge() < -5, String(edge()));
});

test('an opportunity on the ticket has the fair price that the server states now, and none once it stands no more', () => {
  const item = (fair_probability: number) =>
    ({
      ...LOW_HOLD,
      ...{ selection: 'Over', line: 22.5, sportsbook: 'fanduel', odds_id: 'fanduel-Jayson Tatum-over' },
      ...{ odds_american: 105, odds_decimal: 2.05, odds_decimal_net: 2.05, commission: null, deep_link: null },
      ...{ fair_probability, ev_percentage: (fair_probability * 2.05 - 1) * 100 },
    }) as unknown as OpportunityItem;
  const entry = entryOf('ev', item(0.52));
  const edge = (standing: OpportunityItem | null | undefined): string | undefined => {
    const rows = known(points('fanduel', 'Jayson Tatum', 2.05));
    const legs = entry.play.legs.map((leg) => legNow(entry, leg, rows, DEFAULT_PROFILE));
    return evaluate(playNow(entry, legs, undefined, standing, NOW_MS), DEFAULT_PROFILE).edge?.toFixed(2);
  };
  assert.deepEqual([edge(undefined), edge(item(0.5)), edge(null)], ['6.60', '2.50', undefined]);
});

test('an outcome is named with its player, or with the team unless the name says it', () => {
  const total = { market_type: 'team_total', selection: 'Over', line: 110.5, team_name: 'Boston Celtics' };
  assert.equal(outcomeText(total), 'Boston Celtics Over 110.5');
  assert.equal(outcomeText({ ...total, selection: 'Boston Celtics Over' }), 'Boston Celtics Over 110.5');
  assert.equal(outcomeText({ ...total, team_name: null, player_name: 'Tatum' }), 'Tatum Over 110.5');
});

test("a lay's stake is what its backer stakes: either result pays what the account's two bets pay", () => {
  const [lay, kept] = [3, 0.95];
  const leg = (sportsbook: string, odds_decimal: number, odds_decimal_net: number, is_lay: boolean) => ({
    ...{ sportsbook, odds_decimal, odds_decimal_net, is_lay, selection: 'A', line: null, odds_american: 200 },
    commission: is_lay ? { model: 'winnings', rate: 1 - kept } : null,
    ...{ deep_link: null, odds_id: sportsbook, stake_percent: 50, currency: 'USD', max_stake: null },
  });
  const item = {
    ...{ id: 'lay', event_id: LOW_HOLD.event_id, event_name: 'A @ B', market_type: 'moneyline', profit_percent: 3 },
    // What is risked is the liability; what it wins is the backer's stake, less the commission.
    legs: [leg('fanduel', 3.4, 3.4, false), leg('matchbook', lay, 1 + kept / (lay - 1), true)],
  } as unknown as OpportunityItem;
  const { play } = entryOf('arbitrage', item);
  const { plan } = evaluate(play, DEFAULT_PROFILE);
  const [backed, liability] = plan.stakes as [number, number];
  assert.ok(backed > 0 && liability > 0);
  const [back, layLeg] = play.legs;
  assert.equal(backedStake(back!, backed), backed);
  const stake = backedStake(layLeg!, liability);
  const profits = [backed * 2.4 - stake * (lay - 1), stake * kept - backed];
  assert.ok(profits.every((profit) => profit > 0));
  for (const [i, { profit }] of plan.results.entries())
    assert.ok(Math.abs(profit - profits[i]!) < 1e-6, `${profit} ${profits[i]}`);
});

test('a lay leg that moved is told at its new price, and what it makes follows, at the commission of the viewer', () => {
  const LAID = row({ sportsbook: 'matchbook', market_type: 'moneyline_lay', odds_decimal: 3, id: '7', size: 100 });
  const commission = { model: 'winnings', rate: 0.02 } as const;
  const leg = (id: string, sportsbook: string, odds_decimal: number, is_lay?: true) => ({
    ...{ sportsbook, odds_decimal, selection: LAID.selection, line: null, odds_american: 200, deep_link: null },
    ...{ odds_id: id, stake_percent: 50, currency: 'USD', max_stake: is_lay ? 200 : null },
    ...(is_lay ? { is_lay, commission, odds_decimal_net: netDecimal(1.5, commission) } : { commission: null }),
  });
  const item = {
    ...{ id: 'lay', event_id: LAID.event_id, event_name: 'A @ B', market_type: 'moneyline', profit_percent: 3 },
    legs: [leg('6', 'fanduel', 3.4), leg('7', 'matchbook', 3, true)],
  } as unknown as OpportunityItem;
  const entry = entryOf('arbitrage', item);
  assert.deepEqual(typesOf(entry), ['moneyline', 'moneyline_lay']);
  const now = (lay: number) =>
    entry.play.legs.map((one) =>
      legNow(
        entry,
        one,
        known(row({ sportsbook: 'fanduel', odds_decimal: 3.4, id: '6' }), { ...LAID, odds_decimal: lay }),
        DEFAULT_PROFILE,
      ),
    );
  const worst = (lay: number, profile = DEFAULT_PROFILE): number =>
    evaluate({ ...entry.play, legs: now(lay).map((one) => one.leg) }, profile).worst;
  assert.deepEqual(
    now(3).map(({ status }) => status),
    ['open', 'open'],
  );
  const [, moved] = now(3.8);
  assert.deepEqual([moved!.status, moved!.leg.decimal, moved!.leg.stakeMax], ['moved', 3.8, 280]);
  assert.ok(Math.abs(moved!.leg.net - (1 + 0.98 / 2.8)) < 1e-9);
  assert.ok(worst(3) > 0 && worst(3.8) < 0);
  // The viewer pays no commission there.
  const accounts = { matchbook: { limit: null, bankroll: null, commission: 0 }, fanduel: OPEN_ACCOUNT };
  const { bets } = evaluate(entry.play, { ...DEFAULT_PROFILE, accounts });
  assert.equal(effectiveDecimal(bets[1]!), 1.5);
  assert.ok(worst(3, { ...DEFAULT_PROFILE, accounts }) > worst(3));
  // What backers can be laid is liabilities here.
  assert.equal(paperCap(moved!, 1_000, null), 100 * 2.8);
});

test('a lay price that is taken to the ticket by itself is a lay: its liability wins what the backer staked', () => {
  const laid = row({ sportsbook: 'matchbook', market_type: 'moneyline_lay', odds_decimal: 4, max_bet: 50 });
  const [leg] = entryOfRow(laid, null).play.legs;
  assert.deepEqual([leg!.isLay, leg!.outcome, leg!.stakeMax], [true, 'lay Los Angeles Lakers', 150]);
  assert.equal(leg!.net, 4 / 3);
  assert.equal(backedStake(leg!, 150), 50);
});

test('what is stored and is no entry of a ticket is dropped, whatever is wrong with it', () => {
  const entry = entryOfRow(row({ sportsbook: 'fanduel', odds_decimal: 2 }), 0.5);
  const [leg] = entry.play.legs;
  const withLeg = (changes: object) => ({ ...entry, play: { ...entry.play, legs: [{ ...leg, ...changes }] } });
  const broken = [
    ...[null, 1, [], {}, { ...entry, of: null }, { ...entry, play: null }],
    ...[[], [null], {}].map((legs) => ({ ...entry, play: { ...entry.play, legs } })),
    ...[{ books: [] }, { books: null }, { decimal: '2' }, { links: null }, { line: '3' }].map(withLeg),
    ...[{ kind: 'toString' }, { played: [null] }].map((changes) => ({ ...entry, play: { ...entry.play, ...changes } })),
    ...[{ terms: {} }, { parts: [null] }].map((changes) => ({ ...entry, ...changes })),
  ];
  assert.deepEqual(entriesOf(JSON.stringify(broken)), []);
  const kept = entriesOf(JSON.stringify([entry, ...broken, { ...entry, parts: [entry], terms: { legs: [null] } }]));
  assert.equal(kept.length, 2);
  for (const { play } of kept) assert.ok(evaluate(play, DEFAULT_PROFILE).bets.length === 1);
  assert.deepEqual(entriesOf('no JSON'), []);
});

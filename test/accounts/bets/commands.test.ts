import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bet, counts, reachOf, riskOf } from '../../../src/accounts/bets/bet.js';
import { halfEven } from '../../../src/accounts/bets/cents.js';
import {
  type BetChange,
  type BetDraft,
  bankrollOf,
  changeBet,
  countBets,
  entryOf,
  gradeBets,
  type JudgedRow,
  judgeBet,
  placeBets,
  setBankroll,
  strikeBet,
} from '../../../src/accounts/bets/commands.js';
import { summarised, summaryOf } from '../../../src/accounts/bets/summary.js';
import { HAND_RESULTS, type HandResult } from '../../../src/base/model/bet-words.js';
import type { Commission } from '../../../src/base/model/commission.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { randomOf } from '../../engine/replay/recordings.js';

const ACCOUNT = 'acc_1';

/** A store in memory; what a command that throws did is undone, as in the control store. */
class MemoryDraft implements BetDraft {
  nowMs = 1_000;
  entriesByName = new Map<string, unknown>();

  value(entry: string): unknown {
    return structuredClone(this.entriesByName.get(entry));
  }

  *entries(under: string): Iterable<readonly [string, unknown]> {
    for (const [entry, value] of [...this.entriesByName].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (entry.startsWith(`${under}|`)) yield [entry, value];
  }

  put(entry: string, value: unknown): void {
    this.entriesByName.set(entry, structuredClone(value));
  }

  remove(entry: string): void {
    this.entriesByName.delete(entry);
  }

  run<Reply>(command: () => Reply): Reply | Error {
    const before = new Map(this.entriesByName);
    try {
      return command();
    } catch (error) {
      this.entriesByName = before;
      return error as Error;
    }
  }

  bets(): Bet[] {
    return [...this.entries(entryOf.bets(ACCOUNT))].map(([, bet]) => bet as Bet);
  }
}

function standing(oddsId: string, fields: Partial<JudgedRow['quote']> = {}, more: Partial<JudgedRow> = {}): JudgedRow {
  return {
    subject: {
      oddsId,
      event: `game|${oddsId}`,
      eventName: 'Away @ Home',
      sport: 'basketball',
      league: 'nba',
      market: 'moneyline',
      selection: 'Home',
      selectionType: 'home',
      player: null,
      team: null,
      teamName: null,
      sportsbook: 'draftkings',
      line: null,
      currency: 'USD',
    },
    quote: {
      line: null,
      bound: 'size',
      levels: [{ decimal: 2, cents: 10_000 }],
      maxBetCents: null,
      ...fields,
    },
    alternate: false,
    live: false,
    closed: null,
    delayMs: 0,
    ...more,
  };
}

let lastId = 0;
const request = (cents: number, fields: object = {}) => ({
  clientId: `c${++lastId}`,
  oddsId: '1',
  mode: 'paper' as const,
  cents,
  decimal: 2,
  american: 100,
  tag: null,
  note: null,
  ...fields,
});
const placed = (draft: MemoryDraft, cents: number, stands: JudgedRow | null, fields: object = {}, rates = {}): Bet =>
  placeBets(draft, {
    account: ACCOUNT,
    tier: 'pro',
    bets: [{ request: request(cents, fields), standing: stands }],
    rates,
  })[0]!;

test('a bet is filled by what stands, or rejected with its reason', () => {
  const draft = new MemoryDraft();
  const judged = (stands: JudgedRow | null, fields: object = {}) => {
    const { status, reason } = placed(draft, 1_000, stands, fields);
    return [status, reason];
  };
  assert.deepEqual(judged(standing('1')), ['filled', null]);
  assert.deepEqual(judged(null), ['rejected', 'unknown_odds']);
  for (const closed of ['game_over', 'postponed', 'suspended', 'stale_price'] as const)
    assert.deepEqual(judged(standing('2', {}, { closed })), ['rejected', closed]);
  assert.deepEqual(judged(standing('2'), { decimal: 2.05 }), ['rejected', 'price_moved']);
  assert.deepEqual(judged(standing('3', { levels: [{ decimal: 2, cents: 0 }] })), ['rejected', 'no_liquidity']);
  assert.deepEqual(judged(standing('4', { levels: [{ decimal: 2.1, cents: 400 }] })), ['part_filled', null]);
  const pounds = standing('6');
  pounds.subject.currency = 'GBP';
  assert.deepEqual(judged(pounds), ['rejected', 'no_rate']);
  setBankroll(draft, { account: ACCOUNT, deposits: 2_000, currency: 'USD' });
  assert.deepEqual(judged(standing('7')), ['rejected', 'insufficient_funds'], '14.00 are staked');
  assert.deepEqual(judged(standing('7'), { mode: 'placed' }), ['filled', null], 'what was done elsewhere is done');
});

test('a bet sent again with its client id is the same bet, and another bet with it is refused', () => {
  const draft = new MemoryDraft();
  const once = placed(draft, 1_000, standing('1'), { clientId: 'one' });
  assert.deepEqual(placed(draft, 1_000, null, { clientId: 'one' }), once);
  const error = draft.run(() => placed(draft, 2_000, standing('1'), { clientId: 'one' })) as Error & { code: string };
  assert.equal(error.code, 'conflict');
  assert.equal(draft.bets().length, 1);
});

test('a bet in play waits for the delay of its book and is judged by what stands then', () => {
  const draft = new MemoryDraft();
  const waits = placed(draft, 1_000, standing('1', {}, { live: true, delayMs: 5_000 }));
  assert.deepEqual([waits.status, waits.judgeMs], ['pending', 6_000]);
  draft.nowMs = 6_000;
  const moved = standing('1', { levels: [{ decimal: 1.9, cents: 10_000 }] });
  assert.equal(judgeBet(draft, { account: ACCOUNT, no: waits.no, standing: moved, rates: {} })!.reason, 'price_moved');
  assert.equal(
    judgeBet(draft, { account: ACCOUNT, no: waits.no, standing: standing('1'), rates: {} }),
    undefined,
    'once',
  );
  assert.deepEqual([...draft.entries(entryOf.waiting)], []);
});

test('a correction grades again, and a struck bet leaves the sums', () => {
  const draft = new MemoryDraft();
  const { no } = placed(draft, 1_000, standing('1'));
  const graded = (units: number, result: 'won' | 'lost', revision: number) =>
    gradeBets(draft, [{ account: ACCOUNT, no, result, reason: null, revision, toldUs: 1, units: [units], clv: 1.5 }])
      .length;
  assert.equal(graded(1, 'won', 1), 1);
  assert.equal(graded(1, 'won', 1), 0, 'nothing changed');
  assert.equal(bankrollOf(draft, ACCOUNT).profit, 1_000);
  assert.equal(graded(-1, 'lost', 2), 1);
  const { cash, open, profit } = bankrollOf(draft, ACCOUNT);
  assert.deepEqual([cash, open, profit], [-1_000, 0, -1_000]);
  const other = placed(draft, 700, standing('2'), { mode: 'placed' });
  assert.equal(bankrollOf(draft, ACCOUNT).open, 700);
  assert.equal(strikeBet(draft, { account: ACCOUNT, no: other.no }).status, 'struck');
  assert.equal(bankrollOf(draft, ACCOUNT).open, 0);
  assert.throws(() => strikeBet(draft, { account: ACCOUNT, no }), /only bets placed elsewhere/);
  assert.deepEqual(
    [...draft.entries('betevent')].map(([entry]) => entry),
    ['betevent|game%7C1|acc_1|1'],
  );
});

test('a placed bet takes another stake and price, a result by hand that results leave alone, and its strike back', () => {
  const draft = new MemoryDraft();
  const { no } = placed(draft, 1_000, standing('1'), { mode: 'placed', decimal: 2 });
  const change = (changed: BetChange, charge: Commission | null = null): Bet =>
    changeBet(draft, { account: ACCOUNT, no, change: changed, charge });
  const money = () => {
    const { open, profit } = bankrollOf(draft, ACCOUNT);
    return [open, profit];
  };
  change({ cents: 2_500, price: { decimal: 3, american: 200 }, tag: 'steam' });
  assert.deepEqual(money(), [2_500, 0]);
  const won = change({ result: 'won' }, { model: 'winnings', rate: 0.05 });
  assert.deepEqual([won.grading?.reason, won.grading?.profit, ...money()], ['by_hand', 4_750, 0, 4_750]);
  const graded = (units: number, revision: number) =>
    gradeBets(draft, [
      { account: ACCOUNT, no, result: 'lost', reason: null, revision, toldUs: 9e12, units: [units], clv: 2 },
    ]);
  assert.equal(graded(-1, 9)[0]?.bet.grading?.clv, 2, 'the closing line value is the market’s');
  assert.deepEqual(money(), [0, 4_750]);
  assert.deepEqual([change({ result: 'void' }).grading?.profit, ...money()], [0, 0, 0]);
  assert.deepEqual([change({ result: 'half_lost' }).grading?.profit, ...money()], [-1_250, 0, -1_250]);
  assert.equal(change({ result: null }).grading, null);
  assert.deepEqual(money(), [2_500, 0]);
  graded(-1, 10);
  assert.deepEqual(money(), [0, -2_500]);
  assert.equal(change({ cents: 1_000 }).grading?.profit, -1_000);
  change({ struck: true });
  assert.deepEqual([...money(), [...draft.entries('betevent')].length], [0, 0, 0]);
  change({ struck: false });
  assert.deepEqual([...money(), [...draft.entries('betevent')].length], [0, -1_000, 1]);
  checkLedger(draft);
});

test('a lay that is graded by hand wins and loses as results grade it', () => {
  const draft = new MemoryDraft();
  const stands = standing('1');
  stands.subject.lay = true;
  const { no } = placed(draft, 1_000, stands, { mode: 'placed', decimal: 3 });
  const profit = (result: HandResult): number | null | undefined =>
    changeBet(draft, { account: ACCOUNT, no, change: { result }, charge: { model: 'winnings', rate: 0.02 } }).grading
      ?.profit;
  assert.equal(Math.round(profit('won')!), 980);
  assert.equal(profit('lost'), -2_000);
  assert.equal(profit('void'), 0);
  assert.equal(profit('half_lost'), -1_000);
});

test('what a bet on paper was filled with stays, and so does a rejected bet; their words can be changed', () => {
  const draft = new MemoryDraft();
  const { no } = placed(draft, 1_000, standing('1'));
  const change = (of: number, changed: BetChange): Bet =>
    changeBet(draft, { account: ACCOUNT, no: of, change: changed, charge: null });
  assert.throws(() => change(no, { cents: 500 }), /tag and note can/);
  assert.throws(() => change(no, { result: 'won' }), /paper/);
  const { tag, note } = change(no, { tag: 'a', note: 'b' });
  assert.deepEqual([tag, note], ['a', 'b']);
  const rejected = placed(draft, 700, null, { mode: 'placed', oddsId: '9' });
  assert.throws(() => change(rejected.no, { result: 'won' }), /rejected/);
  assert.throws(() => change(99, { tag: 'x' }), /no bet/);
});

test('a rejected bet never has money in it: it is neither struck, nor restored where it was struck before', () => {
  const draft = new MemoryDraft();
  const stands = standing('1');
  stands.subject.currency = 'AUD';
  const rejected = placed(draft, 5_000, stands, { mode: 'placed' });
  assert.deepEqual([rejected.status, rejected.reason], ['rejected', 'no_rate']);
  assert.throws(() => strikeBet(draft, { account: ACCOUNT, no: rejected.no }), /rejected/);
  // As an earlier version stored it.
  draft.put(entryOf.bet(ACCOUNT, rejected.no), { ...rejected, status: 'struck' });
  for (const change of [{ struck: false }, { struck: true }, { cents: 100 }, { result: 'won' }] as const)
    assert.throws(
      () => changeBet(draft, { account: ACCOUNT, no: rejected.no, change, charge: null }),
      /was rejected has nothing to change/,
      JSON.stringify(change),
    );
  assert.equal(changeBet(draft, { account: ACCOUNT, no: rejected.no, change: { tag: 'x' }, charge: null }).tag, 'x');
  assert.deepEqual([draft.bets()[0]!.fills, bankrollOf(draft, ACCOUNT).cash], [[], 0]);
  checkLedger(draft);
});

test('a request that is repeated after its bet was changed is still that bet', () => {
  const draft = new MemoryDraft();
  const request = { mode: 'placed', clientId: 'same' } as const;
  const first = placed(draft, 1_000, standing('1'), request);
  changeBet(draft, { account: ACCOUNT, no: first.no, change: { cents: 2_000, tag: 'x' }, charge: null });
  assert.equal(placed(draft, 1_000, standing('1'), request).cents, 2_000);
  assert.equal(placed(draft, 2_000, standing('1'), { ...request, tag: 'x' }).cents, 2_000);
  assert.throws(() => placed(draft, 3_000, standing('1'), request), /client_id/);
});

/** What the ledger must be, from the bets alone. */
function checkLedger(draft: MemoryDraft): void {
  const { cash, open, deposits, profit, counted: numbers } = bankrollOf(draft, ACCOUNT);
  const counted = draft.bets().filter(counts);
  assert.deepEqual(
    counted.map(({ reason }) => reason).filter((reason) => reason !== null),
    [],
    'what was rejected has no money in it',
  );
  const settled = counted.filter(({ grading }) => grading?.profit != null).length;
  assert.deepEqual(numbers, { open: counted.length - settled, settled });
  const openStakes = counted.filter(({ grading }) => grading?.profit == null).map(riskOf);
  const profits = counted.map(({ grading }) => grading?.profit ?? 0);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  assert.deepEqual([open, profit], [sum(openStakes), halfEven(sum(profits))]);
  assert.equal(cash + open, (deposits ?? 0) + profit);
  assert.ok([cash, open, profit].every(Number.isInteger));
}

test('cash + open stakes = deposits + profit, and no size is filled twice, after every step of random worlds', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = randomOf(seed * 31);
    const pick = (max: number): number => Math.floor(random() * max);
    const draft = new MemoryDraft();
    /** Filled by row since its size was last stated anew. */
    const filled = new Map<string, number>();
    const sizes = new Map<string, number>();
    for (let step = 0; step < 60; step++) {
      draft.nowMs += 1 + pick(1_000);
      const oddsId = String(1 + pick(3));
      const bets = draft.bets();
      draft.run(() => {
        switch (pick(8)) {
          case 0:
            return setBankroll(draft, { account: ACCOUNT, deposits: pick(50_000), currency: 'USD' });
          case 1:
            // A rise adds.
            return sizes.set(oddsId, (sizes.get(oddsId) ?? 5_000) + pick(3_000));
          case 2: {
            const bet = bets[pick(bets.length)];
            return bet && strikeBet(draft, { account: ACCOUNT, no: bet.no });
          }
          case 4: {
            const bet = bets[pick(bets.length)];
            const result = ([...HAND_RESULTS, null, undefined] as const)[pick(8)];
            const struck = [true, false, undefined][pick(3)];
            const cents = [undefined, 1 + pick(4_000)][pick(2)];
            const change = { result, struck, cents };
            return bet && changeBet(draft, { account: ACCOUNT, no: bet.no, change, charge: null });
          }
          case 3: {
            const bet = bets[pick(bets.length)];
            const units = bet?.fills.map(() => [1.0333, -1, 0, null][pick(4)]!) ?? [];
            const result = 'won' as const;
            return (
              bet &&
              gradeBets(draft, [
                { account: ACCOUNT, no: bet.no, result, reason: null, revision: step, toldUs: 1, units, clv: null },
              ])
            );
          }
          default: {
            const size = sizes.get(oddsId) ?? 5_000;
            sizes.set(oddsId, size);
            const mode = pick(4) === 0 ? 'placed' : 'paper';
            const stands = standing(oddsId, { levels: [{ decimal: 2, cents: size }] });
            // Without a rate: rejected.
            stands.subject.currency = ['USD', 'GBP', 'AUD'][pick(3)]!;
            const bet = placed(
              draft,
              1 + pick(4_000),
              stands,
              { oddsId, mode, clientId: `s${pick(200)}` },
              { GBP: 1.3177 },
            );
            if (mode === 'paper' && !bets.some(({ no }) => no === bet.no))
              filled.set(oddsId, (filled.get(oddsId) ?? 0) + bet.fills.reduce((sum, { cents }) => sum + cents, 0));
            return bet;
          }
        }
      });
      checkLedger(draft);
      // Money that was graded away makes room: its market is over.
      for (const { oddsId: row, grading } of draft.bets())
        if (grading?.profit != null) filled.set(row, Number.NEGATIVE_INFINITY);
      for (const [row, cents] of filled)
        assert.ok(cents <= (sizes.get(row) ?? 0), `seed ${seed}: ${cents} of ${sizes.get(row)}`);
    }
  }
});

test('bets of an account that were never counted are counted once, and from then on with every step', () => {
  const draft = new MemoryDraft();
  for (const id of ['1', '2', '3']) placed(draft, 1_000, standing(id));
  const { counted: _, ...before } = bankrollOf(draft, ACCOUNT);
  draft.put(entryOf.bankroll(ACCOUNT), before);
  gradeBets(draft, [outcome(1, 1)]);
  assert.equal(bankrollOf(draft, ACCOUNT).counted, undefined);
  countBets(draft, ACCOUNT);
  checkLedger(draft);
  gradeBets(draft, [outcome(2, -1)]);
  checkLedger(draft);
  countBets(draft, ACCOUNT);
  checkLedger(draft);
});

test('a summary counts what was settled, voids as no bets, and the deepest fall of the profit', () => {
  const draft = new MemoryDraft();
  const ends = [2, -1, -1, 3, null, 0];
  for (const [i, units] of ends.entries()) {
    const { no } = placed(draft, 1_000, standing(String(i)), {});
    draft.nowMs += 1_000;
    const result = units === null ? 'pending' : units === 0 ? 'void' : units > 0 ? 'won' : 'lost';
    gradeBets(draft, [
      { account: ACCOUNT, no, result, reason: null, revision: 1, toldUs: 1, units: [units], clv: i === 0 ? 2 : null },
    ]);
  }
  placed(draft, 1_000, null);
  assert.deepEqual(summaryOf('all', draft.bets().filter(counts)), {
    group_key: 'all',
    bets: 6,
    stake: 6_000,
    profit: 3_000,
    open_exposure: 1_000,
    roi_percent: 75,
    clv_percent: 2,
    win_rate: 0.5,
    max_drawdown: 2_000,
  });
});

const outcome = (no: number, units: number | null, fields: object = {}) => {
  const result = units === null ? ('pending' as const) : units > 0 ? ('won' as const) : ('lost' as const);
  return { account: ACCOUNT, no, result, reason: null, revision: 1, toldUs: 1, units: [units], clv: null, ...fields };
};

test('what is settled stays settled, whatever is forgotten, until there is a newer word about its game', () => {
  const draft = new MemoryDraft();
  const { no } = placed(draft, 1_000, standing('1'));
  const grade = (units: number | null, fields: object): (string | number | null)[] => {
    draft.nowMs += 1_000;
    gradeBets(draft, [outcome(no, units, fields)]);
    const { result, profit, revision, clv } = draft.bets()[0]!.grading!;
    return [result, profit, revision, clv];
  };
  assert.deepEqual(grade(1, { revision: 3, clv: 2.5 }), ['won', 1_000, 3, 2.5]);
  const forgotten = { reason: 'no_result', revision: 0, toldUs: 0 };
  assert.deepEqual(grade(null, forgotten), ['won', 1_000, 3, 2.5]);
  assert.deepEqual(grade(null, { result: 'ungradeable', reason: 'unknown_bet', revision: 0, toldUs: 0 }), [
    'won',
    1_000,
    3,
    2.5,
  ]);
  assert.deepEqual(grade(-1, { revision: 3 }), ['won', 1_000, 3, 2.5], 'the same word under another rule');
  assert.deepEqual(grade(-1, { revision: 4 }), ['lost', -1_000, 4, 2.5], 'a correction');
  assert.deepEqual(grade(null, { reason: 'not_told', revision: 5 }), ['lost', -1_000, 4, 2.5], 'a word that says less');
  const again = { revision: 1, toldUs: 1e9 };
  assert.deepEqual(grade(-1, again), ['lost', -1_000, 4, 2.5], 'forgotten, and told again');
  assert.deepEqual(grade(1, again), ['won', 1_000, 5, 2.5], 'forgotten, and corrected');
  assert.deepEqual(grade(null, { reason: 'postponed', revision: 6 }), ['pending', null, 6, 2.5], 'to be played again');
  checkLedger(draft);
  assert.equal(bankrollOf(draft, ACCOUNT).open, 1_000);
});

test('profits are summed before they are rounded: many small bets make and lose no cents', () => {
  const draft = new MemoryDraft();
  for (let i = 0; i < 40; i++) {
    const { no } = placed(draft, 1, standing(String(i), { levels: [{ decimal: 1.8, cents: 100 }] }), { decimal: 1.8 });
    gradeBets(draft, [outcome(no, i % 9 < 5 ? 0.8 : -1)]);
  }
  const won = [...Array(40).keys()].filter((i) => i % 9 < 5).length;
  assert.equal(bankrollOf(draft, ACCOUNT).profit, halfEven(won * 0.8 - (40 - won)));
  const summary = summaryOf('all', draft.bets());
  assert.equal(summary.profit, bankrollOf(draft, ACCOUNT).profit);
  checkLedger(draft);
});

test('a lay stakes what it may lose: stake × (odds - 1), and wins the stake where the selection loses', () => {
  const draft = new MemoryDraft();
  setBankroll(draft, { account: ACCOUNT, deposits: 2_000, currency: 'USD' });
  const lay = (oddsId: string, levels: { decimal: number; cents: number }[]): JudgedRow => {
    const stands = standing(oddsId, { lay: true, bound: 'depth', levels });
    return { ...stands, subject: { ...stands.subject, market: 'moneyline_lay', lay: true } };
  };
  const levels = [
    { decimal: 2.2, cents: 400 },
    { decimal: 2.3, cents: 500 },
    { decimal: 2.5, cents: 5_000 },
  ];
  const asked = { decimal: 2.3 };
  const bet = placed(draft, 1_000, lay('1', levels), asked);
  assert.deepEqual(
    [bet.status, bet.fills.map(({ decimal, cents, liability }) => [decimal, cents, liability])],
    ['part_filled', [[2.2, 400, 480], [2.3, 500, 650]]],
    'the lowest odds first, and none above those asked',
  ); // biome-ignore format: a table
  assert.deepEqual(placed(draft, 1_000, lay('2', [{ decimal: 2.4, cents: 900 }]), asked).reason, 'price_moved');
  assert.deepEqual([bankrollOf(draft, ACCOUNT).open, bankrollOf(draft, ACCOUNT).cash], [1_130, 870]);
  assert.equal(placed(draft, 700, lay('3', levels), { decimal: 2.5 }).reason, 'insufficient_funds', 'the exposure');
  gradeBets(draft, [{ ...outcome(bet.no, -1.2), units: [-1.2, -1.3] }]);
  assert.equal(bankrollOf(draft, ACCOUNT).profit, -1_130);
  gradeBets(draft, [{ ...outcome(bet.no, 0.95), units: [0.95, 0.95], revision: 2 }]);
  assert.equal(bankrollOf(draft, ACCOUNT).profit, 855);
  const { stake, profit, roi_percent, open_exposure } = summaryOf('all', draft.bets().filter(counts));
  assert.deepEqual([stake, profit, roi_percent, open_exposure], [900, 855, (100 * 855) / 1_130, 0]);
  checkLedger(draft);
});

test('a lay that is lost loses what it was said to risk, to the cent: in any currency, over all its fills', () => {
  const rates = { GBP: 1.31, EUR: 1.08 };
  let differing = 0;
  for (const cents of [9_999, 1_234, 777, 33, 1])
    for (const decimal of [17.5, 3.25, 2.05, 1.01])
      for (const [currency, mode] of [['USD', 'placed'], ['EUR', 'placed'], ['USD', 'paper'], ['EUR', 'paper']] as const) {
        const draft = new MemoryDraft();
        setBankroll(draft, { account: ACCOUNT, deposits: 1_000_000, currency });
        const levels = [
          { decimal, cents: Math.ceil(cents / 2) },
          { decimal: decimal + 0.5, cents: 10_000 },
        ];
        const stands = standing('1', { lay: true, bound: 'depth', levels });
        Object.assign(stands.subject, { currency: 'GBP', lay: true });
        const asked = mode === 'paper' ? decimal + 0.5 : decimal;
        const { no, fills } = placed(draft, cents, stands, { mode, decimal: asked }, rates);
        const units = fills.map((fill) => 1 - fill.decimal);
        const lose = (revision: number) => gradeBets(draft, [{ ...outcome(no, -1), units, revision }]);
        const check = (what: string): void => {
          const bet = draft.bets()[0]!;
          assert.equal(bankrollOf(draft, ACCOUNT).profit + riskOf(bet), 0, `${what}: ${cents} at ${decimal} in ${currency}`);
          assert.ok(reachOf(bet) >= riskOf(bet));
          checkLedger(draft);
        };
        lose(1);
        check(mode);
        if (halfEven(fills.reduce((sum, { home }, i) => sum + home * units[i]!, 0)) !== -riskOf({ fills })) differing++;
        if (mode === 'paper') continue;
        const change = (changed: BetChange): Bet =>
          changeBet(draft, { account: ACCOUNT, no, change: changed, charge: null });
        change({ cents: 2_345 });
        check('another stake');
        change({ result: 'lost' });
        check('by hand');
        change({ cents: 678, price: { decimal: 4.4, american: 340 } });
        check('by hand, another price');
      } // biome-ignore format: a table
  assert.ok(differing > 5, `${differing} would differ if the stake alone were rounded`);
});

test('a venue takes no less than its minimum, and whole contracts alone', () => {
  const draft = new MemoryDraft();
  const order = { minCents: 200, stepCents: 0, contractCents: 0, charge: null };
  assert.equal(placed(draft, 150, standing('1', { order })).reason, 'below_minimum');
  assert.equal(placed(draft, 200, standing('1', { order })).status, 'filled');
  const steps = { ...order, minCents: 0, stepCents: 50 };
  assert.deepEqual(placed(draft, 299, standing('2', { order: steps })).fills[0]!.cents, 250);
  const contracts = { ...order, minCents: 0, contractCents: 100 };
  const at40 = { levels: [{ decimal: 2.5, cents: 1_000 }], order: contracts };
  const bought = placed(draft, 130, standing('3', at40));
  assert.deepEqual([bought.status, bought.fills[0]!.cents], ['part_filled', 120], 'three at 40 cents');
  assert.equal(placed(draft, 39, standing('3', at40)).reason, 'below_minimum');
  checkLedger(draft);
});

test('sums are exact from 5,000,000.00 on, and a bet that could bring one beyond 2^53 cents is refused', () => {
  const draft = new MemoryDraft();
  assert.deepEqual([500_000_001, 500_000_001.5, 500_000_002.5, 900_000_000_001.4].map(halfEven), [
    500_000_001, 500_000_002, 500_000_002, 900_000_000_001,
  ]); // biome-ignore format: pairs
  const large = placed(draft, 600_000_001, standing('1'), { mode: 'placed', decimal: 2.5 });
  gradeBets(draft, [outcome(large.no, 1.5)]);
  assert.equal(bankrollOf(draft, ACCOUNT).profit, halfEven(600_000_001 * 1.5));
  const huge = { mode: 'placed', decimal: 1_000_000 };
  assert.match(String(draft.run(() => placed(draft, 1e10, standing('2'), huge))), /2\^53 cents/);
  assert.equal(draft.bets().length, 1);
  // What waits is rejected for it: an error would keep all behind it waiting.
  const waits = placed(draft, 1_000, standing('3', {}, { live: true, delayMs: 5_000 }));
  placed(draft, LIMITS.bankrollCents.max - 1e9, standing('2'), { mode: 'placed' });
  const judged = judgeBet(draft, {
    account: ACCOUNT,
    no: waits.no,
    standing: standing('3', { levels: [{ decimal: 1e6, cents: 9e8 }] }),
    rates: {},
  });
  assert.deepEqual([judged!.status, judged!.reason, judged!.judgeMs], ['rejected', 'insufficient_funds', null]);
  assert.equal(draft.value(entryOf.taken(ACCOUNT, '3')), undefined);
  checkLedger(draft);
});

test('a summary has a thousand groups at most, the rest as one, and its total is of all', () => {
  const draft = new MemoryDraft();
  for (let i = 0; i < 1_010; i++)
    placed(draft, 100 + (i < 1_005 ? 1 : 0), standing(String(i)), { oddsId: String(i), tag: `t${i}` });
  const groups = summarised(draft.bets(), 'tag');
  assert.equal(groups.length, 1_000);
  const { group_key, bets, stake } = groups.at(-1)!;
  assert.deepEqual([group_key, bets, stake], ['other', 11, 6 * 101 + 5 * 100]);
  assert.equal(
    groups.reduce((sum, group) => sum + group.stake, 0),
    summaryOf('all', draft.bets()).stake,
  );
});

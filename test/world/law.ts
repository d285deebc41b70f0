// The invariant: no event has prices of two games, no listed opportunity loses on a result it covers, and every true
// one is listed at once. A world is sent through a real shard and checked after every batch.
import assert from 'node:assert/strict';
import { ManualClock } from '../../src/base/model/clock.js';
import { OPEN_ID_SECRET } from '../../src/base/model/identity.js';
import type { NormalMessage, Rejection } from '../../src/base/model/normal-message.js';
import type { UniverseSpec } from '../../src/base/model/opportunity.js';
import type { Row } from '../../src/base/model/row.js';
import type { EventState } from '../../src/base/model/state.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import type { Catalogue } from '../../src/rules/catalogue/catalogue.js';
import { Shard } from '../../src/writer/shard/shard.js';
import type { PublishedOpportunity } from '../detection/published.js';
import { PublishedOpportunities } from '../detection/published.js';
import { backOf, type Contract, countsOf, type Game, layBackOf, resultsOf } from './games.js';
import { type ListedItem, nameOfListed, nameOfRow } from './names.js';
import { type Charge, chargeOf, chargesOf, fairOf, foundIn, halfOf, layNetOf, netOf, type Question } from './oracle.js';
import { ageMaxMs } from './progress.js';
import { type Price, Visible } from './visible.js';
import type { Batch, World } from './world.js';

/** Stakes are printed in hundredths of a percent, and add up to 100. */
const ROUNDED_STAKE = 0.01;
/** Books that pay half of a win on a tie that others refund. */
const HALF_ON_TIE = new Set(['kalshi', 'polymarket']);
/** Percent. */
const FLOAT_NOISE = 1e-6;

export interface Played {
  rows: number;
  arbitrages: number;
  middles: number;
  lowHolds: number;
  /** The arbitrages that consist of a back and a lay. */
  layPairs: number;
  /** Bets in markets with a commission of their own. */
  ownFees: number;
  /** Prices above fair, and those whose stake may be returned. */
  edges: number;
  /** Results on which an arbitrage makes less than it prints. */
  exceptions: number;
  /** Arbitrages of a limited stake. */
  limited: number;
  pushes: number;
  /** Games that are over, and in play, batch by batch. */
  over: number;
  live: number;
}

interface Bet {
  book: string;
  row: Row;
  contract: Contract;
  net: number;
  /** Where its book pays half on a tie. */
  half: number;
  stake: number;
  lay: boolean;
}

/** Throws an AssertionError that names the violation. */
export function playWorld(world: World, catalogue: Catalogue): Played {
  const play = new Play(world, catalogue);
  for (const batch of world.batches) play.batch(batch);
  return play.played;
}

/** A world under way. */
export class Play {
  readonly played: Played = {
    rows: 0,
    arbitrages: 0,
    middles: 0,
    lowHolds: 0,
    layPairs: 0,
    ownFees: 0,
    edges: 0,
    exceptions: 0,
    limited: 0,
    pushes: 0,
    over: 0,
    live: 0,
  };
  readonly #games: readonly Game[];
  readonly #catalogue: Catalogue;
  readonly #shard: Shard;
  readonly #universes: readonly UniverseSpec[];
  readonly #charges: ReadonlyMap<string, Charge>;
  readonly #visible: Visible;
  readonly #published = new PublishedOpportunities();
  readonly #events = new Map<string, EventState>();
  /** The event of each true game, according to the rows. */
  readonly #eventOf = new Map<number, EventState>();
  /** The shown prices, by the names that rows have too. */
  readonly #prices = new Map<string, Price>();
  readonly #rows = new Map<string, { row: Row; book: string; game: Game; event: EventState; name: string }>();
  #nowMs = 0;

  /** @param idSecret keys the ids of what is found */
  constructor(world: World, catalogue: Catalogue, idSecret: string = OPEN_ID_SECRET) {
    this.#games = world.games;
    this.#catalogue = catalogue;
    this.#visible = new Visible(world.games);
    this.#universes = startUniverses(catalogue).filter(({ key }) => key !== 'pro');
    const store = {
      applied: ({ events, dropped }: { events: Iterable<EventState>; dropped: readonly EventState[] }) => {
        for (const event of events) this.#events.set(event.id, event);
        for (const { id } of dropped) this.#events.delete(id);
      },
    };
    this.#shard = new Shard(0, catalogue, store, this.#universes, undefined, { idSecret });
    this.#charges = chargesOf([...catalogue.books, ...catalogue.unlistedBooks]);
  }

  batch({ atMs, pushes }: Batch): void {
    this.#nowMs = atMs;
    const rejected: Rejection[] = [];
    const context = { catalogue: this.#catalogue, clock: new ManualClock(atMs), leagueOfEvent: () => undefined };
    const messages: NormalMessage[] = [];
    for (const push of pushes) {
      const normal = normalise(push.message, '', context, rejected);
      if (normal !== undefined) messages.push(normal);
      this.#visible.push(push, atMs);
    }
    const { news, receipts } = this.#shard.apply(messages, atMs * 1000);
    assert.deepEqual([...rejected, ...receipts.flatMap((receipt) => receipt.rejected)], []);
    this.#published.apply(this.#shard.open(news));
    this.#checkIdentity();
    for (const universe of this.#universes) {
      const published = this.#published.of(universe.key);
      for (const opportunity of published) this.#checkMoney(opportunity);
      this.#checkComplete(universe, published);
    }
  }

  /** Ids of the arbitrages that a universe lists, and the total number of rows. */
  shown(universe: string): { arbitrages: string[]; rows: number } {
    const arbitrages = this.#published
      .of(universe)
      .filter(({ kind, suspicious }) => kind === 'arbitrage' && !suspicious);
    return { arbitrages: arbitrages.map(({ id }) => id).sort(), rows: this.#rows.size };
  }

  #checkIdentity(): void {
    this.#rows.clear();
    this.#eventOf.clear();
    const present = new Map<string, string>();
    for (const event of this.#events.values()) {
      let game: Game | undefined;
      for (const [book, { rows }] of event.books)
        for (const row of rows.values()) {
          const of = this.#games[Number(row.externalId!.split('|')[0])]!;
          game ??= of;
          assert.equal(of.no, game.no, `${event.id} holds prices of games ${game.no} and ${of.no} (${book})`);
          const name = nameOfRow(book, game, row, event);
          this.#rows.set(row.id, { row, book, game, event, name });
          present.set(name, `${row.decimal} ${row.active}`);
        }
      if (game === undefined) continue;
      const other = this.#eventOf.get(game.no);
      assert.equal(other, undefined, `game ${game.no} is both ${event.id} and ${other?.id}`);
      this.#eventOf.set(game.no, event);
      this.#checkProgress(game, event);
      this.played.rows += present.size;
    }
    const shown = new Map<string, string>();
    this.#prices.clear();
    for (const { no } of this.#games)
      for (const price of this.#visible.of(no)) {
        const { book, market, player, team, type, alternate, line, decimal, active } = price;
        const name = [book, no, market, player, team, type, alternate ? line! + 0 : ''].join('|');
        shown.set(name, `${decimal} ${active}`);
        this.#prices.set(name, price);
      }
    let same = present.size === shown.size;
    for (const [name, published] of shown) same &&= present.get(name) === published;
    if (!same) assert.deepEqual([...present].sort(), [...shown].sort(), 'the rows are those on show');
  }

  /** Over, in play and its score, where the contract decides them. */
  #checkProgress({ no, home }: Game, { id, status, live, state, home: shownHome }: EventState): void {
    const { over, live: inPlay, scores } = this.#visible.progress(no, this.#nowMs);
    if (over !== null) assert.equal(status !== 'upcoming' && status !== 'live', over, `${id} is ${status}`);
    if (inPlay !== null) assert.equal(live, inPlay, `${id} is ${live ? '' : 'not '}live`);
    if (over === true) this.played.over++;
    if (inPlay === true) this.played.live++;
    if (scores.length === 0) return;
    const score = [state?.home_score, state?.away_score];
    if (home !== shownHome) score.reverse();
    assert.ok(
      scores.some((one) => one.join() === score.join()),
      `${id} stands at ${score}, said were ${scores.join(' ')}`,
    );
  }

  #betOf(odds: unknown, stake: unknown, lay = false): Bet {
    const { row, book, event, name } =
      this.#rows.get(odds as string) ?? assert.fail(`leg ${String(odds)} is not on show`);
    assert.ok(this.#nowMs - row.seenMs <= ageMaxMs(event), `leg at ${book} is stale`);
    assert.ok(row.active, `leg at ${book} is suspended`);
    const contract = row.externalId!.split('|')[1] as Contract;
    assert.equal(row.market.endsWith('_lay'), lay, 'a lay says that it is one, and nothing else does');
    const charge = chargeOf(this.#prices.get(name)!, this.#charges);
    if (this.#prices.get(name)!.commission !== undefined) this.played.ownFees++;
    const net = (lay ? layNetOf : netOf)(row.decimal, charge);
    const half = halfOf(row.decimal, charge);
    return { book, row, contract, net, half, stake: (stake as number) / 100, lay };
  }

  /** Settled on every result with the stakes as shown, after commission. */
  #checkMoney(opportunity: PublishedOpportunity): void {
    const { kind, item, suspicious } = opportunity;
    if (kind === 'arbitrage') {
      if (suspicious) return;
      const legs = item['legs'] as { odds_id: string; currency: string; stake_percent: number; is_lay?: true }[];
      const bets = legs.map((leg) => this.#betOf(leg.odds_id, leg.stake_percent, leg.is_lay));
      const lays = bets.some(({ lay }) => lay);
      assert.equal((item['warnings'] as string[]).includes('LAY_LEG'), lays);
      if (lays) this.played.layPairs++;
      else assert.equal(new Set(bets.map(({ book }) => book)).size, bets.length, 'every leg at a book of its own');
      const named = item['exceptions'] as { result: string; profit_percent: number }[];
      const printed = item['profit_percent'] as number;
      const rounded = ROUNDED_STAKE * Math.max(...bets.map(({ net }) => net));
      let loses = false;
      this.#settle(bets, opportunity, (profit, refunded, halves) => {
        loses ||= profit < -1e-9;
        assert.ok(refunded ? profit > -1e-9 : halves || profit > 0, `an arbitrage makes ${profit}`);
        if (refunded || (!halves && 100 * profit > printed - rounded)) return;
        const exception = named.find(({ profit_percent }) => Math.abs(profit_percent - 100 * profit) < 0.001);
        assert.ok(exception !== undefined, `an arbitrage of ${printed} % makes ${profit}, and does not say so`);
        assert.equal((item['warnings'] as string[]).includes('TIE_SETTLES_HALF'), halves);
        this.played.exceptions++;
      });
      assert.equal(opportunity.terms.sure, !loses, 'guaranteed leaves out what loses on a result, and nothing else');
      this.#checkStakes(
        legs.map((leg, i) => ({ ...leg, bet: bets[i]! })),
        item['max_stake'] as number | null,
      );
      this.played.arbitrages++;
    } else if (kind === 'middle') {
      const sides = [item['side1'], item['side2']] as { odds_id: string; stake_percent: number }[];
      const bets = sides.map(({ odds_id, stake_percent }) => this.#betOf(odds_id, stake_percent));
      assert.notEqual(bets[0]!.book, bets[1]!.book, 'a middle is at two books');
      const worst = item['worst_case_loss'] as number;
      const best = item['best_case_profit'] as number;
      this.#settle(bets, opportunity, (profit) => {
        assert.ok(100 * profit >= worst - FLOAT_NOISE, `a middle makes ${profit} where its worst is ${worst} %`);
        assert.ok(100 * profit <= best + 1e-4, `a middle makes ${profit} where its best is ${best} %`);
        if (item['is_guaranteed_profit'] === true) assert.ok(profit > 0, `a sure middle makes ${profit}`);
      });
      this.played.middles++;
    } else if (kind === 'low_hold') this.played.lowHolds++;
    else if (kind === 'ev') this.#checkEdge(item);
  }

  /** At the greatest stake in all no leg takes more than its size: pounds and dollars are not added. */
  #checkStakes(
    legs: readonly { odds_id: string; currency: string; stake_percent: number; bet: Bet }[],
    most: number | null,
  ): void {
    const sizes = legs.map(({ odds_id, bet }) => {
      const { size } = this.#prices.get(this.#rows.get(odds_id)!.name)!;
      return size === undefined ? undefined : bet.lay ? size * (bet.row.decimal - 1) : size;
    });
    const [first, ...others] = legs;
    if (most === null) {
      const comparable = legs.every(({ currency }) => currency === 'USD');
      assert.ok(!comparable || sizes.every((size) => size === undefined), 'a size that limits nothing');
      return;
    }
    assert.ok(others.every(({ currency }) => currency === first!.currency) && first!.currency === 'USD');
    for (const [i, { stake_percent }] of legs.entries())
      if (sizes[i] !== undefined) assert.ok((most * stake_percent) / 100 <= sizes[i]! + 0.01, `${most} of ${sizes[i]}`);
    this.played.limited++;
  }

  /** An edge is less than that of a decided bet where the stake may be returned, and says so; elsewhere it is that one. */
  #checkEdge(item: PublishedOpportunity['item']): void {
    const { book, contract, row, net } = this.#betOf(item['odds_id'], 0);
    this.#checkFair(item);
    const decided = 100 * ((item['fair_probability'] as number) * net - 1);
    const edge = item['ev_percentage'] as number;
    const line = row.line ?? Number.NaN;
    const strike = row.market.includes('_contract_');
    const ties =
      contract === 'tie2' ||
      (contract === 'winner2' && row.market === 'moneyline' && this.#sportOf(item) === 'football');
    const pushes = ties || (Number.isInteger(line) && !strike);
    assert.equal((item['warnings'] as string[]).includes('PUSH_POSSIBLE'), pushes, `${row.market} ${row.line}`);
    // A contract that pays half on a tie may be worth more for it.
    if (ties && contract === 'winner2' && HALF_ON_TIE.has(book)) {
      assert.ok(Math.abs(edge - decided) < Math.abs(net / 2 - 1) * 5 + 1, `${edge} of ${decided}`);
      return;
    }
    const sure = !pushes && (strike || !Number.isInteger(line * 2 - 0.5));
    const [least, most] = sure ? [decided - 0.001, decided + 0.001] : [0, decided + 0.001];
    assert.ok(edge >= least && edge <= most, `${row.market} ${row.line}: ${edge} of ${decided}`);
    if (contract === 'tie2') assert.ok(edge < 0.995 * decided + 0.001, `${row.market}: ${edge} of ${decided}`);
    this.played.edges++;
    if (pushes) this.played.pushes++;
  }

  #sportOf(item: PublishedOpportunity['item']): string {
    return this.#rows.get(item['odds_id'] as string)!.game.sport;
  }

  /** Fair prices are those of books that mean theirs, each owner once. */
  #checkFair(item: PublishedOpportunity['item']): void {
    const { game, event, name } = this.#rows.get(item['odds_id'] as string)!;
    const question = this.#questionOf(game, event, null);
    const fair = fairOf(question, this.#prices.get(name)!, (book) => this.#catalogue.ownerOf(book), 'pinnacle');
    const shown = item['fair_probability'] as number;
    if (fair === undefined) return;
    assert.ok(Math.abs(fair - shown) < 1e-5, `${name}: fair ${shown}, truly ${fair}`);
  }

  #settle(
    bets: readonly Bet[],
    { item, sport }: PublishedOpportunity,
    check: (profit: number, refunded: boolean, halves: boolean) => void,
  ): void {
    const lines = bets.map(({ row }) => row.line ?? 0);
    const counted = bets[0]!.contract === 'total';
    for (const end of counted ? countsOf(lines) : resultsOf(sport, Math.max(...lines.map(Math.abs)))) {
      let back = 0;
      let refunded = true;
      let halves = 0;
      for (const { book, contract, row, net, half, stake, lay } of bets) {
        const halved = HALF_ON_TIE.has(book) && contract === 'winner2' && end.final === 0;
        if (halved) halves++;
        const paid = halved ? half : (lay ? layBackOf : backOf)(contract, row.selectionType, row.line, net, end);
        back += stake * paid;
        refunded &&= paid === 1;
      }
      try {
        check(back - 1, refunded, halves > 0 && halves < bets.length);
      } catch (error) {
        const published = bets.map(({ book, row, contract, net, stake }) =>
          [book, contract, row.selectionType, row.line, row.decimal, net, stake].join(' '),
        );
        throw new Error(
          `${(error as Error).message} on ${JSON.stringify(end)}: ${published.join('; ')} ${item['event_id']}`,
        );
      }
    }
  }

  #checkComplete({ key, books }: UniverseSpec, published: readonly PublishedOpportunity[]): void {
    const listed = new Map<string, PublishedOpportunity>();
    for (const opportunity of published)
      if (opportunity.kind !== 'ev' && !(opportunity.kind === 'arbitrage' && opportunity.suspicious)) {
        const name = this.#nameOf(opportunity);
        assert.ok(!listed.has(name), `${name} is listed twice`);
        listed.set(name, opportunity);
      }
    const truth = new Map<string, number>();
    for (const game of this.#games) {
      const event = this.#eventOf.get(game.no);
      if (event === undefined) continue;
      const question = this.#questionOf(game, event, books === null ? null : new Set(books));
      for (const [name, { edge, due }] of foundIn(question)) {
        truth.set(name, edge);
        assert.ok(!due || listed.has(name), `${key}: ${name} of ${edge} % is not listed`);
      }
    }
    for (const [name, { kind, edge }] of listed) {
      if (kind === 'middle') continue;
      const truly = truth.get(name) ?? Number.NaN;
      assert.ok(Math.abs(truly - edge) < 1e-6, `${key}: ${name} is listed at ${edge} %, truly ${truly}`);
    }
  }

  #questionOf(game: Game, event: EventState, books: ReadonlySet<string> | null): Question {
    const [visible, charges, nowMs] = [this.#visible, this.#charges, this.#nowMs];
    return { game, visible, nowMs, ageMaxMs: ageMaxMs(event), charges, books };
  }

  #nameOf({ kind, item }: PublishedOpportunity): string {
    assert.ok(kind === 'arbitrage' || kind === 'low_hold' || kind === 'middle');
    const event = this.#events.get(item['event_id'] as string)!;
    const game = [...this.#eventOf].find(([, of]) => of === event)?.[0] ?? -1;
    const flipped = game >= 0 && event.home !== this.#games[game]!.home;
    return nameOfListed(kind, item as unknown as ListedItem, { game, flipped }, this.#visible);
  }
}

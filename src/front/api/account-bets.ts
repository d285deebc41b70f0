// An account's bets: recorded, listed, struck, summed up; and its bankroll.
import type { Static } from 'typebox';
import type { AccountQueue } from '../../accounts/account-queue.js';
import { type Bet, type BetRequest, counts, idOfBet, noOfBet } from '../../accounts/bets/bet.js';
import type { Bets } from '../../accounts/bets/bets.js';
import { amountOf, centsOf } from '../../accounts/bets/cents.js';
import type { Bankroll } from '../../accounts/bets/ledger.js';
import { type BetSummary, summarised, summaryOf } from '../../accounts/bets/summary.js';
import { callerOf } from '../../accounts/key-record.js';
import { betItem } from '../../answers/bets.js';
import { ApiError } from '../../base/model/errors.js';
import { Type } from '../../base/model/json-schema.js';
import { LIMITS } from '../../base/model/limits.js';
import { parseCurrency } from '../../base/model/money.js';
import { roundTo } from '../../base/model/price.js';
import type { Engine } from '../../engine/engine.js';
import {
  AccountBet,
  AccountBetsBody,
  AccountBetsQuery,
  BankrollBody,
  BankrollItem,
  BetsSkipped,
  BetsSummary,
  BetsSummaryQuery,
  ChangedBet,
  type NewBet,
  NewBets,
} from '../../schema/bets.js';
import { listBody, objectBody, resultBody } from '../../schema/envelope.js';
import type { AskHistory } from '../../store/clv/queries.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { asksWhole, LISTED, sendItems, sendList, sendObject, sendResult, sendWhole } from './answer.js';
import { changeOf, readBetTable, requestOf, rowsOf, type StatedRequest } from './bet-request.js';
import { COST } from './cost.js';
import { periodUsOf } from './view.js';

export interface BetDeps {
  engine: Engine;
  bets: Bets;
  history?: AskHistory | undefined;
}

interface ReadDeps extends BetDeps {
  /** Calls `each` with every bet of the account, newest first; counts what that costs. */
  read(context: Pick<RequestContext, 'requireKey' | 'spend' | 'keepPosition'>, each: (bet: Bet) => void): Promise<void>;
}

const PATH = '/api/v1/account/bets';
const COMMON = { auth: 'required', right: 'bets', undelayed: true, tags: ['account'] } as const;
const params = Type.Object({ id: Type.String({ description: 'id of the bet' }) });
const COLUMNS = Object.keys(AccountBet.properties).filter((name) => name !== 'fills');

const EXAMPLE = 'client_id,odds_id,stake,odds_american,mode,tag\r\nbot-1,1234567890123456789,25,-105,paper,steam\r\n';

export function betRoutes({ engine, bets, history }: BetDeps, costly: AccountQueue): Route[] {
  const deps = { engine, bets, history, read: reader(bets, costly) };
  return [
    ...recordingRoutes(deps, costly),
    route({
      ...COMMON,
      method: 'GET',
      path: PATH,
      query: AccountBetsQuery,
      response: AccountBetsBody,
      ...LISTED,
      summary: 'Bets of the account, newest first',
      handler: (context) => list(context, deps),
    }),
    summaryRoute(deps),
    ...betRoute(deps),
    ...bankrollRoutes(deps),
  ];
}

function recordingRoutes({ engine, bets, history }: BetDeps, costly: AccountQueue): Route[] {
  const { clock } = engine;
  /** Bets placed elsewhere whose row has left the table are looked up in history, as bets to be graded are. */
  const recorded = async (
    context: RequestContext,
    stated: readonly StatedRequest[],
    where: (i: number) => string,
  ): Promise<Bet[]> => {
    const key = context.requireKey();
    const described = stated.flatMap(({ oddsId }, i) =>
      typeof oddsId === 'string' ? [] : [{ bet: oddsId, where: where(i) }],
    );
    const find = () => rowsOf(engine, history, described);
    // Each may be one that history is asked about.
    context.spend(described.length * COST.bet);
    const ids = described.length === 0 ? [] : await costly.run(callerOf(key), find);
    let next = 0;
    const requests = stated.map(({ oddsId, ...request }): BetRequest => {
      return { ...request, oddsId: typeof oddsId === 'string' ? oddsId : ids[next++]! };
    });
    const lookUps = bets.lookUps(requests);
    context.spend(lookUps * COST.bet);
    const record = (): Promise<Bet[]> => bets.place(key, requests);
    return await (lookUps === 0 ? record() : costly.run(callerOf(key), record));
  };
  return [
    route({
      ...COMMON,
      method: 'POST',
      path: PATH,
      body: NewBets,
      status: 201,
      response: listBody(AccountBet),
      errors: ['conflict', 'unavailable', 'storage_full'],
      summary: 'Record bets: on paper, filled from what stands in the table, or placed elsewhere',
      handler: async (context) => {
        const requests = context.body.bets.map((bet, i) => stated(bet, `bets[${i}]`));
        const ids = new Set(requests.map(({ clientId }) => clientId));
        if (ids.size < requests.length) throw new ApiError('invalid_request', 'bets: two have the same client_id');
        const placed = await recorded(context, requests, (i) => `bets[${i}]`);
        sendList(context, clock, placed.map(betItem), {}, {}, 201);
      },
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${PATH}/csv`,
      rawBody: ['text/csv'],
      rawBodyExample: EXAMPLE,
      status: 201,
      response: listBody(AccountBet, { skipped: BetsSkipped }),
      errors: ['conflict', 'unavailable', 'storage_full'],
      summary: 'Record the bets of a CSV table, with the columns of the list: all, or none',
      handler: async (context) => {
        const { requests, lines, skipped } = readBetTable(context.body ?? new Uint8Array(0));
        context.spend(requests.length * COST.composed);
        const placed = await recorded(context, requests, (i) => `line ${lines[i]}`);
        sendList(context, clock, placed.map(betItem), {}, { skipped }, 201);
      },
    }),
  ];
}

function summaryRoute({ engine: { clock }, bets, read }: ReadDeps): Route {
  return route({
    ...COMMON,
    method: 'GET',
    path: `${PATH}/summary`,
    query: BetsSummaryQuery,
    response: objectBody(BetsSummary),
    summary: 'What the bets of the account did, in groups',
    handler: async (context) => {
      const { account } = context.requireKey();
      const all: Bet[] = [];
      await read(context, (bet) => void all.push(bet));
      const { currency, cash, deposits } = bets.bankroll(account);
      sendObject(context, clock, {
        groups: summarised(all, context.query.group_by).map(inUnits),
        total: total(all),
        currency,
        cash: amountOf(cash),
        deposits: deposits === null ? null : amountOf(deposits),
        struck: all.filter(({ status }) => status === 'struck').length,
      });
    },
  });
}

function total(bets: readonly Bet[]) {
  const { group_key: _all, ...summary } = inUnits(summaryOf('all', bets.filter(counts)));
  return summary;
}

function inUnits(group: BetSummary): BetSummary {
  return {
    ...group,
    stake: amountOf(group.stake),
    profit: amountOf(group.profit),
    roi_percent: rounded(group.roi_percent),
    clv_percent: rounded(group.clv_percent),
    win_rate: rounded(group.win_rate),
    max_drawdown: amountOf(group.max_drawdown),
    open_exposure: amountOf(group.open_exposure),
  };
}

/** So few bets are read at once. */
const FEW = 1_000;

function reader(bets: Bets, costly: AccountQueue): ReadDeps['read'] {
  return async (context, each) => {
    const key = context.requireKey();
    const count = bets.bankroll(key.account).bets;
    context.spend(count);
    context.keepPosition();
    const read = async (end?: AbortController): Promise<void> => {
      for await (const piece of bets.all(key.account, end?.signal)) for (const bet of piece) each(bet);
    };
    await (count <= FEW ? read() : costly.run(callerOf(key), read));
  };
}

function stated(bet: NewBet, where: string): StatedRequest {
  try {
    return requestOf(bet);
  } catch (error) {
    throw error instanceof ApiError ? new ApiError('invalid_request', `${where}: ${error.message}`) : error;
  }
}

function betRoute({ engine: { clock }, bets }: BetDeps): Route[] {
  const noIn = (context: RequestContext): number => {
    const no = noOfBet(context.params['id']!);
    if (no === undefined) throw unknownBet();
    return no;
  };
  return [
    route({
      ...COMMON,
      method: 'GET',
      path: `${PATH}/:id`,
      params,
      response: resultBody(AccountBet),
      errors: ['not_found'],
      summary: 'A bet of the account',
      handler: (context) => {
        const bet = bets.get(context.requireKey().account, noIn(context));
        if (bet === undefined) throw unknownBet();
        sendResult(context, clock, betItem(bet));
      },
    }),
    route({
      ...COMMON,
      method: 'DELETE',
      path: `${PATH}/:id`,
      params,
      response: resultBody(AccountBet),
      errors: ['not_found', 'conflict', 'unavailable'],
      summary: 'Strike a placed bet that was recorded by mistake: it stays in the list, marked',
      handler: async (context) => {
        sendResult(context, clock, betItem(await bets.strike(context.requireKey().account, noIn(context))));
      },
    }),
    route({
      ...COMMON,
      method: 'PATCH',
      path: `${PATH}/:id`,
      params,
      body: ChangedBet,
      response: resultBody(AccountBet),
      errors: ['not_found', 'conflict', 'unavailable'],
      summary: 'Change a bet: stake and price of a placed one, its result by hand, tag and note; or take a strike back',
      handler: async (context) => {
        const changed = changeOf(context.body);
        sendResult(context, clock, betItem(await bets.change(context.requireKey().account, noIn(context), changed)));
      },
    }),
  ];
}

function bankrollRoutes({ engine: { clock }, bets }: BetDeps): Route[] {
  const common = { ...COMMON, path: '/api/v1/account/bankroll', response: resultBody(BankrollItem) } as const;
  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Deposits, cash, open stakes and profit of the bets of the account',
      handler: (context) =>
        sendResult(context, clock, bankrollItem(bets.bankroll(context.requireKey().account), bets.paperMax)),
    }),
    route({
      ...common,
      method: 'PUT',
      body: BankrollBody,
      errors: ['conflict', 'unavailable'],
      summary: 'State the deposits: a paper bet beyond the cash is rejected then',
      handler: async (context) => {
        const { account } = context.requireKey();
        const { deposits, currency } = context.body;
        const cents = deposits === null || deposits === 0 ? deposits : centsOf(deposits);
        if (cents === undefined) throw new ApiError('invalid_request', 'deposits must have at most two decimals');
        const known = bets.bankroll(account).currency;
        const stated = currency === undefined ? known : currencyOf(currency);
        sendResult(context, clock, bankrollItem(await bets.setBankroll(account, cents, stated), bets.paperMax));
      },
    }),
  ];
}

function currencyOf(text: string): string {
  try {
    return parseCurrency(text);
  } catch (error) {
    throw new ApiError('invalid_request', `currency must be ${(error as Error).message}`);
  }
}

function unknownBet(): ApiError {
  return new ApiError('not_found', 'the account has no bet with this id');
}

async function list(context: RequestContext<Static<typeof AccountBetsQuery>>, deps: ReadDeps): Promise<void> {
  const { status, tag, cursor, format } = context.query;
  const isWhole = asksWhole(context);
  const { limit = format === 'csv' ? LIMITS.betsPage.max : 100 } = context.query;
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : noOfBet(cursor);
  if (before === undefined) throw new ApiError('invalid_request', 'cursor is none of a page before');
  const { fromUs = Number.NEGATIVE_INFINITY, toUs = Number.POSITIVE_INFINITY } = periodUsOf(context.query);
  const [fromMs, toMs] = [fromUs / 1000, toUs / 1000];
  const page: Bet[] = [];
  // Of a whole list the numbers alone: it lasts for as long as its reader likes.
  const whole: number[] = [];
  let total = 0;
  let more = false;
  await deps.read(context, (bet) => {
    if (status !== undefined && bet.status !== status) return;
    if ((tag !== undefined && bet.tag !== tag) || bet.recordedMs < fromMs || bet.recordedMs > toMs) return;
    total++;
    if (bet.no >= before) return;
    if (isWhole) whole.push(bet.no);
    else if (page.length < limit) page.push(bet);
    else more = true;
  });
  if (isWhole) {
    const { account } = context.requireKey();
    const rows = (begin: number, end: number) =>
      whole
        .slice(begin, end)
        .flatMap((no) => deps.bets.get(account, no) ?? [])
        .map(betItem);
    await sendWhole(context, { name: 'bets', total, columns: COLUMNS, rows });
    return;
  }
  const nextCursor = more ? idOfBet(page.at(-1)!.no) : null;
  const items = page.map(betItem);
  sendItems(context, deps.engine.clock, { name: 'bets', columns: COLUMNS }, items, { limit, total, nextCursor });
}

function rounded(value: number | null): number | null {
  return value === null ? null : roundTo(value, 4);
}

function bankrollItem({ currency, deposits, cash, open, profit }: Bankroll, paperMax: number): BankrollItem {
  return {
    currency,
    deposits: deposits === null ? null : amountOf(deposits),
    cash: amountOf(cash),
    open_stakes: amountOf(open),
    profit: amountOf(profit),
    paper_max: paperMax,
  };
}

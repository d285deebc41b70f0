// An account's bets: recorded, listed, struck, summed up; and its bankroll.
import type { Static } from 'typebox';
import { type BetRequest, idOfBet, noOfBet } from '../bets/bet.js';
import type { Bets } from '../bets/bets.js';
import { amountOf, centsOf } from '../bets/cents.js';
import type { Bankroll } from '../bets/ledger.js';
import { summarised } from '../bets/summary.js';
import { type RequestContext, type Route, route } from '../front/http/context.js';
import type { Clock } from '../model/clock.js';
import { ApiError } from '../model/errors.js';
import { Type } from '../model/json-schema.js';
import { parseCurrency } from '../model/money.js';
import { americanFromDecimal, decimalFromAmerican, parseAmerican, roundTo } from '../model/price.js';
import { betItem } from '../reader/bets.js';
import { toCsv } from '../reader/csv.js';
import {
  AccountBet,
  AccountBetsBody,
  AccountBetsQuery,
  BankrollBody,
  BankrollItem,
  BetsSummary,
  BetsSummaryQuery,
  type NewBet,
  NewBets,
} from '../schema/bets.js';
import { listBody, objectBody, success, UpdatedAt } from '../schema/envelope.js';
import { sendList, sendObject, sendResult } from './envelope.js';
import { timeUsOf } from './parameters.js';

export interface BetDeps {
  engine: { clock: Clock };
  bets: Bets;
}

const PATH = '/api/v1/account/bets';
const COMMON = { auth: 'required', right: 'bets', keyOnly: true, undelayed: true, tags: ['account'] } as const;
const params = Type.Object({ id: Type.String({ description: 'id of the bet' }) });
const resultBody = <T extends Parameters<typeof objectBody>[0]>(data: T) =>
  Type.Object({ success, data, updated_at: UpdatedAt });
const CSV = 'text/csv; charset=utf-8';

export function betRoutes({ engine: { clock }, bets }: BetDeps): Route[] {
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
        const requests = context.body.bets.map(requestOf);
        const ids = new Set(requests.map(({ clientId }) => clientId));
        if (ids.size < requests.length) throw new ApiError('invalid_request', 'bets: two have the same client_id');
        const placed = await bets.place(context.requireKey(), requests);
        sendList(context, clock, placed.map(betItem), {}, {}, 201);
      },
    }),
    route({
      ...COMMON,
      method: 'GET',
      path: PATH,
      query: AccountBetsQuery,
      response: AccountBetsBody,
      produces: ['text/csv'],
      summary: 'Bets of the account, newest first',
      handler: (context) => list(context, bets, clock),
    }),
    route({
      ...COMMON,
      method: 'GET',
      path: `${PATH}/summary`,
      query: BetsSummaryQuery,
      response: objectBody(BetsSummary),
      summary: 'What the bets of the account did, in groups',
      handler: (context) => {
        const { account } = context.requireKey();
        const all = bets.list(account);
        context.spend(all.length);
        const { currency, cash, deposits } = bets.bankroll(account);
        sendObject(context, clock, {
          groups: summarised(all, context.query.group_by).map((group) => ({
            ...group,
            stake: amountOf(group.stake),
            profit: amountOf(group.profit),
            roi_percent: rounded(group.roi_percent),
            clv_percent: rounded(group.clv_percent),
            win_rate: rounded(group.win_rate),
            max_drawdown: amountOf(group.max_drawdown),
            open_exposure: amountOf(group.open_exposure),
          })),
          currency,
          cash: amountOf(cash),
          deposits: deposits === null ? null : amountOf(deposits),
          struck: all.filter(({ status }) => status === 'struck').length,
        });
      },
    }),
    ...betRoute({ clock, bets }),
    ...bankrollRoutes({ clock, bets }),
  ];
}

interface Parts {
  clock: Clock;
  bets: Bets;
}

function betRoute({ clock, bets }: Parts): Route[] {
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
  ];
}

function bankrollRoutes({ clock, bets }: Parts): Route[] {
  const common = { ...COMMON, path: '/api/v1/account/bankroll', response: resultBody(BankrollItem) } as const;
  return [
    route({
      ...common,
      method: 'GET',
      summary: 'Deposits, cash, open stakes and profit of the bets of the account',
      handler: (context) => sendResult(context, clock, bankrollItem(bets.bankroll(context.requireKey().account))),
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
        const cents = deposits === 0 ? 0 : centsOf(deposits);
        if (cents === undefined) throw new ApiError('invalid_request', 'deposits must have at most two decimals');
        const known = bets.bankroll(account).currency;
        const stated = currency === undefined ? known : currencyOf(currency);
        sendResult(context, clock, bankrollItem(await bets.setBankroll(account, cents, stated)));
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

/** Throws ApiError `invalid_request`. */
function requestOf(bet: Static<typeof NewBet>, place: number): BetRequest {
  const { client_id, odds_id, stake, mode, tag = null, note = null } = bet;
  const wrong = (what: string): never => {
    throw new ApiError('invalid_request', `bets[${place}]: ${what}`);
  };
  const cents = centsOf(stake) ?? wrong('stake must have at most two decimals');
  if ((bet.odds_american === undefined) === (bet.odds_decimal === undefined))
    wrong('either odds_american or odds_decimal is needed');
  const american =
    bet.odds_american === undefined
      ? americanFromDecimal(bet.odds_decimal!)
      : (parseAmerican(bet.odds_american) ?? wrong(`odds_american: ${bet.odds_american} is no price`));
  const decimal = bet.odds_decimal ?? decimalFromAmerican(american);
  return { clientId: client_id, oddsId: odds_id, mode, cents, decimal, american, tag, note };
}

function list(context: RequestContext<Static<typeof AccountBetsQuery>>, bets: Bets, clock: Clock): void {
  const { status, tag, from, to, limit, cursor, format } = context.query;
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : noOfBet(cursor);
  if (before === undefined) throw new ApiError('invalid_request', 'cursor is none of a page before');
  const fromMs = (timeUsOf('from', from) ?? Number.NEGATIVE_INFINITY) / 1000;
  const toMs = (timeUsOf('to', to) ?? Number.POSITIVE_INFINITY) / 1000;
  const all = bets.list(context.requireKey().account);
  context.spend(all.length);
  const found = all.filter(
    (bet) =>
      (status === undefined || bet.status === status) &&
      (tag === undefined || bet.tag === tag) &&
      bet.recordedMs >= fromMs &&
      bet.recordedMs <= toMs,
  );
  if (format === 'csv') {
    const rows = found.map(betItem).map(({ fills: _fills, ...row }) => row);
    context.sendBuffer(
      200,
      CSV,
      toCsv(
        Object.keys(AccountBet.properties).filter((name) => name !== 'fills'),
        rows,
      ),
    );
    return;
  }
  const rest = found.filter(({ no }) => no < before);
  const page = rest.slice(0, limit);
  const nextCursor = rest.length > limit ? idOfBet(page.at(-1)!.no) : null;
  sendList(context, clock, page.map(betItem), { limit, total: found.length, nextCursor });
}

function rounded(value: number | null): number | null {
  return value === null ? null : roundTo(value, 4);
}

function bankrollItem({ currency, deposits, cash, open, profit }: Bankroll): Static<typeof BankrollItem> {
  return {
    currency,
    deposits: deposits === null ? null : amountOf(deposits),
    cash: amountOf(cash),
    open_stakes: amountOf(open),
    profit: amountOf(profit),
  };
}

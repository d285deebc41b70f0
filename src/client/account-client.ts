// The part of the client that is about the caller's own account: keys, bets, alerts, tokens.
import { Calls, type List } from './calls.js';
import type { Answer, CallOptions } from './rest.js';
import type * as shapes from './types.js';

export class AccountClient extends Calls {
  account(options?: CallOptions): Promise<Answer<shapes.Account>> {
    return this.get('/account', {}, options);
  }

  usage(options?: CallOptions): Promise<Answer<shapes.Usage>> {
    return this.get('/account/usage', {}, options);
  }

  keys(options?: CallOptions): List<shapes.AccountKey> {
    return this.list('/account/keys', {}, options);
  }

  createKey(name: string, options?: CallOptions): Promise<Answer<shapes.NewKey>> {
    return this.post('/account/keys', { name }, options);
  }

  deleteKey(id: string, options?: CallOptions): Promise<void> {
    return this.remove(`/account/keys/${encodeURIComponent(id)}`, options);
  }

  rotateKey(
    id: string,
    { graceHours, name }: { graceHours?: number; name?: string } = {},
    options?: CallOptions,
  ): Promise<Answer<shapes.RotatedKey>> {
    return this.post(`/account/keys/${encodeURIComponent(id)}/rotate`, { gracePeriodHours: graceHours, name }, options);
  }

  /** Records bets of the account, all or none: on paper, or placed elsewhere. The same `client_id` is recorded once. */
  placeBets(bets: readonly shapes.NewBet[], options?: CallOptions): List<shapes.AccountBet> {
    return this.send('POST', '/account/bets', { bets }, true, options);
  }

  /** The same for a CSV table with the columns of `GET /account/bets?format=csv`, of which most may be missing. */
  placeBetTable(table: string, options?: CallOptions): List<shapes.AccountBet> {
    return this.sendTable('/account/bets/csv', table, options);
  }

  /** Newest first. */
  bets(params?: shapes.AccountBetsParams, options?: CallOptions): List<shapes.AccountBet> {
    return this.list('/account/bets', params, options);
  }

  bet(id: string, options?: CallOptions): Promise<Answer<shapes.AccountBet>> {
    return this.get(betPath(id), {}, options);
  }

  /** Strikes a placed bet that was recorded by mistake: it stays in the list, marked. */
  strikeBet(id: string, options?: CallOptions): Promise<Answer<shapes.AccountBet>> {
    return this.remove(betPath(id), options);
  }

  /** Changes what is stated; `{ struck: false }` takes a strike back, a result of null one that was stated by hand. */
  changeBet(id: string, bet: shapes.ChangedBet, options?: CallOptions): Promise<Answer<shapes.AccountBet>> {
    return this.send('PATCH', betPath(id), bet, true, options);
  }

  betsSummary(params?: shapes.BetsSummaryParams, options?: CallOptions): Promise<Answer<shapes.BetsSummary>> {
    return this.get('/account/bets/summary', params, options);
  }

  bankroll(options?: CallOptions): Promise<Answer<shapes.Bankroll>> {
    return this.get('/account/bankroll', {}, options);
  }

  /** States all deposits together: a paper bet beyond the cash is rejected from then on; null takes them back. */
  setBankroll(
    bankroll: { deposits: number | null; currency?: string },
    options?: CallOptions,
  ): Promise<Answer<shapes.Bankroll>> {
    return this.send('PUT', '/account/bankroll', bankroll, true, options);
  }

  alerts(options?: CallOptions): List<shapes.Alert> {
    return this.list('/account/alerts', {}, options);
  }

  /** The answer contains the secret that signs its webhooks: it is shown this once. */
  createAlert(alert: shapes.NewAlert, options?: CallOptions): Promise<Answer<shapes.CreatedAlert>> {
    return this.post('/account/alerts', alert, options);
  }

  /** Changes what is stated; `{ paused: true }` pauses it. */
  changeAlert(id: string, alert: shapes.ChangedAlert, options?: CallOptions): Promise<Answer<shapes.Alert>> {
    return this.send('PATCH', alertPath(id), alert, true, options);
  }

  /** Sends one example to its target, now. */
  testAlert(id: string, options?: CallOptions): Promise<Answer<{ id: string; queued: number }>> {
    return this.post(`${alertPath(id)}/test`, {}, options);
  }

  deleteAlert(id: string, options?: CallOptions): Promise<void> {
    return this.remove(alertPath(id), options);
  }

  /** A short-lived token that a web page may use in place of a key: it reads and streams, and nothing else. */
  createToken(token: shapes.NewToken, options?: CallOptions): Promise<Answer<shapes.ViewerToken>> {
    return this.post('/account/tokens', token, options);
  }
}

function alertPath(id: string): string {
  return `/account/alerts/${encodeURIComponent(id)}`;
}

function betPath(id: string): string {
  return `/account/bets/${encodeURIComponent(id)}`;
}

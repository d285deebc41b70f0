// What an account records while faults go on: keys, alert rules and bets are made and ended one after the other. What was
// acknowledged is there at every quiet moment, at every node, and the account's money adds up to the cent.
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../test/world/random.js';
import { Polling } from './polling.js';
import type { Answer, Run } from './run.js';

const STEP_MS = 400;
/** An account may have ten keys, its first one included; one is left for what an answer was lost of. */
const KEYS_MAX = 6;
const RULES_MAX = 20;
/** By then a revoked key is refused everywhere, and a change is seen at every node. */
const KNOWN_MS_MAX = 1_000;
const LAW = 'what an account recorded stays';
const DEPOSITS = 1_000_000;

/** A key or a rule, known by its name: what is lost with an answer has one as well. */
interface Named {
  name: string;
  id: string;
  /** The key itself; a rule has none. */
  key?: string;
  state: 'there' | 'ended';
  /** Of the last acknowledgement (performance.now). */
  atMs: number;
}

interface Bet {
  client_id: string;
  body: string;
  /** As answered; undefined until then, and while a loss of power may have taken it. */
  answered?: { id: string; status: string; stake_filled: number };
  atMs: number;
}

interface Listed {
  id: string;
  client_id: string;
  name: string;
  status: string;
  stake_filled: number;
  result: string | null;
  is_active?: boolean;
}

const PATHS = { key: '/api/v1/account/keys', rule: '/api/v1/account/alerts' } as const;
type Kind = keyof typeof PATHS;
const KINDS = ['key', 'rule'] as const;

export class AccountRecords {
  readonly #run: Run;
  readonly #random: Random;
  readonly #key: string;
  readonly #named: Record<Kind, Map<string, Named>> = { key: new Map(), rule: new Map() };
  readonly #bets = new Map<string, Bet>();
  /** Its answer was lost: it is sent again until there is one. */
  #underWay: Bet | undefined;
  #count = 0;
  #polling: Polling;

  constructor(run: Run, random: Random, key: string) {
    this.#run = run;
    this.#random = random;
    this.#key = key;
    this.#polling = this.#recording();
  }

  close(): Promise<void> {
    return this.#polling.close();
  }

  /** What was acknowledged since `sinceMs` (performance.now) may be gone, and what was ended since may be back. */
  powerLost(sinceMs: number): void {
    if (this.#run.flushed) return;
    for (const kind of KINDS)
      for (const [name, { atMs }] of this.#named[kind]) if (atMs > sinceMs) this.#named[kind].delete(name);
    for (const bet of this.#bets.values()) if (bet.atMs > sinceMs) delete bet.answered;
  }

  /** To be called in a calm moment: nothing is recorded meanwhile. */
  async check(): Promise<void> {
    await this.#polling.close();
    const begunMs = performance.now();
    while (performance.now() - begunMs < KNOWN_MS_MAX) await wait(50);
    for (const kind of KINDS) await this.#checkNamed(kind);
    await this.#checkKeys();
    await this.#checkBets();
    this.#run.count('records of an account: compared');
    this.#polling = this.#recording();
  }

  #recording(): Polling {
    return new Polling(
      () => this.#run.pollMs(STEP_MS),
      () => this.#step(),
    );
  }

  async #step(): Promise<void> {
    const random = this.#random;
    if (this.#underWay !== undefined || random.chance(0.4)) return this.#bet();
    const kind = random.pick(KINDS);
    const there = [...this.#named[kind].values()].filter(({ state }) => state === 'there');
    if (there.length >= (kind === 'key' ? KEYS_MAX : RULES_MAX) || (there.length > 0 && random.chance(0.3)))
      await this.#end(kind, random.pick(there));
    else await this.#make(kind);
  }

  #send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: string): Promise<Answer | null> {
    const headers = { 'content-type': 'application/json' };
    return this.#run.call(path, this.#key, body === undefined ? { method } : { method, headers, body });
  }

  async #make(kind: Kind): Promise<void> {
    const name = `${kind} ${this.#count++}`;
    // No price is that much above fair: nothing is ever sent.
    const target = { type: 'webhook', url: 'http://127.0.0.1:9/' };
    const body = kind === 'key' ? { name } : { name, channel: 'ev', min_ev: 1_000, target };
    const answer = await this.#send('POST', PATHS[kind], JSON.stringify(body));
    if (answer?.status === 201) {
      const { id, key } = (answer.body as { data: { id: string; key?: string } }).data;
      const named: Named = { name, id, state: 'there', atMs: performance.now() };
      this.#named[kind].set(name, key === undefined ? named : { ...named, key });
      this.#run.count(`records of an account: ${kind}s made`);
    } else if (answer !== null && answer.status < 500) await this.#endUnknown(kind);
  }

  async #end(kind: Kind, named: Named): Promise<void> {
    // While it is under way it may be either.
    this.#named[kind].delete(named.name);
    const answer = await this.#send('DELETE', `${PATHS[kind]}/${named.id}`);
    if (answer?.status === 204)
      this.#named[kind].set(named.name, { ...named, state: 'ended', atMs: performance.now() });
    else if (answer?.status === 404) this.#run.find(LAW, `${named.name} was made and is not found`);
  }

  /** Those that were made though their answer was lost would fill the account. */
  async #endUnknown(kind: Kind): Promise<void> {
    for (const { id, name, is_active } of (await this.#list(PATHS[kind])) ?? [])
      if (name?.startsWith(`${kind} `) && is_active !== false && !this.#named[kind].has(name))
        await this.#send('DELETE', `${PATHS[kind]}/${id}`);
  }

  async #bet(): Promise<void> {
    const bet = this.#underWay ?? [...this.#bets.values()].find(({ answered }) => !answered) ?? (await this.#newBet());
    if (bet === undefined) return;
    this.#underWay = bet;
    this.#bets.set(bet.client_id, bet);
    const answer = await this.#send('POST', '/api/v1/account/bets', bet.body);
    if (answer === null || answer.status >= 500) return;
    this.#underWay = undefined;
    if (answer.status !== 201) {
      this.#bets.delete(bet.client_id);
      return this.#run.find(LAW, `a bet was answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
    }
    bet.answered = (answer.body as { data: Listed[] }).data[0]!;
    bet.atMs = performance.now();
    this.#run.count('records of an account: bets');
  }

  async #newBet(): Promise<Bet | undefined> {
    const answer = await this.#run.call('/api/v1/odds?limit=50', this.#key);
    const rows = (answer?.body as { data?: { id: string; odds_decimal: number }[] } | undefined)?.data ?? [];
    if (rows.length === 0) return undefined;
    const { id, odds_decimal } = this.#random.pick(rows);
    const client_id = `bet ${this.#count++}`;
    const mode = this.#random.chance(0.5) ? 'placed' : 'paper';
    const bet = { client_id, odds_id: id, odds_decimal, stake: this.#random.int(1, 5_000) / 100, mode };
    return { client_id, body: JSON.stringify({ bets: [bet] }), atMs: 0 };
  }

  /** Undefined if it could not be read. */
  async #list(path: string, base?: string): Promise<Listed[] | undefined> {
    const answer = await this.#run.call(path, this.#key, {}, base);
    return answer?.status === 200 ? (answer.body as { data: Listed[] }).data : undefined;
  }

  get #bases(): string[] {
    return this.#run.deployment.nodes.filter(({ program }) => program.running).map(({ program }) => program.url);
  }

  async #checkNamed(kind: Kind): Promise<void> {
    for (const base of this.#bases) {
      const listed = await this.#list(PATHS[kind], base);
      if (listed === undefined) return this.#run.find('answers', `${PATHS[kind]} could not be read in a quiet moment`);
      const active = new Set(listed.filter(({ is_active }) => is_active !== false).map(({ name }) => name));
      for (const { name, state } of this.#named[kind].values())
        if (active.has(name) !== (state === 'there'))
          this.#run.find(LAW, `${name} is ${state}, ${base} lists otherwise`);
    }
    // What ended stays so; it need not be looked at for ever.
    for (const { name, state } of this.#named[kind].values()) if (state === 'ended') this.#forget(kind, name);
  }

  /** Of keys the newest are looked at once more, as callers. */
  #forget(kind: Kind, name: string): void {
    const ended = [...this.#named[kind].values()].filter(({ state }) => state === 'ended');
    if (kind === 'rule' || ended.length > KEYS_MAX) this.#named[kind].delete(name);
  }

  async #checkKeys(): Promise<void> {
    for (const { name, key, state } of this.#named.key.values())
      for (const base of this.#bases) {
        const answer = await this.#run.call('/api/v1/account', key!, {}, base);
        if (answer === null || answer.status >= 500) this.#run.find('answers', `/account of ${name} in a quiet moment`);
        else if ((answer.status === 200) !== (state === 'there'))
          this.#run.find(LAW, `${name} is ${state}, and answered ${answer.status} at ${base}`);
      }
  }

  async #checkBets(): Promise<void> {
    if (this.#bets.size === 0) return;
    const bets: Listed[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const answer = await this.#run.call(`/api/v1/account/bets?limit=1000${cursor}`, this.#key);
      if (answer?.status !== 200) return this.#run.find('answers', 'bets could not be read in a quiet moment');
      const { data, pagination } = answer.body as { data: Listed[]; pagination: { next_cursor?: string | null } };
      bets.push(...data);
      cursor = pagination.next_cursor ? `&cursor=${encodeURIComponent(pagination.next_cursor)}` : undefined;
    }
    const byClient = new Map(bets.map((bet) => [bet.client_id, bet]));
    if (byClient.size < bets.length) this.#run.find(LAW, `${bets.length - byClient.size} bets are listed twice`);
    for (const { client_id, answered } of this.#bets.values()) {
      const listed = byClient.get(client_id);
      if (answered === undefined) continue;
      // A pending one is judged later.
      const isSame =
        listed?.id === answered.id && (answered.status === 'pending' || listed.stake_filled === answered.stake_filled);
      if (!isSame)
        this.#run.find(LAW, `${client_id} was ${JSON.stringify(answered)}, listed ${JSON.stringify(listed)}`);
    }
    await this.#checkMoney(bets);
  }

  /** Cash and open stakes are deposits and profit, and the stakes those of the bets, to the cent. */
  async #checkMoney(bets: readonly Listed[]): Promise<void> {
    const answer = await this.#run.call('/api/v1/account/bankroll', this.#key);
    if (answer?.status !== 200) return this.#run.find('answers', 'the bankroll could not be read in a quiet moment');
    const { data } = answer.body as { data: Record<'cash' | 'open_stakes' | 'profit' | 'deposits', number> };
    const cents = (amount: number): number => Math.round(amount * 100);
    const open = bets.filter(({ result }) => result === null).reduce((sum, bet) => sum + cents(bet.stake_filled), 0);
    const [cash, deposits, profit] = [cents(data.cash), cents(data.deposits), cents(data.profit)];
    const isPending = bets.some(({ status }) => status === 'pending');
    if (cash + cents(data.open_stakes) !== deposits + profit || (!isPending && open !== cents(data.open_stakes)))
      this.#run.find('cash and open stakes are deposits and profit', `${JSON.stringify(data)}, bets of ${open / 100}`);
  }

  /** Deposits: without them there is no limit, and nothing to add up. */
  async deposit(): Promise<void> {
    const answer = await this.#send('PUT', '/api/v1/account/bankroll', `{"deposits":${DEPOSITS},"currency":"USD"}`);
    if (answer?.status !== 200) this.#run.find('answers', `no bankroll: ${answer?.status}`);
  }
}

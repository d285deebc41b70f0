// The table as a simple map, written from the contract alone: the shard must always agree with it.
import { GAMES, type StormMessage, type StormQuote } from './storm.js';

export interface ReferenceRow {
  line: number | null;
  american: number;
  active: boolean;
  previous: number | null;
  /** Seconds after the storm's start. */
  seenAt: number;
  changedAt: number;
}

export class Reference {
  /** By `book|game|market|side|…`: what names a price. */
  readonly rows = new Map<string, ReferenceRow>();
  readonly #polls = new Map<string, number>();
  readonly #leaguePolls = new Map<string, number>();
  readonly #games = new Set<number>();

  /** Rows removed in the present batch: a row that returns before the batch ends was never removed. */
  readonly #gone = new Map<string, ReferenceRow>();

  applyBatch(messages: readonly StormMessage[], position: number): void {
    this.#gone.clear();
    for (const message of messages) this.#apply(message, position);
  }

  #apply(message: StormMessage, position: number): void {
    const shown = new Set<string>();
    const covered = new Set<number>();
    const { book, at, scope, league } = message;
    for (const sighting of message.sightings) {
      const game = GAMES[sighting.game]!;
      if (scope === 'league' && game.league !== league) continue;
      const { quotes } = sighting;
      const removes = quotes.length > 0 && quotes.every(({ offer }) => offer === 'removed');
      if (removes && !this.#games.has(sighting.game)) continue;
      const newest = Math.max(
        this.#polls.get(`${book}|${sighting.game}`) ?? -1,
        this.#leaguePolls.get(`${book}|${game.league}`) ?? -1,
      );
      if (at < newest) continue;
      this.#games.add(sighting.game);
      this.#polls.set(`${book}|${sighting.game}`, at);
      covered.add(sighting.game);
      const prefix = `${book}|${sighting.game}|`;
      for (const quote of quotes) this.#show(prefix, quote, sighting.suspended, at, shown, position);
      if (sighting.suspended && (quotes.length === 0 || scope === 'none')) this.#suspend(prefix, at, shown, position);
    }
    if (scope === 'none') return;
    for (const key of this.rows.keys()) {
      const [keyBook, keyGame] = key.split('|');
      const game = Number(keyGame);
      if (keyBook !== book || shown.has(key)) continue;
      const unlisted = scope === 'league' && GAMES[game]!.league === league;
      if (covered.has(game) || (unlisted && this.#polls.get(`${book}|${game}`)! <= at)) this.#remove(key);
    }
    if (scope === 'league') {
      const key = `${book}|${league}`;
      this.#leaguePolls.set(key, Math.max(at, this.#leaguePolls.get(key) ?? -1));
    }
  }

  #remove(key: string): void {
    this.#gone.set(key, this.rows.get(key)!);
    this.rows.delete(key);
  }

  #suspend(prefix: string, at: number, shown: Set<string>, position: number): void {
    for (const [key, row] of this.rows) {
      if (!key.startsWith(prefix) || shown.has(key)) continue;
      shown.add(key);
      this.rows.set(key, { ...row, active: false, seenAt: at, changedAt: row.active ? position : row.changedAt });
    }
  }

  #show(prefix: string, quote: StormQuote, suspended: boolean, at: number, shown: Set<string>, position: number): void {
    const line = quote.kind === 'moneyline' ? null : quote.line;
    const key = `${prefix}${quote.kind}|${quote.side}|${quote.alternate ? `alternate ${line}` : 'main'}`;
    if (quote.offer === 'removed') {
      shown.delete(key);
      if (this.rows.has(key)) this.#remove(key);
      return;
    }
    if (shown.has(key)) return;
    const row = this.rows.get(key) ?? this.#gone.get(key);
    const priced = quote.offer !== 'price left out';
    if (!priced && row === undefined) return;
    shown.add(key);
    const active = quote.offer === 'open' && !suspended;
    const moved = priced && row !== undefined && (row.american !== quote.price || row.line !== line);
    const same = row !== undefined && !moved && row.active === active;
    this.rows.set(key, {
      line: priced ? line : row!.line,
      american: priced ? quote.price : row!.american,
      active,
      previous: moved ? row.american : (row?.previous ?? null),
      seenAt: at,
      changedAt: same ? row.changedAt : position,
    });
  }
}

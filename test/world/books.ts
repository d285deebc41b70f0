// The books of a world: how each of them names, dates and prices the games, and its current list.

import type { Commission } from '../../src/base/model/commission.js';
import type { IngestEvent, IngestMarket, IngestSelection } from '../../src/intake/ingest/message.js';
import { type Contract, chanceOf, type Game } from './games.js';
import { partsOf } from './parts.js';
import type { BookStyle, Player, Quote } from './quote.js';
import { Random } from './random.js';
import { type Said, saidOf } from './statements.js';

const MINUTE_MS = 60_000;
/** Exchanges that also show prices to lay. */
const LAYING = new Set(['betfair', 'matchbook']);
const EXCHANGES = new Set([
  ...['betfair', 'matchbook', 'kalshi', 'prophetx', 'novig', 'polymarket', 'smarkets'],
  // Nobody knows what it charges.
  'street_exchange',
]);
/** What can be staked at an exchange's price. */
const SIZES = [0.4, 3, 19, 20, 60, 900];
/** Of an exchange without orders, on every side. */
const EMPTY_CHANCE = 0.97;
/** The same where it has few. */
const EMPTY_CHANCES = [0.6, 0.66, EMPTY_CHANCE];
/** Commissions that an exchange may have in one of its markets and not in others. */
const FEES: readonly Commission[] = [
  { model: 'winnings', rate: 0 },
  { model: 'winnings', rate: 0.02 },
  { model: 'winnings', rate: 0.07 },
  { model: 'contract', rate: 0.02 },
  { model: 'contract', rate: 0.035, rounding: 'cent_up' },
];

export function makeBooks(random: Random, ids: readonly string[]): BookStyle[] {
  const count = random.chance(0.015) ? ids.length : random.int(2, 6);
  const shared = random.chance(0.4);
  // If such a book had no ids and removed a game for a while, the game could not be recognised after a long delay.
  const delays = random.chance(0.15);
  return random
    .shuffled(ids)
    .slice(0, count)
    .map((id) => ({
      id,
      american: random.chance(0.6) && !isModel(id),
      ids: random.pick(shared ? (['none', 'shared', 'shared'] as const) : (['none', 'own', 'own'] as const)),
      scope: !delays && random.chance(0.3) ? 'league' : 'event',
      delays,
      clockMs: random.chance(0.7) ? 0 : random.int(-20_000, 25_000),
      margin: EXCHANGES.has(id) ? 0 : random.between(0.005, 0.03),
      threeWay: random.chance(0.4),
      threeWayHandicap: random.chance(0.15),
      statistic: random.chance(0.5),
      sized: EXCHANGES.has(id) && random.chance(0.5),
      playerName: random.pick(['Al Jones Jr.', 'al jones', 'Ál Jones']),
      namesakes: random.pick([['smith'], ['smith jr'], ['smith', 'smith jr']] as const),
      says: random.pick(['nothing', 'nothing', 'nothing', 'truth', 'anything'] as const),
      stamps: random.chance(0.15),
      texts: random.chance(0.3),
      fair: isModel(id),
    }));
}

const isModel = (id: string): boolean => id.endsWith('_model');

interface Listed {
  game: Game;
  startMs: number;
  swapped: boolean;
  /** The only game of these two teams. */
  alone: boolean;
  quotes: Quote[];
  /** Markets of a part of the game. */
  parts: Quote[];
  /** Prices to lay, in markets of their own. */
  lays: Quote[];
  /** Its moneyline had a draw when it was first listed. */
  drawKnown: boolean;
  /** Removed; it may return. */
  gone: boolean;
  suspended: boolean;
  /** Commissions by market, if they differ from the book's. */
  fees: Map<string, Commission>;
  /** Suspended markets: with their prices, or in a word. */
  closed: Map<string, 'priced' | 'bare'>;
  said: Said;
}

/** The current list of one book. */
export class BookListings {
  readonly style: BookStyle;
  readonly #games: Listed[] = [];
  readonly #suspensions: boolean;
  /** A generator of its own: without lays all other quotes would be the same. */
  readonly #layRandom: Random;
  readonly #partRandom: Random;
  readonly #sizeRandom: Random;
  readonly #saidRandom: Random;

  constructor(style: BookStyle, games: readonly Game[], random: Random, suspensions: boolean, nowMs: number) {
    this.style = style;
    this.#suspensions = suspensions;
    this.#layRandom = new Random(style.margin * 1e9 + style.clockMs + (games[0]?.startMs ?? 0) + style.id.length);
    this.#partRandom = new Random(
      style.margin * 1e9 + style.clockMs + (games[0]?.startMs ?? 0) + 7 * style.id.length + 3,
    );
    this.#sizeRandom = new Random(style.margin * 1e9 + style.clockMs + (games[0]?.startMs ?? 0) + 5);
    this.#saidRandom = new Random(style.margin * 1e9 + style.clockMs + (games[0]?.startMs ?? 0) + 11);
    for (const game of games) {
      if (random.chance(0.15)) continue;
      const quotes = this.#ordered(quotesOf(game, style, random));
      const shift = random.chance(0.7) ? 0 : random.int(-40, 40);
      const startMs = game.startMs + shift * MINUTE_MS;
      this.#games.push({
        game,
        startMs,
        swapped: random.chance(0.1),
        alone: games.every((other) => other === game || other.home !== game.home),
        quotes,
        parts: this.#parts(game),
        lays: laysOf(quotes, style, this.#layRandom),
        drawKnown: quotes.some(({ contract, type }) => contract === 'winner3' && type === 'draw'),
        gone: false,
        suspended: false,
        fees: feesOf(quotes, style, this.#layRandom),
        closed: new Map(),
        said: saidOf({ ...game, startMs }, style, this.#saidRandom, nowMs, {}),
      });
    }
  }

  #parts(game: Game): Quote[] {
    const price = (chance: number): number => priceOf(chance, this.style.american);
    return partsOf(game, this.style, this.#partRandom, price);
  }

  /** At an exchange some markets have no orders, and some prices little money. */
  #ordered(quotes: Quote[]): Quote[] {
    if (!EXCHANGES.has(this.style.id)) return quotes;
    const empty = new Map<string, number>();
    const nameOf = ({ market, line }: Quote) => `${market}|${Math.abs(line ?? 0)}`;
    for (const quote of quotes)
      if (this.#sizeRandom.chance(0.05)) empty.set(nameOf(quote), this.#sizeRandom.pick(EMPTY_CHANCES));
    for (const quote of quotes) {
      const chance = empty.get(nameOf(quote));
      // Two of a three-way price's sides, at these, look like a two-way price.
      const unknownDraw = quote.contract === 'winner3' && chance !== EMPTY_CHANCE;
      if (chance !== undefined && !unknownDraw) quote.price = priceOf(chance, this.style.american);
    }
    return this.#sized(quotes);
  }

  #sized(quotes: Quote[]): Quote[] {
    if (!this.style.sized) return quotes;
    return quotes.map((quote) => ({ ...quote, size: this.#sizeRandom.pick(SIZES) }));
  }

  leagues(): string[] {
    return this.#games.map(({ game }) => game.league);
  }

  listed(): { game: Game; event: IngestEvent }[] {
    return this.#games
      .filter(({ gone }) => !gone)
      .map((listed) => ({ game: listed.game, event: eventOf(listed, this.style) }));
  }

  /** Prices move, draws, sides and markets are suspended or missing, games come and go, begin and end, starts move. */
  change(random: Random, nowMs: number): void {
    for (const listed of this.#games) {
      listed.closed.clear();
      listed.suspended = this.#suspensions && random.chance(0.07);
      if (this.style.scope === 'league') listed.gone = random.chance(0.07);
      if (random.chance(0.05)) listed.startMs = listed.game.startMs + random.int(-40, 45) * MINUTE_MS;
      if (this.style.delays && this.style.ids !== 'none' && listed.alone && random.chance(0.2))
        listed.startMs = listed.game.startMs + random.int(3, 10) * 60 * MINUTE_MS;
      const { startMs, game, said } = listed;
      listed.said = saidOf({ ...game, startMs }, this.style, this.#saidRandom, nowMs, said);
      if (random.chance(0.5)) listed.quotes = this.#ordered(quotesOf(listed.game, this.style, random));
      else if (this.#sizeRandom.chance(0.3)) listed.quotes = this.#sized(listed.quotes);
      for (const quote of listed.quotes) {
        // If the draw was never shown, one side of a three-way price cannot be told from one of a two-way price.
        const unknownDraw = quote.contract === 'winner3' && quote.type !== 'draw' && !listed.drawKnown;
        quote.hidden = !unknownDraw && random.chance(quote.type === 'draw' ? 0.2 : 0.03);
        quote.active = unknownDraw || !this.#suspensions || !random.chance(quote.type === 'draw' ? 0.2 : 0.08);
        quote.removed = this.#saidRandom.chance(0.3);
        if (this.#suspensions && this.#saidRandom.chance(0.02))
          listed.closed.set(quote.market, this.#saidRandom.pick(['priced', 'bare'] as const));
      }
      if (this.#partRandom.chance(0.5)) listed.parts = this.#parts(listed.game);
      for (const part of listed.parts) part.active = !this.#suspensions || !this.#partRandom.chance(0.08);
      if (this.#layRandom.chance(0.5)) listed.lays = laysOf(listed.quotes, this.style, this.#layRandom);
      if (this.#layRandom.chance(0.2)) listed.fees = feesOf(listed.quotes, this.style, this.#layRandom);
      for (const lay of listed.lays) {
        lay.hidden = this.#layRandom.chance(0.1);
        lay.active = !this.#suspensions || !this.#layRandom.chance(0.1);
      }
    }
  }
}

function quotesOf(game: Game, style: BookStyle, random: Random): Quote[] {
  const quotes: Quote[] = [];
  const add = (market: string, contract: Contract, sides: readonly (readonly [string, number | null])[], more = {}) => {
    const chances = sides.map(([type, line]) => {
      const noise = random.normal() * 0.008 * (random.chance(0.06) ? 4 : 1);
      return Math.min(0.97, Math.max(0.03, chanceOf(game, contract, type, line ?? 0) + noise + style.margin / 1.5));
    });
    const sum = chances.reduce((total, chance) => total + chance, 0);
    // No real book offers an arbitrage in its own prices; below 0.97 the prices would count as three-way.
    const lift = contract === 'winner2' && sum < 0.99 ? 0.99 / sum : 1;
    sides.forEach(([type, line], i) => {
      const price = priceOf(chances[i]! * lift, style.american);
      const fixed = { player: null, team: null, alternate: false, active: true, hidden: false };
      quotes.push({ ...fixed, market, contract, type, line, price, ...more });
    });
  };
  const homeAway = [
    ['home', null],
    ['away', null],
  ] as const;
  const three = game.sport === 'soccer' || (game.sport === 'hockey' && style.threeWay);
  // Some books never show their draw.
  const draw = three && !random.chance(0.1) ? ([['draw', null]] as const) : [];
  add('moneyline', three ? 'winner3' : 'winner2', [...homeAway, ...draw]);
  const step = game.sport === 'soccer' ? 4 : 2;
  const handicap = { baseball: 'run_line', hockey: 'puck_line' }[game.sport] ?? 'point_spread';
  const total = { baseball: 'total_runs', hockey: 'total_goals', soccer: 'total_goals' }[game.sport] ?? 'total_points';
  const near = (value: number) => Math.round(value * step) / step + random.int(-1, 1) / step;
  const spread = (line: number, alternate: boolean) =>
    style.threeWayHandicap && game.draw > 0
      ? add(handicap, 'handicap3', threeSides(Math.round(line)), { alternate })
      : add(handicap, 'handicap2', twoSides('home', 'away', line, 0 - line), { alternate });
  const over = (line: number, alternate: boolean) =>
    add(total, 'total', twoSides('over', 'under', line, line), { alternate });
  const main = near(-game.margin);
  spread(main, false);
  const mainTotal = Math.max(1, near(game.total));
  over(mainTotal, false);
  if (random.chance(0.4)) {
    if (!(style.threeWayHandicap && game.draw > 0)) spread(main + 1, true);
    over(mainTotal + 1 / step, true);
    if (mainTotal > 1.5) over(mainTotal - 1, true);
    // Some books list their main line among the others, too.
    if (random.chance(0.4)) over(mainTotal, true);
    if (random.chance(0.4) && !(style.threeWayHandicap && game.draw > 0)) spread(main, true);
  }
  if (game.sport === 'basketball')
    for (const player of game.namesakes ? style.namesakes : (['jones'] as const)) {
      const mean = game.total / 10 + (player === 'smith jr' ? 5 : 0);
      const line = Math.round(mean) + 0.5 + random.int(0, 1);
      const sides = twoSides('over', 'under', line, line);
      const shown = { ...game, total: mean + 1, totalSd: 6 };
      for (const [type, at] of sides) {
        const chance = chanceOf(shown, 'total', type, at) + random.normal() * 0.02 + style.margin / 1.5;
        const price = priceOf(chance, style.american);
        const fixed = { player, team: null, alternate: false, active: true, hidden: false };
        quotes.push({ ...fixed, market: 'player_points', contract: 'total', type, line: at, price });
      }
    }
  return quotes;
}

/** As a book writes his name. */
function nameOf(player: Player, { playerName }: BookStyle): string {
  if (player === 'jones') return playerName;
  const plain = playerName.startsWith('al') ? 'bo smith' : 'Bo Smith';
  return player === 'smith' ? plain : `${plain}${playerName.endsWith('.') ? ' Jr.' : ', JR'}`;
}

/** About the price to back, sometimes below another book's price. */
function laysOf(quotes: readonly Quote[], style: BookStyle, random: Random): Quote[] {
  if (!LAYING.has(style.id)) return [];
  return quotes.flatMap((quote) => {
    if (random.chance(0.3)) return [];
    const backed = style.american ? decimalOf(quote.price) : quote.price;
    const price = priceOf(1 / Math.max(1.04, backed * random.between(0.97, 1.05)), style.american);
    return [{ ...quote, market: `${quote.market}_lay`, price, active: true, hidden: false }];
  });
}

function feesOf(quotes: readonly Quote[], style: BookStyle, random: Random): Map<string, Commission> {
  const fees = new Map<string, Commission>();
  if (!EXCHANGES.has(style.id)) return fees;
  for (const { market } of quotes)
    for (const name of [market, `${market}_lay`]) if (random.chance(0.15)) fees.set(name, random.pick(FEES));
  return fees;
}

function decimalOf(american: number): number {
  return american > 0 ? 1 + american / 100 : 1 - 100 / american;
}

function twoSides(first: string, second: string, a: number, b: number) {
  return [
    [first, a],
    [second, b],
  ] as const;
}

function threeSides(line: number) {
  return [
    ['home', line],
    ['away', 0 - line],
    ['draw', line],
  ] as const;
}

/** In the book's own steps: whole American points, or hundredths. */
function priceOf(probability: number, american: boolean): number {
  const decimal = 1 / Math.min(0.97, Math.max(0.03, probability));
  if (!american) return Math.max(1.01, Math.round(decimal * 100) / 100);
  return decimal >= 2
    ? Math.max(100, Math.round((decimal - 1) * 100))
    : Math.min(-101, Math.round(-100 / (decimal - 1)));
}

const turn = (type: string): string => (type === 'home' ? 'away' : type === 'away' ? 'home' : type);

function eventOf(
  { game, startMs, swapped, quotes, parts, lays, suspended, fees, closed, said }: Listed,
  style: BookStyle,
): IngestEvent {
  const markets = new Map<string, IngestMarket>();
  for (const quote of [...quotes, ...parts, ...lays]) {
    if (quote.hidden && quote.removed !== true) continue;
    const key = `${quote.market}|${quote.player}|${quote.team}`;
    let market = markets.get(key);
    if (market === undefined) {
      market = { market_type: quote.market, selections: [] };
      // Some books say whose total it is in the market's name.
      const team = swapped && quote.team !== null ? (turn(quote.team) as 'home' | 'away') : quote.team;
      if (team !== null && style.american) market.market_type = `${team}_${quote.market}`;
      else if (team !== null) market.team = team;
      const commission = fees.get(quote.market);
      if (commission !== undefined) market.commission = commission;
      if (quote.player !== null) market.player_name = nameOf(quote.player, style);
      if (quote.player !== null && style.statistic) market.stat_category = 'points';
      if (closed.has(quote.market)) market.is_active = false;
      markets.set(key, market);
    }
    if (closed.get(quote.market) !== 'bare') market.selections.push(selectionOf(quote, game, swapped, style));
  }
  const ids = { none: {}, own: { external_id: `${style.id}-${game.no}` }, shared: { external_id: `game-${game.no}` } };
  return {
    league: game.league,
    home_team: swapped ? game.away : game.home,
    away_team: swapped ? game.home : game.away,
    start_time: new Date(startMs).toISOString(),
    ...ids[style.ids],
    ...(swapped ? turnedRound(said) : said),
    ...(suspended ? { suspended: true } : {}),
    markets: suspended ? [] : [...markets.values()],
  };
}

function turnedRound({ game_state, ...said }: Said): Said {
  if (game_state === undefined) return said;
  return { ...said, game_state: { home_score: game_state.away_score!, away_score: game_state.home_score! } };
}

/** As a number or a text, or as the probability of a model. */
function statedPrice(price: number, { american, texts, fair }: BookStyle): Partial<IngestSelection> {
  if (fair) return { probability: Math.round(1e6 / price) / 1e6 };
  if (!american) return { odds_decimal: texts ? price.toFixed(2) : price };
  if (!texts) return { odds_american: price };
  if (price === 100) return { odds_american: 'EVEN' };
  return { odds_american: price > 0 ? `+${price}` : `−${-price}` };
}

function selectionOf(quote: Quote, game: Game, swapped: boolean, style: BookStyle): IngestSelection {
  const { contract, line, price, alternate, active, hidden } = quote;
  const type = swapped ? turn(quote.type) : quote.type;
  return {
    selection: type,
    selection_type: type,
    // The draw of a handicap has the home side's line, whichever side that is.
    ...(line === null ? {} : { line: swapped && type === 'draw' ? 0 - line : line }),
    ...statedPrice(price, style),
    ...(alternate ? { is_alternate_line: true } : {}),
    ...(hidden ? { is_removed: true } : {}),
    ...(active ? {} : { is_active: false }),
    ...(quote.size === undefined ? {} : { size: quote.size }),
    external_id: `${game.no}|${contract}`,
  } as IngestSelection;
}
